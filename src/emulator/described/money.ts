import { HttpError, ValidationError } from '../http/response.ts';
import { type Document, withMember } from './overlay.ts';
import type { PreparedSchema } from './prepared.ts';
import { hasEnded, isStatusAfter, statusAfter, statusesOf, statusName, statusOf } from './words.ts';

/** Names of the members that say how much of a payment was captured and refunded. */
const CAPTURED = ['captured_amount', 'amount_captured'];
const REFUNDED = ['refunded_amount', 'amount_refunded'];

/** What is known of a payment; undefined where its names tell nothing. */
export type Payment = { readonly amount: number; readonly captured: number; readonly refunded: number };

/** What was captured and refunded by actions, for payments whose schema has no members for it. */
export type Remembered = { readonly captured: number | null; readonly refunded: number | null };

/** Of a record that is no payment, or one that no action has changed. */
export const NOTHING_KNOWN: Remembered = { captured: null, refunded: null };

/** What an action changes. */
export type Change = {
  readonly record: Document;
  readonly remembered: Remembered;
  /** What was captured or refunded. */
  readonly amount?: number | undefined;
};

/** Reads the amounts of a payment. Where nothing says what was captured, it follows from the status. */
export function paymentOf(
  record: Document,
  schema: PreparedSchema,
  remembered: Remembered,
): Payment | undefined {
  const amount = numberIn(record, ['amount', 'total_amount']);
  if (amount === undefined) return undefined;
  const status = statusOf(record, schema);
  const known = statusesOf(schema).some((word) => isStatusAfter('capture', word));
  const isCaptured = isStatusAfter('capture', status) || isStatusAfter('refund', status);
  const byStatus = isCaptured || !known ? amount : 0;
  return {
    amount,
    captured: numberIn(record, CAPTURED) ?? remembered.captured ?? byStatus,
    refunded:
      numberIn(record, REFUNDED) ?? remembered.refunded ?? (isStatusAfter('refund', status) ? amount : 0),
  };
}

function numberIn(record: Document, names: readonly string[]): number | undefined {
  return names.map((name) => record[name]).find((value) => typeof value === 'number');
}

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
  const left = payment && payment.amount - captured;
  if (left === undefined ? isCaptured : left <= 0)
    throw refused(`cannot be captured, because it is ${status}`);
  const amount = numberIn(body, ['amount']) ?? left;
  if (left !== undefined && amount !== undefined && amount > left) throw tooMuch(amount, left, 'captured');
  const total = amount === undefined ? null : captured + amount;
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
  if (!payment) return { record, remembered, amount: numberIn(body, ['amount']) };
  const left = payment.captured - payment.refunded;
  const amount = numberIn(body, ['amount']) ?? left;
  if (amount > left || left <= 0) throw tooMuch(amount, Math.max(left, 0), 'refunded');
  const total = payment.refunded + amount;
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

/** Brings the amounts of a record in line with its status: what was not captured has no captured amount. */
export function settle(made: Document, schema: PreparedSchema): Document {
  const record = withoutLater(made, schema);
  const amount = numberIn(record, ['amount', 'total_amount']);
  if (amount === undefined || !CAPTURED.some((name) => schema.members.has(name))) return record;
  const status = statusOf(record, schema);
  const isRefunded = isStatusAfter('refund', status);
  const isPart = /^partial/.test(status);
  const isCaptured = isRefunded || isStatusAfter('capture', status) || /^partially_refunded/.test(status);
  const captured = isCaptured ? amount : isPart ? Math.floor(amount / 2) : 0;
  const refunded = isRefunded ? amount : /^partially_refunded/.test(status) ? Math.floor(amount / 2) : 0;
  const withCaptured = setAmount(record, { names: CAPTURED, value: captured, schema });
  return setAmount(withCaptured, { names: REFUNDED, value: refunded, schema });
}

/** Of a captured payment without members for it, a quarter was refunded at first. */
export function firstAmounts(record: Document, schema: PreparedSchema): Remembered {
  const payment = paymentOf(record, schema, NOTHING_KNOWN);
  const isKnown = [...CAPTURED, ...REFUNDED].some((name) => schema.members.has(name));
  if (!payment || isKnown || !isStatusAfter('capture', statusOf(record, schema))) return NOTHING_KNOWN;
  return { captured: payment.amount, refunded: Math.floor(payment.amount / 4) };
}

/** What the status does not say has no time: `voided_at` of a record that is not voided. */
function withoutLater(record: Document, schema: PreparedSchema): Document {
  const status = statusOf(record, schema);
  let result = record;
  for (const word of statusesOf(schema)) {
    const name = `${word}_at`;
    if (
      word === status ||
      typeof record[name] !== 'string' ||
      (word === 'captured' && /refunded/.test(status))
    ) {
      continue;
    }
    const { [name]: _, ...others } = result;
    const emptied = withMember(result, name, null, schema);
    result = emptied === result && schema.fits.problems(others).length === 0 ? others : emptied;
  }
  return result;
}

/** How a payment begins: captured at once where the body's `intent` or `capture` says so, else authorized. */
export function begin(record: Document, body: Document, schema: PreparedSchema): Document {
  const statuses = statusesOf(schema);
  const name = statusName(schema);
  if (name === undefined || name in body || numberIn(record, ['amount']) === undefined) return record;
  const isCapture = body.intent === 'capture' || body.capture === true;
  const isAuthorize = body.intent === 'authorize' || body.capture === false;
  const word = isCapture
    ? statusAfter('capture', statuses)
    : isAuthorize
      ? (statusAfter('authorize', statuses) ?? statuses.find((one) => one === 'authorization_succeeded'))
      : undefined;
  return word === undefined ? record : settle(setStatus(record, word, schema), schema);
}

function setAmount(
  record: Document,
  {
    names,
    value,
    schema,
  }: { readonly names: readonly string[]; readonly value: number | null; readonly schema: PreparedSchema },
): Document {
  const name = names.find((one) => schema.members.has(one));
  return name === undefined || value === null ? record : withMember(record, name, value, schema);
}

function setStatus(record: Document, word: string | undefined, schema: PreparedSchema): Document {
  const name = statusName(schema);
  return name === undefined || word === undefined ? record : withMember(record, name, word, schema);
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
