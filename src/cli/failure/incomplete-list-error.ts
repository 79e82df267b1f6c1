import type { PayctlError } from '../../errors.ts';

type ListProgress = {
  readonly resumeCursor: string | undefined;
  readonly resumeCommand?: string | undefined;
  readonly pages: number;
  readonly items: number;
  readonly unprinted?: PayctlError | undefined;
  readonly isTorn?: boolean | undefined;
};

/** A list that failed after some of its pages had come; `cause` is the reason. */
export class IncompleteListError extends Error {
  /** The cursor of the first page that did not come, from which the rest can be fetched. */
  readonly resumeCursor: string | undefined;
  /** The command line that fetches the rest. */
  readonly resumeCommand: string | undefined;
  /** How many pages came; they were printed, unless there is a reason in `unprinted`. */
  readonly pages: number;
  readonly items: number;
  /** Why the pages that had come could not be printed, such as a filter that failed on them. */
  readonly unprinted: PayctlError | undefined;

  /** The output ends within the page after those: it could not be written any further. */
  readonly isTorn: boolean;

  constructor(cause: unknown, progress: ListProgress) {
    super('The list is incomplete', { cause });
    this.resumeCursor = progress.resumeCursor;
    this.resumeCommand = progress.resumeCommand;
    this.pages = progress.pages;
    this.items = progress.items;
    this.unprinted = progress.unprinted;
    this.isTorn = progress.isTorn === true;
  }
}
