import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { PayctlError } from '../../errors.ts';
import { type Database, openDatabase } from '../../files/database.ts';
import { sqliteCode } from '../../files/kernel-lock.ts';
import { diskFull, ensurePrivateFile, isDiskFull, resetCommand, unusable } from '../data-directory.ts';

/**
 * The open database of an emulator. What requests ask for again and again is cached until any process writes; `refresh` is
 * called once a request.
 */
export type EmulatorDatabase = Database &
  QueryCache & {
    /** For what only another process or `registerKey` changes: it is kept while this process writes records. */
    readonly keys: Pick<QueryCache, 'cached' | 'clear'>;
  };

/** A lost last second of an emulator's data is no loss; 32 MiB of cache keep seeding and long lists in memory; pages
 * that many commits have changed are written to the file once. */
const settings = `
PRAGMA synchronous = NORMAL;
PRAGMA foreign_keys = ON;
PRAGMA temp_store = MEMORY;
PRAGMA cache_size = -32768;
PRAGMA wal_autocheckpoint = 8000;
`;

/**
 * Opens the database file, and creates it with mode 0600 if it is missing. A statement waits at most `timeout`
 * milliseconds for another process to release its lock.
 * @throws PayctlError `emulator_database_unusable` when the file is not a database or cannot be opened,
 * `emulator_directory_unusable` when it cannot be made
 */
export function openEmulatorDatabase(path: string, timeout: number): EmulatorDatabase {
  ensurePrivateFile(path);
  try {
    return withCaches(openDatabase(path, { timeout, settings }));
  } catch (cause) {
    throw databaseError(path, cause);
  }
}

// Result codes of SQLite.
const ioError = 10;
const full = 13;
/** Of PERM, READONLY, IOERR, CANTOPEN and AUTH: the data may be good, but this process cannot get at it. */
const noAccess: readonly unknown[] = [3, 8, 10, 14, 23];

/**
 * The PayctlError for an error that SQLite reports of a database file: `emulator_disk_full`, `emulator_directory_unusable`
 * where the file cannot be opened or written, else `emulator_database_unusable`, after which only a reset helps.
 */
export function databaseError(path: string, cause: unknown): PayctlError {
  const code = sqliteCode(cause);
  const isFull = code === full || (code === ioError && hasNoRoom(path));
  if (isFull || isDiskFull(cause)) return diskFull(path, cause);
  if (noAccess.includes(code)) return unusable(path, cause);
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new PayctlError('emulator_database_unusable', `The emulator cannot use ${path}: ${reason}`, {
    hint: `Reset the emulator: ${resetCommand(path)}`,
    cause,
  });
}

/** SQLite has no code of its own for a full disk when it makes the files next to a database. */
function hasNoRoom(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize < 256 * 1024;
  } catch {
    return false;
  }
}

function withCaches(database: Database): EmulatorDatabase {
  const countChanges = () => Number(database.prepare('SELECT total_changes() AS count').get()?.count);
  // It changes with every write of another connection.
  const versionOfOthers = () => String(database.prepare('PRAGMA data_version').get()?.data_version);
  const records = createQueryCache(() => `${countChanges()},${versionOfOthers()}`);
  const keys = createQueryCache(versionOfOthers);
  return {
    ...database,
    ...records,
    keys,
    refresh() {
      records.refresh();
      keys.refresh();
    },
  };
}

/** Results that are kept as long as the data that they were read from does not change. */
export type QueryCache = {
  /** Gives what `read` gave before under this name, or calls it now. */
  cached<T>(name: string, read: () => T): T;
  /** Makes the next use clear the cache if there was a write since the last refresh. */
  refresh(): void;
  /** Clears the cache. */
  clear(): void;
};

const capacity = 100;

/** Keeps the last 100 results. `version` gives the state of the data: another text after every write. */
export function createQueryCache(version: () => string): QueryCache {
  const results = new Map<string, unknown>();
  let known = '';
  let isStale = false;
  const compare = () => {
    isStale = false;
    const current = version();
    if (current !== known) results.clear();
    known = current;
  };
  return {
    cached<T>(name: string, read: () => T): T {
      if (isStale) compare();
      if (results.has(name)) return results.get(name) as T;
      const result = read();
      const [first] = results.keys();
      if (results.size >= capacity && first !== undefined) results.delete(first);
      results.set(name, result);
      return result;
    },
    refresh() {
      isStale = true;
    },
    clear: () => results.clear(),
  };
}

/** The values of a new row by the names of its columns. */
export type Row = Readonly<Record<string, string | number | null>>;

/**
 * Adds one row to a table. The names come from our own code, never from a request; SQLite throws on a conflict, unless it is to ignore
 * a row that has one.
 */
export function insertRow(
  database: EmulatorDatabase,
  table: string,
  row: Row,
  conflict: 'OR IGNORE' | '' = '',
): void {
  const names = Object.keys(row);
  const marks = names.map(() => '?').join(', ');
  const sql = `INSERT ${conflict} INTO ${table} (${names.join(', ')}) VALUES (${marks})`;
  database.prepare(sql).run(...Object.values(row));
}
