import { type Document, withMember } from './overlay.ts';
import {
  CAPTURED,
  NOTHING_KNOWN,
  numberIn,
  paymentOf,
  REFUNDED,
  type Remembered,
  setAmount,
  setStatus,
} from './payment.ts';
import type { PreparedSchema } from './prepared.ts';
import { isStatusAfter, statusAfter, statusesOf, statusName, statusOf } from './words.ts';

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

/**
 * How a payment begins: as the status of the body says, captured at once where its `intent` or `capture` says so, else
 * authorized. Its amounts follow from that, unless the body has them.
 */
export function begin(record: Document, body: Document, schema: PreparedSchema): Document {
  const statuses = statusesOf(schema);
  const name = statusName(schema);
  if (name === undefined || numberIn(record, ['amount']) === undefined) return record;
  if ([...CAPTURED, ...REFUNDED].some((amount) => amount in body)) return record;
  if (name in body) return settle(record, schema);
  const isCapture = body.intent === 'capture' || body.capture === true;
  const isAuthorize = body.intent === 'authorize' || body.capture === false;
  const word = isCapture
    ? statusAfter('capture', statuses)
    : isAuthorize
      ? (statusAfter('authorize', statuses) ?? statuses.find((one) => one === 'authorization_succeeded'))
      : undefined;
  return word === undefined ? record : settle(setStatus(record, word, schema), schema);
}
