import { existsSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { GroupCommit } from './group-commit.ts';
import { isSqliteBusy, loadSqlite } from './kernel-lock.ts';

/** An open SQLite database. Calls are synchronous; statements are prepared once and kept. */
export type Database = {
  readonly path: string;
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

/** How to open a database. */
export type DatabaseOptions = {
  /** How long a statement waits for another process to release its lock, in milliseconds. */
  readonly timeout: number;
  /** Statements to run first. */
  readonly settings: string;
};

/** Opens a database, and creates an empty one where there is none. @throws what SQLite throws */
export function openDatabase(path: string, { timeout, settings }: DatabaseOptions): Database {
  const { DatabaseSync } = loadSqlite();
  const connection = new DatabaseSync(path, { timeout });
  try {
    connection.exec(settings);
  } catch (error) {
    connection.close();
    throw error;
  }
  const statements = new Map<string, StatementSync>();
  const prepare = (sql: string) => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = connection.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  const execute = (sql: string) => connection.exec(sql);
  const group = new GroupCommit({
    isTransaction: () => connection.isTransaction,
    execute,
    countChanges: () => Number(prepare('SELECT total_changes() AS count').get()?.count),
  });
  return {
    path,
    prepare,
    execute,
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

/** Runs `work` in one BEGIN IMMEDIATE transaction, which is undone when `work` throws. */
export function inTransaction<T>(connection: DatabaseSync, work: () => T): T {
  connection.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    connection.exec('COMMIT');
    return result;
  } catch (error) {
    // A full disk has already rolled it back.
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
