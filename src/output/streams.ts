/** The part of a Node stream (stdout, stderr, a file) that a sink needs. */
export type OutputStream = {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string, done?: (error?: Error | null) => void): boolean;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'close' | 'drain', listener: () => void): unknown;
};

/** A place that text is written to, one for stdout and one for stderr. */
export type Sink = {
  /**
   * Resolves when the text is accepted, after `drain` where the stream asked for a pause; at once and silently when the
   * reader is gone.
   * @throws Error with the system's `code` (ENOSPC, ...) when the stream failed for another reason than a gone reader
   */
  write(text: string): Promise<void>;
  /**
   * Flushes what is held back and resolves when the operating system has taken everything. The stream stays open.
   * @throws Error as `write` does
   */
  end(): Promise<void>;
  readonly isTerminal: boolean;
  /** Display columns at this moment (terminals are resized); 80 where there is no terminal. */
  readonly columns: number;
  /** Whether the reader has gone away (`| head`). */
  readonly closed: boolean;
  /** Aborted when the reader goes away: stop fetching, and leave quietly. */
  readonly closedSignal: AbortSignal;
};

export type SinkOptions = {
  /** UTF-16 units that are gathered before they go to a stream that is no terminal. 16,384 by default. */
  readonly bufferSize?: number;
  /** What is said here may be lost: a stream that fails is treated as one whose reader has gone. For stderr. */
  readonly mayFail?: boolean;
};

const defaultColumns = 80;
const defaultBufferSize = 16_384;
/** EIO is what a write to a terminal that was hung up gives; the two last are Node's own words for a gone stream. */
const goneCodes = new Set([
  'EPIPE',
  'EIO',
  'ECONNRESET',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
]);

/**
 * Wraps a stream so that writers wait for it and survive it. The error handler is attached before this returns, so
 * that a reader that has gone already cannot crash the process. Small writes within one turn of the event loop go out
 * together, except to a terminal.
 */
export function createSink(stream: OutputStream, options: SinkOptions = {}): Sink {
  return new StreamSink(stream, options);
}

class StreamSink implements Sink {
  readonly #stream: OutputStream;
  readonly #bufferSize: number;
  readonly #mayFail: boolean;
  readonly #gone = new AbortController();
  #pending = '';
  #flushPlanned = false;
  #failure: Error | undefined;
  #blocked: PromiseWithResolvers<void> | undefined;

  constructor(stream: OutputStream, { bufferSize = defaultBufferSize, mayFail = false }: SinkOptions) {
    this.#stream = stream;
    this.#bufferSize = bufferSize;
    this.#mayFail = mayFail;
    stream.on('error', (error) => this.#onError(error));
    stream.on('close', () => this.#onClose());
    stream.on('drain', () => this.#onDrain());
  }

  get isTerminal(): boolean {
    return this.#stream.isTTY === true;
  }

  get columns(): number {
    return this.#stream.columns || defaultColumns;
  }

  get closed(): boolean {
    return this.#gone.signal.aborted;
  }

  get closedSignal(): AbortSignal {
    return this.#gone.signal;
  }

  async write(text: string): Promise<void> {
    this.#throwFailure();
    if (this.closed || text === '') return;
    this.#pending += text;
    if (this.isTerminal || this.#pending.length >= this.#bufferSize) this.#flush();
    else this.#planFlush();
    await this.#settled();
  }

  async end(): Promise<void> {
    this.#flush();
    await this.#settled();
    this.#flush();
    this.#throwFailure();
    if (this.closed) return;
    await new Promise<void>((resolve) => {
      this.#gone.signal.addEventListener('abort', () => resolve(), { once: true });
      this.#stream.write('', (error) => {
        if (error) this.#onError(error);
        resolve();
      });
    });
    this.#throwFailure();
  }

  /** Waits out a full stream; returns at once otherwise. */
  async #settled(): Promise<void> {
    while (this.#blocked !== undefined) await this.#blocked.promise;
    this.#throwFailure();
  }

  #planFlush(): void {
    if (this.#flushPlanned) return;
    this.#flushPlanned = true;
    setImmediate(() => {
      this.#flushPlanned = false;
      this.#flush();
    });
  }

  #flush(): void {
    if (this.#blocked !== undefined || this.#pending === '' || this.closed || this.#failure !== undefined)
      return;
    const text = this.#pending;
    this.#pending = '';
    const roomLeft = this.#stream.write(text, (error) => error && this.#onError(error));
    if (!roomLeft && !this.closed && this.#failure === undefined)
      this.#blocked = Promise.withResolvers<void>();
  }

  #onDrain(): void {
    this.#release();
    this.#flush();
  }

  /** A stream that failed closes too; then it is not the reader that has gone. */
  #onClose(): void {
    this.#pending = '';
    if (this.#failure === undefined) this.#gone.abort();
    this.#release();
  }

  #onError(error: Error): void {
    if (this.#mayFail || goneCodes.has(String((error as NodeJS.ErrnoException).code))) {
      this.#onClose();
      return;
    }
    this.#failure ??= error;
    this.#pending = '';
    this.#release();
  }

  #release(): void {
    const blocked = this.#blocked;
    this.#blocked = undefined;
    blocked?.resolve();
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }
}
