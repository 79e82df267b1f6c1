import { oncePerObject } from '../../descriptions/values/memoize.ts';
import { shapeOf } from '../../descriptions/values/shape.ts';
import { compare, type Decimal, decimalOf, numberOf, ZERO } from '../../json/decimal.ts';
import { amountAt, amountNames, currencyIn, type Requested, requestedAt, requestedIn } from './amounts.ts';
import { settle } from './apply-payment.ts';
import type { OperationRequest } from './call.ts';
import type { Kind } from './kinds.ts';
import type { Change } from './money.ts';
import type { Document } from './overlay.ts';
import { isVoided, type Payment, paymentOf, type Remembered } from './payment.ts';
import type { PreparedSchema } from './prepared.ts';
import type { Records } from './records.ts';
import { notAbove, positive, refusal, requireSafe, tooLittle, wrongCurrency } from './refusals.ts';
import {
  hasEnded,
  isBeforeCapture,
  isCaptured,
  isPartAfter,
  isStatusAfter,
  isUndone,
  statusName,
  statusOf,
} from './status-vocabulary.ts';

/** The path segments below a record that can be captured or refunded. */
const MOVES = ['capture', 'captures', 'refund', 'refunds'];

/** Whether records of a kind can be captured or refunded: their schema has members for it, or there is an operation for it. */
export function isPayment({ records }: OperationRequest, kind: Kind): boolean {
  return isPaymentKind(kind, records);
}

const isPaymentKind = oncePerObject((kind: Kind, records: Records): boolean => {
  const schema = records.layoutOf(kind)?.schema;
  const names = schema && amountNames(schema);
  const hasMembers = names?.captured !== undefined || names?.refunded !== undefined;
  return names?.amount !== undefined && (hasMembers || records.kinds.hasBelow(kind, MOVES));
});

/** Whether records of a kind are captures or refunds. */
export function isMove({ noun }: Kind): boolean {
  return noun === 'capture' || noun === 'refund';
}

/**
 * Refuses a new payment, capture or refund with impossible amounts.
 * @throws ValidationError for an amount that is not positive (or zero where the schema of the body allows it), that a double cannot
 * hold exactly, or that is less than the captured or refunded amount in the body
 */
export function requireAmounts(call: OperationRequest, kind: Kind, record: Document): void {
  if (!isPayment(call, kind) && !isMove(kind)) return;
  const { body, records } = call;
  const requested = requestedIn(body);
  if (requested && !isZeroAllowed(call, requested)) positive(requested);
  const schema = records.layoutOf(kind)?.schema;
  const names = schema && amountNames(schema);
  const [captured, refunded] = [requestedAt(body, names?.captured), requestedAt(body, names?.refunded)];
  const amount = amountAt(record, names?.amount);
  limit(captured, { most: amount, of: 'the amount of the payment' });
  limit(refunded, { most: amountAt(record, names?.captured) ?? amount, of: 'what was captured' });
}

function isZeroAllowed({ prepared }: OperationRequest, { loc, given }: Requested): boolean {
  const { request } = prepared;
  if (!request || decimalOf(given)?.units !== 0n) return false;
  const [, name = '', inner] = loc;
  const { root } = request;
  const outer = shapeOf({ schema: request.members.get(name), root });
  const { limits } = inner === undefined ? outer : shapeOf({ schema: outer.members.get(inner), root });
  return limits.minimum === 0;
}

type Bounds = { readonly least?: Decimal; readonly most?: Decimal | undefined; readonly of: string };

function limit(requested: Requested | undefined, { least = ZERO, most, of }: Bounds): void {
  const amount = requested && decimalOf(requested.given);
  if (!requested || !amount) return;
  requireSafe(amount, requested);
  if (compare(amount, least) < 0) throw tooLittle(requested, least, 'captured or refunded');
  if (most && compare(amount, most) > 0) throw notAbove(requested, most, of);
}

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
 * Refuses changes that contradict captures and refunds: the amount of a payment stays at least the captured amount, its currency and
 * the amounts of its captures and refunds do not change, and its status agrees with the amounts.
 * @throws ValidationError for a body that contradicts them
 */
export function keepMoney(call: OperationRequest, update: Update): Change {
  const { kind, schema, before, after, remembered } = update;
  if (isMove(kind)) requireSameMove(update);
  if (!isPayment(call, kind)) return { record: after, remembered };
  const payment = paymentOf(before, schema, remembered);
  requireAmountOf(update, payment);
  const kept = { record: after, remembered: rememberedAfter(update, payment) };
  const [from, to] = [statusOf(before, schema), statusOf(after, schema)];
  if (from === to) return kept;
  const problem = problemOfStatus(to, { from, payment, remembered, schema });
  if (problem !== undefined) {
    const loc = ['body', statusName(schema) ?? 'status'];
    throw refusal(loc, [`cannot be ${to}, because ${problem}`, 'status_contradicted'], { input: to });
  }
  const isCapture = isCaptured(to, schema) && moved(payment).units === 0n;
  return isCapture ? { ...kept, record: settle(after, schema) } : kept;
}

