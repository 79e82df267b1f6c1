import { constants, type Stats } from 'node:fs';
import { access, type FileHandle, link, lstat, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { OutputError, UsageError } from '../errors.ts';
import { quote, shellQuote } from '../text/format.ts';
import { fileErrorCode, fileErrorReason } from './file-error.ts';

/** A file that is complete or absent: what is written goes into a draft next to it until `finish`. */
export type OutputFile = {
  /** Forgets what was written. @throws OutputError `file_unwritable` */
  restart(): Promise<void>;
  /** @throws OutputError `file_unwritable` */
  write(bytes: Uint8Array): Promise<void>;
  /** Puts the draft in the place of the file. @throws OutputError `file_unwritable`, `file_exists` */
  finish(): Promise<void>;
  /** Removes the draft; nothing after `finish`. */
  discard(): Promise<void>;
};

/** How a file is opened. */
export type OutputFileOptions = {
  /** A file that is there is replaced; by default it is refused. */
  readonly overwrite: boolean;
};

/**
 * Opens a draft of mode 0600 next to the file, before anything is asked for that is to be written to it.
 * @throws UsageError `file_exists`, `file_unwritable`
 */
export async function openOutputFile(path: string, { overwrite }: OutputFileOptions): Promise<OutputFile> {
  const target = await findTarget(path, overwrite);
  const draft = join(dirname(target), `.payctl-${process.pid}-${globalThis.crypto.randomUUID()}.part`);
  const attempt = async <T>(work: () => Promise<T>): Promise<T> =>
    work().catch((error: unknown) => {
      throw error instanceof OutputError ? error : unwritable(OutputError, path, error);
    });
  let file: FileHandle | undefined = await open(draft, 'wx', 0o600).catch((error: unknown) => {
    throw unwritable(UsageError, path, error);
  });
  const close = async () => {
    const open = file;
    file = undefined;
    await open?.close();
  };
  let position = 0;
  return {
    restart: () =>
      attempt(async () => {
        await file?.truncate(0);
        position = 0;
      }),
    write: (bytes) =>
      attempt(async () => {
        // The system may take less than it was given.
        for (let from = 0; from < bytes.length; ) {
          const { bytesWritten = 0 } = (await file?.write(bytes, from, bytes.length - from, position)) ?? {};
          from += bytesWritten;
          position += bytesWritten;
        }
      }),
    finish: () =>
      attempt(async () => {
        await file?.sync();
        await close();
        await moveDraft(draft, { target, path, overwrite });
      }),
    async discard() {
      await close().catch(() => {});
      await rm(draft, { force: true }).catch(() => {});
    },
  };
}

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
  const there = await lstat(path).catch((error: unknown) => {
    if (fileErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  // A path that ends with a separator names a directory.
  if (!there && /[/\\]$/.test(path)) throw notAFile(path, DIRECTORY);
  if (!there) return join(await realpath(dirname(path)), basename(path));
  const stats = await stat(path);
  if (!stats.isFile()) throw notAFile(path, kindOf(stats));
  if (!overwrite) throw exists(UsageError, path);
  await access(path, constants.W_OK);
  return await realpath(path);
}

const DIRECTORY = 'it is a directory';

function kindOf(stats: Stats): string {
  return stats.isDirectory() ? DIRECTORY : 'it is not a regular file';
}

type Place = OutputFileOptions & {
  readonly target: string;
  /** As it was typed. */
  readonly path: string;
};

/**
 * Moves a draft to its place in one step. A file that was made there meanwhile is kept unless it is to be replaced.
 * @throws OutputError `file_exists`, and what the file system throws
 */
export async function moveDraft(draft: string, { target, path, overwrite }: Place): Promise<void> {
  if (overwrite) return await rename(draft, target);
  try {
    await link(draft, target);
  } catch (error) {
    if (fileErrorCode(error) === 'EEXIST') throw exists(OutputError, path);
    // File systems without hard links.
    if (await lstat(target).catch(() => undefined)) throw exists(OutputError, path);
    await rename(draft, target);
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

/** The error for a path that could not be written; it gives the reason. */
export function unwritable(Class: ErrorClass, path: string, cause: unknown) {
  return new Class('file_unwritable', `${quote(path)} cannot be written: ${fileErrorReason(cause)}`, {
    cause,
  });
}

function notAFile(path: string, reason: string): UsageError {
  return new UsageError('file_unwritable', `${quote(path)} cannot be written: ${reason}`, {
    hint:
      reason === DIRECTORY
        ? 'Name a file in it.'
        : `Name a file. To write anywhere else, redirect the output: > ${shellQuote(path)}`,
  });
}
