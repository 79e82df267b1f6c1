import { compare, type Decimal, decimalOf, numberOf } from '../../../json/decimal.ts';
import type { OperationRequest } from '../call.ts';
import type { Kind } from '../kinds.ts';
import { writable } from '../members.ts';
import { type Document, overlay } from '../overlay.ts';
import type { PreparedSchema } from '../prepared.ts';
import { amountAt, currencyIn, type Requested, requestedAt, requestedIn } from './amounts.ts';
import { isPayment } from './captures-and-refunds.ts';
import { settle } from './new-payment.ts';
import { type Change, NOTHING_KNOWN, type Payment, paymentOf, type Remembered, type Sum } from './payment.ts';
import { atLeast, atMost, positive, refusal, requireSafe, wrongCurrency } from './refusals.ts';
import { capturedOf, LIMITS, MOVES, type Move, moveOf, problemOf } from './rules.ts';
import { isUndone, stageOf, statusName, statusOf } from './statuses.ts';

/** A change of a record by the members of a body that a caller may set. */
export type Update = { readonly kind: Kind; readonly body: Document; readonly after: Document };

/**
 * Refuses a new payment, capture or refund with impossible amounts.
 * @throws ValidationError for an amount that is not positive (or zero where the schema of the body allows it), that a double cannot
 * hold exactly, or that is less than the captured or refunded amount in the body
 */
export function requireAmounts(call: OperationRequest, kind: Kind, after: Document): void {
  if (!isPayment(kind, call.records) && !moveOf(kind)) return;
  const { body, records } = call;
  const requested = requestedIn(body);
  if (requested && !isZeroAllowed(call, requested)) positive(requested);
  const schema = records.layoutOf(kind)?.schema;
  if (!schema) return;
  const none = paymentOf({}, schema, NOTHING_KNOWN);
  requireOrder(none, { body, after }, amountAt(after, none.names.amount));
}

function isZeroAllowed({ prepared: { request } }: OperationRequest, { loc, given }: Requested): boolean {
  if (!request || decimalOf(given)?.units !== 0n) return false;
  return request.shapeAt(...loc.slice(1)).limits.minimum === 0;
}

/** Sets the members of a body that a caller may set, in a payment or any other record. @throws ValidationError as `keepMoney` */
export function setMembers(
  call: OperationRequest,
  payment: Payment,
  { kind, given }: { readonly kind: Kind; readonly given: Document },
): Change {
  const { record, schema } = payment;
  const body = writable(given, schema);
  return keepMoney(call, payment, { kind, body, after: overlay(record, body, schema) });
}

/**
 * Refuses changes that contradict captures and refunds: the amount of a payment stays at least the captured amount, its currency and
 * the amounts of its captures and refunds do not change, and its status agrees with the amounts.
 * @throws ValidationError for a body that contradicts them
 */
export function keepMoney(call: OperationRequest, payment: Payment, update: Update): Change {
  const { schema, remembered, status } = payment;
  const { kind, after } = update;
  const move = moveOf(kind);
  if (move) requireSameMove(move, payment, update);
  if (!isPayment(kind, call.records)) return { record: after, remembered };
  requireAmount(payment, update);
  requireOrder(payment, update, capturedOf(payment));
  const kept = { record: after, remembered: rememberedAfter(after, payment) };
  const to = statusOf(after, schema);
  if (to === status) return kept;
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

function requireSameMove(verb: Move, payment: Payment, { body, after }: Update): void {
  const { schema, record, amount, names, status } = payment;
  if (amount && !isSame(amount, amountAt(after, names.amount))) {
    const problem = `cannot be changed, because it was ${MOVES[verb]}`;
    throw refusal(placeOf(body, names.amount), [problem, 'amount_moved']);
  }
  requireSameCurrency(names.amount, record, after);
  const to = statusOf(after, schema);
  if (isUndone(status) && !isUndone(to)) throw notStatus(to, `it is ${status}`, schema);
}

function placeOf(body: Document, name = 'amount'): Requested {
  return requestedAt(body, name) ?? { loc: ['body', name], given: null };
}

function requireSameCurrency(name: string | undefined, before: Document, after: Document): void {
  const [was, is] = [currencyIn(before, name), currencyIn(after, name)];
  if (was !== undefined && is !== was) throw wrongCurrency(is ?? '', was);
}

/** The larger of the sums that are certain, which is the minimum of the amount. */
function leastOf(payment: Payment): Decimal {
  const captured = capturedOf(payment);
  return compare(captured, payment.refunded) < 0 ? payment.refunded : captured;
}

function requireAmount(payment: Payment, { body, after }: Update): void {
  const { record, names, amount } = payment;
  const is = amountAt(after, names.amount);
  const requested = requestedAt(body, names.amount);
  if (requested && !isSame(amount, decimalOf(requested.given))) positive(requested);
  const least = leastOf(payment);
  if (least.units <= 0n) return;
  if (!isSame(amount, is) && (!is || compare(is, least) < 0))
    throw atLeast(placeOf(body, names.amount), least, 'captured');
  requireSameCurrency(names.amount, record, after);
}

/** Requires that a body keeps refunded <= captured <= amount, and lowers no sum. `captured` counts if no member has that amount. */
function requireOrder(
  payment: Payment,
  { body, after }: Pick<Update, 'body' | 'after'>,
  captured: Decimal | undefined,
): void {
  const { record, names, refunded } = payment;
  for (const sum of ['captured', 'refunded'] as const) {
    const requested = requestedAt(body, names[sum]);
    const value = requested && decimalOf(requested.given);
    if (!value || isSame(amountAt(record, names[sum]), amountAt(after, names[sum]))) continue;
    requireSafe(value, requested);
    const least = sum === 'refunded' ? refunded : leastOf(payment);
    if (compare(value, least) < 0) throw atLeast(requested, least, 'captured or refunded');
    const { limit, what } = LIMITS[sum];
    const most = amountAt(after, names[limit]) ?? (limit === 'captured' ? captured : undefined);
    if (most && compare(value, most) > 0) throw atMost(requested, most, what);
  }
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
