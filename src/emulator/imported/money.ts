import { compare, type Decimal, minus, numberOf, plus, ZERO } from '../../json/decimal.ts';
import { HttpError } from '../http/response.ts';
import { amountAt, amountNames, currencyIn, requestedIn, setAmount } from './amounts.ts';
import type { Document } from './overlay.ts';
import { isVoided, type Payment, paymentOf, type Remembered, setStatus, VOIDED } from './payment.ts';
import type { PreparedSchema } from './prepared.ts';
import { notTaken, positive, requireSafe, tooMuch, wrongCurrency } from './refusals.ts';
import {
  hasEnded,
  isBeforeCapture,
  isCaptured,
  statusAfter,
  statusAfterCapture,
  statusesOf,
  statusOf,
  statusOfPart,
} from './status-vocabulary.ts';

/** A record after an action. */
export type Change = {
  readonly record: Document;
  readonly remembered: Remembered;
  /** What was captured or refunded. */
  readonly amount?: Decimal | undefined;
};

type Action = { readonly schema: PreparedSchema; readonly body: Document; readonly remembered: Remembered };

/**
 * Captures a payment: the amount that the body names, else all that is left.
 * @throws HttpError `bad_request` if its status does not allow it; ValidationError for more than is left
 */
export function capture(record: Document, { schema, body, remembered }: Action): Change {
  const status = statusOf(record, schema);
  if (hasEnded(status)) throw refused(`cannot be captured, because it is ${status}`);
  if (isVoided(remembered)) throw refused('cannot be captured, because it was voided');
  const payment = paymentOf(record, schema, remembered);
  const captured = payment.isAssumed ? ZERO : (payment.captured ?? ZERO);
  const left = payment.amount && minus(payment.amount, captured);
  const isDone = isCaptured(status, schema) || status === statusAfterCapture(schema);
  if (left === undefined ? isDone : left.units <= 0n)
    throw refused(`cannot be captured, because it is ${status || 'captured'}`);
  const amount = requestedAmount(record, { schema, body, verb: 'capture', left }) ?? left;
  const total = amount && plus(captured, amount);
  requireSafe(total);
  const { captured: name } = amountNames(schema);
  const changed = written(record, { name, value: total ?? null, schema });
  const isWhole = amount === undefined || left === undefined || compare(amount, left) === 0;
  const word = payment.refunded.units > 0n ? undefined : statusOfCapture(schema, isWhole);
  return {
    record: setStatus(changed, word, schema),
    remembered: { ...remembered, captured: total ? numberOf(total) : null },
    amount,
  };
}

/** Sets the total captured or refunded amount. @throws ValidationError if the schema of the record does not allow it */
function written(record: Document, total: Parameters<typeof setAmount>[1]): Document {
  const { name, value } = total;
  const changed = setAmount(record, total);
  const is = amountAt(changed, name);
  if (name === undefined || value === null || (is && compare(is, value) === 0)) return changed;
  throw notTaken(name, value);
}

/** The status after a capture of all that was left, or of a part. */
export function statusOfCapture(schema: PreparedSchema, isWhole: boolean): string | undefined {
  const part = isWhole ? undefined : statusOfPart('capture', schema);
  return part ?? statusAfterCapture(schema);
}

/**
 * Refunds a payment: the amount that the body names, else all that is left of the captured amount.
 * @throws ValidationError for more than is left
 */
export function refund(record: Document, { schema, body, remembered }: Action): Change {
  const payment = paymentOf(record, schema, remembered);
  const left = leftToRefund(payment, remembered);
  const amount = requestedAmount(record, { schema, body, verb: 'refund', left }) ?? left;
  if (!left || !amount) return { record, remembered, amount };
  if (left.units <= 0n) throw tooMuch(undefined, ZERO, 'refunded');
  const total = plus(payment.refunded, amount);
  requireSafe(total);
  const word =
    compare(amount, left) === 0 ? statusAfter('refund', statusesOf(schema)) : statusOfPart('refund', schema);
  const changed = written(record, { name: amountNames(schema).refunded, value: total, schema });
  const { captured } = payment;
  return {
    record: setStatus(changed, word, schema),
    remembered: { captured: captured ? numberOf(captured) : null, refunded: numberOf(total) },
    amount,
  };
}

function leftToRefund({ captured, refunded }: Payment, remembered: Remembered): Decimal | undefined {
  return isVoided(remembered) ? ZERO : captured && minus(captured, refunded);
}

/**
 * Performs any other action: sets the status that the enumeration has for it, if any.
 * @throws HttpError `bad_request` if a captured payment would get a status from before a capture, and for `void` and `cancel` of a
 * payment that has ended
 */
export function act(
  verb: string,
  record: Document,
  { schema, remembered }: { readonly schema: PreparedSchema; readonly remembered: Remembered },
): Change {
  const status = statusOf(record, schema);
  const word = statusAfter(verb, statusesOf(schema));
  const isVoid = verb === 'void' || verb === 'cancel';
  if (!isVoid && !isBeforeCapture(word ?? '')) {
    return { record: setStatus(record, word, schema), remembered };
  }
  const payment = paymentOf(record, schema, remembered);
  const hasCaptured = !payment.isAssumed && (payment.captured?.units ?? 0n) > 0n;
  const done = word ?? `${verb}ed`;
  if (hasCaptured || isCaptured(status, schema)) throw refused(`cannot be ${done}, because it was captured`);
  if (isVoid && hasEnded(status)) throw refused(`cannot be ${done}, because it is ${status}`);
  if (isVoided(remembered)) throw refused(`cannot be ${done}, because it was voided`);
  const saysEnded = word !== undefined && hasEnded(word);
  const isPayment = payment.amount !== undefined && isVoid && !saysEnded;
  return { record: setStatus(record, word, schema), remembered: isPayment ? VOIDED : remembered };
}

type AmountRequest = Pick<Action, 'schema' | 'body'> & {
  readonly verb: 'capture' | 'refund';
  readonly left: Decimal | undefined;
};

/**
 * The amount that a body names. It must be positive, because a negative one would raise what can be captured or refunded.
 * @throws ValidationError if it is not positive, has too many digits, is more than what is left, or is in another currency
 */
function requestedAmount(record: Document, { schema, body, verb, left }: AmountRequest): Decimal | undefined {
  const { amount: name } = amountNames(schema);
  const requested = requestedIn(body, verb);
  const amount = requested && positive(requested);
  const currency = currencyIn(record, name);
  const other = currencyIn(body, requested?.loc[1]);
  if (currency !== undefined && other !== undefined && other.toUpperCase() !== currency.toUpperCase())
    throw wrongCurrency(other, currency);
  if (left && amount && compare(amount, left) > 0)
    throw tooMuch(requested, left.units > 0n ? left : ZERO, verb === 'capture' ? 'captured' : 'refunded');
  return amount;
}

function refused(message: string): HttpError {
  return new HttpError('bad_request', { message: `The record ${message}` });
}
