import { isStatusAfter } from '../../../descriptions/action-words.ts';
import { sumsIn } from '../../../descriptions/payment-stages.ts';
import { numberOf, part } from '../../../json/decimal.ts';
import { isObject } from '../../../json/is-object.ts';
import { expiredText } from '../../../schemas/values/dates.ts';
import { snake } from '../../../schemas/values/names.ts';
import { currencyDecimals } from '../../../text/currency.ts';
import { type Document, overlay } from '../overlay.ts';
import type { PreparedSchema } from '../prepared.ts';
import { amountAt, amountNames, currencyIn, setAmount } from './amounts.ts';
import { NOTHING_KNOWN, paymentOf, type Remembered, setStatus } from './payment.ts';
import {
  capturedWord,
  isUndone,
  stageOf,
  statusesOf,
  statusName,
  statusOf,
  timesOf,
  wordFor,
} from './statuses.ts';

/**
 * Sets the captured and refunded amounts of a record to what its status says, in the notation of its own amount, and removes the
 * times of other statuses.
 */
export function settle(made: Document, schema: PreparedSchema): Document {
  const record = withoutLater(made, schema);
  const names = amountNames(schema);
  const amount = amountAt(record, names.amount);
  if (amount === undefined) return record;
  const { captured, refunded } = sumsIn(stageOf(statusOf(record, schema), schema), amount);
  const withCaptured = setAmount(record, { name: names.captured, value: captured, schema });
  return setAmount(withCaptured, { name: names.refunded, value: refunded, schema });
}

/** Adds the time of its own status to a first record that lacks it, such as `captured_at` of one that was captured, also if it was refunded since. */
export function dated(record: Document, schema: PreparedSchema, atMs: number): Document {
  const status = statusOf(record, schema);
  const isRefunded = /^(partially_)?refunded$/.test(stageOf(status, schema));
  const found = timesOf(schema).find(
    ({ word }) => word === status || (isRefunded && snake(word) === 'captured'),
  );
  if (!found || (record[found.name] ?? null) !== null) return record;
  return overlay(record, { [found.name]: new Date(atMs).toISOString() }, schema);
}

/** A payment whose status says that it was refunded, as it was before. */
export function unrefunded(record: Document, schema: PreparedSchema): Document {
  const stage = stageOf(statusOf(record, schema), schema);
  if (stage !== 'refunded' && stage !== 'partially_refunded') return record;
  return settle(setStatus(record, wordFor('captured', schema), schema), schema);
}

/** Removes the times of statuses that the record does not have, such as `voided_at` of a record that is not voided. */
function withoutLater(record: Document, schema: PreparedSchema): Document {
  const status = statusOf(record, schema);
  let result = record;
  for (const { word, name } of timesOf(schema)) {
    if (word === status || typeof record[name] !== 'string') continue;
    if (snake(word) === 'captured' && /refund/.test(snake(status))) continue;
    result = overlay(result, { [name]: null }, schema);
  }
  return result;
}

/**
 * Sets the first status of a payment: that of the body, captured or authorized as `intent` or `capture` says, or the generated one. Its
 * amounts follow from the status, unless the body has them.
 */
export function begin(record: Document, body: Document, schema: PreparedSchema): Document {
  const name = statusName(schema);
  const { amount, captured, refunded } = amountNames(schema);
  const isSet = [captured, refunded].some((one) => one !== undefined && one in body);
  if (amountAt(record, amount) === undefined || isSet) return record;
  if (name === undefined || name in body) return settle(record, schema);
  const isCapture = body.intent === 'capture' || body.capture === true;
  const isAuthorize = body.intent === 'authorize' || body.capture === false;
  const word = isCapture ? capturedWord(schema) : isAuthorize ? wordFor('authorized', schema) : undefined;
  return settle(setStatus(record, word, schema), schema);
}

/** Lets a first refund whose status says that it failed or was canceled succeed, because its payment says that it was refunded. */
export function notUndone(record: Document, schema: PreparedSchema): Document {
  const word = statusesOf(schema).find((one) => !isUndone(one));
  return isUndone(statusOf(record, schema)) ? setStatus(record, word, schema) : record;
}

/** The first captured and refunded amounts of a payment without members for them: a quarter was refunded. */
export function firstAmounts(record: Document, schema: PreparedSchema): Remembered {
  const { amount, stage, names } = paymentOf(record, schema, NOTHING_KNOWN);
  const isWritten = names.captured !== undefined || names.refunded !== undefined;
  if (!amount || isWritten || stage !== 'captured') return NOTHING_KNOWN;
  return { captured: numberOf(amount), refunded: numberOf(part(amount, 4)) };
}

/** Sets the currency of a record that was made up to that of its amount. */
export function alignCurrency(record: Document, schema: PreparedSchema): Document {
  const { amount } = amountNames(schema);
  const within = amount === undefined ? undefined : record[amount];
  const currency = isObject(within) ? currencyIn(within, undefined) : undefined;
  if (currency === undefined || typeof record.currency !== 'string') return record;
  return overlay(record, { currency }, schema);
}

/** Gives the amount of a first record the decimals of its currency, if the amount has decimals and the currency not two. */
export function inDecimals(record: Document, schema: PreparedSchema): Document {
  const { amount: name } = amountNames(schema);
  const amount = amountAt(record, name);
  const places = currencyDecimals(currencyIn(record, name) ?? '');
  if (!amount || amount.places === 0 || places === undefined || places === 2) return record;
  const units = BigInt(Math.max(1, Math.round(numberOf(amount)))) * 10n ** BigInt(places);
  return setAmount(record, { name, value: { units, places }, schema, least: places });
}

/** Lets a first record with the status `expired` expire a month after its creation. */
export function expireBefore(record: Document, schema: PreparedSchema): Document {
  if (!isStatusAfter('expire', statusOf(record, schema))) return record;
  let result = record;
  for (const [name, value] of Object.entries(record)) {
    const before = typeof value === 'string' ? expiredText(name, value) : undefined;
    if (before !== undefined) result = overlay(result, { [name]: before }, schema);
  }
  return result;
}
