import { ApiError, CursorLoopError } from '../../client/errors.ts';
import { isRetryable } from '../../client/retry.ts';
import { AbortedError, PayctlError } from '../../errors.ts';
import { type FailureEvent, FailureRun, mayPass } from './failure-run.ts';
import { type Gap, LATE_MS, type ListingEnd, Marks, type NewEntry, type Printed, spanOf } from './marks.ts';
import { type TailPage, Walk } from './walk.ts';

/** How to follow a list. Times are in milliseconds. */
export type FollowOptions = {
  /**
   * Sends one request, once. Without a cursor it gets the newest entries.
   * @throws AbortedError if it takes longer than `withinMs`
   */
  readonly fetch: (cursor: string | undefined, withinMs: number | undefined) => Promise<TailPage>;
  /** @throws AbortedError, which ends the following */
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** A clock that only goes forwards. */
  readonly now: () => number;
  readonly random: () => number;
  readonly intervalMs: number;
  /** Ends with the first poll after this time, or with the pages that a poll has read by then; never by default. */
  readonly forMs?: number | undefined;
  /** The longest that `fetch` takes. The last poll is not retried for longer than this. */
  readonly timeoutMs: number;
  /** Begins after these entries, the last of which was the newest. */
  readonly after?: Printed | undefined;
  /** More new entries than this are not gathered before they are printed. */
  readonly mostEntries?: number;
  /** Whether the first poll reaches back far enough; it is given the pages so far. Not asked with `after`. */
  readonly isEnough: (pages: readonly TailPage[]) => boolean | Promise<boolean>;
  /** How many failures in a row the first poll outlives, and the last. In between, only lasting ones end the following. */
  readonly maxRetries: number;
};

/** What following a list brings. */
export type FollowEvent =
  | {
      readonly kind: 'response';
      /** Oldest first. */
      readonly entries: readonly NewEntry[];
      /** Of what was missed before these entries. */
      readonly gap: Gap | undefined;
      /** The entries are the past, of which some may be wanted. */
      readonly isPast: boolean;
      readonly at: number;
    }
  /** Of the entries that came late, some may be missing; at the start, those that came before it. */
  | { readonly kind: 'late-gap'; readonly gap: Gap; readonly isOfStart: boolean }
  | FailureEvent;

/** One look behind reads no more pages than this. */
const MOST_LATE_PAGES = 50;
/** The default of `mostEntries`. */
const MOST_ENTRIES = 100_000;
/** After so many pages, a poll waits before each further one, in milliseconds: whatever the service returns, it is not flooded. */
const FAST_PAGES = 10;
const PAGE_WAIT_MS = 100;
/** A cursor that fails so often in a row is given up, and a walk that has to begin again so often ends where it is. */
const MOST_TRIES = 5;
/** A walk that comes to a copy of the service that is behind begins again so often. */
const MOST_SEARCHES = 2;
/** A failure of the first or last poll makes nobody wait for a long interval, in milliseconds. */
const MOST_LIMITED_WAIT_MS = 1000;
/** A cursor that the service does not take any more. */
const STALE = new Set([400, 404, 410, 422]);

/**
 * Polls a list and hands out each entry exactly once, oldest first. A poll reads page after page until one ends with an entry that was listed
 * before; once a minute it looks further behind for late ones. What is known about the list survives every failure.
 * @throws what `fetch` throws, if it is lasting (401, 403, ...) or comes more than `maxRetries` times in the first or last poll
 */
export function follow(options: FollowOptions): AsyncGenerator<FollowEvent, void, undefined> {
  return new Follower(options).run();
}

class Follower {
  readonly #options: FollowOptions;
  readonly #marks: Marks;
  readonly #end: number;
  /** When the last poll ends, whatever it has read. */
  readonly #limit: number;
  /** When a poll that has read a page ends. */
  #pollEnd = Number.POSITIVE_INFINITY;
  #isLast = false;
  #isCut = false;
  #lastError: PayctlError | undefined;
  #hasResponse = false;
  #hasReceived = false;
  #hasCursors = false;
  /** Requests of this poll. */
  #requests = 0;
  readonly #failures: FailureRun;
  /** Those in a row that may end the following. */
  #limitedFailures = 0;
  /** When late entries were looked for, and what was the latest entry then. */
  #looked: { readonly at: number; readonly latest: number } | undefined;

  constructor(options: FollowOptions) {
    const { now, after, forMs = Number.POSITIVE_INFINITY, timeoutMs } = options;
    this.#options = options;
    this.#failures = new FailureRun(options);
    this.#marks = new Marks(after, now());
    this.#end = now() + forMs;
    this.#limit = this.#end + timeoutMs;
  }

