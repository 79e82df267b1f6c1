import type { Pager } from './pager.ts';
import { type Sink, sinkWith } from './streams.ts';

/** How a run pages. */
export type PagingOptions = {
  /** The command line of the pager; undefined where nothing is paged. */
  readonly command: string | undefined;
  /** Called before the pager takes the terminal. */
  readonly onOpen: () => Promise<void>;
  /** Called where the pager cannot show what it was given, which is then printed without it. */
  readonly onFailure: (reason: string) => void;
};

/** Both streams of a run that can show in a pager what is longer than the screen. */
export type PagedOutput = {
  readonly stdout: Sink;
  /** Keeps messages while a pager has the terminal, or after the end of the buffered output, and writes them afterwards. */
  readonly stderr: Sink;
  /**
   * Holds back what is written to stdout from now on until it fills the screen; then the pager gets it. A document is buffered
   * to its end, and may fill two screens. `finish` releases it. Changes nothing where there is no pager or no terminal of a
   * known height.
   */
  readonly page: (options?: { readonly isDocument?: boolean }) => void;
  /**
   * Shows the buffered output, and then the messages about it. If both together fill the screen, the pager shows the output, unless
   * the run failed; before a document it shows the messages.
   */
  readonly finish: (options?: { readonly failed?: boolean }) => Promise<void>;
};

/** Wraps the streams of a run. Nothing is paged before `page` is called. */
export function createPagedOutput(stdout: Sink, stderr: Sink, options: PagingOptions): PagedOutput {
  if (options.command === undefined) return { stdout, stderr, page() {}, async finish() {} };
  let waiting: string | undefined;
  let saidLines = 0;
  const paged = new PagedSink(stdout, {
    ...options,
    onOpen: async () => {
      await options.onOpen();
      waiting ??= '';
    },
    onClose: async () => {
      const text = waiting ?? '';
      waiting = undefined;
      await stderr.write(text);
    },
  });
  const said = sinkWith(stderr, {
    async write(text) {
      if (paged.isHeldBack && stderr.isTerminal) saidLines += countLines(text);
      if (paged.hasEnded) waiting ??= '';
      if (waiting === undefined) await stderr.write(text);
      else waiting += text;
    },
  });
  return {
    stdout: paged,
    stderr: said,
    page: ({ isDocument = false } = {}) => paged.page(isDocument),
    async finish({ failed = false } = {}) {
      if (!failed && saidLines > 0 && paged.takesMessages(saidLines)) {
        const first = waiting ?? '';
        waiting = undefined;
        await paged.finish(saidLines, first);
      } else if (paged.isPaging) await paged.finish(failed ? 0 : saidLines);
      if (waiting !== undefined) {
        const text = waiting;
        waiting = undefined;
        await stderr.write(text);
      }
    },
  };
}

function countLines(text: string): number {
  return text.split('\n').length - 1;
}

type SinkOptions = PagingOptions & { readonly onClose: () => Promise<void> };

class PagedSink implements Sink {
  readonly #stdout: Sink;
  readonly #options: SinkOptions;
  readonly #left = new AbortController();
  readonly closedSignal = this.#left.signal;
  /** The buffered output; undefined while nothing is buffered. */
  #held: string | undefined;
  #lines = 0;
  /** It is shown as a whole, at its end. */
  #isDocument = false;
  /** All was written, as far as its writer knows. */
  #isEnding = false;
  /** The buffered output fits the screen, but not together with the messages. */
  #isCrowded = false;
  #pager: Pager | undefined;

  constructor(stdout: Sink, options: SinkOptions) {
    this.#stdout = stdout;
    this.#options = options;
    if (stdout.closed) this.#left.abort();
    stdout.closedSignal.addEventListener('abort', () => this.#left.abort(), { once: true });
  }

  get isTerminal(): boolean {
    return this.#stdout.isTerminal;
  }

  get columns(): number {
    return this.#stdout.columns;
  }

  get rows(): number | undefined {
    return this.#stdout.rows;
  }

  get closed(): boolean {
    return this.closedSignal.aborted;
  }

  get failure(): Error | undefined {
    return this.#stdout.failure;
  }

  get lines(): number {
    return this.#stdout.lines;
  }

  mark(): () => boolean {
    return this.#stdout.mark();
  }

  get isHeldBack(): boolean {
    return this.#held !== undefined;
  }

  get isPaging(): boolean {
    return this.isHeldBack || this.#pager !== undefined;
  }

  get hasEnded(): boolean {
    return this.isHeldBack && this.#isEnding;
  }

  page(isDocument: boolean): void {
    this.#isDocument = isDocument;
    if (this.#options.command !== undefined && this.isTerminal && this.rows) this.#held ??= '';
  }

  /** Whether a pager is to show so many lines of messages before the buffered output. */
  takesMessages(saidLines: number): boolean {
    return this.#isDocument && this.hasEnded && this.#lines > 0 && this.#isLong(saidLines);
  }

  async write(text: string): Promise<void> {
    if (this.closed) return;
    if (this.#pager) return await this.#pager.write(text);
    if (this.#held === undefined) return await this.#stdout.write(text);
    this.#held += text;
    this.#lines += countLines(text);
    if (!this.#isDocument && this.#isLong(0)) await this.#open();
  }

  /** Bytes are never paged: the buffered output is written before them. */
  async writeBytes(bytes: Uint8Array): Promise<void> {
    await this.#release();
    await this.#stdout.writeBytes(bytes);
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    if (this.isHeldBack) return;
    if (this.#pager) await this.#pager.end();
    await this.#stdout.end();
  }

  /** Shows the buffered output together with this many lines of messages, of which `first` come before it in the pager. */
  async finish(saidLines: number, first = ''): Promise<void> {
    const isLong = this.#lines > 0 && this.#isLong(saidLines);
    this.#isCrowded = saidLines > 0 && isLong && !this.#isDocument;
    if ((this.#isCrowded || (this.#isDocument && isLong)) && this.isHeldBack && !this.closed) {
      if (first !== '') this.#held = `${first}\n${this.#held}`;
      await this.#open();
    }
    await this.#release();
    await this.end();
  }

  #isLong(saidLines: number): boolean {
    const screens = this.#isDocument ? 2 : 1;
    return this.#lines + saidLines >= screens * (this.rows ?? Number.POSITIVE_INFINITY);
  }

  async #release(): Promise<void> {
    const held = this.#held;
    this.#held = undefined;
    if (held) await this.#stdout.write(held);
  }

  async #open(): Promise<void> {
    const { openPager } = await import('./pager.ts');
    await this.#options.onOpen();
    const held = this.#held ?? '';
    this.#held = undefined;
    const pager = {
      command: this.#options.command ?? '',
      stays: this.#isCrowded,
    };
    this.#pager = openPager(pager, async (end) => {
      this.#pager = undefined;
      // The reader left before the end.
      if (end.unseen === undefined && !this.#isEnding) this.#left.abort();
      await this.#options.onClose();
      if (end.unseen === undefined) return;
      this.#options.onFailure(end.reason);
      await this.#stdout.write(end.unseen);
    });
    await this.#pager.write(held);
  }
}
