import { basename } from 'node:path';
import { UsageError } from '../errors.ts';
import { expandHome } from './home-directory.ts';
import {
  InputError,
  LIMITS,
  type OpenFile,
  openInput,
  requireRegularFile,
  requireSize,
} from './read-file.ts';
import { unreadableInput } from './read-input.ts';

/** A file that is sent as it is, and read again for each attempt of its request. */
export type Upload = {
  /** In bytes. */
  readonly size: number;
  readonly fileName: string;
  readonly canRepeat: true;
  /**
   * Its bytes, which are never all in memory.
   * @throws UsageError `file_changed` where they are no longer those that `openUpload` found, `unreadable_file`
   */
  pieces(): AsyncGenerator<Uint8Array, void, undefined>;
};

/** How much of a file is read at once, in bytes. */
const PIECE = 64 * 1024;

/**
 * Finds a regular file of at most 1 GiB that can be read, without waiting for anything.
 * @throws InputError for anything else; what the file system throws
 */
export function openUpload(path: string, limit: number = LIMITS.upload): Upload {
  const { closeSync, statSync } = process.getBuiltinModule('node:fs');
  const file = expandHome(path);
  // Asked first, because a pipe that is opened and closed again ends its writer.
  requireRegularFile(statSync(file));
  const { descriptor, stats } = openInput(file);
  try {
    requireRegularFile(stats);
    requireKnownSize(descriptor, stats);
  } finally {
    closeSync(descriptor);
  }
  requireSize(stats, limit);
  const { size } = stats;
  const pieces = () => readPieces(file, stats);
  return { size, fileName: basename(file), canRepeat: true, pieces };
}

/** Files below `/proc` have bytes and say that they have none: nothing would be sent, and nobody would know. */
function requireKnownSize(descriptor: number, { size }: OpenFile['stats']): void {
  const { readSync } = process.getBuiltinModule('node:fs');
  if (size === 0 && readSync(descriptor, Buffer.alloc(1), 0, 1, null) > 0)
    throw new InputError('not_a_file', 'its size is not known before it is read');
}

async function* readPieces(
  path: string,
  found: OpenFile['stats'],
): AsyncGenerator<Uint8Array, void, undefined> {
  const { closeSync, fstatSync, readSync } = process.getBuiltinModule('node:fs');
  const { descriptor, stats } = tryAgain(path, () => openInput(path));
  let left = found.size;
  const requireSame = (now: OpenFile['stats']) => {
    if (!isSame(now, found)) throw changed(path, found.size - left, found.size);
  };
  try {
    requireSame(stats);
    while (left > 0) {
      const buffer = Buffer.allocUnsafeSlow(Math.min(PIECE, left));
      const count = tryAgain(path, () => readSync(descriptor, buffer, 0, buffer.length, null));
      // The last piece is withheld until all of them are known to be of one file.
      if (left === count || count === 0) requireSame(fstatSync(descriptor));
      if (count === 0) throw changed(path, found.size - left, found.size);
      yield buffer.subarray(0, count);
      left -= count;
    }
  } finally {
    closeSync(descriptor);
  }
}

function tryAgain<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw unreadableInput(`The file ${path} cannot be read again`, error);
  }
}

function isSame(now: OpenFile['stats'], found: OpenFile['stats']): boolean {
  return (['size', 'mtimeMs', 'ctimeMs', 'ino', 'dev'] as const).every((name) => now[name] === found[name]);
}

function changed(path: string, sent: number, size: number): UsageError {
  const when =
    sent === 0 ? 'since it was checked' : `while it was being sent, after ${sent} of its ${size} bytes`;
  return new UsageError('file_changed', `The file ${path} has changed ${when}`, {
    hint: 'Run the command again when nothing is writing to the file.',
  });
}
