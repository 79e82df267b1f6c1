import type { Database } from '../files/database.ts';
import { isDelivered, type Outcome, type Posting, type Sender } from './sender.ts';

/** How long to wait after each failed attempt, in milliseconds; after one more attempt, the event is given up. */
const WAITS_MS = [5_000, 30_000, 5 * 60_000, 30 * 60_000, 2 * 3_600_000] as const;

/** How often an event is sent to a receiver at most. */
export const MOST_ATTEMPTS = WAITS_MS.length + 1;

/** `not_sent` is what is recorded without being sent at all. */
export type SendState = 'pending' | 'delivered' | 'failed' | 'not_sent';

/** One event on its way to one receiver. */
export type Send = {
  readonly row: number;
  /** The row of the event, in a table of its owner. */
  readonly event: number;
  /** The same for every attempt. */
  readonly deliveryId: string;
  readonly url: string;
  /** Sends of one record to one URL are made one after the other: see `recordKey`. */
  readonly record: string;
};

/** The tables of an outbox; they can be made in any database. */
export const OUTBOX_TABLES = [
  `CREATE TABLE webhook_sends (
    row INTEGER PRIMARY KEY,
    event INTEGER NOT NULL,
    delivery_id TEXT NOT NULL,
    url TEXT NOT NULL,
    record TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'failed', 'not_sent')),
    attempts INTEGER NOT NULL DEFAULT 0,
    next_ms INTEGER,
    problem TEXT
  ) STRICT`,
  `CREATE TABLE webhook_attempts (
    send INTEGER NOT NULL,
    attempted_ms INTEGER NOT NULL,
    status INTEGER,
    problem TEXT,
    milliseconds INTEGER NOT NULL
  ) STRICT`,
] as const;

/** The indexes of these tables. */
export const OUTBOX_INDEXES = [
  'CREATE INDEX webhook_sends_of_event ON webhook_sends (event)',
  'CREATE INDEX webhook_sends_of_delivery ON webhook_sends (delivery_id)',
  'CREATE INDEX webhook_sends_due ON webhook_sends (url, next_ms) WHERE next_ms IS NOT NULL',
  "CREATE INDEX webhook_sends_in_order ON webhook_sends (url, record, row) WHERE state = 'pending'",
  'CREATE INDEX webhook_attempts_of_send ON webhook_attempts (send)',
] as const;

/** An attempt that has just ended. */
export type Attempted = {
  readonly send: Send;
  readonly outcome: Outcome;
  /** The number of this attempt, from 1. */
  readonly attempt: number;
  readonly state: SendState;
  /** When the next attempt follows, in milliseconds since 1970; undefined if none does. */
  readonly nextMs: number | undefined;
};

/** How an outbox sends. */
export type OutboxOptions = {
  readonly sender: Sender;
  /** What to send; undefined if the event is gone. It is asked before every attempt. */
  readonly postingOf: (send: Send) => Posting | undefined;
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
 * Puts an event on its way to a URL, in the transaction of the caller, and gives the row. `problem` is why it is not sent at all. An open outbox
 * sends it after `wake`, or within a second.
 */
export function addSend(
  database: Pick<Database, 'prepare'>,
  { event, deliveryId, url, record, problem }: Omit<Send, 'row'> & { readonly problem?: string | undefined },
): number {
  const state = problem === undefined ? 'pending' : 'not_sent';
  const nextMs = problem === undefined && !hasPending(database, { url, record }) ? Date.now() : null;
  const { lastInsertRowid } = database
    .prepare(
      `INSERT INTO webhook_sends (event, delivery_id, url, record, state, next_ms, problem)
        VALUES (?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(event, deliveryId, url, record, state, nextMs, problem ?? null);
  return Number(lastInsertRowid);
}

/** Sends something again that was delivered or given up, in the transaction of the caller, with as many attempts as at first. */
export function sendAgain(
  database: Pick<Database, 'prepare'>,
  send: Pick<Send, 'row' | 'url' | 'record'>,
): void {
  const nextMs = hasPending(database, send) ? null : Date.now();
  database
    .prepare(
      "UPDATE webhook_sends SET state = 'pending', attempts = 0, next_ms = ? WHERE row = ? AND state <> 'pending'",
    )
    .run(nextMs, send.row);
}

function hasPending(
  database: Pick<Database, 'prepare'>,
  { url, record }: Pick<Send, 'url' | 'record'>,
): boolean {
  const sql = "SELECT 1 FROM webhook_sends WHERE url = ? AND record = ? AND state = 'pending' LIMIT 1";
  return database.prepare(sql).get(url, record) !== undefined;
}

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
  #timer: NodeJS.Timeout | undefined;
  #isWoken = false;

  constructor(database: Database, options: OutboxOptions) {
    this.#database = database;
    this.#options = options;
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
          `SELECT row, event, delivery_id, record, attempts FROM webhook_sends
            WHERE url = ? AND next_ms <= ? ORDER BY next_ms, row LIMIT ?`,
        )
        .all(url, now, MOST_AT_ONCE + running.size);
      for (const { row, event, delivery_id: deliveryId, record, attempts } of rows) {
        if (running.size >= MOST_AT_ONCE) break;
        const send = {
          row: Number(row),
          event: Number(event),
          deliveryId: String(deliveryId),
          url,
          record: String(record),
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
        await pause(WAITS_MS[0], this.#ending.signal);
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
    const posting = postingOf(send);
    const attemptedMs = Date.now();
    const outcome: Outcome = posting
      ? await sender.post(posting, this.#ending.signal)
      : { status: undefined, problem: 'the event is gone', milliseconds: 0 };
    const wait = posting && !isDelivered(outcome) ? WAITS_MS[attempt - 1] : undefined;
    const nextMs = wait === undefined ? undefined : Date.now() + Math.round(wait * retryFactor);
    const state = isDelivered(outcome) ? 'delivered' : nextMs === undefined ? 'failed' : 'pending';
    await this.#database.inSharedTransaction(() => {
      this.#database
        .prepare('INSERT INTO webhook_attempts VALUES (?, ?, ?, ?, ?)')
        .run(send.row, attemptedMs, outcome.status ?? null, outcome.problem ?? null, outcome.milliseconds);
      this.#database
        .prepare('UPDATE webhook_sends SET state = ?, attempts = ?, next_ms = ? WHERE row = ?')
        .run(state, attempt, nextMs ?? null, send.row);
      if (state !== 'pending') this.#release(send);
    });
    onAttempt?.({ send, outcome, attempt, state, nextMs });
  }

  /** Lets the next send of the same record to the same URL begin. */
  #release({ url, record }: Send): void {
    this.#database
      .prepare(
        `UPDATE webhook_sends SET next_ms = ? WHERE row = (
          SELECT min(row) FROM webhook_sends WHERE url = ? AND record = ? AND state = 'pending')`,
      )
      .run(Date.now(), url, record);
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
