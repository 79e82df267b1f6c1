import { parseKeepingNumbers, stringifyExactJson } from '../../json/exact.ts';
import { createEvent, recordKey } from '../../webhooks/event.ts';
import { addSend, deleteSends } from '../../webhooks/sends.ts';
import type { RouteContext } from '../resources/resource.ts';
import type { EmulatorDatabase } from '../store/database.ts';
import { createIds } from '../store/ids.ts';
import { whyNotSent } from './loopback.ts';
import { activeReceivers, wants } from './receivers.ts';

/** A change of a record. */
export type RecordedChange = {
  /** What the record is called, such as `payment-link`. */
  readonly type: string;
  readonly id: string;
  /** What happened to it, in the past tense: `created`, `captured`. */
  readonly past: string;
  /** The JSON text of the record after the change; before it, if the change deletes the record. */
  readonly document: string;
};

/** Where, when, by whom and by which request a change is made. */
export type ChangeContext = Pick<
  RouteContext,
  'database' | 'merchantAccount' | 'subject' | 'now' | 'request'
>;

/** Older events are deleted with their deliveries, unless these are still to be made. */
export const MOST_EVENTS = 10_000;

/** How many events are deleted at a time. */
const BATCH = 500;

const insertion = `INSERT INTO webhook_events (id, event, target_type, target_id, account, created_ms, body,
  request_id, request_method, request_path, subject) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const nextId = createIds();

/** Writes the event of a change, and its deliveries to the active subscriptions, in the transaction of the change. */
export function recordEvent(context: ChangeContext, { type, id, past, document }: RecordedChange): void {
  const { database, merchantAccount, subject, now, request } = context;
  const name = `${type}.${past}`;
  const receivers = activeReceivers(database, merchantAccount).filter((one) => wants(database, one, name));
  if (receivers.length === 0) return;
  const target = { type, id, ...parseKeepingNumbers(document) };
  const event = createEvent({ event: name, target, merchantAccount, now });
  const values = [event.id, name, type, id, merchantAccount, now.getTime(), stringifyExactJson(event)];
  const cause = [request?.id ?? null, request?.method ?? null, request?.path ?? null, subject ?? null];
  const { lastInsertRowid } = database.prepare(insertion).run(...values, ...cause);
  const row = Number(lastInsertRowid);
  const record = recordKey({ targetType: type, targetId: id });
  for (const { key, url } of receivers)
    addSend(database, {
      event: row,
      deliveryId: nextId(),
      url,
      record,
      receiver: key,
      problem: whyNotSent(url),
    });
  if (row % BATCH === 0) deleteUntil(database, row - MOST_EVENTS);
}

/** Deletes events up to a row; those that are still to be delivered only when there are ten times as many. */
function deleteUntil(database: EmulatorDatabase, row: number): void {
  const sql = `SELECT row FROM webhook_events WHERE row <= ?1 AND (row <= ?2 OR NOT EXISTS (
    SELECT 1 FROM webhook_sends WHERE event = webhook_events.row AND state = 'pending'))`;
  for (const { row: event } of database.prepare(sql).all(row, row - 9 * MOST_EVENTS)) {
    deleteSends(database, Number(event));
    database.prepare('DELETE FROM webhook_events WHERE row = ?').run(Number(event));
  }
}
