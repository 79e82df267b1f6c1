import { ApiError, ConnectionError, CursorLoopError, ResponseError } from '../../client/errors.ts';
import { backoff, isRetryable, parseRetryAfter } from '../../client/retry.ts';
import { PayctlError } from '../../errors.ts';
import {
  type Answer,
  compareAnswer,
  type Gap,
  type Marks,
  marksAfter,
  type NewEntry,
  reachesMarks,
  type TailItem,
} from './marks.ts';

/** One page of a list, newest entries first. */
export type TailPage = {
  readonly items: readonly TailItem[];
  /** Where older entries begin; undefined where the service names no further page. */
  readonly nextCursor: string | undefined;
  /** When the service sent it, by its own clock, in milliseconds since 1970. */
  readonly at: number;
};

/** How to follow a list. Times are in milliseconds. */
export type FollowOptions = {
  /** Sends one request, once. Without a cursor it gets the newest entries. */
  readonly fetch: (cursor: string | undefined) => Promise<TailPage>;
  /** @throws AbortedError, which ends the following */
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** A clock that only goes forwards. */
  readonly now: () => number;
  readonly random: () => number;
  readonly intervalMs: number;
  /** Ends with the first answer after this time; never by default. */
  readonly forMs?: number | undefined;
  /** Begins after the entry of this ID. */
  readonly after?: string | undefined;
  /** Whether the first answer reaches back far enough; it is given the pages so far. Not asked with `after`. */
  readonly isEnough: (pages: readonly TailPage[]) => boolean | Promise<boolean>;
  /** How often the first answer is asked for again. Later, failures never end the following unless they are lasting. */
  readonly maxRetries: number;
};

/** What following a list brings. */
export type FollowEvent =
  | {
      readonly kind: 'answer';
      /** Oldest first. */
      readonly entries: readonly NewEntry[];
      /** Of what was missed before these entries. */
      readonly gap: Gap | undefined;
      /** The entry at the top of the list, after which following could resume. */
      readonly newestId: string | undefined;
      readonly at: number;
      /** The entries are the past, of which some may be wanted. */
      readonly isPast: boolean;
    }
  | {
      readonly kind: 'failure';
      readonly error: PayctlError;
      /** In a row. */
      readonly failures: number;
      readonly delayMs: number;
    }
  | { readonly kind: 'recovery'; readonly failures: number; readonly lastedMs: number };

/**
 * Polls a list and hands out each entry exactly once, oldest first. What is known of the list changes only when all pages of
 * an answer were read, and survives every failure.
 * @throws what `fetch` throws, if it is lasting (401, 403, ...), comes before the first answer, or at the end of `forMs`
 */
export async function* follow(options: FollowOptions): AsyncGenerator<FollowEvent, void, undefined> {
  const { now, forMs = Number.POSITIVE_INFINITY } = options;
  const follower = new Follower(options);
  const end = now() + forMs;
  for (;;) {
    const isLast = now() >= end;
    const { events, delayMs } = await follower.poll(isLast);
    yield* events;
    if (isLast) return;
    await options.sleep(Math.max(0, Math.min(delayMs, end - now())));
  }
}

type Polled = { readonly events: readonly FollowEvent[]; readonly delayMs: number };

/** How far an answer of several pages was read. */
type Reading = { readonly pages: TailPage[]; readonly cursors: Set<string>; cursor: string | undefined };

function startReading(): Reading {
  return { pages: [], cursors: new Set(), cursor: undefined };
}

class Follower {
  readonly #options: FollowOptions;
  #marks: Marks | undefined;
  #reading = startReading();
  #hasAnswered = false;
  #hasCursors = false;
  #failures = 0;
  #failingSince = 0;

  constructor(options: FollowOptions) {
    this.#options = options;
    this.#marks = options.after === undefined ? undefined : marksAfter(options.after);
  }

