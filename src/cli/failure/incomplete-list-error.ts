import { ApiError, CursorLoopError, ResponseError } from '../../client/errors.ts';
import { OutputError, type PayctlError } from '../../errors.ts';

/** How far a list came. */
export type ListProgress = {
  /** The cursor of the first page that did not come, from which the rest can be fetched. */
  readonly resumeCursor: string | undefined;
  /** The command line that fetches the rest. */
  readonly resumeCommand?: string | undefined;
  /** How many pages came; they were printed, unless there is a reason in `unprinted`. */
  readonly pages: number;
  readonly items: number;
  /** Why the pages that had come could not be printed, such as a filter that failed on them. */
  readonly unprinted?: PayctlError | undefined;
  /** The number of complete lines, if the output could not be written to its end. */
  readonly wholeLines?: number | undefined;
  /** Everything requested had arrived; only a later step failed. */
  readonly isComplete?: boolean;
  /** What the command prints that fetches the rest can be appended to what was printed. */
  readonly isAppended?: boolean | undefined;
  /** The file that holds the pages, where they were not printed. */
  readonly writtenTo?: string;
  /** How many parts of a copy hold the items; undefined for anything but a copy. */
  readonly parts?: number;
  /** The service refused the first request of a run that continued the file, perhaps because its cursor is too old. */
  readonly mayBeStuck?: boolean;
};

/** A list that failed after some of its pages had come; `cause` is the reason. */
export class IncompleteListError extends Error {
  readonly progress: ListProgress;

  constructor(cause: unknown, progress: ListProgress) {
    super('The list is incomplete', { cause });
    this.progress = progress;
  }
}

/** What services say about a cursor, or a filter, that they do not know. */
const REFUSED = new Set([400, 404, 410, 422]);

/** Whether this can be the response to a cursor, or to a filter, that the service does not know. */
export function mayRefuseCursor(cause: unknown): cause is ApiError {
  return cause instanceof ApiError && REFUSED.has(cause.status);
}

/** Whether a list that failed in this way would fail again where it is resumed. */
export function leadsNowhere(cause: unknown): boolean {
  return (
    cause instanceof CursorLoopError ||
    (cause instanceof OutputError && cause.code === 'copy_damaged') ||
    (cause instanceof ResponseError && (cause.code === 'link_refused' || cause.code === 'paging_unknown'))
  );
}
