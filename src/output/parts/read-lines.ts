import { createReadStream } from 'node:fs';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { LineSplitter, type Piece } from '../../json/split-lines.ts';
import type { PartReaderOptions } from '../format.ts';

/** The lines of a part, as many at a time as a piece of the file has. @throws what the file system and zlib throw */
export async function* readLines(
  path: string,
  { compression, signal }: PartReaderOptions,
): AsyncGenerator<readonly string[], void, undefined> {
  const splitter = new LineSplitter(Number.POSITIVE_INFINITY);
  for await (const bytes of readPieces(path, { compression, signal })) yield textsOf(splitter.add(bytes));
  yield textsOf(splitter.end());
}

/** The bytes of a part without their compression. */
async function* readPieces(
  path: string,
  { compression, signal }: Pick<PartReaderOptions, 'compression' | 'signal'>,
): AsyncGenerator<Buffer, void, undefined> {
  const file = createReadStream(path, { signal });
  if (compression === 'none') return yield* file;
  const stream = compression === 'zstd' ? createZstdDecompress() : createGunzip();
  file.on('error', (error) => stream.destroy(error));
  yield* file.pipe(stream);
}

function textsOf(pieces: Iterable<Piece>): readonly string[] {
  return [...pieces].map(({ text = '' }) => text);
}
