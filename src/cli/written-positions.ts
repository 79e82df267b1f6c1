import type { Sink } from '../output/streams.ts';

/**
 * Remembers how far a run had come at each point of its output, to know after a failed write what was written: the sink accepts
 * text before the operating system does.
 */
export class WrittenPositions<T> {
  readonly #sink: Pick<Sink, 'mark'>;
  /** What the operating system has not taken yet, oldest first. */
  #waiting: { readonly position: T; readonly isWritten: () => boolean }[] = [];
  #last: T | undefined;

  constructor(sink: Pick<Sink, 'mark'>) {
    this.#sink = sink;
  }

  /** Remembers the position that belongs to everything that was written so far. */
  add(position: T): void {
    this.#waiting.push({ position, isWritten: this.#sink.mark() });
    this.#settle();
  }

  /** The last position whose output the operating system has taken; undefined where there is none. */
  get last(): T | undefined {
    this.#settle();
    return this.#last;
  }

  #settle(): void {
    while (this.#waiting[0]?.isWritten()) this.#last = this.#waiting.shift()?.position;
  }
}
