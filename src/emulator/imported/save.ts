import { parseKeepingNumbers } from '../../json/exact.ts';
import { isObject } from '../../json/is-object.ts';
import { keepEndpoint, madeSecret } from '../webhooks/receivers.ts';
import { recordChange } from '../webhooks/record-change.ts';
import { asDocument, type Found, isId, locate, type OperationRequest } from './call.ts';
import { timeMembersOf } from './filters.ts';
import type { Kind } from './kinds.ts';
import type { Change } from './money/payment.ts';
import { type Document, overlay } from './overlay.ts';
import type { PreparedSchema } from './prepared.ts';
import type { RemovedRecord } from './tables.ts';

/** Embeds the records that a body refers to: `buyer` for a `buyer_id`. */
export function embed(call: OperationRequest, record: Document, schema: PreparedSchema): Document {
  let result = record;
  for (const [name, id] of Object.entries(call.body)) {
    const member = name.replace(/_id$/, '');
    if (member === name || !isId(id) || !schema.members.has(member)) continue;
    const kind = call.records.called(member);
    const found = kind && locate(call, kind, { id: String(id), parent: undefined });
    const old = result[member];
    if (isObject(old)) result = overlay(result, { [member]: { ...old, id } }, schema);
    const whole = found && { [member]: parseKeepingNumbers(found.stored.document) };
    if (whole) result = overlay(result, whole, schema);
  }
  return result;
}

/** Stores a new record, or a changed one with the time of the change. The change is recorded as an action, if it is one. */
export function save(
  call: OperationRequest,
  found: Found,
  { record: changed, remembered, action }: Change & { readonly action?: string },
): Found {
  const { kind, schema, partition, stored, isNew } = found;
  const { records, context } = call;
  const { merchantAccount: account, now } = context;
  const { updated: name = '' } = timeMembersOf(schema);
  const isText = typeof changed[name] !== 'number';
  const at = isText ? now.toISOString() : Math.floor(now.getTime() / 1000);
  const record = isNew ? changed : overlay(changed, { [name]: at }, schema);
  const after = { ...stored, ...remembered, document: JSON.stringify(record) };
  if (stored.row === undefined)
    records.tables.insert(partition, { ...after, createdMs: records.nextMoment(now) });
  else records.tables.replace(after);
  records.own.get(kind.path)?.put({ account, record, createdMs: stored.createdMs, now });
  const saved = { ...found, stored: after };
  if (action !== undefined) announce(call, action, saved);
  return saved;
}

/**
 * Records a change: the record is the one after the change, or the deleted one; an action is `created`, `updated`, `deleted` or a verb. A
 * change of a subscription to events has effect at once: a created one gets its own event, a deleted one does not.
 */
export function announce(
  call: OperationRequest,
  action: string,
  { kind, stored: { id, document } }: { readonly kind: Kind; readonly stored: RemovedRecord },
): void {
  const { context, records } = call;
  const isReceiver = /webhook/i.test(kind.noun);
  const record = isReceiver && action !== 'deleted' ? asDocument(JSON.parse(document)) : {};
  if (isReceiver) keepReceiver(call, { kind, id, record });
  recordChange(context, { verb: action, type: kind.noun.replaceAll('_', '-'), id, document });
  if (isReceiver) records.tables.database.keys.clear();
}

type Receiver = { readonly kind: Kind; readonly id: string; readonly record: Document };

/** Stores where the events of a subscription are sent. */
function keepReceiver(call: OperationRequest, { kind, id, record }: Receiver): void {
  const { records, body, context } = call;
  const { database, description } = records.tables;
  // What a rolled back change would have left in the cache is cleared, too.
  database.keys.clear();
  if (records.own.has(kind.path)) {
    // A subscription of the contract has a secret, which a description may not require.
    const sql = `UPDATE webhook_subscriptions SET document = json_set(document, '$.secret', ?)
      WHERE id = ? AND document ->> '$.secret' IS NULL`;
    database.prepare(sql).run(madeSecret(database, id), id);
    return;
  }
  const account = records.takesAccount(kind) ? context.merchantAccount : '';
  const key = JSON.stringify([description, kind.path, account, id]);
  keepEndpoint(database, { key, description, account, record, body });
}
