import { parseKeepingNumbers } from '../../json/exact.ts';
import { isObject } from '../../json/is-object.ts';
import { definitionName } from '../../schemas/schema-at.ts';
import { createRandom } from '../../text/random.ts';
import type { EmulatorResponse } from '../http/response.ts';
import { completed } from './members.ts';
import { type Document, firstFitting, overlay, withValueAt } from './overlay.ts';
import type { Prepared, PreparedSchema } from './prepared.ts';
import type { Records } from './records.ts';

/** A record with the schema of its kind. */
type Shown = {
  readonly stored: { readonly document: string };
  readonly schema: PreparedSchema;
  readonly isDeleted?: boolean;
  /** What the request for a new record sent. */
  readonly sent?: Document;
};

/** Members of a response that say that a record was deleted. */
const DELETED = ['deleted', 'is_deleted', 'isDeleted', 'removed', 'success'];

/**
 * Adapts a stored document to the response of an operation. It stays as it is if the response has the schema of the record, goes into
 * a member if the response has one for it, and is otherwise reduced to the members that fit. A response to a deletion with another
 * schema says that the record is deleted where it has a member for that.
 */
export function present(
  { stored, schema, isDeleted = false, sent }: Shown,
  response: PreparedSchema,
): string {
  const { document } = stored;
  const { name: record } = schema;
  if (isRecord(response, record)) return document;
  const isMember = ([, one]: readonly [string, unknown]) => isObject(one) && one.$ref === `#/$defs/${record}`;
  const [wrapper] = (record !== undefined && [...response.members].find(isMember)) || [];
  const isOutcome = isDeleted && response.members.size > 0;
  const parsed: unknown = parseKeepingNumbers(document);
  const value = sent && isObject(parsed) ? { ...sent, ...parsed } : parsed;
  if (wrapper === undefined && !isOutcome && response.accepts(value))
    return sent ? JSON.stringify(value) : document;
  const said = DELETED.filter((name) => isOutcome && response.members.has(name) && !schema.members.has(name));
  const marks = Object.fromEntries(said.map((name) => [name, true]));
  // It is the same for the same record.
  const random = createRandom(1, document.slice(0, 200));
  const how = { random, atMs: Date.now(), noun: 'response' };
  const given = wrapper === undefined ? { ...(value as object), ...marks } : { ...sent, [wrapper]: parsed };
  const made = firstFitting(response, (isFresh) => {
    const one = response.generate({ ...how, isFresh });
    return isObject(one) && isObject(value) ? overlay(one, given, response) : one;
  });
  return JSON.stringify(made);
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
  response: EmulatorResponse,
  { prepared, records }: { readonly prepared: Prepared; readonly records: Records },
): EmulatorResponse {
  const { wrapper, operation } = prepared;
  const path = operation.record?.response?.split('.');
  if (!wrapper || !path || response.status >= 400 || response.body.length === 0) return response;
  const record = parseKeepingNumbers(response.body.toString());
  const facts = { random: records.randomAt(operation.id), atMs: records.endMs };
  const made = wrapper.generate({ ...facts, noun: 'response', isFresh: true });
  return { ...response, body: JSON.stringify(withValueAt(made, path, record)) };
}

/**
 * A response of payctl's own contract with the members that the description requires in addition, which are the same for the same response.
 * Members of the contract do not change.
 */
export function withRequired(
  response: EmulatorResponse,
  { wrapper, response: described }: Prepared,
  atMs: number,
): EmulatorResponse {
  const whole = wrapper ?? described;
  const text = response.body.toString();
  if (!whole || text === '' || whole.accepts(JSON.parse(text))) return response;
  return { ...response, body: JSON.stringify(completed(parseKeepingNumbers(text), whole, { atMs })) };
}
