import { closeSync, constants, existsSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { PayctlError } from '../errors.ts';
import { fileErrorCode, fileErrorReason } from '../files/file-error.ts';
import { makeDirectory } from '../files/make-directory.ts';
import { replaceFile } from '../files/private-files.ts';
import { flagWith } from '../text/format.ts';

/**
 * Makes the data directory, readable by its owner alone (0700), unless it is there already.
 * @throws PayctlError `emulator_directory_unusable`
 */
export function ensureDirectory(directory: string): void {
  orUnusable(directory, () => makeDirectory(directory));
}

/**
 * Makes an empty file of mode 0600 unless it is there already. SQLite gives its side files the mode of the database,
 * so making the database this way keeps all of them private.
 * @throws PayctlError `emulator_directory_unusable`, `emulator_disk_full`
 */
export function ensurePrivateFile(path: string): void {
  // To close a file is to lose every lock that this process has on it, so one that is there is never opened.
  if (existsSync(path)) return;
  // A named pipe in its place must not keep the start waiting for a reader.
  const { O_APPEND, O_CREAT, O_NONBLOCK = 0, O_WRONLY } = constants;
  orUnusable(path, () => closeSync(openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, 0o600)));
}

/**
 * Replaces a file in one step with mode 0600: a reader sees the old text or the new one, never a part.
 * @throws PayctlError `emulator_directory_unusable`
 */
export function writePrivateFile(path: string, text: string): void {
  orUnusable(path, () => replaceFile(path, text));
}

function orUnusable(path: string, write: () => void): void {
  try {
    write();
  } catch (cause) {
    throw unusable(path, cause);
  }
}

/** The command that deletes the data of a file, which may not be those of the profile `emulator`. */
export function resetCommand(file: string): string {
  return `payctl emulator reset ${flagWith('--directory', dirname(file))}`;
}

/** Whether the file system had no room, or the user's share of it was used up. */
export function isDiskFull(cause: unknown): boolean {
  const code = fileErrorCode(cause);
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/** The PayctlError `emulator_disk_full` for what could not be written. */
export function diskFull(path: string, cause: unknown): PayctlError {
  return new PayctlError('emulator_disk_full', `The disk has no room for ${path}`, {
    hint: 'Free some space, or set PAYCTL_CONFIG_DIR to a directory on another disk.',
    cause,
  });
}

/** The PayctlError for a path that cannot be made or written; `emulator_disk_full` where that is the reason. */
export function unusable(path: string, cause: unknown): PayctlError {
  if (isDiskFull(cause)) return diskFull(path, cause);
  const message = `The emulator cannot write ${path}: ${fileErrorReason(cause)}`;
  return new PayctlError('emulator_directory_unusable', message, {
    hint: 'Make the directory writable, or choose another one with --directory or PAYCTL_CONFIG_DIR.',
    cause,
  });
}
