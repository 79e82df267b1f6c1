import type { Database } from '../files/database.ts';
import type { Outcome } from './sender.ts';

/** What the functions below run their statements with. */
export type Statements = Pick<Database, 'prepare'>;

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
  /** Which of its receivers the owner means, such as the ID of a subscription. */
  readonly receiver?: string | undefined;
};

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

/** The tables of an outbox; they can be made in any database. */
export const OUTBOX_TABLES = [
  `CREATE TABLE webhook_sends (
    row INTEGER PRIMARY KEY,
    event INTEGER NOT NULL,
    delivery_id TEXT NOT NULL,
    url TEXT NOT NULL,
    record TEXT NOT NULL,
    receiver TEXT,
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

/** What holds for the sends that were given up, and for those whose last attempt failed and that are tried again. */
export const HAS_FAILED = "(state = 'failed' OR state = 'pending' AND attempts > 0)";

/** The rows that a typed delivery ID means: those with this ID, else those with one that begins like it. */
export function byDelivery(
  database: Statements,
  id: string,
  { select, order }: { readonly select: string; readonly order: string },
) {
  const whole = database.prepare(`${select} WHERE delivery_id = ? ${order}`).all(id);
  if (whole.length > 0 || id === '') return whole;
  const like = `${select} WHERE delivery_id >= ? AND delivery_id < ? ${order}`;
  return database.prepare(like).all(...beginningWith(id));
}

/** What every text that begins with this one is at least, and less than. */
export function beginningWith(id: string): [from: string, to: string] {
  return [id, `${id}\u{10ffff}`];
}

/** The indexes of these tables. */
export const OUTBOX_INDEXES = [
  'CREATE INDEX webhook_sends_of_event ON webhook_sends (event)',
  'CREATE INDEX webhook_sends_of_delivery ON webhook_sends (delivery_id)',
  'CREATE INDEX webhook_sends_due ON webhook_sends (url, next_ms) WHERE next_ms IS NOT NULL',
  "CREATE INDEX webhook_sends_in_order ON webhook_sends (url, record, row) WHERE state = 'pending'",
  'CREATE INDEX webhook_attempts_of_send ON webhook_attempts (send)',
] as const;

/**
 * Puts an event on its way to a URL, in the transaction of the caller, and gives the row. `problem` is why it is not sent at all. An open outbox
 * sends it after `wake`, or within a second.
 */
export function addSend(
  database: Statements,
  {
    event,
    deliveryId,
    url,
    record,
    receiver,
    problem,
  }: Omit<Send, 'row'> & { readonly problem?: string | undefined },
): number {
  const state = problem === undefined ? 'pending' : 'not_sent';
  const nextMs = problem === undefined && !hasPending(database, { url, record }) ? Date.now() : null;
  const { lastInsertRowid } = database
    .prepare(
      `INSERT INTO webhook_sends (event, delivery_id, url, record, receiver, state, next_ms, problem)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(event, deliveryId, url, record, receiver ?? null, state, nextMs, problem ?? null);
  return Number(lastInsertRowid);
}

/**
 * Sends something again in the transaction of the caller: what was delivered or given up, with as many attempts as at first, and what waits for
 * its next attempt, at once.
 */
export function sendAgain(database: Statements, send: Pick<Send, 'row' | 'url' | 'record'>): void {
  const now = Date.now();
  const nextMs = hasPending(database, send) ? null : now;
  database
    .prepare(
      `UPDATE webhook_sends SET state = 'pending', attempts = iif(state = 'pending', attempts, 0),
        next_ms = iif(state = 'pending', min(next_ms, ?), ?) WHERE row = ?`,
    )
    .run(now, nextMs, send.row);
}

function hasPending(database: Statements, { url, record }: Pick<Send, 'url' | 'record'>): boolean {
  const sql = "SELECT 1 FROM webhook_sends WHERE url = ? AND record = ? AND state = 'pending' LIMIT 1";
  return database.prepare(sql).get(url, record) !== undefined;
}

/**
 * Records an attempt that began at a moment, in milliseconds since 1970, in the transaction of the caller. What another process has
 * delivered or given up in the meantime stays so.
 */
export function recordAttempt(
  database: Statements,
  { send, outcome, attempt, state, nextMs }: Attempted,
  attemptedMs: number,
): void {
  addAttempt(database, { row: send.row, outcome, attemptedMs });
  const { changes } = database
    .prepare(
      `UPDATE webhook_sends SET state = ?1, attempts = ?2, next_ms = ?3, problem = NULL
        WHERE row = ?4 AND (state = 'pending' OR ?1 = 'delivered')`,
    )
    .run(state, attempt, nextMs ?? null, send.row);
  if (changes > 0 && state !== 'pending') releaseNext(database, send);
}

