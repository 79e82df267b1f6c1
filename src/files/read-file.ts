import type { Stats } from 'node:fs';
import { toUtf8Command } from '../text/shell.ts';

/**
 * The largest input of each kind, in bytes. Every reader of a file or of standard input has one of them: what is larger is
 * refused as soon as that is known, and messages name the limit.
 */
export const LIMITS = {
  /** JSON from a flag, a file or standard input: request bodies and fault plans. */
  json: 16 * 1024 * 1024,
  /** A file that is sent; it is never held in memory. */
  upload: 1024 * 1024 * 1024,
  /** An API description. */
  description: 64 * 1024 * 1024,
  /** A token or a key, wherever it comes from. */
  secret: 64 * 1024,
  /** The profiles file. */
  profiles: 1024 * 1024,
  /** Certificates; the bundles of operating systems have about 250 KB. */
  certificates: 4 * 1024 * 1024,
  /** A file in which payctl keeps one record of its own, such as `running.json` or a lock. */
  record: 64 * 1024,
} as const;

/** What makes an input unusable although the system reads it. */
export type InputProblem = 'too_large' | 'not_utf8' | 'not_a_file' | 'damaged' | 'packed';

/** An input that payctl refuses. The message is half a sentence and shows at most one byte of the content. */
export class InputError extends Error {
  readonly problem: InputProblem;
  readonly hint: string | undefined;

  constructor(problem: InputProblem, message: string, hint?: string) {
    super(message);
    this.name = 'InputError';
    this.problem = problem;
    this.hint = hint;
  }
}

/** What to do about an input that payctl refuses, where the error knows better than its reader. */
export function inputHint(error: unknown): string | undefined {
  return error instanceof InputError ? error.hint : undefined;
}

/** An open file, which its user has to close. */
export type OpenFile = { readonly descriptor: number; readonly stats: Stats };

/**
 * Opens a file for reading. Never waits, not even for the writer of a named pipe: a blocked `open` could not be aborted, and
 * would keep the process alive.
 * @throws InputError `not_a_file` for a directory or a block device; what the file system throws
 */
export function openInput(path: string): OpenFile {
  const { closeSync, constants, fstatSync, openSync } = process.getBuiltinModule('node:fs');
  // Windows has neither the flag nor files that block.
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(descriptor);
    if (stats.isDirectory() || stats.isBlockDevice()) throw notAFile(stats);
    return { descriptor, stats };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/**
 * Refuses a path that a reader would refuse, as far as that can be known without opening it: a named pipe that is opened and
 * closed again ends its writer.
 * @throws InputError; what the file system throws
 */
export function requireReadable(path: string, limit: number): void {
  const { accessSync, constants, statSync } = process.getBuiltinModule('node:fs');
  const stats = statSync(path);
  accessSync(path, constants.R_OK);
  if (stats.isDirectory() || stats.isBlockDevice()) throw notAFile(stats);
  requireSize(stats, limit);
}

/** @throws InputError `too_large` */
export function requireSize({ size }: Stats, limit: number): void {
  if (size > limit) throw tooLarge(limit);
}

/** @throws InputError `not_a_file` for a pipe, a socket or a device, which could keep a reader waiting */
export function requireRegularFile(stats: Stats): void {
  if (!stats.isFile()) throw notAFile(stats);
}

function notAFile(stats: Stats): InputError {
  return new InputError('not_a_file', `it is ${kindOf(stats)}`);
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'a directory';
  if (stats.isFIFO()) return 'a pipe, not a regular file';
  if (stats.isSocket()) return 'a socket, not a regular file';
  return 'a device, not a regular file';
}

/**
 * Reads a file that payctl itself keeps, as UTF-8 without a byte order mark.
 * @throws InputError for anything but a regular file, for more bytes than the limit, and for what is not UTF-8; what the file
 * system throws
 */
export function readRegularFile(path: string, limit: number): string {
  const { descriptor, stats } = openInput(path);
  try {
    requireRegularFile(stats);
    return decodeUtf8(readDescriptor(descriptor, limit));
  } finally {
    process.getBuiltinModule('node:fs').closeSync(descriptor);
  }
}

const CHUNK = 64 * 1024;

/**
 * Reads a descriptor that does not block to its end, from where it is.
 * @throws InputError `too_large` once there is more than the limit, whatever size the file system reports
 */
export function readDescriptor(descriptor: number, limit: number): Buffer {
  const { readSync } = process.getBuiltinModule('node:fs');
  const gathered = gatherBytes(limit);
  let buffer = Buffer.alloc(0);
  for (;;) {
    // Most files are shorter, and the read that finds the end needs no other buffer.
    if (buffer.length === 0) buffer = Buffer.allocUnsafe(Math.min(CHUNK, limit + 1));
    const count = readSync(descriptor, buffer, 0, buffer.length, null);
    if (count === 0) return gathered.bytes();
    gathered.add(buffer.subarray(0, count));
    buffer = buffer.subarray(count);
  }
}

/** Gathers pieces of an input. `add` throws InputError `too_large` as soon as there are more bytes than the limit. */
export function gatherBytes(limit: number) {
  const pieces: Uint8Array[] = [];
  let length = 0;
  return {
    add(piece: Uint8Array): void {
      length += piece.length;
      if (length > limit) throw tooLarge(limit);
      pieces.push(piece);
    },
    bytes: (): Buffer => Buffer.concat(pieces, length),
  };
}

function tooLarge(limit: number): InputError {
  const size = formatLimit(limit);
  return new InputError('too_large', `it is larger than ${size}`, `payctl reads at most ${size} here.`);
}

/** A limit as messages name it, such as `64 KiB`. */
export function formatLimit(limit: number): string {
  const mebibyte = 1024 * 1024;
  if (limit % (1024 * mebibyte) === 0) return `${limit / (1024 * mebibyte)} GiB`;
  return limit % mebibyte === 0 ? `${limit / mebibyte} MiB` : `${limit / 1024} KiB`;
}

/**
 * Decodes UTF-8; a byte order mark at the beginning is not part of the text. Bytes that are not UTF-8 are never replaced.
 * @throws InputError `not_utf8`, which names the first byte that is wrong and its line
 */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const index = firstInvalidByte(bytes);
    const line = bytes.subarray(0, index).reduce((count, byte) => count + (byte === 0x0a ? 1 : 0), 1);
    const byte = (bytes[index] ?? 0).toString(16).padStart(2, '0');
    const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
    throw new InputError(
      'not_utf8',
      `it is not valid UTF-8: byte ${index + 1}, in line ${line}, is 0x${byte}`,
      `Convert it first, for example: ${toUtf8Command(isUtf16 ? 'utf-16' : 'latin1')}`,
    );
  }
}

/** The index of the first byte that is not part of valid UTF-8; the length where there is none. */
export function firstInvalidByte(bytes: Uint8Array): number {
  const replaced = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  let index = 0;
  let from = 0;
  for (;;) {
    const at = replaced.indexOf('\uFFFD', from);
    if (at === -1) return bytes.length;
    index += Buffer.byteLength(replaced.slice(from, at));
    // A replacement character that the input itself contains takes three bytes.
    const isWritten = bytes[index] === 0xef && bytes[index + 1] === 0xbf && bytes[index + 2] === 0xbd;
    if (!isWritten) return index;
    index += 3;
    from = at + 1;
  }
}
