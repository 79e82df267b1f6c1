import { compare, type Decimal, minus, numberOf, ZERO } from '../../json/decimal.ts';
import { parseKeepingNumbers } from '../../json/exact.ts';
import { HttpError } from '../http/response.ts';
import { amountAt, amountNames, setAmount } from './amounts.ts';
import type { Found, OperationRequest } from './call.ts';
import { type Change, statusOfCapture } from './money.ts';
import { paymentOfMove } from './moves.ts';
import type { Document } from './overlay.ts';
import { isVoided, NOTHING_KNOWN, paymentOf, type Remembered, setStatus } from './payment.ts';
import { isMove } from './payment-invariants.ts';
import type { PreparedSchema } from './prepared.ts';
import { save, stamped } from './save.ts';
import {
  isCaptured,
  isPartAfter,
  isStatusAfter,
  isUndone,
  statusOf,
  statusOfAuthorized,
  statusOfPart,
} from './status-vocabulary.ts';

/**
 * Reverses the effect of a refund or capture on its payment, if it is deleted or its new status says that it failed or was canceled.
 * @throws HttpError `bad_request` if the amount is unknown, or if a capture was refunded
 */
export function undoMove(
  call: OperationRequest,
  found: Found,
  after?: { readonly record: Document; readonly remembered?: Remembered },
): void {
  const { kind, schema, stored } = found;
  if (!isMove(kind)) return;
  const before = parseKeepingNumbers(stored.document);
  const wasUndone = isUndone(statusOf(before, schema)) || isVoided(stored);
  const isUndoneNow =
    after === undefined ||
    isUndone(statusOf(after.record, schema)) ||
    isVoided(after.remembered ?? NOTHING_KNOWN);
  if (wasUndone || !isUndoneNow) return;
  const payment = paymentOfMove(call, found);
  if (!payment) return;
  const amount = amountAt(before, amountNames(schema).amount);
  if (!amount) throw refused(`The ${kind.noun} cannot be taken back, because its amount is not known`);
  const record = parseKeepingNumbers(payment.stored.document);
  const takeBack = kind.noun === 'refund' ? withoutRefund : withoutCapture;
  const changed = takeBack(record, { schema: payment.schema, amount, remembered: payment.stored });
  save(call, payment, { ...changed, record: stamped(call, changed.record, payment.schema) });
}

type TakenBack = {
  readonly schema: PreparedSchema;
  readonly amount: Decimal;
  readonly remembered: Remembered;
};

function withoutRefund(record: Document, { schema, amount, remembered }: TakenBack): Change {
  const payment = paymentOf(record, schema, remembered);
  const left = compare(payment.refunded, amount) > 0 ? minus(payment.refunded, amount) : ZERO;
  const changed = setAmount(record, { name: amountNames(schema).refunded, value: left, schema });
  const isRefunded = isStatusAfter('refund', statusOf(record, schema));
  const isPart = isPartAfter('refund', statusOf(record, schema));
  const partial = left.units > 0n ? statusOfPart('refund', schema) : undefined;
  const isWhole = !payment.amount || !payment.captured || compare(payment.captured, payment.amount) >= 0;
  const word = isRefunded || isPart ? (partial ?? statusOfCapture(schema, isWhole)) : undefined;
  if (isRefunded && word === undefined)
    throw refused('The refund cannot be taken back, because its payment has no status for that');
  const captured = payment.captured ? numberOf(payment.captured) : null;
  return {
    record: setStatus(changed, word, schema),
    remembered: { captured, refunded: numberOf(left) },
  };
}

function withoutCapture(record: Document, { schema, amount, remembered }: TakenBack): Change {
  const { captured = ZERO, refunded } = paymentOf(record, schema, remembered);
  const left = compare(captured, amount) > 0 ? minus(captured, amount) : ZERO;
  if (compare(left, refunded) < 0) throw refused('The capture cannot be taken back, because it was refunded');
  const changed = setAmount(record, { name: amountNames(schema).captured, value: left, schema });
  const status = statusOf(record, schema);
  const hasCaptured = isCaptured(status, schema) || isPartAfter('capture', status);
  const word = left.units > 0n ? statusOfPart('capture', schema) : statusOfAuthorized(schema);
  return {
    record: hasCaptured ? setStatus(changed, word, schema) : changed,
    remembered: left.units > 0n ? { ...remembered, captured: numberOf(left) } : NOTHING_KNOWN,
  };
}

function refused(message: string): HttpError {
  return new HttpError('bad_request', { message });
}
