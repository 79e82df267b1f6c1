import { AbortedError, UsageError } from '../../errors.ts';
import { listValues, quote } from '../../text/format.ts';
import { suggest } from '../../text/suggest.ts';
import { dayMs } from '../clock.ts';
import { afterOthers, type ImportedService } from './imported.ts';
import type { Kind } from './kinds.ts';
import { newId } from './record-ids.ts';
import { NotMadeYet, type Records } from './records.ts';
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
export function unknownList(name: string, known: readonly string[]) {
  const near = suggest(name, known);
  const none = 'For buyers, use --buyers; for any other list, give its description.';
  const lists = known.length === 0 ? none : `Lists: ${listValues(known)}.`;
  const hint = near === undefined ? lists : `Did you mean ${near}? ${lists}`;
  return { problem: `there is no list ${quote(name)}`, hint };
}

/** How long records are made before other work of the process continues, in milliseconds. */
const STEP_MS = 30;

/** The further records of a list were created in this many days before the first ones. */
const FIRST_DAYS = 31;
const FURTHER_DAYS = 600;

/** How often in succession an ID may be taken before there are no more. */
const MOST_TAKEN = 1000;

/**
 * Makes records until lists of a description have as many, by the names of the lists. They are older than the first records, and the
 * same for the same seed. A run that was ended is continued by the next one.
 * @throws UsageError `unknown_list`, `too_many_records`; AbortedError
 */
export async function fillLists(
  imported: ImportedService | undefined,
  wanted: Readonly<Record<string, number>>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const lists: ReadonlyMap<string, Kind> = imported ? topLists(imported.records) : new Map();
  const found = Object.entries(wanted).map(([name, count]) => {
    const kind = lists.get(name);
    if (kind) return { kind, name, count, signal };
    const { problem, hint } = unknownList(name, [...lists.keys()]);
    const message = `The emulator cannot make records: ${problem} in its description`;
    throw new UsageError('unknown_list', message, { hint });
  });
  for (const list of found) if (imported) await fillList(imported.records, list);
}

type Filled = { kind: Kind; name: string; count: number; signal: AbortSignal | undefined };

async function fillList(records: Records, { kind, name, count, signal }: Filled): Promise<void> {
  await afterOthers(() => records.prepare(kind, TOP));
  const partition = records.partition(kind, TOP);
  const canonical = records.canonical(kind);
  const random = records.randomAt(`further ${kind.path}`);
  const newestMs = records.endMs - FIRST_DAYS * dayMs;
  const gapMs = (FURTHER_DAYS * dayMs) / count;
  let present = records.tables.rows(partition).length;
  // The IDs of the records that are there come first.
  let taken = -present;
  const addOne = () => {
    const id = String(newId(records, canonical, random));
    taken += 1;
    if (records.tables.find(partition, id)) return;
    const atMs = Math.floor(newestMs - present * gapMs);
    const made = records.makeFirst(canonical, TOP, { id, index: present, atMs });
    if (!made) return;
    records.tables.insert(partition, made);
    present += 1;
    taken = 0;
  };
  await afterOthers(() => {
    if (signal?.aborted) throw new AbortedError();
    const end = performance.now() + STEP_MS;
    records.transaction(() => {
      while (present < count && taken < MOST_TAKEN && performance.now() < end) addOne();
    });
    if (taken >= MOST_TAKEN) {
      const message = `The description allows no more than about ${present} records of ${name}`;
      throw new UsageError('too_many_records', message, { hint: 'Ask for fewer records.' });
    }
    if (present < count) throw new NotMadeYet();
  });
}
