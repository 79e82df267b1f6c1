import { oncePerObject } from '../../descriptions/values/memoize.ts';
import { snake } from '../../descriptions/values/names.ts';
import { shapeOf } from '../../descriptions/values/shape.ts';
import { isObject, own } from '../../json/is-object.ts';
import type { PreparedSchema } from './prepared.ts';

/** Irregular participles, and statuses that have another word. */
const IRREGULAR: Readonly<Record<string, readonly string[]>> = {
  cancel: ['canceled', 'cancelled'],
  submit: ['submitted'],
  send: ['sent'],
  pay: ['paid'],
  hold: ['held'],
  withdraw: ['withdrawn'],
  win: ['won'],
  lose: ['lost'],
  stop: ['stopped'],
  activate: ['activated', 'active'],
  deactivate: ['deactivated', 'inactive'],
  complete: ['completed', 'complete'],
  open: ['opened', 'open'],
  reopen: ['reopened', 'open'],
};

/** The statuses after an action: `captured` for `capture`. */
function participles(verb: string): readonly string[] {
  const known = own(IRREGULAR, verb);
  if (known) return known;
  if (verb.endsWith('e')) return [`${verb}d`];
  return /[^aeiou]y$/.test(verb) ? [verb.replace(/y$/, 'ied')] : [`${verb}ed`];
}

/** The name of the member with the status of a record; undefined if there is none. */
export function statusName({ members }: PreparedSchema): string | undefined {
  return ['status', 'state'].find((name) => members.has(name));
}

/** The values that the status of a record can have. */
export const statusesOf = oncePerObject((schema: PreparedSchema): readonly string[] => {
  const name = statusName(schema);
  if (name === undefined) return [];
  const { values = [] } = shapeOf({ schema: schema.members.get(name), root: schema.root });
  return values.filter((value) => typeof value === 'string');
});

/** The status that an action leads to: `captured`, `capture_succeeded` and `authorization_voided` are understood. */
export function statusAfter(verb: string, statuses: readonly string[]): string | undefined {
  return statuses.find((status) => isStatusAfter(verb, status));
}

/** Whether a status says that an action has happened. */
export function isStatusAfter(verb: string, status: string): boolean {
  const plain = snake(status);
  if (/^partial(ly)?_/.test(plain)) return false;
  const words = participles(snake(verb));
  return (
    plain === `${snake(verb)}_succeeded` || words.some((word) => plain === word || plain.endsWith(`_${word}`))
  );
}

/** The status of a payment of which a part was captured or refunded; undefined if the schema has none. */
export function statusOfPart(verb: 'capture' | 'refund', schema: PreparedSchema): string | undefined {
  return statusesOf(schema).find((status) => isPartAfter(verb, status));
}

const PART = { capture: /^partial(ly)?_capture/, refund: /^partial(ly)?_refund/ } as const;

/** Whether a status says that a part of a payment was captured or refunded: `partially_captured`, `PARTIAL_REFUND`. */
export function isPartAfter(verb: 'capture' | 'refund', status: string): boolean {
  return PART[verb].test(snake(status));
}

/** The status of a payment that was captured: `captured` and the like, else the `succeeded` of one that had to be captured. */
export const statusOfCaptured = oncePerObject((schema: PreparedSchema): string | undefined => {
  const statuses = statusesOf(schema);
  const isPayment = statuses.some(
    (one) => snake(one) === 'requires_capture' || isStatusAfter('authorize', one),
  );
  const succeeded = isPayment ? statuses.find((one) => snake(one) === 'succeeded') : undefined;
  return statusAfter('capture', statuses) ?? succeeded;
});

/** The status that a capture leads to: also `completed` and the like, where no word says that it was captured. */
export function statusAfterCapture(schema: PreparedSchema): string | undefined {
  const done = /^(completed?|succeeded|paid)$/;
  return statusOfCaptured(schema) ?? statusesOf(schema).find((one) => done.test(snake(one)));
}

/** Whether a status says that a payment was captured. */
export function isCaptured(status: string, schema: PreparedSchema): boolean {
  return isStatusAfter('capture', status) || (status !== '' && status === statusOfCaptured(schema));
}

const ENDS = ['void', 'cancel', 'expire', 'refund', 'decline', 'fail', 'reject'];

/** Whether nothing can be captured any more. */
export function hasEnded(status: string): boolean {
  return isAfterAny(ENDS, status);
}

const UNDONE = ['void', 'cancel', 'expire', 'decline', 'fail', 'reject', 'reverse'];

/** Whether the status of a capture or refund says that it failed or was canceled. */
export function isUndone(status: string): boolean {
  return isAfterAny(UNDONE, status);
}

function isAfterAny(verbs: readonly string[], status: string): boolean {
  return verbs.some((verb) => isStatusAfter(verb, status)) || snake(status).endsWith('_failed');
}

/** The status of a new record if the first one of the enumeration says that it failed or was canceled. */
export const statusAtStart = oncePerObject((schema: PreparedSchema): string | undefined => {
  const statuses = statusesOf(schema);
  const { initial } = shapeOf({ schema: schema.members.get(statusName(schema) ?? ''), root: schema.root });
  const isLost = initial === undefined && isUndone(statuses[0] ?? '');
  return isLost ? statuses.find((one) => !isUndone(one)) : undefined;
});

/** The status of a payment that waits for its capture. */
export function statusOfAuthorized(schema: PreparedSchema): string | undefined {
  const statuses = statusesOf(schema);
  return (
    statusAfter('authorize', statuses) ??
    statuses.find((one) => ['authorization_succeeded', 'requires_capture'].includes(snake(one)))
  );
}

const BEFORE = new Set([
  ...['pending', 'processing', 'created', 'initiated', 'new'],
  'authorization_succeeded',
]);

/** Whether a status says that nothing was captured: a payment that is authorized, voided, failed or has only begun. */
export function isBeforeCapture(status: string): boolean {
  const plain = snake(status);
  if (/refund/.test(plain)) return false;
  return (
    BEFORE.has(plain) ||
    plain.startsWith('requires_') ||
    isStatusAfter('authorize', status) ||
    hasEnded(status)
  );
}

/** Actions that move money or end a payment, which have rules. */
const RULED = ['capture', 'refund', 'void', 'cancel'];

/** The verb of an action on a record: `refund` for `refunds`, `refund-payment` and `partial-refund`, too. */
export function actionVerb(word: string, noun: string): string {
  const plain = snake(word).replace(/^(full|partial)_/, '');
  const bare = plain.endsWith(`_${noun}`) ? plain.slice(0, -noun.length - 1) : plain;
  const verb = bare.replace(/^cancell?ations?$/, 'cancel');
  return RULED.find((one) => verb === one || verb === `${one}s`) ?? word;
}

/** The status of a record as it is written there; empty if it has none. */
export function statusOf(record: unknown, schema: PreparedSchema): string {
  const name = statusName(schema);
  const status = isObject(record) && name !== undefined ? record[name] : undefined;
  return typeof status === 'string' ? status : '';
}
