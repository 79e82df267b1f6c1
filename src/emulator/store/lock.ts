import { PayctlError } from '../../errors.ts';
import { ensurePrivateFile } from '../data-directory.ts';
import { databaseError, isSqliteBusy, loadSqlite } from './database.ts';

/** A lock of this process. The kernel releases it when the process ends, however it ends; a stopped process keeps it. */
export type HeldLock = {
  /** Releases the lock; does nothing the second time. */
  release(): void;
};

/**
 * Takes the lock of a file at once, or gives undefined where another holder rules it out: any number may share it, or one
 * holds it alone. It is the lock that SQLite puts on a database, an empty one here, so it works on every platform and
 * between two holders in one process.
 * @throws PayctlError `emulator_directory_unusable` when the file cannot be made, else that of `databaseError`
 */
export function tryLock(path: string, kind: 'shared' | 'exclusive'): HeldLock | undefined {
  ensurePrivateFile(path);
  const { DatabaseSync } = loadSqlite();
  const connection = new DatabaseSync(path, { timeout: 0 });
  try {
    // Without it, the lock would leave a journal behind.
    connection.exec('PRAGMA journal_mode = MEMORY');
    connection.exec(kind === 'exclusive' ? 'BEGIN EXCLUSIVE' : 'BEGIN; SELECT 1 FROM sqlite_schema');
  } catch (error) {
    connection.close();
    if (isSqliteBusy(error)) return undefined;
    throw databaseError(path, error);
  }
  return {
    release() {
      if (connection.isOpen) connection.close();
    },
  };
}

/** The PayctlError `emulator_in_use`: another payctl holds on to the data. */
export function inUse(): PayctlError {
  return new PayctlError('emulator_in_use', "Another payctl command is using the emulator's data", {
    hint: 'Wait for it to end, or set PAYCTL_CONFIG_DIR to another directory.',
  });
}
