import { fstatSync, writeSync } from 'node:fs';
import { openStdout } from './open-stdout.ts';
import { createSink, isClosedCode, type Sink } from './streams.ts';

/** Where a run prints a single text. */
export type Printer = {
  /** Columns of the terminal; 80 where there is none. */
  readonly columns: number;
  /**
   * Resolves when the operating system has the text, and silently where the reader has left.
   * @throws Error with the system's `code` where the text cannot be written
   */
  print(text: string): Promise<void>;
};

/**
 * Opens stdout to print a single text. A file, a pipe or a socket is written to without Node's streams: to load them takes
 * longer than everything else that help and completion do.
 */
export function openPrinter(): Printer {
  const sink = isWrittenDirectly() ? undefined : createSink(openStdout());
  return sink
    ? { columns: sink.columns, print: (text) => printTo(sink, text) }
    : { columns: 80, print: async (text) => writeAll(Buffer.from(text)) };
}

async function printTo(sink: Sink, text: string): Promise<void> {
  await sink.write(text);
  await sink.end();
}

function isWrittenDirectly(): boolean {
  if (process.platform === 'win32') return false;
  const stats = fstatSync(STDOUT);
  return stats.isFIFO() || stats.isSocket() || stats.isFile();
}

const STDOUT = 1;
/** How long a pipe that is full and does not block is left alone, in milliseconds. */
const FULL_PAUSE_MS = 2;

function writeAll(bytes: Buffer): void {
  let written = 0;
  while (written < bytes.length) {
    try {
      // A disk that is almost full, and a pipe, take a part.
      written += writeSync(STDOUT, bytes, written);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (isClosedCode(code, false)) return;
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FULL_PAUSE_MS);
    }
  }
}
