import { existsSync } from 'node:fs';
import { plural } from '../../text/format.ts';
import { type EmulatorDatabase, openEmulatorDatabase } from './database.ts';

const timeoutMs = 5_000;

/** What describes the service, not its records. */
const otherTables = ['meta', 'api_keys', 'merchant_accounts'];

/**
 * Says how many records a database holds, for each merchant account, such as `1412 of default and 371 of outlet`; undefined if there
 * are none, or if they cannot be read.
 */
export function describeRecords(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  let database: EmulatorDatabase | undefined;
  try {
    database = openEmulatorDatabase(path, timeoutMs);
    return inWords(countRecords(database));
  } catch {
    return undefined;
  } finally {
    database?.close();
  }
}

/** Counts records by merchant account; those that belong to none are under the empty name. */
function countRecords(database: EmulatorDatabase): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { name, account } of recordTables(database)) {
    const rows = database.prepare(`SELECT ${account} AS account, count(*) AS count FROM ${name} GROUP BY 1`);
    for (const { account: found, count } of rows.all()) {
      // The records of a description may be below others, whose ids follow the merchant account.
      const [key = ''] = String(found).split('/');
      counts.set(key, (counts.get(key) ?? 0) + Number(count));
    }
  }
  return counts;
}

/** The tables of records, each with the SQL for the merchant account of a row. */
function recordTables(
  database: EmulatorDatabase,
): readonly { readonly name: string; readonly account: string }[] {
  const tables = database.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'table'").all();
  return tables.flatMap(({ name: found, sql }) => {
    const name = String(found);
    if (
      otherTables.includes(name) ||
      /^sqlite_|^webhook_(?!subscriptions$)|^described_.*(?<!_records)$/.test(name)
    )
      return [];
    const column = /\b(merchant_account_id|account) TEXT/.exec(String(sql))?.[1];
    return [{ name, account: column ?? "''" }];
  });
}

function inWords(counts: ReadonlyMap<string, number>): string | undefined {
  const named = [...counts].filter(([account]) => account !== '').sort(([a], [b]) => (a < b ? -1 : 1));
  const texts = named.map(([account, count]) => `${count} of ${account}`);
  const others = counts.get('');
  if (others !== undefined) texts.push(plural(others, 'other'));
  const last = texts.pop();
  return texts.length === 0 ? last : `${texts.join(', ')} and ${last}`;
}
