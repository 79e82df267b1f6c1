import { existsSync } from 'node:fs';
import { parseKeepingNumbers } from '../../json/exact.ts';
import { attemptRecord, attemptsOf, timeOf } from '../../webhooks/attempts.ts';
import { byDelivery, HAS_FAILED, type SendState, sendAgain } from '../../webhooks/sends.ts';
import { filesOf } from '../data-files.ts';
import { databaseError, type EmulatorDatabase, openEmulatorDatabase } from '../store/database.ts';
import { inUse, tryLock } from '../store/lock.ts';
import { hasWebhookTables } from '../store/meta.ts';
import { deliveryHeaders } from './headers.ts';
import { findReceiver } from './receivers.ts';

/** How long another process may write meanwhile, in milliseconds. */
const TIMEOUT_MS = 5_000;

/** Which deliveries are meant; all by default. */
export type DeliveryFilter = {
  readonly states?: readonly SendState[] | undefined;
  /** The ID of the request that made the event, which is that of its API log, too. */
  readonly request?: string | undefined;
  /** Only those that were given up, or whose last attempt failed. */
  readonly failed?: boolean | undefined;
};

/** A delivery as it is printed; every member is always present, times are ISO 8601. */
export type DeliveryRecord = {
  readonly id: string;
  readonly created_at: string;
  readonly event: string;
  readonly event_id: string;
  readonly target: { readonly type: string; readonly id: string };
  readonly merchant_account_id: string;
  readonly url: string;
  readonly state: SendState;
  readonly attempts: number;
  /** The status of the last attempt; null where no response came, or there was none. */
  readonly status: number | null;
  /** Why it is not sent, or why the last attempt got no response. */
  readonly problem: string | null;
  readonly next_attempt_at: string | null;
};

const columns = `send.row, send.event, send.delivery_id, send.url, send.record, send.receiver, send.state, send.attempts, send.next_ms,
  event.id AS event_id, event.event AS name, event.target_type, event.target_id, event.account, event.created_ms,
  last.status, ifnull(send.problem, last.problem) AS problem
  FROM webhook_sends AS send JOIN webhook_events AS event ON event.row = send.event
  LEFT JOIN webhook_attempts AS last
    ON last.rowid = (SELECT max(rowid) FROM webhook_attempts WHERE send = send.row)`;

type Row = Readonly<Record<string, unknown>>;

/** The deliveries in a data directory, newest first, at most so many, and how many there are. Nothing has to be running. */
export function listDeliveries(
  directory: string,
  filter: DeliveryFilter,
  most: number,
): { readonly items: readonly DeliveryRecord[]; readonly count: number } {
  const nothing = { items: [], count: 0 };
  return withDatabase(directory, nothing, (database) => {
    const { where, values } = conditions(filter);
    const counted = `SELECT count(*) AS count FROM webhook_sends AS send
      JOIN webhook_events AS event ON event.row = send.event WHERE ${where}`;
    const sql = `SELECT ${columns} WHERE ${where} ORDER BY send.row DESC LIMIT ?`;
    const rows = database.prepare(sql).all(...values, most);
    const count = Number(database.prepare(counted).get(...values)?.count);
    return { items: rows.map(recordOf), count };
  });
}

function conditions({ states = [], request, failed }: DeliveryFilter) {
  const inStates = states.length === 0 ? [] : [`send.state IN (${states.map(() => '?').join()})`];
  const ofRequest = request === undefined ? [] : ['event.request_id = ?'];
  const where = [...inStates, ...ofRequest, ...(failed ? [HAS_FAILED] : [])].join(' AND ') || '1';
  return { where, values: [...states, ...(request === undefined ? [] : [request])] };
}

function recordOf(row: Row): DeliveryRecord {
  return {
    id: String(row.delivery_id),
    created_at: timeOf(Number(row.created_ms)) ?? '',
    event: String(row.name),
    event_id: String(row.event_id),
    target: { type: String(row.target_type), id: String(row.target_id) },
    merchant_account_id: String(row.account),
    url: String(row.url),
    state: String(row.state) as SendState,
    attempts: Number(row.attempts),
    status: row.status as number | null,
    problem: row.problem as string | null,
    next_attempt_at: timeOf((row.next_ms as number | null) ?? undefined),
  };
}

/** No more deliveries are needed to say that an ID is the beginning of several. */
const MOST_LIKE = 3;

/**
 * Everything about the deliveries that a typed ID means: the one with this ID, or some of those that begin like it. That is the request that made
 * the event, the subscription, the headers as they were signed for the last attempt, every attempt, and the event. Numbers keep their notation.
 */