/** The amount that was certainly captured. */
function moved({ captured, isAssumed }: Payment): Decimal {
  return isAssumed || !captured ? ZERO : captured;
}

function requireSameMove({ kind, schema, body, before, after }: Update): void {
  const { amount: name } = amountNames(schema);
  const [was, is] = [amountAt(before, name), amountAt(after, name)];
  if (was && (!is || compare(was, is) !== 0)) {
    const { loc, given } = requestedAt(body, name) ?? { loc: ['body', name ?? 'amount'], given: null };
    const what = kind.noun === 'refund' ? 'refunded' : 'captured';
    throw refusal(loc, [`cannot be changed, because it was ${what}`, 'amount_moved'], { input: given });
  }
  requireSameCurrency(name, before, after);
  const [from, to] = [statusOf(before, schema), statusOf(after, schema)];
  if (!isUndone(from) || isUndone(to)) return;
  const problem = [`cannot be ${to}, because it is ${from}`, 'status_contradicted'] as const;
  throw refusal(['body', statusName(schema) ?? 'status'], problem, { input: to });
}

function requireSameCurrency(name: string | undefined, before: Document, after: Document): void {
  const [was, is] = [currencyIn(before, name), currencyIn(after, name)];
  if (was !== undefined && is !== was) throw wrongCurrency(is ?? '', was);
}

function requireAmountOf({ schema, body, before, after }: Update, payment: Payment): void {
  const names = amountNames(schema);
  const captured = moved(payment);
  const least = compare(captured, payment.refunded) < 0 ? payment.refunded : captured;
  const [was, amount] = [amountAt(before, names.amount), amountAt(after, names.amount)];
  const requested = requestedAt(body, names.amount);
  if (requested && !isSame(was, decimalOf(requested.given))) positive(requested);
  if (least.units > 0n && !isSame(was, amount) && (!amount || compare(amount, least) < 0)) {
    const place = requested ?? { loc: ['body', String(names.amount)], given: null };
    throw tooLittle(place, least, 'captured');
  }
  if (least.units > 0n) requireSameCurrency(names.amount, before, after);
  const isChanged = (name: string | undefined) => !isSame(amountAt(before, name), amountAt(after, name));
  if (isChanged(names.captured))
    limit(requestedAt(body, names.captured), { least, most: amount, of: 'the amount of the payment' });
  if (isChanged(names.refunded)) {
    const most = amountAt(after, names.captured) ?? captured;
    limit(requestedAt(body, names.refunded), { least: payment.refunded, most, of: 'what was captured' });
  }
}

function isSame(one: Decimal | undefined, other: Decimal | undefined): boolean {
  return one && other ? compare(one, other) === 0 : one === other;
}

/** If only the status says that a payment was captured, a change of its amount does not change the captured amount. */
function rememberedAfter({ schema, after, remembered }: Update, payment: Payment): Remembered {
  const names = amountNames(schema);
  const [captured, refunded] = [amountAt(after, names.captured), amountAt(after, names.refunded)];
  const known = moved(payment).units > 0n ? moved(payment) : undefined;
  const kept = remembered.captured ?? (known ? numberOf(known) : null);
  return {
    captured: captured && remembered.captured !== null ? numberOf(captured) : captured ? null : kept,
    refunded: refunded && remembered.refunded !== null ? numberOf(refunded) : remembered.refunded,
  };
}

type StatusChange = Pick<Update, 'schema' | 'remembered'> & {
  readonly from: string;
  readonly payment: Payment;
};

/** Why a payment cannot have a status; undefined where it can. */
function problemOfStatus(
  to: string,
  { from, payment, remembered, schema }: StatusChange,
): string | undefined {
  const captured = moved(payment);
  const isPartRefund = isPartAfter('refund', to);
  const isRefund = isPartRefund || isStatusAfter('refund', to);
  if (captured.units === 0n) {
    if (isRefund && !payment.isAssumed) return 'nothing was captured';
    if (!isCaptured(to, schema)) return undefined;
    if (isVoided(remembered)) return 'it was voided';
    return hasEnded(from) ? `it is ${from}` : undefined;
  }
  if (isBeforeCapture(to)) return 'it was captured';
  const rest = compare(captured, payment.refunded);
  if (isPartRefund) return payment.refunded.units > 0n && rest > 0 ? undefined : 'no part of it was refunded';
  if (isRefund) return rest === 0 ? undefined : 'not all of it was refunded';
  return isCaptured(to, schema) && rest === 0 ? 'it was refunded' : undefined;
}
