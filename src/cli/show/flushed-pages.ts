import type { Sink } from '../../output/streams.ts';

/** A position, and the lines of the output up to there. */
type Reached<T> = { readonly position: T; readonly lines: number };

/**
 * Remembers how far a run had come at each point of its output, to know after a failed write what was written: the sink accepts
 * text before the operating system does.
 */
export class FlushedPages<T> {
  readonly #sink: Pick<Sink, 'mark' | 'lines'>;
  /** What the operating system has not taken yet, oldest first. */
  #waiting: { readonly reached: Reached<T>; readonly isWritten: () => boolean }[] = [];
  #last: Reached<T> | undefined;

  constructor(sink: Pick<Sink, 'mark' | 'lines'>) {
    this.#sink = sink;
  }

  /** Remembers the position that belongs to everything that was written so far. */
  add(position: T): void {
    this.#waiting.push({ reached: { position, lines: this.#sink.lines }, isWritten: this.#sink.mark() });
    this.#settle();
  }

  /** The last position whose output the operating system has taken; undefined where there is none. */
  get last(): Reached<T> | undefined {
    this.#settle();
    return this.#last;
  }

  #settle(): void {
    while (this.#waiting[0]?.isWritten()) this.#last = this.#waiting.shift()?.reached;
  }
}