/** Records an attempt that decides nothing, in the transaction of the caller. */
export function addAttempt(
  database: Statements,
  { row, outcome, attemptedMs }: Pick<Send, 'row'> & Pick<Attempted, 'outcome'> & { attemptedMs: number },
): void {
  database
    .prepare('INSERT INTO webhook_attempts SELECT row, ?, ?, ?, ? FROM webhook_sends WHERE row = ?')
    .run(attemptedMs, outcome.status ?? null, outcome.problem ?? null, outcome.milliseconds, row);
}

/** A send that a process makes by itself, and what it was before. */
export type Claim = Pick<Send, 'row' | 'url' | 'record'> & {
  readonly state: SendState;
  readonly nextMs: number | null;
  readonly problem: string | null;
};

/** The problem of a send that is claimed. */
const CLAIMED = 'it is being sent again';

/** If the process that claimed a send ends before that, an outbox sends it after this time, in milliseconds. */
export const CLAIM_MS = 30_000;

/**
 * Takes a send over in the transaction of the caller, so that no outbox makes it, or another one of its record to its URL, before `endClaim`.
 * Undefined while one of them is claimed, or due and therefore perhaps under way; with `isAlone`, no outbox makes any.
 */
export function claimSend(
  database: Statements,
  { row, url, record }: Pick<Send, 'row' | 'url' | 'record'>,
  { isAlone }: { readonly isAlone: boolean },
): Claim | undefined {
  const now = Date.now();
  const ofRecord = "url = ? AND record = ? AND state = 'pending'";
  const busy = `SELECT 1 FROM webhook_sends WHERE ${ofRecord} AND iif(next_ms <= ?, ?, problem = ?) LIMIT 1`;
  if (database.prepare(busy).get(url, record, now, isAlone ? 0 : 1, CLAIMED)) return undefined;
  const sql = 'SELECT state, next_ms, problem FROM webhook_sends WHERE row = ?';
  const before = database.prepare(sql).get(row);
  if (!before) return undefined;
  database.prepare(`UPDATE webhook_sends SET next_ms = NULL WHERE ${ofRecord}`).run(url, record);
  database
    .prepare("UPDATE webhook_sends SET state = 'pending', next_ms = ?, problem = ? WHERE row = ?")
    .run(now + CLAIM_MS, CLAIMED, row);
  const nextMs = typeof before.next_ms === 'number' ? before.next_ms : null;
  const problem = typeof before.problem === 'string' && before.problem !== CLAIMED ? before.problem : null;
  return { row, url, record, state: before.state as SendState, nextMs, problem };
}

/**
 * Gives a send back in the transaction of the caller, with the attempt that was made, if any. One that failed is what it was before, and
 * so is one that no outbox sends.
 */
export function endClaim(
  database: Statements,
  claim: Claim,
  attempt:
    | { readonly outcome: Outcome; readonly attemptedMs: number; readonly isDelivered: boolean }
    | undefined,
): void {
  const { row } = claim;
  if (attempt) addAttempt(database, { row, ...attempt });
  const isKept = attempt === undefined || claim.state === 'not_sent';
  const state = attempt?.isDelivered && !isKept ? 'delivered' : claim.state;
  database
    .prepare('UPDATE webhook_sends SET state = ?, next_ms = ?, problem = ? WHERE row = ?')
    .run(state, state === 'pending' ? claim.nextMs : null, isKept ? claim.problem : null, row);
  releaseNext(database, claim);
}

/** Whether a pattern of SQLite's GLOB, such as `transaction.*`, fits the type of an event. */
export function fitsEvent(database: Statements, pattern: string, event: string | undefined): boolean {
  return database.prepare('SELECT ? GLOB ? AS fits').get(event ?? null, pattern)?.fits === 1;
}

/** Forgets the sends of an event, in the transaction of the caller. */
export function deleteSends(database: Statements, event: number): void {
  const pending = database
    .prepare("SELECT url, record FROM webhook_sends WHERE event = ? AND state = 'pending'")
    .all(event);
  database
    .prepare('DELETE FROM webhook_attempts WHERE send IN (SELECT row FROM webhook_sends WHERE event = ?)')
    .run(event);
  database.prepare('DELETE FROM webhook_sends WHERE event = ?').run(event);
  for (const { url, record } of pending) releaseNext(database, { url: String(url), record: String(record) });
}

/** Lets the next send of a record to a URL begin, unless one is under way. */
function releaseNext(database: Statements, { url, record }: Pick<Send, 'url' | 'record'>): void {
  const [next] = database
    .prepare(
      `SELECT min(row) AS row, max(next_ms) AS next_ms FROM webhook_sends
        WHERE url = ? AND record = ? AND state = 'pending'`,
    )
    .all(url, record);
  if (typeof next?.row !== 'number' || next.next_ms !== null) return;
  database.prepare('UPDATE webhook_sends SET next_ms = ? WHERE row = ?').run(Date.now(), next.row);
}
