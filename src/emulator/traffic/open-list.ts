import { topLists } from '../imported/fill.ts';
import type { ImportedService } from '../imported/imported.ts';
import type { EmulatorDatabase } from '../store/database.ts';
import type { ChangingList } from './changing-list.ts';
import { CONTRACT_LISTS, contractList } from './contract-lists.ts';
import { describedList } from './described-list.ts';

/** The list of a name such as `buyers` or `ledger-entries`; undefined if neither the contract nor the description has it. */
export async function openList(
  database: EmulatorDatabase,
  imported: ImportedService | undefined,
  name: string,
): Promise<ChangingList | undefined> {
  const own = contractList(database, name);
  const kind = own || !imported ? undefined : topLists(imported.records).get(name);
  return own ?? (imported && kind && (await describedList(database, imported, kind)));
}

/** The names of the lists whose records can change. */
export function listNames(imported: ImportedService | undefined): readonly string[] {
  return [...CONTRACT_LISTS, ...(imported ? topLists(imported.records).keys() : [])];
}
