import { existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { PayctlError } from '../../errors.ts';
import { isSqliteBusy, loadSqlite, sqliteCode } from '../../files/kernel-lock.ts';
import { diskFull, ensurePrivateFile, isDiskFull, unusable } from '../data-directory.ts';
import { GroupCommit } from './group-commit.ts';

/**
 * The open database of an emulator. Calls are synchronous; statements are prepared once and kept. What requests ask
 * for again and again is cached until any process writes; `refresh` is called once a request.
 */
export type EmulatorDatabase = QueryCache & {
  readonly path: string;
  /** For what only another process or `registerKey` changes: it is kept while this process writes records. */
  readonly keys: Pick<QueryCache, 'cached' | 'clear'>;
  /** Prepares a statement, or hands back the one prepared before for the same text. */
  prepare(sql: string): StatementSync;
  /** Runs statements that take no values and give no rows. */
  execute(sql: string): void;
  /** Runs `work` in one BEGIN IMMEDIATE transaction, which is undone when `work` throws. */
  inTransaction<T>(work: () => T): T;
  /**
   * Runs `work` at once, in one transaction with what others change at the same moment, and resolves when that is committed. Only
   * `work` is undone when it throws.
   */
  inSharedTransaction<T>(work: () => T): Promise<T>;
  /** Commits the open shared transaction, if any, with all writes so far. */
  commit(): void;
  /** Switches to WAL, in which readers and one writer do not wait for each other. Stays so once done. */
  useWriteAheadLog(): void;
  close(): void;
};

const busyRetryMs = 10;
const walTimeoutMs = 5_000;

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
export function openDatabase(path: string, timeout: number): EmulatorDatabase {
  ensurePrivateFile(path);
  const { DatabaseSync } = loadSqlite();
  let connection: DatabaseSync | undefined;
  try {
    connection = new DatabaseSync(path, { timeout });
    connection.exec(settings);
    return wrap(path, connection);
  } catch (cause) {
    connection?.close();
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
    hint: 'Reset the emulator: payctl emulator reset',
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

function wrap(path: string, connection: DatabaseSync): EmulatorDatabase {
  const statements = new Map<string, StatementSync>();
  const prepare = (sql: string) => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = connection.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  const countChanges = () => Number(prepare('SELECT total_changes() AS count').get()?.count);
  // It changes with every write of another connection.
  const versionOfOthers = () => String(prepare('PRAGMA data_version').get()?.data_version);
  const group = new GroupCommit({
    isTransaction: () => connection.isTransaction,
    execute: (sql) => connection.exec(sql),
    countChanges,
  });
  const records = createQueryCache(() => `${countChanges()},${versionOfOthers()}`);
  const keys = createQueryCache(versionOfOthers);
  return {
    ...records,
    refresh() {
      records.refresh();
      keys.refresh();
    },
    path,
    keys,
    prepare,
    execute: (sql) => connection.exec(sql),
    inTransaction(work) {
      group.flush();
      return inTransaction(connection, work);
    },
    inSharedTransaction: (work) => group.run(work),
    commit: () => group.flush(),
    useWriteAheadLog: () => useWriteAheadLog(connection),
    close() {
      statements.clear();
      if (!connection.isOpen) return;
      group.flush();
      connection.close();
      deleteSideFiles(path);
    },
  };
}

const deletionAttempts = 3;
const deletionWaitMs = 10;

/**
 * The last connection to a database deletes the `-wal` and `-shm` files as it closes. When the last two close at the
 * same moment, each assumes that the other stays open, and neither deletes the files; so each opens and closes the database
 * again after a random wait. Gives up if another process keeps the database open, because that process will delete them.
 */
function deleteSideFiles(path: string): void {
  const { DatabaseSync } = loadSqlite();
  for (let attempt = 0; attempt < deletionAttempts && existsSync(`${path}-wal`); attempt += 1) {
    sleep(Math.random() * deletionWaitMs);
    try {
      // `rw` makes no new database where the file has been deleted in the meantime.
      const connection = new DatabaseSync(Object.assign(pathToFileURL(path), { search: 'mode=rw' }));
      connection.exec('PRAGMA schema_version');
      connection.close();
    } catch {
      return;
    }
  }
}

function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

function inTransaction<T>(connection: DatabaseSync, work: () => T): T {
  connection.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    connection.exec('COMMIT');
    return result;
  } catch (error) {
    if (connection.isTransaction) connection.exec('ROLLBACK');
    throw error;
  }
}

/**
 * SQLite does not wait its timeout out when two processes switch a new file to WAL at the same moment: one of them gets
 * "busy" at once. The switch is tried again until the timeout is over.
 */
function useWriteAheadLog(connection: DatabaseSync): void {
  const deadline = performance.now() + walTimeoutMs;
  for (;;) {
    try {
      connection.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (!isSqliteBusy(error) || performance.now() > deadline) throw error;
      sleep(busyRetryMs);
    }
  }
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

/** Adds one row to a table. The names come from our own code, never from a request; SQLite throws on a conflict. */
export function insertRow(database: EmulatorDatabase, table: string, row: Row): void {
  const names = Object.keys(row);
  const sql = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
  database.prepare(sql).run(...Object.values(row));
}
