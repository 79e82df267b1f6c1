import { HttpError, ValidationError } from '../http/response.ts';
import type { Document } from './overlay.ts';
import { CAPTURED, numberIn, paymentOf, REFUNDED, type Remembered, setAmount, setStatus } from './payment.ts';
import type { PreparedSchema } from './prepared.ts';
import { hasEnded, isStatusAfter, statusAfter, statusesOf, statusOf } from './words.ts';

/** What an action changes. */
export type Change = {
  readonly record: Document;
  readonly remembered: Remembered;
  /** What was captured or refunded. */
  readonly amount?: number | undefined;
};

/**
 * Captures a payment, in part where the body names an amount.
 * @throws HttpError `bad_request` where its status does not allow it; ValidationError for more than is left
 */
export function capture(
  record: Document,
  {
    schema,
    body,
    remembered,
  }: { readonly schema: PreparedSchema; readonly body: Document; readonly remembered: Remembered },
): Change {
  const status = statusOf(record, schema);
  if (hasEnded(status)) throw refused(`cannot be captured, because it is ${status}`);
  const payment = paymentOf(record, schema, remembered);
  const isCaptured = isStatusAfter('capture', status);
  const isKnown = isCaptured || remembered.captured !== null || numberIn(record, CAPTURED) !== undefined;
  const captured = isKnown ? (payment?.captured ?? 0) : 0;
  const left = payment && difference(payment.amount, captured);
  if (left === undefined ? isCaptured : left <= 0)
    throw refused(`cannot be captured, because it is ${status}`);
  const amount = requestedAmount(body) ?? left;
  if (left !== undefined && amount !== undefined && amount > left) throw tooMuch(amount, left, 'captured');
  const total = amount === undefined ? null : difference(captured, -amount);
  const changed = setAmount(record, { names: CAPTURED, value: total, schema });
  const word = (payment?.refunded ?? 0) > 0 ? undefined : statusOfCapture(schema, amount === left);
  return {
    record: setStatus(changed, word, schema),
    remembered: { ...remembered, captured: total },
    amount,
  };
}

function statusOfCapture(schema: PreparedSchema, isWhole: boolean): string | undefined {
  const statuses = statusesOf(schema);
  const part = isWhole ? undefined : statuses.find((one) => /^partially_captured|^partial_capture/.test(one));
  return part ?? statusAfter('capture', statuses);
}

/**
 * Takes an amount off what was captured of a payment: what the body names, else all that is left.
 * @throws ValidationError for more than is left
 */
export function refund(
  record: Document,
  {
    schema,
    body,
    remembered,
  }: { readonly schema: PreparedSchema; readonly body: Document; readonly remembered: Remembered },
): Change {
  const payment = paymentOf(record, schema, remembered);
  const requested = requestedAmount(body);
  if (!payment) return { record, remembered, amount: requested };
  const left = difference(payment.captured, payment.refunded);
  const amount = requested ?? left;
  if (amount > left || left <= 0) throw tooMuch(amount, Math.max(left, 0), 'refunded');
  const total = difference(payment.refunded, -amount);
  const word =
    amount === left
      ? statusAfter('refund', statusesOf(schema))
      : statusesOf(schema).find((one) => /^partially_refunded|^partial_refund/.test(one));
  const changed = setAmount(record, { names: REFUNDED, value: total, schema });
  return {
    record: setStatus(changed, word, schema),
    remembered: { captured: payment.captured, refunded: total },
    amount,
  };
}

/**
 * Any other action: sets the status where the enumeration has the word for it.
 * @throws HttpError `bad_request` where a payment is to be voided or canceled after it was captured, or has ended
 */
export function act(
  verb: string,
  record: Document,
  schema: PreparedSchema,
  remembered: Remembered,
): Document {
  const status = statusOf(record, schema);
  const word = statusAfter(verb, statusesOf(schema));
  if (verb === 'void' || verb === 'cancel') {
    const isCaptured = isStatusAfter('capture', status) || (remembered.captured ?? 0) > 0;
    const captured = numberIn(record, CAPTURED) ?? 0;
    if (isCaptured || captured > 0)
      throw refused(`cannot be ${word ?? `${verb}ed`}, because it was captured`);
    if (hasEnded(status)) throw refused(`cannot be ${word ?? `${verb}ed`}, because it is ${status}`);
  }
  return setStatus(record, word, schema);
}

/**
 * The amount that a body names. No rule holds for one that is not positive: it would raise what can be captured or refunded.
 * @throws ValidationError for zero, a negative one, and one that a double cannot hold
 */
function requestedAmount(body: Document): number | undefined {
  const amount = numberIn(body, ['amount']);
  if (amount === undefined || (amount > 0 && amount <= Number.MAX_SAFE_INTEGER)) return amount;
  const limit = amount > 0 ? Number.MAX_SAFE_INTEGER : 0;
  const [msg, type, ctx] =
    amount > 0
      ? [`must be at most ${limit}`, 'less_than_equal', { le: limit }]
      : ['must be greater than 0', 'greater_than', { gt: limit }];
  throw new ValidationError([{ loc: ['body', 'amount'], msg, type, input: amount, ctx }]);
}

/** Of decimal amounts without the error of binary fractions: 0.3 less 0.1 is 0.2. */
function difference(amount: number, other: number): number {
  const rest = amount - other;
  return Number.isInteger(amount) && Number.isInteger(other) ? rest : Number(rest.toPrecision(15));
}

function refused(message: string): HttpError {
  return new HttpError('bad_request', { message: `The record ${message}` });
}

function tooMuch(input: number, limit: number, what: string): ValidationError {
  const msg = `must be at most ${limit}, which is what can still be ${what}`;
  return new ValidationError([
    { loc: ['body', 'amount'], msg, type: 'less_than_equal', input, ctx: { le: limit } },
  ]);
}
