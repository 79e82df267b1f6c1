import { definitionName } from '../../descriptions/schema-at.ts';
import { generate } from '../../descriptions/values/generate.ts';
import type { Shape } from '../../descriptions/values/shape.ts';
import { parseKeepingNumbers } from '../../json/exact.ts';
import { isObject } from '../../json/is-object.ts';
import { createRandom } from '../../text/random.ts';
import type { EmulatorResponse } from '../http/response.ts';
import type { OperationRequest } from './call.ts';
import { filled } from './members.ts';
import { overlay } from './overlay.ts';
import type { Prepared, PreparedSchema } from './prepared.ts';

/** A record after a change, with the schema of its kind. */
export type Changed = {
  readonly document: string;
  readonly schema: PreparedSchema;
  readonly isDeleted?: boolean;
};

/** Members of a response that say that a record was deleted. */
const DELETED = ['deleted', 'is_deleted', 'isDeleted', 'removed', 'success'];

/**
 * Adapts a stored document to the response of an operation. It stays as it is if the response has the schema of the record, goes into
 * a member if the response has one for it, and is otherwise reduced to the members that fit. A response to a deletion with another
 * schema says that the record is deleted where it has a member for that.
 */
export function present({ document, schema, isDeleted = false }: Changed, answer: PreparedSchema): string {
  const { name: record } = schema;
  if (isRecord(answer, record)) return document;
  const isMember = ([, one]: readonly [string, unknown]) => isObject(one) && one.$ref === `#/$defs/${record}`;
  const [wrapper] = (record !== undefined && [...answer.members].find(isMember)) || [];
  const isMarked = isDeleted && wrapper === undefined && answer.members.size > 0;
  if (wrapper === undefined && !isMarked && answer.accepts(JSON.parse(document))) return document;
  const said = isMarked
    ? DELETED.filter((name) => answer.members.has(name) && !schema.members.has(name))
    : [];
  const marks = Object.fromEntries(said.map((name) => [name, true]));
  // It is the same for the same record.
  const random = createRandom(1, document.slice(0, 200));
  const made = answer.generate({ random, atMs: Date.now(), noun: 'answer', isFresh: true });
  const value: unknown = parseKeepingNumbers(document);
  if (!isObject(made) || !isObject(value)) return JSON.stringify(made);
  const given = wrapper === undefined ? { ...value, ...marks } : { [wrapper]: value };
  return JSON.stringify(overlay(made, given, answer));
}

/** Whether a response is the record: it has the schema of this name, or is a union with a branch that has. */
function isRecord({ name, schema }: PreparedSchema, record: string | undefined): boolean {
  if (record === undefined) return false;
  const { anyOf, oneOf } = isObject(schema) ? schema : {};
  const branches: readonly unknown[] = [anyOf ?? [], oneOf ?? []].flat();
  return name === record || branches.some((one) => isObject(one) && definitionName(one.$ref) === record);
}

/** Puts the record of a response into its member, with the other members that the schema requires. */
export function inWrapper(
  answer: EmulatorResponse,
  { prepared, records }: OperationRequest,
): EmulatorResponse {
  const { wrapper, operation } = prepared;
  const path = operation.record?.response?.split('.');
  if (!wrapper || !path || answer.status >= 400 || answer.body.length === 0) return answer;
  const record = parseKeepingNumbers(answer.body.toString());
  const facts = { random: records.randomAt(operation.id), atMs: records.endMs };
  const made = wrapper.generate({ ...facts, noun: 'response', isFresh: true });
  return { ...answer, body: JSON.stringify(put(made, path, record)) };
}

function put(value: unknown, [name, ...inner]: readonly string[], record: unknown): unknown {
  if (name === undefined) return record;
  const members = isObject(value) ? value : {};
  return { ...members, [name]: put(members[name], inner, record) };
}

/**
 * A response of payctl's own contract with the members that the description requires in addition, which are the same for the same response.
 * Members of the contract do not change.
 */
export function withRequired(
  answer: EmulatorResponse,
  { wrapper, response }: Prepared,
  atMs: number,
): EmulatorResponse {
  const whole = wrapper ?? response;
  const text = answer.body.toString();
  if (!whole || text === '' || whole.accepts(JSON.parse(text))) return answer;
  const random = createRandom(1, text.slice(0, 200));
  const { root } = whole;
  const required = ({ members, required: names }: Shape, value: object) =>
    [...names].flatMap((name): [string, unknown][] => {
      if (Object.hasOwn(value, name) || !members.has(name)) return [];
      const schema = members.get(name);
      return [[name, generate(schema, { root, random, atMs, noun: 'record', isFresh: true }, name)]];
    });
  return { ...answer, body: JSON.stringify(filled(parseKeepingNumbers(text), whole, required)) };
}
