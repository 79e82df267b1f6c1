import { sleep } from '../client/deadline.ts';
import type { Database } from '../files/database.ts';
import { isDelivered, type Outcome, type Posting, type Sender } from './sender.ts';
import { type Attempted, CLAIM_MS, recordAttempt, type Send } from './sends.ts';

/** How long to wait after each failed attempt, in milliseconds; after one more attempt, the event is given up. */
const WAITS_MS = [5_000, 30_000, 5 * 60_000, 30 * 60_000, 2 * 3_600_000] as const;

/** How an outbox sends. */
export type OutboxOptions = {
  readonly sender: Sender;
  /**
   * What to send, or why it cannot be sent any more; undefined if the event is gone. It is asked before every attempt, which is made at
   * `attemptedMs`, in milliseconds since 1970.
   */
  readonly postingOf: (send: Send, attemptedMs: number) => Posting | { readonly refused: string } | undefined;
  readonly onAttempt?: ((attempted: Attempted) => void) | undefined;
  /** Called with what keeps an outcome from being written, such as a full disk. The event is sent again later. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** The waits between attempts are multiplied by it; 1 by default. */
  readonly retryFactor?: number | undefined;
  /** URLs that are sent to; all by default. What is for others stays where it is. */
  readonly urls?: ReadonlySet<string> | undefined;
};

/** How many attempts to one URL are made at the same time. */
const MOST_AT_ONCE = 8;

/** Another process may have added something to send since. */
const LONGEST_WAIT_MS = 1_000;

/**
 * Sends what its tables hold: each event at least once, those of one record to one URL in order, again after failures. What was not sent when the
 * process ended is sent by the next outbox of the same database; there must be one at a time.
 */
export class Outbox {
  readonly #database: Database;
  readonly #options: OutboxOptions;
  readonly #ending = new AbortController();
  /** The rows of the sends that are being attempted, by URL. */
  readonly #running = new Map<string, Set<number>>();
  readonly #attempts = new Set<Promise<void>>();
  /** What is due later than that, in milliseconds, was recorded by a clock that has been set back. */
  readonly #longestWait: number;
  #timer: NodeJS.Timeout | undefined;
  #isWoken = false;

  constructor(database: Database, options: OutboxOptions) {
    this.#database = database;
    this.#options = options;
    this.#longestWait = Math.max(CLAIM_MS, WAITS_MS[4] * (options.retryFactor ?? 1)) + 1_000;
  }

  /** Looks for something to send after the requests that have arrived by now; until `close`. */
  wake(): void {
    if (this.#isWoken || this.#ending.signal.aborted) return;
    this.#isWoken = true;
    setImmediate(() => {
      this.#isWoken = false;
      if (!this.#ending.signal.aborted) this.#sendDue();
    });
  }

  /** Ends running attempts, which count as not made. The sender and the database stay open. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#ending.abort();
    await Promise.all(this.#attempts);
  }

  #sendDue(): void {
    clearTimeout(this.#timer);
    // What is not committed may still be rolled back.
    this.#database.commit();
    const now = Date.now();
    let soonest = Number.POSITIVE_INFINITY;
    for (const url of this.#urlsWithSends()) {
      const later = this.#database
        .prepare('SELECT min(next_ms) AS next FROM webhook_sends WHERE url = ? AND next_ms > ?')
        .get(url, now)?.next;
      if (typeof later === 'number') soonest = Math.min(soonest, later);
      const running = this.#running.get(url) ?? new Set();
      this.#running.set(url, running);
      if (running.size >= MOST_AT_ONCE) continue;
      const rows = this.#database
        .prepare(
          `SELECT row, event, delivery_id, record, receiver, attempts FROM webhook_sends
            WHERE url = ? AND (next_ms <= ? OR next_ms > ?) ORDER BY next_ms, row LIMIT ?`,
        )
        .all(url, now, now + this.#longestWait, MOST_AT_ONCE + running.size);
      for (const { row, event, delivery_id: deliveryId, record, receiver, attempts } of rows) {
        if (running.size >= MOST_AT_ONCE) break;
        const send = {
          row: Number(row),
          event: Number(event),
          deliveryId: String(deliveryId),
          url,
          record: String(record),
          receiver: receiver === null ? undefined : String(receiver),
        };
        if (!running.has(send.row)) this.#begin(send, Number(attempts) + 1);
      }
    }
    this.#timer = setTimeout(() => this.wake(), Math.min(LONGEST_WAIT_MS, soonest - now)).unref();
  }

  /** The URLs that something is to be sent to. One after the other, because each may have thousands of sends. */
  *#urlsWithSends(): Generator<string> {
    const { urls } = this.#options;
    const statement = this.#database.prepare(
      'SELECT min(url) AS url FROM webhook_sends WHERE next_ms IS NOT NULL AND url > ?',
    );
    for (let url: unknown = ''; ; ) {
      url = statement.get(String(url))?.url;
      if (typeof url !== 'string') return;
      if (!urls || urls.has(url)) yield url;
    }
  }

  #begin(send: Send, attempt: number): void {
    const running = this.#running.get(send.url);
    running?.add(send.row);
    const attempted = this.#attempt(send, attempt)
      .catch(async (error: unknown) => {
        if (this.#ending.signal.aborted) return;
        this.#options.onError?.(error);
        // Otherwise it would be sent again at once, and again.
        await sleep(WAITS_MS[0], this.#ending.signal).catch(() => {});
      })
      .finally(() => {
        running?.delete(send.row);
        this.#attempts.delete(attempted);
        this.wake();
      });
    this.#attempts.add(attempted);
  }

  async #attempt(send: Send, attempt: number): Promise<void> {
    const { sender, postingOf, onAttempt, retryFactor = 1 } = this.#options;
    const attemptedMs = Date.now();
    const posting = postingOf(send, attemptedMs) ?? { refused: 'the event is gone' };
    const isRefused = 'refused' in posting;
    const outcome: Outcome = isRefused
      ? { status: undefined, problem: posting.refused, milliseconds: 0 }
      : await sender.post(posting, this.#ending.signal);
    const wait = !isRefused && !isDelivered(outcome) ? WAITS_MS[attempt - 1] : undefined;
    const nextMs = wait === undefined ? undefined : Date.now() + Math.round(wait * retryFactor);
    const state = isDelivered(outcome) ? 'delivered' : nextMs === undefined ? 'failed' : 'pending';
    const attempted: Attempted = { send, outcome, attempt, state, nextMs };
    await this.#database.inSharedTransaction(() => recordAttempt(this.#database, attempted, attemptedMs));
    onAttempt?.(attempted);
  }
}
