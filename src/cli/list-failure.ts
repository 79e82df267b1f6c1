import type { OutputError } from '../errors.ts';
import { IncompleteListError } from './failure/incomplete-list-error.ts';
import { commandFrom, type ListRun } from './list-end.ts';

/** How far a run has come: what was printed, and where the rest begins. */
export type Position = {
  pages: number;
  items: number;
  /** The cursor of the next page; null at the end, undefined at the start of a list. */
  cursor: string | null | undefined;
  /** How many items were printed of a last page that was cut; 0 for a whole one. */
  repeated: number;
};

type Printed = {
  readonly position: Position;
  /** The most items that were asked for. */
  readonly maxItems: number | undefined;
  /** Why the pages that had come could not be printed. */
  readonly unprinted?: OutputError | undefined;
  /** The output ends within the page after the position. */
  readonly isTorn?: boolean;
};

/** What to throw where a list failed after some of its pages: how far it came, and the command that fetches the rest. */
export async function listFailure(
  error: unknown,
  run: ListRun,
  { position, maxItems, unprinted, isTorn }: Printed,
): Promise<IncompleteListError> {
  const { cursor, items } = position;
  const resumeCommand =
    !cursor || unprinted || run.followsCursors === false
      ? undefined
      : await commandFrom(cursor, run, maxItems === undefined ? undefined : maxItems - items);
  return new IncompleteListError(error, {
    ...position,
    resumeCursor: cursor ?? undefined,
    resumeCommand,
    unprinted,
    isTorn,
  });
}
