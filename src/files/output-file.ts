import { constants, realpathSync } from 'node:fs';
import { access, link, lstat, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { OutputError, UsageError } from '../errors.ts';
import { quote } from '../text/format.ts';
import { shellQuote } from '../text/shell.ts';
import { fileErrorCode, fileErrorReason } from './file-error.ts';
import { renamePatiently } from './rename.ts';
import { windowsNameProblem } from './windows-name.ts';

/** How a file is opened. */
export type OutputFileOptions = {
  /** A file that is there is replaced; by default it is refused. */
  readonly overwrite: boolean;
};

/**
 * Where the file is; a symbolic link to a file is followed, so that the link stays.
 * @throws UsageError `file_exists` where a file is there that is not to be replaced, `file_unwritable`
 */
export async function findTarget(path: string, overwrite: boolean): Promise<string> {
  return await targetOf(path, overwrite).catch((error: unknown) => {
    throw error instanceof UsageError ? error : unwritable(UsageError, path, error);
  });
}

/** @throws UsageError and what the file system throws */
async function targetOf(path: string, overwrite: boolean): Promise<string> {
  const problem = windowsNameProblem(path);
  if (problem !== undefined) throw unusable(path, problem, 'Choose another name.');
  const there = await lstat(path).catch((error: unknown) => {
    if (fileErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  // A path that ends with a separator names a directory.
  if (!there && /[/\\]$/.test(path)) throw notAFile(path, DIRECTORY);
  // The real path is found by Node alone: Windows finds none on some drives.
  if (!there) return join(realpathSync(dirname(path)), basename(path));
  const stats = await stat(path);
  if (!stats.isFile()) throw notAFile(path, stats.isDirectory() ? DIRECTORY : 'it is not a regular file');
  if (!overwrite) throw exists(UsageError, path);
  await access(path, constants.W_OK);
  return realpathSync(path);
}

const DIRECTORY = 'it is a directory';

type DraftTarget = OutputFileOptions & {
  readonly target: string;
  /** As it was typed. */
  readonly path: string;
};

/**
 * Moves a draft to its place in one step. A file that was made there meanwhile is kept unless it is to be replaced.
 * @throws OutputError `file_exists`, and what the file system throws
 */
export async function moveDraft(draft: string, { target, path, overwrite }: DraftTarget): Promise<void> {
  if (overwrite) return renamePatiently(draft, target);
  try {
    await link(draft, target);
  } catch (error) {
    if (fileErrorCode(error) === 'EEXIST') throw exists(OutputError, path);
    // File systems without hard links.
    if (await lstat(target).catch(() => undefined)) throw exists(OutputError, path);
    renamePatiently(draft, target);
    return;
  }
  await rm(draft, { force: true });
}

type ErrorClass = typeof UsageError | typeof OutputError;

function exists(Class: ErrorClass, path: string) {
  return new Class('file_exists', `${quote(path)} already exists`, {
    hint: 'Choose another name, or add --overwrite to replace it.',
  });
}

/** The error to throw where writing to a path has failed: `file_unwritable` for one of the file system, any other as it is. */
export function writeError(path: string, error: unknown): unknown {
  const isOfSystem = error instanceof Error && 'syscall' in error;
  return isOfSystem ? unwritable(OutputError, path, error) : error;
}

/** The error for a path that could not be written; it gives the reason. */
export function unwritable(Class: ErrorClass, path: string, cause: unknown) {
  return new Class('file_unwritable', `${quote(path)} cannot be written: ${fileErrorReason(cause)}`, {
    cause,
  });
}

function notAFile(path: string, reason: string): UsageError {
  const hint =
    reason === DIRECTORY
      ? 'Name a file in it.'
      : `Name a file. To write anywhere else, redirect the output: > ${shellQuote(path)}`;
  return unusable(path, reason, hint);
}

function unusable(path: string, reason: string, hint: string): UsageError {
  return new UsageError('file_unwritable', `${quote(path)} cannot be written: ${reason}`, { hint });
}
