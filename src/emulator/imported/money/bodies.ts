import { shapeOf } from '../../../descriptions/values/shape.ts';
import { compare, type Decimal, decimalOf, numberOf, ZERO } from '../../../json/decimal.ts';
import type { OperationRequest } from '../call.ts';
import type { Kind } from '../kinds.ts';
import type { Document } from '../overlay.ts';
import type { PreparedSchema } from '../prepared.ts';
import { amountAt, amountNames, currencyIn, type Requested, requestedAt, requestedIn } from './amounts.ts';
import { isPayment } from './captures-and-refunds.ts';
import { settle } from './new-payment.ts';
import { type Payment, paymentOf, type Remembered, type Sum } from './payment.ts';
import { atLeast, atMost, positive, refusal, requireSafe, wrongCurrency } from './refusals.ts';
import { type Change, capturedOf, isMove, problemOf } from './rules.ts';
import { isUndone, stageOf, statusName, statusOf } from './statuses.ts';

/** A record before and after a change by the members of a body. */
export type Update = {
  readonly kind: Kind;
  readonly schema: PreparedSchema;
  /** The members of the body that a caller may set. */
  readonly body: Document;
  readonly before: Document;
  readonly after: Document;
  readonly remembered: Remembered;
};

/**
 * Refuses a new payment, capture or refund with impossible amounts.
 * @throws ValidationError for an amount that is not positive (or zero where the schema of the body allows it), that a double cannot
 * hold exactly, or that is less than the captured or refunded amount in the body
 */
export function requireAmounts(call: OperationRequest, kind: Kind, record: Document): void {
  if (!isPayment(call, kind) && !isMove(kind.noun)) return;
  const { body, records } = call;
  const requested = requestedIn(body);
  if (requested && !isZeroAllowed(call, requested)) positive(requested);
  const schema = records.layoutOf(kind)?.schema;
  if (!schema) return;
  const captured = amountAt(record, amountNames(schema).amount);
  requireOrder({ schema, body, before: {}, after: record }, { captured, refunded: ZERO, least: ZERO });
}

function isZeroAllowed({ prepared: { request } }: OperationRequest, { loc, given }: Requested): boolean {
  if (!request || decimalOf(given)?.units !== 0n) return false;
  const [, name = '', inner] = loc;
  const { root } = request;
  const outer = shapeOf({ schema: request.members.get(name), root });
  const { limits } = inner === undefined ? outer : shapeOf({ schema: outer.members.get(inner), root });
  return limits.minimum === 0;
}

/** The sums before a change; the amount must be at least the larger of those that are certain. */
type Before = Pick<Payment, Sum> & { readonly least: Decimal };

/** Requires that refunded <= captured <= amount after a change, and that it lowers no sum. */
function requireOrder(
  { schema, body, before, after }: Pick<Update, 'schema' | 'body' | 'before' | 'after'>,
  { captured, refunded, least }: Before,
): void {
  const names = amountNames(schema);
  const limits = [
    { name: names.captured, least, most: amountAt(after, names.amount), what: 'the amount of the payment' },
    {
      name: names.refunded,
      least: refunded,
      most: amountAt(after, names.captured) ?? captured,
      what: 'what was captured',
    },
  ];
  for (const limit of limits) {
    const requested = requestedAt(body, limit.name);
    const amount = requested && decimalOf(requested.given);
    if (!amount || isSame(amountAt(before, limit.name), amountAt(after, limit.name))) continue;
    requireSafe(amount, requested);
    if (compare(amount, limit.least) < 0) throw atLeast(requested, limit.least, 'captured or refunded');
    if (limit.most && compare(amount, limit.most) > 0) throw atMost(requested, limit.most, limit.what);
  }
}

/**
 * Refuses changes that contradict captures and refunds: the amount of a payment stays at least the captured amount, its currency and
 * the amounts of its captures and refunds do not change, and its status agrees with the amounts.
 * @throws ValidationError for a body that contradicts them
 */
export function keepMoney(call: OperationRequest, update: Update): Change {
  const { kind, schema, before, after, remembered } = update;
  if (isMove(kind.noun)) requireSameMove(update);
  if (!isPayment(call, kind)) return { record: after, remembered };
  const payment = paymentOf(before, schema, remembered);
  requireAmountOf(update, payment);
  const kept = { record: after, remembered: rememberedAfter(after, payment) };
  const to = statusOf(after, schema);
  if (to === payment.status) return kept;
  const stage = stageOf(to, schema);
  const problem = problemOf(stage, payment);
  if (problem !== undefined) throw notStatus(to, problem, schema);
  const isCapture = stage === 'captured' && capturedOf(payment).units === 0n;
  return isCapture ? { ...kept, record: settle(after, schema) } : kept;
}

function notStatus(given: string, problem: string, schema: PreparedSchema): Error {
  const loc = ['body', statusName(schema) ?? 'status'];
  return refusal({ loc, given }, [`cannot be ${given}, because ${problem}`, 'status_contradicted']);
}

function requireSameMove({ kind, schema, body, before, after }: Update): void {
  const { amount: name = 'amount' } = amountNames(schema);
  const was = amountAt(before, name);
  if (was && !isSame(was, amountAt(after, name))) {
    const what = kind.noun === 'refund' ? 'refunded' : 'captured';
    throw refusal(placeOf(body, name), [`cannot be changed, because it was ${what}`, 'amount_moved']);
  }
  requireSameCurrency(name, before, after);
  const [from, to] = [statusOf(before, schema), statusOf(after, schema)];
  if (isUndone(from) && !isUndone(to)) throw notStatus(to, `it is ${from}`, schema);
}

function placeOf(body: Document, name: string): Requested {
  return requestedAt(body, name) ?? { loc: ['body', name], given: null };
}

function requireSameCurrency(name: string | undefined, before: Document, after: Document): void {
  const [was, is] = [currencyIn(before, name), currencyIn(after, name)];
  if (was !== undefined && is !== was) throw wrongCurrency(is ?? '', was);
}

function requireAmountOf(update: Update, payment: Payment): void {
  const { body, before, after } = update;
  const { refunded, names } = payment;
  const { amount: name = 'amount' } = names;
  const captured = capturedOf(payment);
  const least = compare(captured, refunded) < 0 ? refunded : captured;
  const [was, is] = [amountAt(before, name), amountAt(after, name)];
  const requested = requestedAt(body, name);
  if (requested && !isSame(was, decimalOf(requested.given))) positive(requested);
  if (least.units > 0n) {
    if (!isSame(was, is) && (!is || compare(is, least) < 0))
      throw atLeast(placeOf(body, name), least, 'captured');
    requireSameCurrency(name, before, after);
  }
  requireOrder(update, { captured, refunded, least });
}

function isSame(one: Decimal | undefined, other: Decimal | undefined): boolean {
  return one && other ? compare(one, other) === 0 : one === other;
}

/** If only the status says that a payment was captured, a change of its amount does not change the captured amount. */
function rememberedAfter(after: Document, payment: Payment): Remembered {
  const { names, remembered } = payment;
  const current = (sum: Sum) => {
    const amount = amountAt(after, names[sum]);
    return amount && remembered[sum] !== null ? numberOf(amount) : remembered[sum];
  };
  const captured = capturedOf(payment);
  const isOnlySaid = captured.units > 0n && amountAt(after, names.captured) === undefined;
  return {
    captured: current('captured') ?? (isOnlySaid ? numberOf(captured) : null),
    refunded: current('refunded'),
  };
}
