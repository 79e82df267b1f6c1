import { closeSync, existsSync, lstatSync, openSync, rmSync } from 'node:fs';
import type * as Sqlite from 'node:sqlite';
import { fileErrorCode } from './file-error.ts';

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

/** Whether somebody holds the lock of a file alone. */
export function isHeldAlone(path: string): boolean {
  if (!existsSync(path)) return false;
  const lock = tryLock(path, 'shared');
  lock?.release();
  return lock === undefined;
}

/** Tries to take a lock three times: another process may hold it for a moment to see whether it is free. */
export function tryPatiently(take: () => HeldLock | undefined): HeldLock | undefined {
  for (let attempt = 1; ; attempt += 1) {
    const lock = take();
    if (lock !== undefined || attempt === 3) return lock;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  }
}

/**
 * Takes a lock that is a file of its own, which is made for it and removed with it; undefined while another holder has it.
 * @throws what the file system and SQLite throw, such as where a file of somebody else is in the way
 */
export function lockAlone(path: string): HeldLock | undefined {
  for (;;) {
    let before = inodeOf(path);
    if (before === undefined) {
      makePrivateFile(path);
      // Or of that which another process made meanwhile.
      before = inodeOf(path);
    }
    const lock = tryLock(path, 'exclusive');
    if (lock === undefined) return undefined;
    // The last holder removes the file, perhaps after it was opened here.
    if (inodeOf(path) !== before) {
      lock.release();
      continue;
    }
    let isHeld = true;
    return {
      release() {
        if (isHeld) unlock(path, lock);
        isHeld = false;
      },
    };
  }
}

function inodeOf(path: string): bigint | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
}

/** Makes an empty file for its owner only. One that exists is not opened: to close it would take the locks of this process from it. */
export function makePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (fileErrorCode(error) !== 'EEXIST') throw error;
  }
}

/**
 * Removes the file of a lock before another process can have the lock, and releases it. Windows removes no file that is open: there
 * it is removed after its release, unless another process has opened it by then.
 */
function unlock(path: string, lock: HeldLock): void {
  const isRemoved = tryToRemove(path);
  lock.release();
  if (!isRemoved) tryToRemove(path);
}

function tryToRemove(path: string): boolean {
  try {
    rmSync(path, { force: true });
    return true;
  } catch {
    return false;
  }
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
