import type { Decimal } from '../../../json/decimal.ts';
import { parseKeepingNumbers } from '../../../json/exact.ts';
import { oncePerObject } from '../../../schemas/memoize.ts';
import { snake } from '../../../schemas/values/names.ts';
import { recordEvent } from '../../webhooks/record-event.ts';
import { type Found, isId, locate, type OperationRequest } from '../call.ts';
import type { Kind } from '../kinds.ts';
import type { Document } from '../overlay.ts';
import type { Records } from '../records.ts';
import { save } from '../save.ts';
import { amountAt, amountNames } from './amounts.ts';
import { amountLike, type Change, isVoided, type Payment, readPayment } from './payment.ts';
import { refusal, refused } from './refusals.ts';
import { act, MOVES, moveOf, takeBack } from './rules.ts';
import { isUndone, statusOf } from './statuses.ts';

/** The path segments below a record that can be captured or refunded. */
const BELOW = ['capture', 'captures', 'refund', 'refunds'];

/** Whether records of a kind can be captured or refunded: their schema has members for it, or there is an operation for it. */
export const isPayment = oncePerObject((kind: Kind, records: Records): boolean => {
  const schema = records.layoutOf(kind)?.schema;
  const names = schema && !kind.isDocument && amountNames(schema);
  if (!names || names.amount === undefined) return false;
  return names.captured !== undefined || names.refunded !== undefined || records.hasBelow(kind, BELOW);
});

/**
 * Applies a new refund or capture to its payment; returns its amount, and the currency of the payment.
 * @throws HttpError and ValidationError as `act`; ValidationError if no payment has the ID in the body
 */
export function settlePayment(call: OperationRequest, kind: Kind, parentId: string | undefined): Document {
  const verb = moveOf(kind);
  const named = verb && referenceOf(call, kind, { parent: parentId, document: call.body });
  const found = named && locate(call, named.kind, { id: named.id, parent: undefined });
  if (named && !found && isPayment(named.kind, call.records)) {
    const place = { loc: ['body', named.name], given: named.id };
    throw refusal(place, ['must be the ID of a payment', 'payment_unknown']);
  }
  if (!verb || !found) return {};
  const payment = readPayment(found);
  const change = act({ verb }, payment, call.body);
  storeMove(call, found, { change, past: MOVES[verb] });
  return membersOfMove(call, kind, { payment, amount: change.amount });
}

type Reference = { readonly kind: Kind; readonly name: string; readonly id: string };

/** The payment of a refund or capture: the record above it, else the one that it names (`transaction_id` or `payment`). */
function referenceOf(
  call: OperationRequest,
  { parent: above, parentName = '' }: Kind,
  { parent, document }: { readonly parent: string | undefined; readonly document: Document },
): Reference | undefined {
  if (above && parent) return { kind: above, name: parentName, id: parent };
  for (const [name, id] of Object.entries(document)) {
    const kind = isId(id) ? call.records.called(snake(name).replace(/_id$/, '')) : undefined;
    if (kind && isPayment(kind, call.records)) return { kind, name, id: String(id) };
  }
  return undefined;
}

/** What a refund or capture has from its payment: the currency, and the amount unless the body names it. */
export function membersOfMove(
  call: OperationRequest,
  kind: Kind,
  { payment, amount }: { readonly payment: Payment; readonly amount: Decimal | undefined },
): Document {
  const schema = call.records.layoutOf(kind)?.schema;
  const { currency } = payment.record;
  const isNamed = !schema || (call.body[amountNames(schema).amount ?? ''] ?? null) !== null;
  return {
    ...(amount && !isNamed && amountLike(payment, amount, schema)),
    ...(currency !== undefined && { currency }),
  };
}

/**
 * Reverses the effect of a refund or capture on its payment, if it is deleted or its new status says that it failed or was canceled.
 * @throws HttpError `bad_request` if the amount is unknown, and as `takeBack`
 */
export function undoMove(call: OperationRequest, { kind, schema, stored }: Found, after?: Change): void {
  const verb = moveOf(kind);
  if (!verb) return;
  const before = parseKeepingNumbers(stored.document);
  const isOver = ({ record, remembered }: Change) =>
    isUndone(statusOf(record, schema)) || isVoided(remembered);
  if (isOver({ record: before, remembered: stored }) || (after && !isOver(after))) return;
  const named = referenceOf(call, kind, { parent: stored.parent, document: before });
  const found = named && locate(call, named.kind, { id: named.id, parent: undefined });
  if (!found) return;
  const amount = amountAt(before, amountNames(schema).amount);
  if (!amount) throw refused(`The ${verb} cannot be undone, because its amount is not known`);
  storeMove(call, found, { change: takeBack(verb, readPayment(found), amount), past: 'updated' });
}

/** Stores the payment that a refund or capture has changed, with an event; the audit log has the refund or capture alone. */
function storeMove(
  call: OperationRequest,
  found: Found,
  { change, past }: { readonly change: Change; readonly past: string },
): void {
  const { kind, stored: before } = found;
  const { id, document } = save(call, found, change).stored;
  const type = kind.noun.replaceAll('_', '-');
  if (document !== before.document) recordEvent(call.context, { type, id, past, document });
}
