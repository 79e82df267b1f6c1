import type { Stage } from '../../../descriptions/payment-stages.ts';
import { compare, type Decimal, minus, plus, textOf, ZERO } from '../../../json/decimal.ts';
import type { Kind } from '../kinds.ts';
import type { Document } from '../overlay.ts';
import { amountAt, currencyIn, requestedIn } from './amounts.ts';
import {
  type Change,
  isVoided,
  NOTHING_KNOWN,
  type Payment,
  type Sum,
  setStatus,
  VOIDED,
  written,
} from './payment.ts';
import { atMost, positive, refusal, refused, requireSafe, UNNAMED, wrongCurrency } from './refusals.ts';
import { stageOf, statusAfter, wordFor } from './statuses.ts';

/** What the sums of a payment must not exceed: 0 <= refunded <= captured <= amount. */
export const LIMITS = {
  captured: { limit: 'amount', what: 'the amount of the payment' },
  refunded: { limit: 'captured', what: 'what was captured' },
} as const;

/** The sum that each kind of move adds to. */
export const MOVES = { capture: 'captured', refund: 'refunded' } as const;

/** What moves money. */
export type Move = keyof typeof MOVES;

/** Whether a verb moves money. */
export function isMove(word: string): word is Move {
  return Object.hasOwn(MOVES, word);
}

/** How the records of a kind move money, such as refunds; undefined if they do not. */
export function moveOf({ noun, isDocument = false }: Kind): Move | undefined {
  return !isDocument && isMove(noun) ? noun : undefined;
}

/** The target of a change: the stage of the new status, or an action that has rules of its own. */
type Target = Stage | 'capture' | 'void';

/** The state of a payment: a stage by its sums, a stage by its status (`said`), or voided without a status for that. */
type State = Stage | `said ${Stage}` | 'voided';

const UNCAPTURED: readonly Target[] = ['begun', 'authorized', 'ended', 'void'];
const UNREFUNDED: readonly State[] = ['partially_captured', 'captured'];
const REFUNDED = ['partially_refunded', 'refunded'] as const;

type Rule = readonly [to: readonly Target[], from: readonly State[], why: string];

/** Changes that are not allowed: the targets, the states of the payment, and why; `*` is its status. The first match counts. */
const RULES: readonly Rule[] = [
  [UNCAPTURED, [...UNREFUNDED, ...REFUNDED, 'said captured'], 'it was captured'],
  [REFUNDED, ['authorized'], 'nothing was captured'],
  [['refunded'], [...UNREFUNDED, 'partially_refunded'], 'not all of it was refunded'],
  [['partially_refunded'], [...UNREFUNDED, 'refunded'], 'no part of it was refunded'],
  [['captured'], ['refunded'], 'it was refunded'],
  [['captured', 'capture', 'void'], ['said ended', 'said refunded'], 'it is *'],
  [['capture', 'void'], ['said refund_failed'], 'it is *'],
  [['captured', 'capture', 'void', 'begun', 'authorized'], ['voided'], 'it was voided'],
];

/** Why a change of a payment is not allowed; undefined if it is. */
export function problemOf(target: Target, payment: Payment): string | undefined {
  const states = statesOf(payment);
  const [, , why] =
    RULES.find(([to, from]) => to.includes(target) && states.some((state) => from.includes(state))) ?? [];
  return why?.replace('*', () => payment.status);
}

function statesOf(payment: Payment): readonly State[] {
  const { stage, isAssumed, remembered } = payment;
  const states: State[] = isVoided(remembered) ? ['voided', `said ${stage}`] : [`said ${stage}`];
  return isAssumed ? states : [...states, stageBySums({ ...payment, captured: capturedOf(payment) })];
}

/** The stage that follows from the sums of a payment: if the amount is unknown, all of it was captured. */
function stageBySums({ amount, captured, refunded }: Pick<Payment, Sum | 'amount'>): Stage {
  if (refunded.units > 0n)
    return captured && compare(refunded, captured) < 0 ? 'partially_refunded' : 'refunded';
  if (captured?.units === 0n) return 'authorized';
  return amount && captured && compare(captured, amount) < 0 ? 'partially_captured' : 'captured';
}

/** The amount that was certainly captured. */
export function capturedOf({ captured = ZERO, isAssumed }: Payment): Decimal {
  return isAssumed ? ZERO : captured;
}

/**
 * Performs an action on a payment or any other record. A capture and a refund move the amount that the body names, else all that is
 * left; any other action sets its new status, by default the one that follows from the verb, if it has one.
 * @throws HttpError `bad_request` if the state of the record does not allow it; ValidationError for an amount that is not positive,
 * cannot be held or written, is more than what is left, or is in another currency
 */
