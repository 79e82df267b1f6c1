import { EventEmitter } from 'node:events';
import { createSink, type OutputStream, type Sink } from '../../src/output/streams.ts';
import { decideTerminal, type Terminal } from '../../src/output/terminal.ts';

type MemoryOptions = {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  /** Chunks after which `write` answers that it is full. */
  readonly fullAfter?: number;
};

/** A stream that keeps what is written to it, and can be full, fail and close like a real one. */
export class MemoryStream extends EventEmitter implements OutputStream {
  readonly chunks: string[] = [];
  readonly isTTY: boolean;
  columns: number | undefined;
  readonly rows: number | undefined;
  failWith: NodeJS.ErrnoException | undefined;
  #fullAfter: number;

  constructor(options: MemoryOptions = {}) {
    super();
    this.isTTY = options.isTTY ?? false;
    this.columns = options.columns;
    this.rows = options.rows;
    this.#fullAfter = options.fullAfter ?? Number.POSITIVE_INFINITY;
  }

  get text(): string {
    return this.chunks.join('');
  }

  write(text: string, done?: (error?: Error | null) => void): boolean {
    const failure = this.failWith;
    if (failure !== undefined) {
      queueMicrotask(() => {
        done?.(failure);
        this.emit('error', failure);
      });
      return false;
    }
    if (text !== '') this.chunks.push(text);
    queueMicrotask(() => done?.());
    return this.chunks.length < this.#fullAfter;
  }

  drain(): void {
    this.#fullAfter = Number.POSITIVE_INFINITY;
    this.emit('drain');
  }
}

export function systemError(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`write ${code}`), { code });
}

/** A stdout with its terminal decision, either a pipe or a terminal of some width. */
export function memoryOutput(columns?: number): { stream: MemoryStream; stdout: Sink; terminal: Terminal } {
  const isTTY = columns !== undefined;
  const stream = new MemoryStream(isTTY ? { isTTY, columns } : {});
  const terminal = decideTerminal({ isTTY, columns, env: { TERM: 'xterm' }, noColorFlag: true });
  return { stream, stdout: createSink(stream), terminal };
}
