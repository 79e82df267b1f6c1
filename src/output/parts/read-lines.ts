import { createReadStream } from 'node:fs';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { AbortedError } from '../../errors.ts';
import { LineSplitter, type Piece, type PieceSplitter } from '../../json/split-lines.ts';
import type { PartReaderOptions } from '../format.ts';
import { DamagedPart, LONGEST } from './damaged-part.ts';

/** The lines of a part, as many at a time as a piece of the file has. @throws DamagedPart; AbortedError; what the file system throws */
export function readLines(
  path: string,
  options: PartReaderOptions,
): AsyncGenerator<readonly string[], void, undefined> {
  return readTexts(path, options, new LineSplitter(LONGEST));
}

/** The texts of a part, as a splitter finds them. @throws DamagedPart; AbortedError; what the file system throws */
export async function* readTexts(
  path: string,
  options: PartReaderOptions,
  splitter: PieceSplitter,
): AsyncGenerator<readonly string[], void, undefined> {
  const textsOf = (pieces: Iterable<Piece>) =>
    Array.from(pieces, ({ text, place }) => {
      if (text === undefined) throw new DamagedPart(`Line ${place} is longer than ${LONGEST} bytes`);
      return text;
    });
  for await (const bytes of readBytes(path, options)) {
    yield textsOf(splitter.add(bytes));
    if (!splitter.isUtf8) throw new DamagedPart('It is not UTF-8');
  }
  yield textsOf(splitter.end());
  if (!splitter.isUtf8) throw new DamagedPart('It is not UTF-8');
}

/** The bytes of a part without their compression. */
async function* readBytes(
  path: string,
  { compression, signal }: PartReaderOptions,
): AsyncGenerator<Buffer, void, undefined> {
  const file = createReadStream(path, { signal });
  try {
    if (compression === 'none') return yield* file;
    const stream = compression === 'zstd' ? createZstdDecompress() : createGunzip();
    file.on('error', (error) => stream.destroy(error));
    yield* file.pipe(stream);
  } catch (error) {
    if (signal?.aborted) throw new AbortedError();
    throw isOfZlib(error) ? new DamagedPart(`Its compressed data is damaged: ${error.message}`) : error;
  } finally {
    file.destroy();
  }
}

function isOfZlib(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && /^Z(?:STD)?_/.test(String(error.code));
}
