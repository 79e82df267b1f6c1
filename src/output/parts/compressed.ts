import { constants, createGzip, createZstdCompress, type Gzip, type ZstdCompress } from 'node:zlib';
import type { Compression, PartWriterOptions } from '../format.ts';

/** Takes the text of a file. */
export type TextFile = {
  /** Adds text; waits only if the compression is far behind. */
  add(text: string): Promise<void>;
  /** Resolves when everything is written. */
  end(): Promise<void>;
};

/** What each compression adds to the name of a file. */
export const SUFFIXES: Readonly<Record<Compression, string>> = { zstd: '.zst', gzip: '.gz', none: '' };

/** Takes half the time of the default level, and records become no larger. */
export const ZSTD_LEVEL = 1;

/** Bytes that wait for the compression, which runs on threads of its own. */
const MOST_WAITING = 2 ** 20;

/** Compresses the text of a part while the next records are read. */
export function createTextFile({
  compression,
  write,
}: Pick<PartWriterOptions, 'compression' | 'write'>): TextFile {
  if (compression === 'none') return { add: (text) => write(Buffer.from(text)), end: async () => {} };
  return compress(
    compression === 'zstd'
      ? createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL } })
      : createGzip(),
    write,
  );
}

function compress(stream: ZstdCompress | Gzip, write: PartWriterOptions['write']): TextFile {
  const written = writeAll(stream, write);
  // Whoever waits for it gets the error.
  written.catch(() => {});
  const waiting: Promise<void>[] = [];
  let bytes = 0;
  return {
    async add(text) {
      const chunk = Buffer.from(text);
      bytes += chunk.length;
      const taken = new Promise<void>((resolve) => {
        stream.write(chunk, () => {
          bytes -= chunk.length;
          resolve();
        });
      });
      waiting.push(taken);
      while (bytes > MOST_WAITING) await Promise.race([waiting.shift(), written]);
    },
    async end() {
      stream.end();
      await written;
    },
  };
}

async function writeAll(stream: AsyncIterable<Uint8Array>, write: PartWriterOptions['write']): Promise<void> {
  for await (const chunk of stream) await write(chunk);
}
