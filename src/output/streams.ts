/** The part of a Node stream (stdout, stderr, a file) that a sink needs. */
export type OutputStream = {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
  write(data: string | Uint8Array, done?: (error?: Error | null) => void): boolean;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'close' | 'drain', listener: () => void): unknown;
};

/** A place that text is written to, one for stdout and one for stderr. */
export type Sink = {
  /**
   * Resolves when the text is accepted, after `drain` where the stream asked for a pause; at once and silently when the
   * reader has closed the stream.
   * @throws Error with the system's `code` (ENOSPC, ...) when the stream failed for any reason but that
   */
  write(text: string): Promise<void>;
  /** Resolves when the stream asks for more: the bytes as they are, after all text that was written before. @throws as `write` */
  writeBytes(bytes: Uint8Array): Promise<void>;
  /**
   * Flushes the buffered output and resolves when the operating system has taken everything. The stream stays open.
   * @throws Error as `write` does
   */
  end(): Promise<void>;
  /**
   * Marks the end of what was written so far. The function that it returns says whether the operating system has taken everything
   * up to there.
   */
  mark(): () => boolean;
  /** How many lines of text were accepted so far. */
  readonly lines: number;
  /** Why nothing more can be written; undefined while it can, and where the reader has closed the stream. */
  readonly failure: Error | undefined;
  readonly isTerminal: boolean;
  /** Display columns at this moment (terminals are resized); 80 where there is no terminal. */
  readonly columns: number;
  /** Lines of the terminal at this moment; undefined where there is none. */
  readonly rows: number | undefined;
  /** Whether the reader has closed the stream (`| head`). */
  readonly closed: boolean;
  /** Aborted when the reader closes the stream: stop fetching, and end quietly. */
  readonly closedSignal: AbortSignal;
};

export type SinkOptions = {
  /** UTF-16 units that are gathered before they go to a stream that is not a terminal. 16,384 by default. */
  readonly bufferSize?: number;
  /** Stops waiting for a reader that no longer reads: otherwise no signal could end the run. */
  readonly signal?: AbortSignal;
  /** Output may be lost: a stream that fails is treated as closed by its reader. For stderr. */
  readonly mayFail?: boolean;
};

/** How long a stalled reader gets to continue when the run ends, in milliseconds, before the missing output is reported. */
const GIVE_UP_MS = 300;
const defaultColumns = 80;
const defaultBufferSize = 16_384;
/** The last two are Node's own codes for a stream that is closed. */
const closedCodes = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END']);

/** Whether the code of an error says that the reader has left: `EIO` only from a terminal, which hung up; a disk is broken. */
export function isClosedCode(code: string | undefined, isTerminal: boolean): boolean {
  return code !== undefined && (closedCodes.has(code) || (isTerminal && code === 'EIO'));
}

/**
 * Wraps a stream so that writers wait for it and survive it. The error handler is attached before this returns, so
 * that a reader that left earlier cannot crash the process. Small writes within one turn of the event loop go out
 * together, except to a terminal.
 */
export function createSink(stream: OutputStream, options: SinkOptions = {}): Sink {
  return new StreamSink(stream, options);
}

/** A sink that does some things in its own way and is the given one in everything else. */
export function sinkWith(sink: Sink, own: Partial<Sink>): Sink {
  return new Proxy(sink, {
    get(target, name) {
      if (name in own) return Reflect.get(own, name);
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

class StreamSink implements Sink {
  readonly #stream: OutputStream;
  readonly #bufferSize: number;
  readonly #mayFail: boolean;
  readonly #closed = new AbortController();
  #pending = '';
  #flushPlanned = false;
  #failure: Error | undefined;
  /** UTF-16 units and bytes that were accepted, and those that the operating system has taken. */
  #accepted = 0;
  #taken = 0;
  #lines = 0;
  #blocked: PromiseWithResolvers<void> | undefined;
  /** Resolves when the rest of the output was accepted, or never will be. */
  #ending: PromiseWithResolvers<void> | undefined;

  constructor(
    stream: OutputStream,
    { bufferSize = defaultBufferSize, mayFail = false, signal }: SinkOptions,
  ) {
    this.#stream = stream;
    this.#bufferSize = bufferSize;
    this.#mayFail = mayFail;
    stream.on('error', (error) => this.#onError(error));
    stream.on('close', () => this.#onClose());
    stream.on('drain', () => this.#onDrain());
    signal?.addEventListener('abort', () => this.#giveUpLater(signal.reason), { once: true });
  }

  get isTerminal(): boolean {
    return this.#stream.isTTY === true;
  }

  get columns(): number {
    return this.#stream.columns || defaultColumns;
  }

  get rows(): number | undefined {
    return this.#stream.rows;
  }

  get closed(): boolean {
    return this.#closed.signal.aborted;
  }

  get closedSignal(): AbortSignal {
    return this.#closed.signal;
  }

  get failure(): Error | undefined {
    return this.#failure;
  }

  get lines(): number {
    return this.#lines;
  }

  mark(): () => boolean {
    const end = this.#accepted;
    return () => this.#taken >= end;
  }

  async write(text: string): Promise<void> {
    this.#throwFailure();
    if (this.closed || text === '') return;
    this.#pending += text;
    this.#accepted += text.length;
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#lines += 1;
    if (this.isTerminal || this.#pending.length >= this.#bufferSize) this.#flush();
    else this.#planFlush();
    await this.#settled();
  }

  async writeBytes(bytes: Uint8Array): Promise<void> {
    this.#flush();
    await this.#settled();
    this.#flush();
    await this.#settled();
    if (this.closed || bytes.length === 0) return;
    this.#accepted += bytes.length;
    this.#give(bytes);
    await this.#settled();
  }

  async end(): Promise<void> {
    this.#flush();
    await this.#settled();
    this.#flush();
    this.#throwFailure();
    if (this.closed) return;
    const ending = Promise.withResolvers<void>();
    this.#ending = ending;
    this.#stream.write('', (error) => {
      if (error) this.#onError(error);
      ending.resolve();
    });
    await ending.promise;
    this.#ending = undefined;
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
    this.#give(text);
  }

  #give(data: string | Uint8Array): void {
    const accepted = this.#stream.write(data, (error) => {
      if (error) this.#onError(error);
      else this.#taken += data.length;
    });
    if (!accepted && !this.closed && this.#failure === undefined)
      this.#blocked = Promise.withResolvers<void>();
  }

  #onDrain(): void {
    this.#unblock();
    this.#flush();
  }

  /** A stream that failed closes too; that does not mean that its reader left. */
  #onClose(): void {
    this.#pending = '';
    if (this.#failure === undefined) this.#closed.abort();
    this.#release();
  }

  #onError(error: Error): void {
    if (this.#mayFail || isClosedCode((error as NodeJS.ErrnoException).code, this.isTerminal)) {
      this.#onClose();
      return;
    }
    this.#failure ??= error;
    this.#pending = '';
    this.#release();
  }

  #giveUpLater(reason: Error): void {
    const giveUp = () => {
      if (this.#blocked ?? this.#ending) this.#onError(reason);
    };
    setTimeout(giveUp, GIVE_UP_MS).unref();
  }

  #release(): void {
    this.#unblock();
    this.#ending?.resolve();
  }

  #unblock(): void {
    const blocked = this.#blocked;
    this.#blocked = undefined;
    blocked?.resolve();
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }
}