export function act(
  { verb, newStatus }: { readonly verb: string; readonly newStatus?: string | undefined },
  payment: Payment,
  body: Document,
): Change {
  if (isMove(verb)) return move(verb, payment, body);
  return changeStatus(verb, payment, newStatus ?? statusAfter(verb, payment.schema));
}

function move(verb: Move, payment: Payment, body: Document): Change {
  const sum = MOVES[verb];
  const { limit } = LIMITS[sum];
  const { record, schema, names, remembered } = payment;
  const isCapture = verb === 'capture';
  const before = isCapture ? { ...payment, captured: capturedOf(payment) } : payment;
  const left = before[limit] && minus(before[limit], before[sum] ?? ZERO);
  if (isCapture) requireCapturable(payment, left);
  const amount = amountToMove(verb, payment, { body, left });
  if (!isCapture && !left) return { record, remembered, amount };
  const total = amount && plus(before[sum] ?? ZERO, amount);
  if (total) requireSafe(total);
  const after = { ...before, [sum]: total };
  const isKept = isCapture && payment.refunded.units > 0n;
  const change = written(after, sum, isKept ? undefined : wordFor(stageBySums(after), schema));
  const [name, is] = [names[sum], amountAt(change.record, names[sum])];
  if (name !== undefined && total && (!is || compare(is, total) !== 0)) {
    const msg = `would bring ${name} to ${textOf(total)}, which its schema does not allow`;
    throw refusal(UNNAMED, [msg, 'total_not_taken']);
  }
  return { ...change, amount };
}

function requireCapturable(payment: Payment, left: Decimal | undefined): void {
  requirePossible('capture', 'captured', payment);
  const { stage, status, schema } = payment;
  const isDone = left ? left.units <= 0n : stage === 'captured' || status === wordFor('captured', schema);
  if (isDone) throw refused(`The record cannot be captured, because it is ${status || 'captured'}`);
}

/** The amount that a body names, else all that is left. A negative one would raise what can be captured or refunded. */
function amountToMove(
  verb: Move,
  { record, names }: Payment,
  { body, left }: { readonly body: Document; readonly left: Decimal | undefined },
): Decimal | undefined {
  const requested = requestedIn(body, verb);
  const amount = requested ? positive(requested) : left;
  const [is, other] = [currencyIn(record, names.amount), currencyIn(body, requested?.loc[1])];
  if (is !== undefined && other !== undefined && other.toUpperCase() !== is.toUpperCase())
    throw wrongCurrency(other, is);
  if (left && amount && (amount.units <= 0n || compare(amount, left) > 0)) {
    const most = left.units > 0n ? left : ZERO;
    throw atMost(requested ?? UNNAMED, most, `what can still be ${MOVES[verb]}`);
  }
  return amount;
}

/**
 * Subtracts the amount of a deleted or failed capture or refund from the sums of its payment.
 * @throws HttpError `bad_request` if a capture was refunded, or if the schema has no status for the payment without its refund
 */
export function takeBack(verb: Move, payment: Payment, amount: Decimal): Change {
  const sum = MOVES[verb];
  const { stage, schema } = payment;
  const rest = minus(payment[sum] ?? ZERO, amount);
  const after = { ...payment, [sum]: rest.units > 0n ? rest : ZERO };
  if (verb === 'capture' && after.captured && compare(after.captured, after.refunded) < 0)
    throw refused('The capture cannot be undone, because it was refunded');
  const stages = [stageBySums(after), stageBySums({ ...after, refunded: ZERO })];
  const word = stages.map((one) => wordFor(one, schema)).find((one) => one !== undefined);
  if (stage === 'refunded' && word === undefined)
    throw refused('The refund cannot be undone, because its payment has no status for that');
  const change = written(after, sum, stage.endsWith(sum) ? word : undefined);
  return verb === 'capture' && rest.units <= 0n ? { ...change, remembered: NOTHING_KNOWN } : change;
}

function changeStatus(verb: string, payment: Payment, word: string | undefined): Change {
  const { record, schema, remembered, amount } = payment;
  const stage = stageOf(word ?? '', schema);
  const isVoid = verb === 'void' || verb === 'cancel';
  const target = isVoid ? 'void' : stage;
  if (UNCAPTURED.includes(target)) requirePossible(target, word ?? `${verb}ed`, payment);
  const isSaid = !isVoid || stage === 'ended' || amount === undefined;
  return { record: setStatus(record, word, schema), remembered: isSaid ? remembered : VOIDED };
}

function requirePossible(target: Target, done: string, payment: Payment): void {
  const problem = problemOf(target, payment);
  if (problem !== undefined) throw refused(`The record cannot be ${done}, because ${problem}`);
}
