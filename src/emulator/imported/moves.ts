import { snake } from '../../descriptions/values/names.ts';
import type { Decimal } from '../../json/decimal.ts';
import { parseKeepingNumbers } from '../../json/exact.ts';
import { amountNames, inNotation } from './amounts.ts';
import { type Found, isId, locate, type OperationRequest } from './call.ts';
import type { Kind } from './kinds.ts';
import { capture, refund } from './money.ts';
import type { Document } from './overlay.ts';
import { isMove, isPayment } from './payment-invariants.ts';
import type { PreparedSchema } from './prepared.ts';
import { refusal } from './refusals.ts';
import { save, stamped } from './save.ts';

/**
 * Applies a new refund or capture to its payment; returns its amount, and the currency of the payment.
 * @throws HttpError and ValidationError as `capture` and `refund`
 */
export function settlePayment(call: OperationRequest, kind: Kind, parentId: string | undefined): Document {
  if (!isMove(kind)) return {};
  const found =
    kind.parent && parentId !== undefined
      ? paymentOf(call, kind.parent, { name: kind.parentName ?? '', id: parentId })
      : paymentNamed(call, call.body);
  if (!found) return {};
  const { schema, stored } = found;
  const record = parseKeepingNumbers(stored.document);
  const change = kind.noun === 'refund' ? refund : capture;
  const changed = change(record, { schema, body: call.body, remembered: stored });
  save(call, found, { ...changed, record: stamped(call, changed.record, schema) });
  const { currency } = record;
  const amount = amountOfMove(call, kind, { schema, record, amount: changed.amount });
  return { ...amount, ...(currency !== undefined && { currency }) };
}

/** The payment of a stored refund or capture; undefined if there is none. */
export function paymentOfMove(call: OperationRequest, { kind, stored }: Found): Found | undefined {
  if (kind.parent && stored.parent !== '')
    return locate(call, kind.parent, { id: stored.parent, parent: undefined });
  return paymentNamed(call, JSON.parse(stored.document) as Document);
}

/** The payment that a refund or capture names (`transaction_id` or `payment`) if the path names none. */
function paymentNamed(call: OperationRequest, document: Document): Found | undefined {
  for (const [name, id] of Object.entries(document)) {
    const kind = isId(id) ? call.records.kinds.called(snake(name).replace(/_id$/, '')) : undefined;
    if (kind && isPayment(call, kind)) return paymentOf(call, kind, { name, id: String(id) });
  }
  return undefined;
}

/** @throws ValidationError where no payment has the id that a member of the body names */
function paymentOf(
  call: OperationRequest,
  kind: Kind,
  { name, id }: { name: string; id: string },
): Found | undefined {
  const found = locate(call, kind, { id, parent: undefined });
  if (!found && isPayment(call, kind)) {
    throw refusal(['body', name], ['must be the id of a payment', 'payment_unknown'], { input: id });
  }
  return found;
}

type Moved = {
  readonly schema: PreparedSchema;
  readonly record: Document;
  readonly amount: Decimal | undefined;
};

/** The amount of a refund or capture in the notation of the body, else in that of the payment. */
export function amountOfMove(
  call: OperationRequest,
  kind: Kind,
  { schema, record, amount }: Moved,
): Document {
  const of = call.records.layoutOf(kind)?.schema;
  const name = of && amountNames(of).amount;
  if (!amount || !of || name === undefined || (call.body[name] ?? null) !== null) return {};
  const { amount: payment } = amountNames(schema);
  const like = payment === undefined ? undefined : record[payment];
  return { [name]: inNotation(amount, { schema: of, name, like }) };
}