  async poll(isLast: boolean): Promise<Polled> {
    try {
      return this.#take(await this.#read());
    } catch (error) {
      if (isLast || !(error instanceof PayctlError) || !this.#mayPass(error)) throw error;
      if (this.#failures === 0) this.#failingSince = this.#options.now();
      this.#failures += 1;
      const delayMs = delayAfter(error, this.#failures, this.#options);
      return { events: [{ kind: 'failure', error, failures: this.#failures, delayMs }], delayMs };
    }
  }

  /**
   * Reads page after page, as far as the first answer is wanted, later ones as far as they may hold something new. After a
   * failure it goes on with the page that failed: from the start, it might never come to the end of many pages.
   */
  async #read(): Promise<Answer> {
    const { pages, cursors } = this.#reading;
    for (;;) {
      const page = await this.#options.fetch(this.#reading.cursor);
      pages.push({ ...page, items: withoutArrivals(page.items, pages) });
      const cursor = page.nextCursor;
      if (cursor !== undefined) this.#hasCursors = true;
      if (cursor === undefined || (await this.#isEnough(pages))) break;
      if (cursors.has(cursor)) throw new CursorLoopError(cursor);
      cursors.add(cursor);
      this.#reading.cursor = cursor;
    }
    this.#reading = startReading();
    return {
      items: pages.flatMap(({ items }) => items),
      isWhole: pages.at(-1)?.nextCursor === undefined,
      hasCursors: this.#hasCursors,
      at: pages[0]?.at ?? 0,
    };
  }

  async #isEnough(pages: readonly TailPage[]): Promise<boolean> {
    if (!this.#marks) return await this.#options.isEnough(pages);
    return reachesMarks(this.#marks, pages.at(-1)?.items ?? [], pages.length);
  }

  #take(answer: Answer): Polled {
    const { entries, gap, marks } = compareAnswer(this.#marks, answer);
    const isPast = this.#marks === undefined;
    const newestId = answer.items[0]?.id;
    const taken: FollowEvent = { kind: 'answer', entries, gap, newestId, at: answer.at, isPast };
    const recovery: FollowEvent = {
      kind: 'recovery',
      failures: this.#failures,
      lastedMs: this.#options.now() - this.#failingSince,
    };
    const events = this.#failures > 0 ? [recovery, taken] : [taken];
    this.#marks = marks;
    this.#hasAnswered = true;
    this.#failures = 0;
    return { events, delayMs: this.#options.intervalMs };
  }

  /** Whether to try again. A cursor that the service does not take any more is given up with what was read before it. */
  #mayPass(error: PayctlError): boolean {
    const isOfCursor = this.#reading.cursor !== undefined;
    const isPassing = isRetryable('GET', error);
    if (error instanceof CursorLoopError || (error instanceof ApiError && !isPassing))
      this.#reading = startReading();
    if (isOfCursor && error instanceof ApiError && [400, 404, 410, 422].includes(error.status)) return true;
    if (!this.#hasAnswered) return this.#failures < this.#options.maxRetries && isRetryable('GET', error);
    return error instanceof ApiError ? isRetryable('GET', error) : isOutage(error);
  }
}

/**
 * The entries of a page that belong below the pages before it. Where cursors count from the top, a page begins with entries of
 * the page before it if entries came in between; what is above those is newer than all that was read, and comes with the next
 * answer.
 */
function withoutArrivals(items: readonly TailItem[], pages: readonly TailPage[]): readonly TailItem[] {
  const previous = new Set(pages.at(-1)?.items.map(({ id }) => id));
  const start = items.findIndex(({ id }) => id !== undefined && previous.has(id));
  return start > 0 ? items.slice(start) : items;
}

/** Everything between the service and here can fail and work again later, even what a new setting would be needed for. */
function isOutage(error: PayctlError): boolean {
  return (
    error instanceof ConnectionError || error instanceof ResponseError || error instanceof CursorLoopError
  );
}

/** As long as the service asks for, else longer from failure to failure; never sooner than without a failure. */
function delayAfter(error: PayctlError, failures: number, { intervalMs, random }: FollowOptions): number {
  const asked = error instanceof ApiError ? parseRetryAfter(error.retryAfter, Date.now()) : undefined;
  return Math.max(intervalMs, asked ?? backoff(failures, random));
}
