import { elapsedMs } from '../../client/clock.ts';
import { sleep } from '../../client/deadline.ts';

/** Requests that start evenly may come closer together on their way: this share of each second stays free for that. */
const MARGIN = 1.1;

/** Lets requests start one after the other, at most so many in any second, and none while the service wants a pause. */
export class Pace {
  readonly #spacing: number;
  #last = Number.NEGATIVE_INFINITY;
  #pausedUntil = 0;
  #turn: Promise<void> = Promise.resolve();

  constructor(perSecond: number | undefined) {
    this.#spacing = perSecond === undefined ? 0 : (1000 / perSecond) * MARGIN;
  }

  /** No request starts before these milliseconds have passed. */
  pause(milliseconds: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, elapsedMs() + milliseconds);
  }

  /** Resolves when the next request may start. @throws AbortedError */
  async take(signal: AbortSignal): Promise<void> {
    const before = this.#turn;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#turn = promise;
    try {
      await before;
      for (let wait = this.#wait(); wait > 0; wait = this.#wait()) await sleep(wait, signal);
      this.#last = elapsedMs();
    } finally {
      resolve();
    }
  }

  #wait(): number {
    return Math.max(this.#last + this.#spacing, this.#pausedUntil) - elapsedMs();
  }
}
