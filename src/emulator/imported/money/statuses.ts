import { oncePerObject } from '../../../descriptions/values/memoize.ts';
import { snake } from '../../../descriptions/values/names.ts';
import { shapeOf } from '../../../descriptions/values/shape.ts';
import { own } from '../../../json/is-object.ts';
import type { Document } from '../overlay.ts';
import type { PreparedSchema } from '../prepared.ts';

/** The name of the member with the status of a record; undefined if there is none. */
export function statusName({ members }: PreparedSchema): string | undefined {
  return ['status', 'state'].find((name) => members.has(name));
}

/** The values that the status of a record can have. */
export const statusesOf = oncePerObject((schema: PreparedSchema): readonly string[] => {
  const { values = [] } = shapeOf({
    schema: schema.members.get(statusName(schema) ?? ''),
    root: schema.root,
  });
  return values.filter((value) => typeof value === 'string');
});

/** The status of a record as it is written there; empty if it has none. */
export function statusOf(record: Document, schema: PreparedSchema): string {
  const name = statusName(schema);
  const status = name === undefined ? undefined : record[name];
  return typeof status === 'string' ? status : '';
}

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

function participles(verb: string): readonly string[] {
  const regular = /[^aeiou]y$/.test(verb) ? verb.replace(/y$/, 'ied') : `${verb.replace(/e$/, '')}ed`;
  return own(IRREGULAR, verb) ?? [regular];
}

/** Whether a status says that an action has happened: `captured`, `capture_succeeded` and `authorization_voided` are understood. */
export function isStatusAfter(verb: string, status: string): boolean {
  const [plain, done] = [snake(status), snake(verb)];
  if (/^partial(ly)?_/.test(plain)) return false;
  return (
    plain === `${done}_succeeded` ||
    participles(done).some((word) => plain === word || plain.endsWith(`_${word}`))
  );
}

/** The status that an action leads to; undefined if the schema has none. */
export function statusAfter(verb: string, schema: PreparedSchema): string | undefined {
  return statusesOf(schema).find((status) => isStatusAfter(verb, status));
}

/** The members with the times at which a record got its statuses, such as `captured_at`. */
export const timesOf = oncePerObject((schema: PreparedSchema) => {
  const names = new Map([...schema.members.keys()].map((name) => [snake(name), name]));
  return statusesOf(schema).flatMap((word) => {
    const name = names.get(`${snake(word)}_at`);
    return name === undefined ? [] : [{ word, name }];
  });
});

/** Actions that move money or end a payment, which have rules. */
const RULED = ['capture', 'refund', 'void', 'cancel'];

/** The verb of an action on a record: `refund` for `refunds`, `refund-payment` and `partial-refund`, too. */
export function actionVerb(word: string, noun: string): string {
  const plain = snake(word).replace(/^(full|partial)_/, '');
  const bare = plain.endsWith(`_${noun}`) ? plain.slice(0, -noun.length - 1) : plain;
  const verb = bare.replace(/^cancell?ations?$/, 'cancel');
  return RULED.find((one) => verb === one || verb === `${one}s`) ?? word;
}

/**
 * What the statuses of payments say about their money; the first that fits counts. `ended` without a capture; a refund that is pending or
 * failed is one of a captured payment; `other` says nothing.
 */
const STAGES = {
  partially_captured: /^partial(ly)?_capture/,
  partially_refunded: /^partial(ly)?_refund/,
  other: /^partial(ly)?_/,
  refunded: /(^|_)refunded$|^refund_succeeded$/,
  captured: /(^|_)captured$|^capture_succeeded$|refund/,
  authorized: /(^|_)authorized$|^authoriz(e|ation)_succeeded$|^requires_capture$/,
  ended:
    /(^|_)(voided|cancell?ed|expired|declined|failed|rejected)$|^(void|cancel|expire|decline|fail|reject)_succeeded$/,
  begun: /^(pending|processing|created|initiated|new)$|^requires_/,
};

/** What the status of a payment says about its money. */
export type Stage = keyof typeof STAGES;

const STAGE_NAMES = Object.keys(STAGES) as readonly Stage[];

/** What a status says about the money of a payment. */
export function stageOf(status: string, schema: PreparedSchema): Stage {
  if (status === capturedWord(schema)) return 'captured';
  const plain = snake(status);
  return STAGE_NAMES.find((stage) => STAGES[stage].test(plain)) ?? 'other';
}

/** Whether the status of a capture or refund says that it failed or was canceled. */
export function isUndone(status: string): boolean {
  return STAGES.ended.test(snake(status)) || isStatusAfter('reverse', status);
}

/** The status of a payment that was captured: `captured` and the like, else the `succeeded` of one that had to be captured. */
export const capturedWord = oncePerObject((schema: PreparedSchema): string | undefined => {
  const statuses = statusesOf(schema);
  const captured = statusAfter('capture', schema);
  if (captured !== undefined || !statuses.some((one) => STAGES.authorized.test(snake(one)))) return captured;
  return statuses.find((one) => snake(one) === 'succeeded');
});

/** The status that says a stage. Where no word says that a payment was captured, `completed` and the like do. */
export function wordFor(stage: Stage, schema: PreparedSchema): string | undefined {
  const find = (fits: (status: string) => boolean) => statusesOf(schema).find(fits);
  const word = stage === 'captured' ? capturedWord(schema) : find((one) => stageOf(one, schema) === stage);
  if (word !== undefined || !stage.endsWith('captured')) return word;
  return capturedWord(schema) ?? find((one) => /^(completed?|succeeded|paid)$/.test(snake(one)));
}

/** The status of a new record if the first one of the enumeration says that it failed or was canceled. */
export const statusAtStart = oncePerObject((schema: PreparedSchema): string | undefined => {
  const [first = '', ...others] = statusesOf(schema);
  const { initial } = shapeOf({ schema: schema.members.get(statusName(schema) ?? ''), root: schema.root });
  return initial === undefined && isUndone(first) ? others.find((one) => !isUndone(one)) : undefined;
});
