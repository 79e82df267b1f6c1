import { definitionName } from '../../descriptions/schema-at.ts';
import { generate } from '../../descriptions/values/generate.ts';
import type { Shape } from '../../descriptions/values/shape.ts';
import { parseKeepingNumbers } from '../../json/exact.ts';
import { isObject } from '../../json/is-object.ts';
import { createRandom } from '../../text/random.ts';
import type { EmulatorResponse } from '../http/response.ts';
import type { OperationRequest } from './call.ts';
import { filled } from './defaults.ts';
import { type Document, overlay } from './overlay.ts';
import type { Prepared, PreparedSchema } from './prepared.ts';

/**
 * Adapts a stored document to the response of an operation. It stays as it is if the response has the schema of the record, goes into
 * a member if the response has one for it, and is otherwise reduced to the members that fit.
 */
export function present(document: string, answer: PreparedSchema, schema: PreparedSchema): string {
  if (isRecord(answer, schema)) return document;
  const wrapper = wrapperOf(answer, schema);
  if (wrapper === undefined && answer.accepts(JSON.parse(document))) return document;
  return adapted(document, answer, (record) => (wrapper === undefined ? record : { [wrapper]: record }));
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

/** Whether a response is the record: it has its schema, or is a union with a branch that has. */
function isRecord({ name, schema }: PreparedSchema, { name: record }: PreparedSchema): boolean {
  if (record === undefined) return false;
  const { anyOf, oneOf } = isObject(schema) ? schema : {};
  const branches: readonly unknown[] = [anyOf ?? [], oneOf ?? []].flat();
  return name === record || branches.some((one) => isObject(one) && definitionName(one.$ref) === record);
}

/** Members of a response that say that a record was deleted. */
const DELETED = ['deleted', 'is_deleted', 'isDeleted', 'removed', 'success'];

/**
 * Adapts a deleted document to the response of the operation that deleted it: a response with another schema than the record holds
 * only the members that it names, and says that the record is deleted where it has a member for that.
 */
export function presentDeleted(document: string, answer: PreparedSchema, schema: PreparedSchema): string {
  if (isRecord(answer, schema) || answer.members.size === 0 || wrapperOf(answer, schema)) {
    return present(document, answer, schema);
  }
  const said = DELETED.filter((name) => answer.members.has(name) && !schema.members.has(name));
  const marks = Object.fromEntries(said.map((name) => [name, true]));
  return adapted(document, answer, (record) => ({ ...record, ...marks }));
}

/** A generated response, which is the same for the same record, with what is given of the record as far as it fits. */
function adapted(document: string, answer: PreparedSchema, given: (record: Document) => Document): string {
  const made = answer.generate({
    random: createRandom(1, document.slice(0, 200)),
    atMs: Date.now(),
    noun: 'answer',
    isFresh: true,
  });
  const record: unknown = parseKeepingNumbers(document);
  const isWhole = isObject(made) && isObject(record);
  return JSON.stringify(isWhole ? overlay(made, given(record), answer) : made);
}

/** The member of a response whose schema has the name of that of the record. */
function wrapperOf({ members }: PreparedSchema, { name }: PreparedSchema): string | undefined {
  if (name === undefined) return undefined;
  return [...members].find(([, one]) => isObject(one) && one.$ref === `#/$defs/${name}`)?.[0];
}
