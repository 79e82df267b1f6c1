import type * as Sqlite from 'node:sqlite';

/** A lock of this process. The kernel releases it when the process ends, however it ends; a stopped process keeps it. */
export type HeldLock = {
  /** Releases the lock; does nothing the second time. */
  release(): void;
};

/**
 * Takes the lock of a file at once, or gives undefined where another holder rules it out: any number may share it, or one
 * holds it alone. It is the lock that SQLite puts on a database, an empty one here, so it works on every platform and
 * between two holders in one process. To open and close the file otherwise would lose the lock.
 * @throws what SQLite throws, such as where there is no such file
 */
export function tryLock(path: string, kind: 'shared' | 'exclusive'): HeldLock | undefined {
  const { DatabaseSync } = loadSqlite();
  const connection = new DatabaseSync(path, { timeout: 0 });
  try {
    // Without it, the lock would leave a journal behind.
    connection.exec('PRAGMA journal_mode = MEMORY');
    connection.exec(kind === 'exclusive' ? 'BEGIN EXCLUSIVE' : 'BEGIN; SELECT 1 FROM sqlite_schema');
  } catch (error) {
    connection.close();
    if (isSqliteBusy(error)) return undefined;
    throw error;
  }
  return {
    release() {
      if (connection.isOpen) connection.close();
    },
  };
}

const BUSY = 5;

/** Whether SQLite gave up because of a lock that another connection holds. */
export function isSqliteBusy(error: unknown): boolean {
  return sqliteCode(error) === BUSY;
}

/** The primary result code of an error of SQLite; undefined for any other error. */
export function sqliteCode(error: unknown): number | undefined {
  const code: unknown = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
  return typeof code === 'number' ? code & 0xff : undefined;
}

/**
 * Loads Node's own SQLite without its ExperimentalWarning, which Node 22 prints at that moment. The filter is in place for
 * this one synchronous load and holds back nothing but that warning.
 */
export function loadSqlite(): typeof Sqlite {
  const emitWarning = process.emitWarning;
  process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
    if (isSqliteWarning(warning, rest)) return;
    Reflect.apply(emitWarning, process, [warning, ...rest]);
  }) as typeof process.emitWarning;
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}

function isSqliteWarning(warning: string | Error, [kind]: unknown[]): boolean {
  return typeof warning === 'string' && kind === 'ExperimentalWarning' && /^SQLite\b/.test(warning);
}
