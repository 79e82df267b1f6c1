import { plural } from '../text/format.ts';
import { type Sink, sinkWith } from './streams.ts';
import { fitToWidth } from './width.ts';

/** How far a long run has come. */
export type ProgressCounts = { readonly items: number; readonly pages: number };

/** The line on stderr that shows how far a run has come. */
export type Progress = {
  /**
   * Starts the clock of a long run. The line appears after a second and changes at most ten times a second; it shows how far the
   * run has come, or the text that is given.
   */
  start(text?: () => string): void;
  update(counts: ProgressCounts): void;
  /**
   * Erases the line before `text` is printed to the same terminal. A later tick draws it again, but not while the text
   * leaves a line unfinished: that line would be erased. Undefined where there is nothing to erase.
   */
  clearLine(text: string): Promise<void> | undefined;
  /** Erases the line for good. */
  stop(): Promise<void>;
};

export type ProgressOptions = {
  readonly stderr: Sink;
  /** Whether to show anything: stderr is a terminal that can redraw a line, and `--quiet` was not given. */
  readonly enabled: boolean;
};

/** Short runs show nothing. */
const showAfterMs = 1_000;
const tickMs = 100;
const eraseLine = '\r\u001B[2K';

/** Makes the progress of a run, which shows nothing before its start: prompts and servers are not counted. */
export function createProgress(options: ProgressOptions): Progress {
  return options.enabled ? new ProgressLine(options.stderr) : silentProgress;
}

/** A sink that erases the progress line before each write: for stdout and stderr of one terminal. The sink itself where there is no line. */
export function clearingFirst(sink: Sink, progress: Progress): Sink {
  if (progress === silentProgress) return sink;
  // At once where there is no line to erase: a question that comes next must not overtake the text.
  return sinkWith(sink, {
    write: (text) => progress.clearLine(text)?.then(() => sink.write(text)) ?? sink.write(text),
  });
}

const silentProgress: Progress = {
  start: () => {},
  update: () => {},
  clearLine: () => undefined,
  stop: async () => {},
};

class ProgressLine implements Progress {
  readonly #stderr: Sink;
  #startedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #counts: ProgressCounts = { items: 0, pages: 0 };
  #text: (() => string) | undefined;
  #shown = '';
  #lineOpen = false;
  /** What is written while the line is being erased waits for that, so that texts stay in their order. */
  #erasing: Promise<void> | undefined;

  constructor(stderr: Sink) {
    this.#stderr = stderr;
  }

  start(text?: () => string): void {
    this.#text = text;
    this.#startedAt = performance.now();
    this.#timer = setInterval(() => this.#draw(), tickMs);
    this.#timer.unref();
  }

  update(counts: ProgressCounts): void {
    this.#counts = counts;
  }

  clearLine(text: string): Promise<void> | undefined {
    if (text !== '') this.#lineOpen = !text.endsWith('\n');
    return this.#erase();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#erase();
  }

  #erase(): Promise<void> | undefined {
    if (this.#shown === '') return this.#erasing;
    this.#shown = '';
    const erasing = this.#write(eraseLine).then(() => {
      if (this.#erasing === erasing) this.#erasing = undefined;
    });
    this.#erasing = erasing;
    return erasing;
  }

  /** The next write that matters finds a stream that failed; progress itself may be lost. */
  async #write(text: string): Promise<void> {
    await this.#stderr.write(text).catch(() => clearInterval(this.#timer));
  }

  #draw(): void {
    const elapsed = performance.now() - this.#startedAt;
    if (elapsed < showAfterMs || this.#lineOpen) return;
    const text = this.#text?.() ?? progressText(this.#counts, elapsed);
    const line = fitToWidth(text, this.#stderr.columns - 1).text;
    if (line === this.#shown) return;
    this.#shown = line;
    void this.#write(eraseLine + line);
  }
}

function progressText({ items, pages }: ProgressCounts, elapsedMs: number): string {
  const seconds = Math.floor(elapsedMs / 1_000);
  if (pages === 0) return `Waiting for the service, ${seconds} s`;
  const rate = Math.round(items / (elapsedMs / 1_000));
  return `${plural(items, 'item')}, ${plural(pages, 'page')}, ${rate} items/s, ${seconds} s`;
}
