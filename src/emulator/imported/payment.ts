import { type Decimal, decimalOf, part, ZERO } from '../../json/decimal.ts';
import { amountAt, amountNames } from './amounts.ts';
import { type Document, withMember } from './overlay.ts';
import type { PreparedSchema } from './prepared.ts';
import {
  hasEnded,
  isCaptured,
  isPartAfter,
  isStatusAfter,
  statusName,
  statusOf,
  statusOfCaptured,
} from './status-vocabulary.ts';

/** The amounts of a payment. */
export type Payment = {
  /** Undefined if the record has none. */
  readonly amount: Decimal | undefined;
  /** Undefined if it is unknown. */
  readonly captured: Decimal | undefined;
  readonly refunded: Decimal;
  /** The captured amount is a guess: the record has no member for it, and the schema has no status for it. */
  readonly isAssumed: boolean;
};

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

/** Reads the amounts of a payment. If the captured amount is unknown, it follows from the status. */
export function paymentOf(record: Document, schema: PreparedSchema, remembered: Remembered): Payment {
  const names = amountNames(schema);
  const amount = amountAt(record, names.amount);
  const status = statusOf(record, schema);
  const isRefunded = isStatusAfter('refund', status);
  const isPartRefunded = isPartAfter('refund', status);
  const half = amount && part(amount, 2);
  const isKnown = statusOfCaptured(schema) !== undefined;
  const wasCaptured = isRefunded || isPartRefunded || isCaptured(status, schema);
  const recorded = decimalOf(remembered.captured) ?? amountAt(record, names.captured);
  const isPart = isPartAfter('capture', status);
  const isAssumed = recorded === undefined && !isKnown && !wasCaptured && !isPart && !hasEnded(status);
  const byStatus = isPart ? half : wasCaptured || isAssumed ? amount : ZERO;
  const refunded = decimalOf(remembered.refunded) ?? amountAt(record, names.refunded);
  return {
    amount,
    captured: recorded ?? byStatus,
    refunded: refunded ?? (isRefunded ? (recorded ?? amount) : isPartRefunded ? half : undefined) ?? ZERO,
    isAssumed,
  };
}

/** Sets the status, unless the schema has none or `word` is undefined. */
export function setStatus(record: Document, word: string | undefined, schema: PreparedSchema): Document {
  const name = statusName(schema);
  return name === undefined || word === undefined ? record : withMember(record, name, word, schema);
}
