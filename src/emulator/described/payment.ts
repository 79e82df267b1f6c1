import { plainNumber } from '../../json/exact.ts';
import { type Document, withMember } from './overlay.ts';
import type { PreparedSchema } from './prepared.ts';
import { isStatusAfter, statusesOf, statusName, statusOf } from './words.ts';

/** Names of the members that say how much of a payment was captured and refunded. */
export const CAPTURED = ['captured_amount', 'amount_captured'];
/** See `CAPTURED`. */
export const REFUNDED = ['refunded_amount', 'amount_refunded'];

/** What is known of a payment; undefined where its names tell nothing. */
export type Payment = { readonly amount: number; readonly captured: number; readonly refunded: number };

/** What was captured and refunded by actions, for payments whose schema has no members for it. */
export type Remembered = { readonly captured: number | null; readonly refunded: number | null };

/** Of a record that is no payment, or one that no action has changed. */
export const NOTHING_KNOWN: Remembered = { captured: null, refunded: null };

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

/** The first of these members that is a number, also one that is kept as it was written (`100.00`). */
export function numberIn(record: Document, names: readonly string[]): number | undefined {
  return names.map((name) => plainNumber(record[name])).find((value) => typeof value === 'number');
}

/** Sets the first of these members that the schema names. */
export function setAmount(
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

/** Sets the status, where there is a word for it. */
export function setStatus(record: Document, word: string | undefined, schema: PreparedSchema): Document {
  const name = statusName(schema);
  return name === undefined || word === undefined ? record : withMember(record, name, word, schema);
}
