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

/** The query that asks for what a filter asks for, from a time on; in milliseconds since 1970. */
export function queryFrom(
  { parameter, format, isExclusive }: TimeFilter,
  milliseconds: number,
): Record<string, string> {
  const from = isExclusive ? milliseconds - 1 : milliseconds;
  const texts: Readonly<Record<TimeFilter['format'], () => string>> = {
    'date-time': () => new Date(from).toISOString(),
    date: () => dayOf(new Date(from)),
    seconds: () => String(Math.floor(from / 1000)),
    milliseconds: () => String(Math.floor(from)),
  };
  return { [parameter]: texts[format]() };
}

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
