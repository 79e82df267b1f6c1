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

/** Bytes that are compressed at a time: the threads that compress take as long to wake as for 50 kB. */
const PIECE = 2 ** 18;

/** The buffers for these bytes, of which one is filled while the others are compressed. */
const BUFFERS = 3;

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
  const free = new FreeBuffers(written);
  let buffer: Buffer | undefined;
  let used = 0;
  const send = () => {
    const full = buffer;
    if (full === undefined || used === 0) return;
    stream.write(full.subarray(0, used), () => free.put(full));
    buffer = undefined;
    used = 0;
  };
  return {
    async add(text) {
      for (const piece of piecesOf(text)) {
        // No character of UTF-16 takes more bytes.
        if (used + piece.length * 3 > PIECE) send();
        buffer ??= await free.take();
        used += buffer.write(piece, used);
      }
    },
    async end() {
      send();
      stream.end();
      await written;
    },
  };
}

/** Pieces of a text that fit a buffer, without a cut in a character. */
function* piecesOf(text: string): Generator<string, void, undefined> {
  const most = Math.floor(PIECE / 3);
  for (let start = 0; start < text.length; ) {
    const isCut = start + most < text.length && (text.charCodeAt(start + most - 1) & 0xfc00) === 0xd800;
    const end = start + most - (isCut ? 1 : 0);
    yield start === 0 && end >= text.length ? text : text.slice(start, end);
    start = end;
  }
}

/** Buffers that are used again and again: what is allocated for each piece would stay until a large collection. */
class FreeBuffers {
  readonly #failed: Promise<void>;
  readonly #free: Buffer[] = [];
  readonly #waiting: ((buffer: Buffer) => void)[] = [];
  #made = 0;

  /** Rejects when no buffer comes back. */
  constructor(failed: Promise<void>) {
    this.#failed = failed;
  }

  async take(): Promise<Buffer> {
    const free = this.#free.pop();
    if (free) return free;
    if (this.#made < BUFFERS) {
      this.#made += 1;
      return Buffer.allocUnsafeSlow(PIECE);
    }
    const { promise, resolve } = Promise.withResolvers<Buffer>();
    this.#waiting.push(resolve);
    const buffer = await Promise.race([promise, this.#failed]);
    if (!buffer) throw new TypeError('The compression has ended');
    return buffer;
  }

  put(buffer: Buffer): void {
    const next = this.#waiting.shift();
    if (next) next(buffer);
    else this.#free.push(buffer);
  }
}

async function writeAll(stream: AsyncIterable<Uint8Array>, write: PartWriterOptions['write']): Promise<void> {
  for await (const chunk of stream) await write(chunk);
}
