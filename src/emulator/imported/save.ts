import { pastTense } from '../../descriptions/action-words.ts';
import { parseKeepingNumbers } from '../../json/exact.ts';
import { isObject } from '../../json/is-object.ts';
import { recordEvent } from '../webhooks/record-event.ts';
import { recordAuditLog } from './audit.ts';
import { type Found, isId, locate, type OperationRequest } from './call.ts';
import { timeMembersOf } from './filters.ts';
import type { Kind } from './kinds.ts';
import type { Change } from './money/payment.ts';
import { type Document, withMember } from './overlay.ts';
import type { PreparedSchema } from './prepared.ts';
import { isWebhookKind, recordSubscription } from './subscriptions.ts';
import type { RemovedRecord } from './tables.ts';

/** Embeds the records that a body refers to: `buyer` for a `buyer_id`. */
export function embed(call: OperationRequest, record: Document, schema: PreparedSchema): Document {
  let result = record;
  for (const [name, id] of Object.entries(call.body)) {
    const member = name.replace(/_id$/, '');
    if (member === name || !isId(id) || !schema.members.has(member)) continue;
    const kind = call.records.kinds.called(member);
    const found = kind && locate(call, kind, { id: String(id), parent: undefined });
    const whole = found
      ? withMember(result, member, parseKeepingNumbers(found.stored.document), schema)
      : result;
    const old = result[member];
    result = whole === result && isObject(old) ? withMember(result, member, { ...old, id }, schema) : whole;
  }
  return result;
}

/** Stores a changed record with the time of the change; returns its document. */
export function save(
  call: OperationRequest,
  { kind, schema, partition, stored }: Found,
  { record: changed, remembered }: Change,
): string {
  const { records, context } = call;
  const { updated: name } = timeMembersOf(schema);
  const isText = typeof changed[name ?? ''] !== 'number';
  const at = isText ? context.now.toISOString() : Math.floor(context.now.getTime() / 1000);
  const record = withMember(changed, name, at, schema);
  const document = JSON.stringify(record);
  const { captured, refunded } = remembered;
  const after = { ...stored, document, captured, refunded };
  if (records.tables.find(partition, stored.id, stored.parent)) records.tables.replace(partition, after);
  else records.tables.insert(partition, { ...after, createdMs: records.nextMoment(context.now) });
  const { createdMs } = stored;
  records.own.replace(kind.path, { account: context.merchantAccount, record, createdMs, now: context.now });
  return document;
}

/**
 * Writes a change of a record into the audit log, and makes its event. The record is the one after the change, or the deleted one; an
 * action is `created`, `updated`, `deleted` or a verb.
 */
export function recordChange(
  call: OperationRequest,
  action: string,
  { kind, stored: { id, document } }: { readonly kind: Kind; readonly stored: RemovedRecord },
): void {
  const { context } = call;
  const record = JSON.parse(document) as Document;
  const names = [record.display_name, record.name, record.label];
  const name = names.find((one) => typeof one === 'string');
  const type = kind.noun.replaceAll('_', '-');
  recordAuditLog(context, { action, type, id, name });
  const change = { type, id, past: pastTense(action), document };
  if (isWebhookKind(kind)) recordSubscription(call, { ...change, kind, record });
  else recordEvent(context, change);
}
