import { constants, createGzip, createZstdCompress, type Gzip, type ZstdCompress } from 'node:zlib';
import type { Compression, PartWriterOptions } from '../format.ts';

/** What each compression adds to the name of a file. */
export const SUFFIXES: Readonly<Record<Compression, string>> = { zstd: '.zst', gzip: '.gz', none: '' };

/** Takes half the time of the default level, and records become no larger. */
export const ZSTD_LEVEL = 1;

/** Bytes that are compressed at a time: the threads that compress take as long to wake as for 50 kB. */
const PIECE = 2 ** 19;

/** The buffers for these bytes, of which one is filled while the other one is compressed. */
const BUFFERS = 2;

/** Bytes of a file that are written at a time. */
const CHUNK = 2 ** 16;

/** Takes pieces of a file in their order. */
type Sink = {
  /** Resolves when the memory of a piece may be used again. */
  add(bytes: Uint8Array): Promise<void>;
  /** Resolves when everything is written. */
  end(): Promise<void>;
};

type Write = PartWriterOptions['write'];

const SINKS: Readonly<Record<Compression, (write: Write) => Sink>> = {
  zstd: (write) =>
    compressed(
      createZstdCompress({
        chunkSize: CHUNK,
        params: { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL },
      }),
      write,
    ),
  gzip: (write) => compressed(createGzip({ chunkSize: CHUNK }), write),
  none(write) {
    let written = Promise.resolve();
    return {
      add(bytes) {
        written = written.then(() => write(bytes));
        return written;
      },
      end: () => written,
    };
  },
};

/** Compresses pieces on another thread. */
function compressed(stream: ZstdCompress | Gzip, write: Write): Sink {
  const written = writeAll(stream, write);
  // Whoever adds or ends gets the error.
  written.catch(() => {});
  return {
    add: (bytes) =>
      new Promise((resolve) => {
        stream.write(bytes, (error) => resolve(error ? written : undefined));
      }),
    async end() {
      stream.end();
      await written;
    },
  };
}

async function writeAll(stream: AsyncIterable<Uint8Array>, write: Write): Promise<void> {
  for await (const chunk of stream) await write(chunk);
}

/** A text file that is compressed while the next lines are made. */
export class TextFile {
  readonly #sink: Sink;
  /** Used again in turn: what is allocated for each piece would stay until a large collection. */
  readonly #buffers = Array.from({ length: BUFFERS }, () => Buffer.allocUnsafeSlow(PIECE));
  /** By buffer, when it may be filled. */
  readonly #free = this.#buffers.map(() => Promise.resolve());
  #turn = 0;
  #used = 0;

  constructor({ compression, write }: Pick<PartWriterOptions, 'compression' | 'write'>) {
    this.#sink = SINKS[compression](write);
  }

  /** Adds UTF-8; waits only if the compression is far behind. */
  async add(bytes: Buffer): Promise<void> {
    for (let from = 0; from < bytes.length; ) {
      if (this.#used === PIECE) await this.#send();
      const taken = bytes.copy(this.#bytes, this.#used, from);
      this.#used += taken;
      from += taken;
    }
  }

  /** Resolves when everything is written. */
  async end(): Promise<void> {
    await this.#send();
    await this.#sink.end();
    // Frees the memory at once, and not when V8 next looks for it.
    for (const { buffer } of this.#buffers) buffer.transfer(0);
  }

  get #bytes(): Buffer {
    return this.#buffers[this.#turn] ?? Buffer.alloc(0);
  }

  /** Sends what was gathered, and waits for the next buffer. */
  async #send(): Promise<void> {
    const sent = this.#sink.add(this.#bytes.subarray(0, this.#used));
    // Whoever waits for the buffer gets the error.
    sent.catch(() => {});
    this.#free[this.#turn] = sent;
    this.#turn = (this.#turn + 1) % BUFFERS;
    this.#used = 0;
    await this.#free[this.#turn];
  }
}
