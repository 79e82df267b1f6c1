import type { Stats } from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from '../client/errors.ts';
import { shellWord } from './shell-word.ts';

const isPosix = process.platform !== 'win32';

/**
 * Reads a file of payctl's own as UTF-8; undefined where there is none. A file that others may read is closed to them;
 * one that others may write is refused, because whoever changes a base URL is sent the next token.
 * @throws UsageError `profiles_exposed` or `profiles_unreadable`.
 */
export function readPrivately(path: string): string | undefined {
  const { closeSync, fchmodSync, fstatSync, openSync, readFileSync } = process.getBuiltinModule('node:fs');
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, 'r');
    const stats = fstatSync(descriptor);
    refuseStrangers(path, stats);
    if (isPosix && (stats.mode & 0o077) !== 0 && isOurs(stats)) fchmodSync(descriptor, 0o600);
    return readFileSync(descriptor, 'utf8');
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new UsageError(
      'profiles_unreadable',
      `${path} cannot be read: ${code ?? 'the reason is unknown'}`,
      {
        hint: 'Make it a file that you may read, or name another directory in PAYCTL_CONFIG_DIR.',
        cause: error,
      },
    );
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/**
 * Makes a directory that only its owner may enter, or closes the one that is there to others.
 * @throws UsageError `profiles_exposed` when it is somebody else's, `profiles_unwritable` when it cannot be made.
 */
export function makePrivateDirectory(path: string): void {
  const { chmodSync, mkdirSync, statSync } = process.getBuiltinModule('node:fs');
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const stats = statSync(path);
    if (!isPosix || (stats.mode & 0o077) === 0) return;
    if (!isOurs(stats)) throw foreign(path);
    chmodSync(path, 0o700);
  } catch (error) {
    throw error instanceof UsageError ? error : unwritable(path, error);
  }
}

/**
 * Writes a file that only its owner may read, in one step: it is whole or as it was before. Its directory is made.
 * @throws UsageError as `makePrivateDirectory`.
 */
export function writePrivately(path: string, text: string): void {
  const { fsyncSync, closeSync, openSync, renameSync, rmSync, writeFileSync } =
    process.getBuiltinModule('node:fs');
  makePrivateDirectory(dirname(path));
  const draft = `${path}.${process.pid}.new`;
  try {
    rmSync(draft, { force: true });
    const descriptor = openSync(draft, 'wx', 0o600);
    try {
      writeFileSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw unwritable(path, error);
  }
}

/** The error for a path that could not be written; it names the system's code, or else says what the cause says. */
export function unwritable(path: string, error: unknown): UsageError {
  return new UsageError(
    'profiles_unwritable',
    `${path} cannot be written: ${codeOf(error) ?? messageOf(error)}`,
    {
      hint: 'Make it writable, or name another directory in PAYCTL_CONFIG_DIR.',
      cause: error,
    },
  );
}

function refuseStrangers(path: string, stats: Stats): void {
  if (!isPosix) return;
  if (!isOurs(stats) && stats.uid !== 0 && process.getuid?.() !== 0) {
    throw foreign(path);
  }
  if ((stats.mode & 0o022) === 0) return;
  throw new UsageError('profiles_exposed', `${path} can be changed by other users`, {
    hint: `See whether what it says is yours, then close it: chmod go-rwx ${shellWord(path)}`,
  });
}

function foreign(path: string): UsageError {
  return new UsageError('profiles_exposed', `${path} belongs to another user`, {
    hint: 'Use a directory of your own: name it in PAYCTL_CONFIG_DIR.',
  });
}

function isOurs({ uid }: Stats): boolean {
  return uid === process.getuid?.();
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'the reason is unknown';
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
