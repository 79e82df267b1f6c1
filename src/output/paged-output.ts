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
  /** Keeps what is said while a pager has the terminal, and writes it afterwards. */
  readonly stderr: Sink;
  /**
   * Holds back what is written to stdout from now on until it fills the screen; then the pager gets it. `end` releases it.
   * Changes nothing where there is no pager or no terminal of a known height.
   */
  readonly page: () => void;
};

/** Wraps the streams of a run. Nothing is paged before `page` is called. */
export function createPagedOutput(stdout: Sink, stderr: Sink, options: PagingOptions): PagedOutput {
  let waiting: string | undefined;
  const paged = new PagedSink(stdout, {
    ...options,
    onOpen: async () => {
      await options.onOpen();
      waiting = '';
    },
    onClose: async () => {
      const text = waiting ?? '';
      waiting = undefined;
      await stderr.write(text);
    },
  });
  const said = sinkWith(stderr, async (text) => {
    if (waiting === undefined) await stderr.write(text);
    else waiting += text;
  });
  return { stdout: paged, stderr: said, page: () => paged.page() };
}

type SinkOptions = PagingOptions & { readonly onClose: () => Promise<void> };

class PagedSink implements Sink {
  readonly #stdout: Sink;
  readonly #options: SinkOptions;
  readonly #left = new AbortController();
  readonly closedSignal = this.#left.signal;
  /** What is held back; undefined while nothing is. */
  #held: string | undefined;
  #lines = 0;
  #isEnding = false;
  /** What is written is wider than the screen, and a pager is to show it however few lines it has. */
  #isSideways = false;
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

  page(): void {
    if (this.#options.command !== undefined && this.isTerminal && this.rows) this.#held ??= '';
  }

  scrollSideways(): boolean {
    if (this.#held !== undefined) this.#isSideways = true;
    return this.#isSideways;
  }

  async write(text: string): Promise<void> {
    if (this.closed) return;
    if (this.#pager) return await this.#pager.write(text);
    if (this.#held === undefined) return await this.#stdout.write(text);
    this.#held += text;
    this.#lines += text.split('\n').length - 1;
    const isLong = this.#lines >= (this.rows ?? Number.POSITIVE_INFINITY);
    if (isLong || (this.#isSideways && this.#held !== '')) await this.#open();
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    if (this.#pager) await this.#pager.end();
    await this.#release();
    await this.#stdout.end();
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
    const pager = { command: this.#options.command ?? '', isSideways: this.#isSideways };
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
