import type { Stats } from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from '../errors.ts';
import { shellQuote } from '../text/shell.ts';
import { fileErrorCode, fileErrorReason } from './file-error.ts';
import { makeDirectory } from './make-directory.ts';
import { decodeUtf8, InputError, openInput, readDescriptor, requireRegularFile } from './read-file.ts';
import { renamePatiently } from './rename.ts';

const CONFIG = 'PAYCTL_CONFIG_DIR';

const isPosix = process.platform !== 'win32';

/** What payctl keeps in its configuration directory, and in directories of received events; `profiles.json.lock` is of payctl 0.2. */
const OWN_NAMES =
  /^(profiles\.json(\.lock|\.new)?|profiles\.lock|secrets|data|events\.sqlite(-wal|-shm)?|listening\.(lock|json)(\.new)?)$/;

/**
 * Reads a file of payctl of at most `limit` bytes as UTF-8; undefined if there is none. If other users can read the file, their
 * permission is removed; if they can write to it, it is rejected, because a changed base URL would receive the next token. A
 * symbolic link to nothing is rejected, too: what it should lead to may only be missing at the moment.
 * @throws UsageError `profiles_exposed` or `profiles_unreadable`; InputError `not_utf8`
 */
export function readPrivately(path: string, limit: number): string | undefined {
  const { closeSync, fchmodSync } = process.getBuiltinModule('node:fs');
  let descriptor: number | undefined;
  try {
    const file = openInput(path);
    descriptor = file.descriptor;
    requireRegularFile(file.stats);
    refuseForeignFile(path, file.stats);
    if (isPosix && (file.stats.mode & 0o077) !== 0 && isOurs(file.stats)) fchmodSync(descriptor, 0o600);
    return decodeUtf8(readDescriptor(descriptor, limit));
  } catch (error) {
    if (error instanceof UsageError || isNotText(error)) throw error;
    const code = fileErrorCode(error);
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
    const link = isMissing ? [path, dirname(path)].find(isLinkToNothing) : undefined;
    if (isMissing && link === undefined) return undefined;
    const reason =
      link === undefined
        ? fileErrorReason(error)
        : `${link === path ? 'it' : link} is a symbolic link to something that does not exist`;
    throw new UsageError('profiles_unreadable', `${path} cannot be read: ${reason}`, {
      hint: 'Make it a file that you can read, or set PAYCTL_CONFIG_DIR to another directory.',
      cause: error,
    });
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function isNotText(error: unknown): boolean {
  return error instanceof InputError && error.problem === 'not_utf8';
}

function isLinkToNothing(path: string): boolean {
  const { existsSync, lstatSync } = process.getBuiltinModule('node:fs');
  try {
    return lstatSync(path).isSymbolicLink() && !existsSync(path);
  } catch {
    return false;
  }
}

/**
 * Creates a directory that only its owner can enter. An existing directory is made private if it contains only files of payctl,
 * or with `anythingIsOurs`; any other directory, such as a home directory, is left unchanged. `setBy` names what chooses the directory.
 * @throws UsageError `profiles_exposed` if it belongs to another user, or if other users can change a directory with other
 * content; `profiles_unwritable` if it cannot be created.
 */
export function makePrivateDirectory(path: string, { anythingIsOurs = false, setBy = CONFIG } = {}): void {
  const { chmodSync, readdirSync, statSync } = process.getBuiltinModule('node:fs');
  try {
    makeDirectory(path);
    if (!isPosix) return;
    const stats = statSync(path);
    if (!isOurs(stats) && !isOfSudoUser(stats)) throw foreign(path, setBy);
    if ((stats.mode & 0o077) === 0) return;
    if (anythingIsOurs || readdirSync(path).every((name) => OWN_NAMES.test(name))) chmodSync(path, 0o700);
    else if ((stats.mode & 0o022) !== 0)
      throw exposed(path, `Set ${setBy} to a directory that only payctl uses.`);
  } catch (error) {
    throw error instanceof UsageError ? error : unwritable(path, error, setBy);
  }
}

/**
 * Writes a file that only its owner may read, in one step: it is whole or as it was before. Its directory is made.
 * @throws UsageError as `makePrivateDirectory`.
 */
export function writePrivately(path: string, text: string): void {
  makePrivateDirectory(dirname(path), { anythingIsOurs: true });
  try {
    replaceFile(path, text);
  } catch (error) {
    throw unwritable(path, error);
  }
}

/**
 * Writes a file of mode 0600 in one step: a reader sees the old text or the new one, never a part, and no draft is left unless the
 * process is killed. Its directory has to exist. Where no other process writes it, the draft may always have the same name.
 * @throws what the file system throws; the file is then as it was
 */
export function replaceFile(
  path: string,
  text: string | Uint8Array,
  draft = `${path}.${process.pid}.new`,
): void {
  const { fsyncSync, closeSync, openSync, rmSync, writeFileSync } = process.getBuiltinModule('node:fs');
  try {
    rmSync(draft, { force: true });
    const descriptor = openSync(draft, 'wx', 0o600);
    try {
      writeFileSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renamePatiently(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** The error for a path that could not be written; it gives the reason. */
export function unwritable(path: string, error: unknown, setBy = CONFIG): UsageError {
  return new UsageError('profiles_unwritable', `${path} cannot be written: ${fileErrorReason(error)}`, {
    hint: `Make it writable, or set ${setBy} to another directory.`,
    cause: error,
  });
}

function refuseForeignFile(path: string, stats: Stats): void {
  if (!isPosix) return;
  if (!isOurs(stats) && stats.uid !== 0 && !isOfSudoUser(stats)) throw foreign(path);
  if ((stats.mode & 0o022) === 0) return;
  throw exposed(path, `Check that its content is yours, then restrict it: chmod go-rwx ${shellQuote(path)}`);
}

function exposed(path: string, hint: string): UsageError {
  return new UsageError('profiles_exposed', `${path} can be changed by other users`, { hint });
}

function foreign(path: string, setBy = CONFIG): UsageError {
  return new UsageError('profiles_exposed', `${path} belongs to another user`, {
    hint: `Set ${setBy} to a directory of your own.`,
  });
}

/** The permission bits in octal where others than its owner may read a file; never on Windows, and undefined for a missing file. */
export function openModeOf(stats: Stats | undefined): string | undefined {
  if (process.platform === 'win32' || !stats?.isFile() || (stats.mode & 0o077) === 0) return undefined;
  return (stats.mode & 0o777).toString(8);
}

function isOurs({ uid }: Stats): boolean {
  return uid === process.getuid?.();
}

/** Root acts only for the user who called sudo: a file of any other user could redirect the next token. */
function isOfSudoUser({ uid }: Stats): boolean {
  return process.getuid?.() === 0 && String(uid) === process.env.SUDO_UID;
}
