import { isStatusAfter } from '../../../descriptions/action-words.ts';
import { fitsStage, type Stage, stageNamed } from '../../../descriptions/payment-stages.ts';
import { oncePerObject } from '../../../schemas/memoize.ts';
import { snake } from '../../../schemas/values/names.ts';
import type { Document } from '../overlay.ts';
import type { PreparedSchema } from '../prepared.ts';

/** The names of a member with the status of a record. */
export const STATUS_NAMES: readonly string[] = ['status', 'state'];

/** The name of the member with the status of a record; undefined if there is none. */
export function statusName({ members }: PreparedSchema): string | undefined {
  return STATUS_NAMES.find((name) => members.has(name));
}

/** The values that the status of a record can have. */
export const statusesOf = oncePerObject((schema: PreparedSchema): readonly string[] => {
  const { values = [] } = schema.shapeAt(statusName(schema));
  return values.filter((value) => typeof value === 'string');
});

/** The status of a record as it is written there; empty if it has none. */
export function statusOf(record: Document, schema: PreparedSchema): string {
  const status = record[statusName(schema) ?? ''];
  return typeof status === 'string' ? status : '';
}

/** The status after an action; undefined if the schema has none for it. */
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

/** The stage of a payment with this status. */
export function stageOf(status: string, schema: PreparedSchema): Stage {
  if (status === capturedWord(schema)) return 'captured';
  return stageNamed(status);
}

/** Whether the status of a capture or refund says that it failed or was canceled. */
export function isUndone(status: string): boolean {
  return fitsStage(status, 'ended') || isStatusAfter('reverse', status);
}

/** The status of a payment that was captured: `captured` and the like, else the `succeeded` of one that had to be captured. */
export const capturedWord = oncePerObject((schema: PreparedSchema): string | undefined => {
  const statuses = statusesOf(schema);
  const captured = statusAfter('capture', schema);
  if (captured !== undefined || !statuses.some((one) => fitsStage(one, 'authorized'))) return captured;
  return statuses.find((one) => snake(one) === 'succeeded');
});

/** The status for a stage. If no status means captured, `completed` and the like do. */
export function wordFor(stage: Stage, schema: PreparedSchema): string | undefined {
  const find = (fits: (status: string) => boolean) => statusesOf(schema).find(fits);
  const word = find((one) => stageOf(one, schema) === stage);
  if (word !== undefined || !stage.endsWith('captured')) return word;
  return capturedWord(schema) ?? find((one) => /^(completed?|succeeded|paid)$/.test(snake(one)));
}

/** The status of a new record if the first one of the enumeration says that it failed or was canceled. */
export const statusAtStart = oncePerObject((schema: PreparedSchema): string | undefined => {
  const [first = '', ...others] = statusesOf(schema);
  const { initial } = schema.shapeAt(statusName(schema));
  return initial === undefined && isUndone(first) ? others.find((one) => !isUndone(one)) : undefined;
});
