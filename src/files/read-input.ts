import type { Stats } from 'node:fs';
import { PayctlError, UsageError } from '../errors.ts';
import { untilAborted } from '../signals.ts';
import { fileErrorCode, fileErrorReason } from './file-error.ts';
import { expandHome } from './home-directory.ts';
import { decodeUtf8, gatherBytes, inputHint, type OpenFile, openInput } from './read-file.ts';

/** How an input is read. */
export type InputOptions = {
  /** In bytes; one of `LIMITS`. */
  readonly limit: number;
  /** Ends any waiting. */
  readonly signal?: AbortSignal | undefined;
};

/** The text of a file, and what the file system says about it. */
export type FileInput = { readonly text: string; readonly stats: Stats };

/** A stream of bytes. One that has `destroy` is destroyed, so that it does not keep the process alive. */
export type InputStream = AsyncIterable<Uint8Array> & { readonly destroy?: () => unknown };

/**
 * Reads what the user names, as UTF-8 without a byte order mark: a file, a named pipe, `<(command)`, `/dev/stdin`, a device. A
 * `~/` at the beginning is the home directory. No wait outlasts the signal.
 * @throws InputError; AbortedError; what the file system throws
 */
export async function readInputFile(path: string, { limit, signal }: InputOptions): Promise<FileInput> {
  const { stats, pieces } = openPieces(path, signal);
  const gathered = gatherBytes(limit);
  for await (const piece of pieces) gathered.add(Buffer.from(piece));
  return { text: decodeUtf8(gathered.bytes()), stats };
}

/**
 * Reads what `readInputFile` reads piece by piece, without a limit. A piece is valid until the next one is asked for. No wait outlasts
 * the signal.
 * @throws InputError; AbortedError; what the file system throws
 */
export async function* readInputPieces(path: string, signal?: AbortSignal): Pieces {
  yield* openPieces(path, signal).pieces;
}

type Pieces = AsyncGenerator<Uint8Array, void, undefined>;

function openPieces(path: string, signal?: AbortSignal): { readonly stats: Stats; readonly pieces: Pieces } {
  const inherited = inheritedDescriptor(path);
  const file = inherited ?? openInput(expandHome(path));
  const { descriptor, stats } = file;
  if (!stats.isFIFO() && !stats.isSocket())
    return { stats, pieces: readFilePieces(file, { isInherited: inherited !== undefined, signal }) };
  // The socket owns the descriptor from here on.
  const { Socket } = process.getBuiltinModule('node:net');
  return {
    stats,
    pieces: readStreamPieces(new Socket({ fd: descriptor, readable: true, writable: false }), signal),
  };
}

/** How much of a file is read at once, in bytes. */
const PIECE = 64 * 1024;

/** A device, such as a terminal, is asked again and again: not every device can be waited for. */
async function* readFilePieces(
  { descriptor, stats }: OpenFile,
  { isInherited, signal }: { readonly isInherited: boolean; readonly signal: AbortSignal | undefined },
): Pieces {
  const { closeSync, readSync } = process.getBuiltinModule('node:fs');
  try {
    const buffer = Buffer.allocUnsafeSlow(PIECE);
    for (;;) {
      const count = await untilReady(() => readSync(descriptor, buffer, 0, PIECE, null), signal);
      if (count === 0) return;
      yield buffer.subarray(0, count);
      if (stats.isFile() && count < PIECE) continue;
      // Lets a signal be noticed: nothing else here waits.
      const { setImmediate: nextTurn } = process.getBuiltinModule('node:timers/promises');
      await untilAborted(nextTurn(), signal);
    }
  } finally {
    if (!isInherited) closeSync(descriptor);
  }
}

/** Reads a stream piece by piece, as `readInputPieces` does. @throws AbortedError; what the stream throws */
export async function* readStreamPieces(stream: InputStream, signal?: AbortSignal): Pieces {
  const iterator = stream[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await untilAborted(iterator.next(), signal);
      if (done) return;
      yield value;
    }
  } finally {
    stream.destroy?.();
  }
}

/**
 * Reads a stream to its end, as UTF-8 without a byte order mark.
 * @throws InputError; AbortedError; what the stream throws
 */
export async function readStream(stream: InputStream, { limit, signal }: InputOptions): Promise<string> {
  const gathered = gatherBytes(limit);
  for await (const piece of readStreamPieces(stream, signal)) gathered.add(piece);
  return decodeUtf8(gathered.bytes());
}

/** How long a device without data is left alone. */
const DEVICE_PAUSE_MILLISECONDS = 20;

async function untilReady(read: () => number, signal: AbortSignal | undefined): Promise<number> {
  for (;;) {
    try {
      return read();
    } catch (error) {
      if (fileErrorCode(error) !== 'EAGAIN') throw error;
      const { setTimeout: wait } = process.getBuiltinModule('node:timers/promises');
      await untilAborted(wait(DEVICE_PAUSE_MILLISECONDS), signal);
    }
  }
}

/**
 * The pipe, socket or file that `/dev/stdin` or `/dev/fd/N` names. It is read itself: opened again, a pipe whose writer is
 * gone would seem to wait for one. Devices are opened again, so that they do not block.
 */
function inheritedDescriptor(path: string): OpenFile | undefined {
  const [, number] = /^\/(?:dev|proc\/self)\/fd\/(\d{1,9})$/.exec(path) ?? [];
  const descriptor = path === '/dev/stdin' ? 0 : Number(number);
  if (Number.isNaN(descriptor) || process.platform === 'win32') return undefined;
  try {
    const stats = process.getBuiltinModule('node:fs').fstatSync(descriptor);
    return stats.isFIFO() || stats.isSocket() || stats.isFile() ? { descriptor, stats } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The error for an input that could not be read. `what` is a sentence such as `--data cannot read the file body.json`; the hint
 * of an InputError wins over the given one. An AbortedError stays what it is.
 */
export function unreadableInput(what: string, error: unknown, hint?: string): PayctlError {
  if (error instanceof PayctlError) return error;
  return new UsageError('unreadable_file', `${what}: ${fileErrorReason(error)}`, {
    hint: inputHint(error) ?? hint,
    cause: error,
  });
}
