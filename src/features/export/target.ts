import type { Session } from '../../cli/session/session.ts';
import type { WholeList } from '../../cli/show/list-end.ts';
import type { Operation } from '../../contract/operation.ts';
import type { ImportedOperation } from '../../descriptions/imported-operation.ts';
import type { TimeFilter } from '../../descriptions/time-filters.ts';
import { dayOf } from '../../text/format.ts';
import { shellQuote } from '../../text/shell.ts';

/** A list that is copied. */
export type CopyTarget = WholeList & {
  readonly operation: Operation &
    Pick<
      Partial<ImportedOperation>,
      'personalByName' | 'secretData' | 'envelope' | 'listShape' | 'paging'
    > & {
      readonly isOwn?: true;
    };
};

/**
 * The query that asks for what a filter asks for, from a time on; in milliseconds since 1970. It may ask for more, where the filter is coarser
 * than that: a record of the same second or day is not left out, whatever the time zone in which the service counts days.
 */
export function queryFrom(
  { parameter, format, isExclusive }: TimeFilter,
  milliseconds: number,
): Record<string, string> {
  const before = isExclusive ? 1 : 0;
  const texts: Readonly<Record<TimeFilter['format'], () => string>> = {
    'date-time': () => new Date(milliseconds - before).toISOString(),
    // Where it is still yesterday, the records of now are of yesterday.
    date: () => dayOf(new Date(milliseconds - (1 + before) * DAY_MS)),
    seconds: () => String(Math.floor(milliseconds / 1000) - before),
    milliseconds: () => String(Math.floor(milliseconds) - before),
  };
  return { [parameter]: texts[format]() };
}

const DAY_MS = 86_400_000;

/** The SHA-256 of the imported description that some of the lists are of; null where none is. */
export function descriptionOf(targets: readonly CopyTarget[]): string | null {
  return targets.find(({ description }) => description !== undefined)?.description ?? null;
}

type ListFlagValues = { readonly 'merchant-account'?: readonly string[] | undefined };

/** What a session that reads these lists is opened with: each request names its merchant account. */
export function sessionForLists<Flags extends ListFlagValues>(flags: Flags, targets: readonly CopyTarget[]) {
  const [account] = flags['merchant-account'] ?? [];
  return [
    { ...flags, 'merchant-account': account },
    {
      merchantHeader: targets.find(({ merchantHeader }) => merchantHeader)?.merchantHeader,
      takesOtherCredentials: targets.some(({ operation }) => operation.security !== undefined),
    },
  ] as const;
}

/** A command with the profile of this run, if it has one. */
export function withProfile(command: string, { settings }: Pick<Session, 'settings'>): string {
  const name = settings.profile.value?.name;
  return name === undefined ? command : `${command} --profile ${shellQuote(name)}`;
}
