import { listValues, quote } from '../../text/format.ts';
import { suggest } from '../../text/suggest.ts';
import type { Kind } from './kinds.ts';
import type { Records } from './records.ts';
import type { Scope } from './tables.ts';

/** Where the records of a list without parameters in its path are that belong to the merchant account `default`, or to all. */
export const TOP: Scope = { account: 'default', ids: [] };

/** The kinds that a description lists, by their paths without the first slash. Neither those below other records nor those of the contract. */
export function topLists(records: Records): ReadonlyMap<string, Kind> {
  const kinds = records
    .all()
    .filter((kind) => !kind.path.includes('{}') && records.isListed(kind) && !records.own.has(kind.path));
  return new Map(kinds.map((kind) => [kind.path.slice(1), kind]));
}

/** What is wrong with the name of a list, and what to type instead. */
export function unknownList(
  name: string,
  known: readonly string[],
): { readonly problem: string; readonly hint: string } {
  const near = suggest(name, known);
  const lists =
    known.length === 0
      ? 'For buyers, use --buyers; for any other list, give its description.'
      : `Lists: ${listValues(known)}.`;
  return {
    problem: `there is no list ${quote(name)}`,
    hint: near === undefined ? lists : `Did you mean ${near}? ${lists}`,
  };
}