  async *run(): AsyncGenerator<FollowEvent, void, undefined> {
    const { now, sleep, intervalMs, after } = this.#options;
    for (;;) {
      const isFirst = !this.#hasResponse && after === undefined;
      this.#requests = 0;
      const walk = yield* this.#readNews();
      const isLast = this.#isLast || this.#isCut || now() >= this.#limit;
      const isDue = !this.#looked || isLast || now() - this.#looked.at >= LATE_MS;
      if (isDue && !(isFirst && isLast)) yield* this.#lookBehind(walk);
      if (isLast || this.#isCut) return;
      await sleep(Math.max(0, Math.min(intervalMs, this.#end - now())));
    }
  }

  /** Reads as far as the first poll is wanted, and later ones may hold something new. */
  async *#readNews(): AsyncGenerator<FollowEvent, Walk, undefined> {
    const { after, maxRetries, sleep, intervalMs } = this.#options;
    const isPast = !this.#hasResponse && after === undefined;
    let walk = new Walk();
    let isCut = false;
    let searches = 0;
    for (let tries = 1; ; ) {
      const page = yield* this.#fetch(walk);
      isCut = page === undefined;
      if (page === undefined) break;
      const isError = page instanceof PayctlError;
      if (!isError) {
        if (!(await this.#isEnough(walk, page))) continue;
        if (this.#isUpToDate(walk) || searches >= MOST_SEARCHES) break;
        searches += 1;
        await sleep(Math.min(intervalMs, MOST_LIMITED_WAIT_MS));
      }
      tries += 1;
      if (isError && !this.#hasResponse && tries > maxRetries + 1) throw page;
      // Where no walk comes to its end, a part of the news with a gap is better than none.
      isCut = isError && tries > MOST_TRIES && walk.size > 0;
      if (isCut) break;
      walk = walk.again();
    }
    const { at } = walk;
    // What is deleted while the past is read was not asked for, and what a copy of the service does not have yet is new.
    const earlier = isPast ? [] : walk.earlier;
    const listing = { items: walk.items, earlier, at, now: this.#options.now() };
    const found = this.#marks.add(listing, isPast && !isCut ? undefined : this.#endOf(walk, isCut));
    this.#hasResponse = true;
    yield { kind: 'response', ...found, isPast, at };
    return walk;
  }

  /** Whether a walk has the entry to begin after, and what those before it listed; a copy that is behind does not have it yet. */
  #isUpToDate(walk: Walk): boolean {
    const { after } = this.#options;
    if (!this.#hasResponse && (after === undefined || walk.end === 'new')) return after === undefined;
    return this.#marks.missedBy(walk).length === 0;
  }

  async #isEnough(walk: Walk, { items }: TailPage): Promise<boolean> {
    const { after, isEnough } = this.#options;
    const isPast = !this.#hasResponse && after === undefined;
    if (isPast) return walk.cursor === undefined || (await isEnough(walk.pages));
    const isSecond = walk.end === 'unsure';
    walk.end = this.#marks.endOf({ items, above: isSecond ? walk.itemsAbove : undefined });
    if (walk.cursor === undefined || walk.size >= (this.#options.mostEntries ?? MOST_ENTRIES)) return true;
    const hasReached = walk.end === 'known' || (walk.end === 'unsure' && isSecond);
    // The next page may have more copies of an entry without ID; only with all of them can it be told which are new.
    return hasReached && !(this.#marks.isSorted && walk.endsAmongCopies);
  }

  /**
   * Reads further below the new entries, where entries that were written late are listed. What is listed there the first time is
   * the past, which was not requested.
   */
  async *#lookBehind(walk: Walk): AsyncGenerator<FollowEvent, void, undefined> {
    const { now } = this.#options;
    const { latest } = this.#marks;
    const target = this.#looked ? this.#looked.latest - LATE_MS : this.#marks.start;
    for (let pages = 1; walk.mayReach(target); pages += 1) {
      const most = this.#marks.isSorted ? MOST_LATE_PAGES : FAST_PAGES;
      const page = pages > most ? undefined : yield* this.#fetch(walk);
      if (page === undefined || page instanceof PayctlError) {
        const gap = spanOf(target, walk.oldest);
        if (page || this.#marks.isSorted) yield { kind: 'late-gap', gap, isOfStart: false };
        break;
      }
      const found = this.#marks.add({ ...page, above: walk.itemsAbove, now: now() });
      if (found.entries.length > 0) yield { kind: 'response', ...found, isPast: false, at: page.at };
    }
    const gap = this.#looked ? undefined : this.#marks.begin(walk.items, this.#endOf(walk));
    if (gap) yield { kind: 'late-gap', gap, isOfStart: true };
    this.#looked = { at: now(), latest };
  }

  /**
   * Asks for the next page until it comes, as long as the failure can pass. Returns the error that makes the walk begin again: the
   * service does not take its cursor any more; and undefined where the time is up, and the walk ends with what it has read.
   */
  async *#fetch(walk: Walk): AsyncGenerator<FollowEvent, TailPage | PayctlError | undefined, undefined> {
    const { sleep } = this.#options;
    for (;;) {
      try {
        if (walk.loop) throw walk.loop;
        if (this.#requests >= FAST_PAGES) await sleep(PAGE_WAIT_MS);
        this.#requests += 1;
        const received = await this.#request(walk);
        if (received === undefined) return undefined;
        const page = walk.add(received);
        if (page.nextCursor !== undefined) this.#hasCursors = true;
        this.#hasReceived = true;
        this.#limitedFailures = 0;
        const recovery = this.#failures.end();
        // A service that sends cursors in a loop responded all the time.
        if (recovery && !(this.#lastError instanceof CursorLoopError)) yield recovery;
        return page;
      } catch (error) {
        if (!(error instanceof PayctlError && this.#mayPass(walk, error))) throw error;
        yield* this.#fail(walk, error);
        if (this.#isStale(walk, error)) return error;
      }
    }
  }

  /**
   * Sends one request within the time that is left; undefined where the time is up and something was read.
   * @throws what the last request failed with, where the time is up and nothing was read
   */
  async #request(walk: Walk): Promise<TailPage | undefined> {
    const { fetch, now, timeoutMs } = this.#options;
    if (!walk.hasRead) this.#isLast = now() >= this.#end;
    // A poll that has just begun is given the time of one request: with --for 1ms, too, all its pages are read.
    if (!walk.hasRead) this.#pollEnd = this.#isLast ? this.#limit : Math.max(this.#end, now() + timeoutMs);
    const left = this.#timeLeft(walk);
    try {
      // A timer may fire a little early by the clock.
      if (left > 0) return await fetch(walk.cursor, left < timeoutMs ? Math.ceil(left) + 1 : undefined);
    } catch (error) {
      if (!(error instanceof AbortedError && this.#timeLeft(walk) <= 0)) throw error;
    }
    if (!walk.hasRead && this.#lastError) throw this.#lastError;
    this.#isCut = true;
    return undefined;
  }

  /** In milliseconds. The first request of a poll has the whole time of a request. */
  #timeLeft(walk: Walk): number {
    if (walk.hasRead) return this.#pollEnd - this.#options.now();
    return this.#failures.count > 0 ? this.#limit - this.#options.now() : Number.POSITIVE_INFINITY;
  }

  /** Whether the walk has to begin again: its cursor is not taken any more, or leads nowhere. */
  #isStale(walk: Walk, error: PayctlError): boolean {
    if (error instanceof CursorLoopError) return true;
    if (walk.cursor === undefined) return false;
    return (error instanceof ApiError && STALE.has(error.status)) || this.#failures.count >= MOST_TRIES;
  }

  /** Whether asking again can help. */
  #mayPass(walk: Walk, error: PayctlError): boolean {
    if (isRetryable('GET', error) || this.#isStale(walk, error)) return true;
    return this.#hasReceived && mayPass(error);
  }

  /** Waits before the next try. @throws the error where it came too often */
  async *#fail(walk: Walk, error: PayctlError): AsyncGenerator<FollowEvent, void, undefined> {
    const { now, sleep, intervalMs, maxRetries } = this.#options;
    this.#lastError = error;
    const isOver = now() >= this.#end;
    const isLimited = !this.#hasResponse || isOver;
    if (isLimited) this.#limitedFailures += 1;
    if (this.#limitedFailures > maxRetries) throw error;
    const least = isLimited ? Math.min(intervalMs, MOST_LIMITED_WAIT_MS) : intervalMs;
    const failure = this.#failures.add(error, least);
    const left = walk.hasRead ? this.#timeLeft(walk) : (isOver ? this.#limit : this.#end) - now();
    if (isOver && !walk.hasRead && failure.delayMs >= left) throw error;
    yield failure;
    await sleep(Math.max(0, Math.min(failure.delayMs, left)));
  }

  #endOf({ cursor }: Walk, isCut = false): ListingEnd {
    return { isEnd: cursor === undefined && !isCut, hasCursors: this.#hasCursors };
  }
}