export function findDeliveries(
  directory: string,
  typed: string,
  headerPrefix: string,
): readonly { readonly id: string }[] {
  return withDatabase(directory, [], (database) => {
    const rows = byDelivery(database, typed, { select: `SELECT ${columns}`, order: `LIMIT ${MOST_LIKE}` });
    return rows.map((row) => wholeRecordOf(database, row, headerPrefix));
  });
}

function wholeRecordOf(database: EmulatorDatabase, row: Row, prefix: string) {
  const event = database.prepare('SELECT * FROM webhook_events WHERE row = ?').get(Number(row.event));
  const attempts = attemptsOf(database, Number(row.row));
  const receiver = findReceiver(database, String(row.receiver));
  const lastMs = attempts.at(-1)?.attemptedMs;
  const body = String(event?.body);
  const { attempts: _, status: _status, ...record } = recordOf(row);
  const headers =
    receiver && lastMs !== undefined
      ? deliveryHeaders(Buffer.from(body), receiver, {
          deliveryId: record.id,
          event: record.event,
          nowMs: lastMs,
          prefix,
        })
      : null;
  return {
    ...record,
    request: event?.request_id
      ? {
          id: event.request_id,
          method: event.request_method,
          path: event.request_path,
          subject: event.subject,
        }
      : null,
    subscription: receiver
      ? { id: receiver.id, active: receiver.isActive, secret: receiver.secrets[0] }
      : null,
    attempts: attempts.map(attemptRecord),
    headers,
    body: parseKeepingNumbers(body),
  };
}

/** What became of the deliveries to send again. */
export type Retried = {
  readonly again: readonly DeliveryRecord[];
  /** How many of them the receiver had taken. */
  readonly taken: number;
  /** Those that the emulator does not send, or that wait for an earlier event of their record. */
  readonly left: readonly DeliveryRecord[];
  readonly unknown: readonly string[];
};

/**
 * Puts deliveries back among those to send, by their IDs or by a filter. A running emulator sends them within a second, otherwise the next one
 * that runs. Nothing is changed if an ID is unknown.
 */
export function retryDeliveries(directory: string, chosen: readonly string[] | DeliveryFilter): Retried {
  const ids: readonly string[] = 'length' in chosen ? chosen : [];
  const nothing: Retried = { again: [], taken: 0, left: [], unknown: ids };
  return withDatabase(directory, nothing, (database) =>
    database.inTransaction(() => {
      const rows = 'length' in chosen ? rowsOf(database, chosen) : rowsWhere(database, chosen);
      const unknown = ids.filter((id) => !rows.some((row) => row.delivery_id === id));
      if (unknown.length > 0) return { ...nothing, unknown };
      const isSent = ({ state, next_ms: nextMs }: Row) =>
        state === 'delivered' || state === 'failed' || (state === 'pending' && nextMs !== null);
      for (const { row, url, record } of rows.filter(isSent))
        sendAgain(database, { row: Number(row), url: String(url), record: String(record) });
      const left = rows.filter((row) => !isSent(row)).map(recordOf);
      const again = rows.filter(isSent).map((row) => ({ ...recordOf(row), state: 'pending' as const }));
      const taken = rows.filter(({ state }) => state === 'delivered').length;
      return { again, taken, left, unknown };
    }),
  );
}

/** Oldest first: those of one record stay in order. */
function rowsWhere(database: EmulatorDatabase, filter: DeliveryFilter): readonly Row[] {
  const { where, values } = conditions(filter);
  return database.prepare(`SELECT ${columns} WHERE ${where} ORDER BY send.row`).all(...values);
}

/** Oldest first, too, in whatever order they are named. */
function rowsOf(database: EmulatorDatabase, ids: readonly string[]): readonly Row[] {
  const sql = `SELECT ${columns} WHERE send.delivery_id IN (SELECT value FROM json_each(?)) ORDER BY send.row`;
  return database.prepare(sql).all(JSON.stringify(ids));
}

/** Reads data while nobody replaces it. */
function withDatabase<T>(directory: string, nothing: T, work: (database: EmulatorDatabase) => T): T {
  const { database: path, dataLock } = filesOf(directory);
  if (!existsSync(path)) return nothing;
  const lock = tryLock(dataLock, 'shared');
  if (!lock) throw inUse();
  try {
    const database = openEmulatorDatabase(path, TIMEOUT_MS);
    try {
      return hasWebhookTables(database) ? work(database) : nothing;
    } catch (error) {
      throw databaseError(path, error);
    } finally {
      database.close();
    }
  } finally {
    lock.release();
  }
}
