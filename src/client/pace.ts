import { elapsedMs } from './clock.ts';
import { sleep } from './deadline.ts';

/** A second in milliseconds, with a margin for clocks that count whole milliseconds. */
const SECOND = 1005;

/** How long to wait, in milliseconds, while all requests that a second allows are in flight. */
const LOOK_AGAIN = 10;

/**
 * Starts requests one after the other, at most a given number in any second, and none during a pause that the service asks for. A request
 * counts until one second after its end, because payctl cannot know when the service received it.
 */
export class Pace {
  readonly #perSecond: number | undefined;
  #last = Number.NEGATIVE_INFINITY;
  #pausedUntil = 0;
  #turn: Promise<void> = Promise.resolve();
  #underWay = 0;
  /** When requests of the last second ended, oldest first. */
  readonly #ends: number[] = [];

  constructor(perSecond: number | undefined) {
    this.#perSecond = perSecond;
  }

  /** No request starts before these milliseconds have passed. */
  pause(milliseconds: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, elapsedMs() + milliseconds);
  }

  /** Resolves when the next request may start; call `ended` after it. @throws AbortedError */
  async take(signal?: AbortSignal): Promise<void> {
    const before = this.#turn;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#turn = promise;
    try {
      await before;
      for (let wait = this.#wait(); wait > 0; wait = this.#wait()) await sleep(Math.ceil(wait), signal);
      this.#last = elapsedMs();
      this.#underWay += 1;
    } finally {
      resolve();
    }
  }

  /** Call once for each request after `take`. */
  ended(): void {
    this.#underWay -= 1;
    if (this.#perSecond !== undefined) this.#ends.push(elapsedMs());
  }

  #wait(): number {
    const now = elapsedMs();
    const most = this.#perSecond;
    if (most === undefined) return this.#pausedUntil - now;
    const even = Math.max(this.#last + 1000 / most, this.#pausedUntil) - now;
    if (even > 0) return even;
    while (this.#ends[0] !== undefined && this.#ends[0] + SECOND <= now) this.#ends.shift();
    if (this.#underWay + this.#ends.length < most) return 0;
    return this.#ends[0] === undefined ? LOOK_AGAIN : this.#ends[0] + SECOND - now;
  }
}
