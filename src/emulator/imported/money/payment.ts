import { isAfterCapture, sumsIn } from '../../../descriptions/payment-stages.ts';
import { type Decimal, decimalOf, numberOf, ZERO } from '../../../json/decimal.ts';
import { parseKeepingNumbers } from '../../../json/exact.ts';
import { type Document, overlay } from '../overlay.ts';
import type { PreparedSchema } from '../prepared.ts';
import { amountAt, amountNames, inNotation, setAmount } from './amounts.ts';
import { capturedWord, stageOf, statusName, statusOf } from './statuses.ts';

/** What was captured and refunded by actions, for payments whose schema has no members for it. */
export type Remembered = { readonly captured: number | null; readonly refunded: number | null };

/** For a record that is not a payment, or that no action has changed. */
export const NOTHING_KNOWN: Remembered = { captured: null, refunded: null };

/** The amounts of a voided payment: nothing was captured, and nothing will be. */
export const VOIDED: Remembered = { captured: 0, refunded: 0 };

/** Whether a payment was voided before anything was captured. */
export function isVoided({ captured, refunded }: Remembered): boolean {
  return captured === 0 && refunded === 0;
}

/** What is captured and refunded of the amount of a payment: 0 <= refunded <= captured <= amount. */
export type Sum = 'captured' | 'refunded';

/** A record after an action. */
export type Change = {
  readonly record: Document;
  readonly remembered: Remembered;
  /** What was captured or refunded. */
  readonly amount?: Decimal | undefined;
};

/** A record as a payment. Its amount, and what was captured of it, are undefined if they are unknown. */
export type Payment = ReturnType<typeof paymentOf>;

/** Reads a payment. Sums that are neither remembered nor in the record follow from the status. */
export function paymentOf(record: Document, schema: PreparedSchema, remembered: Remembered) {
  const names = amountNames(schema);
  const status = statusOf(record, schema);
  const stage = stageOf(status, schema);
  const amount = amountAt(record, names.amount);
  const said = sumsIn(stage, amount);
  const known = decimalOf(remembered.captured) ?? amountAt(record, names.captured);
  const isSaid = isAfterCapture(stage) || stage === 'ended' || stage === 'refund_failed';
  // The captured amount is a guess: the record has no member for it, and the schema has no status for it.
  const isAssumed = known === undefined && !isSaid && capturedWord(schema) === undefined;
  const captured = known ?? (isAssumed ? amount : said.captured);
  const refunded =
    decimalOf(remembered.refunded) ??
    amountAt(record, names.refunded) ??
    (stage === 'refunded' ? captured : said.refunded);
  const sums = { amount, captured, refunded: refunded ?? ZERO, isAssumed };
  return { record, schema, remembered, names, status, stage, ...sums };
}

/** Reads a stored payment. */
export function readPayment({ schema, stored }: StoredPayment): Payment {
  return paymentOf(parseKeepingNumbers(stored.document), schema, stored);
}

type StoredPayment = {
  readonly schema: PreparedSchema;
  readonly stored: Remembered & { readonly document: string };
};

/** The amount of a capture or refund, written as its schema says, else like that of its payment. */
export function amountLike({ record, names }: Payment, amount: Decimal, schema: PreparedSchema): Document {
  const { amount: name } = amountNames(schema);
  const like = record[names.amount ?? ''];
  return name === undefined ? {} : { [name]: inNotation(amount, { schema, name, like }) };
}

/** Writes the status and a sum of a payment, in the notation of its amount. */
export function written(
  { record, schema, names, remembered, captured, refunded }: Payment,
  sum: Sum,
  word: string | undefined,
): Change {
  const value = sum === 'captured' ? captured : refunded;
  const changed = setAmount(record, { name: names[sum], value, schema });
  return {
    record: setStatus(changed, word, schema),
    remembered: {
      captured: captured ? numberOf(captured) : null,
      refunded: sum === 'refunded' ? numberOf(refunded) : remembered.refunded,
    },
  };
}

/** Sets the status, unless the schema has none or `word` is undefined. */
export function setStatus(record: Document, word: string | undefined, schema: PreparedSchema): Document {
  return word === undefined ? record : overlay(record, { [statusName(schema) ?? '']: word }, schema);
}
