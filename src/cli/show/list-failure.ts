import type { NextPage } from '../../client/page.ts';
import type { OutputError } from '../../errors.ts';
import { IncompleteListError } from '../failure/incomplete-list-error.ts';
import { canFollow, commandFrom, type ListRun } from './list-end.ts';

/** How far a run has come: what was printed, and where the rest begins. */
export type Position = {
  pages: number;
  items: number;
  /** The cursor of the next page; null at the end, undefined at the start of a list. */
  cursor: string | null | undefined;
  /** What comes after the last page. */
  next?: NextPage | undefined;
  /** How many items were printed of a last page that was cut; 0 for a whole one. */
  repeated: number;
};

type Printed = {
  readonly position: Position;
  /** The most items that were asked for. */
  readonly maxItems: number | undefined;
  /** Why the pages that had come could not be printed. */
  readonly unprinted?: OutputError | undefined;
  /** The complete lines up to the position, if the output could not be written to its end. */
  readonly wholeLines?: number;
  /** The output begins with a header, which what is appended to it must not repeat. */
  readonly hasHeader?: boolean;
  /** The rest can be appended to what was printed. */
  readonly isAppended?: boolean;
};

/** What to throw where a list failed after some of its pages: how far it came, and the command that fetches the rest. */
export async function listFailure(
  error: unknown,
  run: ListRun,
  { position, maxItems, unprinted, wholeLines, hasHeader, isAppended }: Printed,
): Promise<IncompleteListError> {
  const { cursor, items, next } = position;
  const isComplete = cursor === null || items === maxItems;
  const others = run.argv.filter((word) => word !== '--bom');
  const rest = { ...run, argv: hasHeader ? [...others, '--no-header'] : others };
  const resumeCommand =
    !cursor || isComplete || unprinted || !canFollow(run, next)
      ? undefined
      : await commandFrom(cursor, rest, maxItems === undefined ? undefined : maxItems - items);
  return new IncompleteListError(error, {
    ...position,
    isComplete,
    resumeCursor: isComplete ? undefined : cursor,
    resumeCommand,
    unprinted,
    wholeLines,
    isAppended,
  });
}
