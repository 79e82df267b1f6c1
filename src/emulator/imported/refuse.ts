import { isObject } from '../../json/is-object.ts';
import { EndlessSchema } from '../../schemas/values/generate.ts';
import { snake } from '../../schemas/values/names.ts';
import { shapeOf } from '../../schemas/values/shape.ts';
import { createRandom } from '../../text/random.ts';
import type { EmulatorResponse } from '../http/response.ts';
import { type Document, firstFitting } from './overlay.ts';
import { type Prepared, PreparedSchema, rooted } from './prepared.ts';

/** What an error of the contract says, or one of its details. */
type Said = {
  readonly code: unknown;
  readonly message: unknown;
  readonly status: number;
  /** The field, and where it is: `body`, `query`, `header`. */
  readonly pointer?: unknown;
  readonly location?: unknown;
  readonly details: readonly Said[];
};

/** An error in the form that the description has for its status; as it is where the description has no schema for that. */
export function asDescribed(response: EmulatorResponse, { refusals }: Prepared): EmulatorResponse {
  const { status } = response;
  const { schema, type } = refusals[status] ?? refusals[`${String(status)[0]}xx`] ?? refusals.default ?? {};
  const described = rooted(schema);
  if (!described || described.members.size === 0) return response;
  const logged = response.body.toString();
  try {
    const error: Document = JSON.parse(logged);
    const own = made(described, saidBy(error, status));
    const whole = isObject(own) ? { ...error, ...own } : own;
    const body = described.accepts(whole) ? whole : own;
    const headers = { ...response.headers, ...(type !== undefined && { 'content-type': type }) };
    return { ...response, body: JSON.stringify(body), logged, headers };
  } catch (error) {
    if (error instanceof EndlessSchema) return response;
    throw error;
  }
}

/** Reads the error object of the contract, the body of a 422, or a detail of one of them. */
function saidBy(
  { code, type, message, msg, pointer, loc, location, details, detail }: Document,
  status: number,
): Said {
  const parts = [details ?? detail ?? []].flat();
  const [place, ...names] = Array.isArray(loc) ? loc : [location];
  return {
    code: code ?? type ?? 'validation_error',
    message: message ?? msg ?? 'The request is not valid',
    status,
    pointer: pointer ?? names.join('.'),
    location: place,
    details: parts.filter(isObject).map((part) => saidBy(part, status)),
  };
}

/** A value of a schema, whose members say what their names mean. */
function made(schema: PreparedSchema, said: Said, depth = 0): unknown {
  const how = { random: createRandom(1, 'error'), atMs: Date.now(), noun: 'error' };
  const value = firstFitting(schema, (isFresh) => schema.generate({ ...how, isFresh }));
  if (!isObject(value)) return schema.accepts(said.message) ? said.message : value;
  const document: Record<string, unknown> = { ...value };
  for (const [name, member] of schema.members) {
    const of = new PreparedSchema(member, schema.root);
    const fits = (one: unknown) => one !== undefined && schema.accepts({ ...document, [name]: one });
    const fitting = valuesFor(snake(name), of, { said, depth }).find(fits);
    if (fitting !== undefined) document[name] = fitting;
  }
  return document;
}

/** A schema may contain itself. */
const DEEPEST = 3;
const STATUS = /^(?:http_?)?status(?:_?code)?$/;
const CODE = /^(?:error_?)?(?:code|type|name)$|^(?:error|issue)$/;
const MESSAGE = /^(?:[a-z]+_)?(?:message|msg|description|details?|title|reason)$/;
const FIELD = /^(?:field|pointer|param|parameter|property|path|source|attribute)(?:_name)?$/;
const PARTS = /^(?:errors?|faults?|details?|issues?|problems?|violations?|invalid_params|messages)$/;

/** The values that a member of this name may have, the best first. */
function valuesFor(
  name: string,
  schema: PreparedSchema,
  { said, depth }: { readonly said: Said; readonly depth: number },
): readonly unknown[] {
  const { code, message, status, pointer, location, details } = said;
  const inner = () => {
    const { items, members } = shapeOf(schema);
    const part = new PreparedSchema(items, schema.root);
    const parts = details.length > 0 ? details : [said];
    if (items !== undefined) return [parts.map((one) => made(part, one, depth + 1))];
    return members.size > 0 ? [made(schema, said, depth + 1)] : [];
  };
  return [
    ...(STATUS.test(name) ? [status, String(status)] : []),
    ...(PARTS.test(name) && depth < DEEPEST ? inner() : []),
    ...(CODE.test(name) ? [code, status, String(status)] : []),
    ...(MESSAGE.test(name) ? [message] : []),
    ...(FIELD.test(name) ? [pointer] : []),
    ...(name === 'location' || name === 'in' ? [location] : []),
  ];
}
