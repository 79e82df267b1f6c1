import { PayctlError } from '../../errors.ts';
import { type HeldLock, tryLock as lockAtOnce } from '../../files/kernel-lock.ts';
import { ensurePrivateFile } from '../data-directory.ts';
import { databaseError } from './database.ts';

/**
 * The kernel's lock of a file, which is made where there is none, or undefined where another holder rules it out.
 * @throws PayctlError `emulator_directory_unusable` when the file cannot be made, else that of `databaseError`
 */
export function tryLock(path: string, kind: 'shared' | 'exclusive'): HeldLock | undefined {
  ensurePrivateFile(path);
  try {
    return lockAtOnce(path, kind);
  } catch (error) {
    throw databaseError(path, error);
  }
}

/** The PayctlError `emulator_in_use`: another payctl holds on to the data. */
export function inUse(): PayctlError {
  return new PayctlError('emulator_in_use', "Another payctl command is using the emulator's data", {
    hint: 'Wait for it to end, or set PAYCTL_CONFIG_DIR to another directory.',
  });
}
