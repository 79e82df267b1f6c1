import { isObject } from '../json/is-object.ts';
import type { ConvertedSchema } from '../schemas/definitions.ts';
import { isMarked, mapParts } from '../schemas/schema-at.ts';
import type { ImportedOperation } from './imported-operation.ts';

/** An operation, with schemas that refer to definitions which are kept apart. */
export type OperationRecord = {
  readonly operation: ImportedOperation;
  /** The schemas of its body, and of its `otherBodies` in their order. */
  readonly requests: readonly (ConvertedSchema | null)[];
  readonly response: ConvertedSchema | null;
  readonly refusals?: Refusals;
};

/** The schemas of error responses by their status (`404`, `4xx`, `default`), with the media type unless it is `application/json`. */
export type Refusals = Readonly<Record<string, ConvertedSchema & { readonly type?: string }>>;

/** Which schemas of an operation to read; by default both. */
export type SchemaSelection = { readonly request?: boolean; readonly response?: boolean };

/**
 * Adds the schemas of an operation, each with everything that it refers to below `$defs`. A body needs no member that is marked
 * `readOnly`.
 */
export function completeOperation(
  record: OperationRecord,
  find: (name: string) => ConvertedSchema | undefined,
  { request = true, response = true }: SchemaSelection = {},
): ImportedOperation {
  const requestSchema = (one: ConvertedSchema) => {
    const body = withDefinitions(one, find);
    return withoutReadOnly(body, body);
  };
  const selected = { ...record, ...(!request && { requests: [] }), ...(!response && { response: null }) };
  return withSchemas(selected, requestSchema, (one) => withDefinitions(one, find));
}

type Complete = (schema: ConvertedSchema) => unknown;

function withSchemas(
  { operation, requests, response }: OperationRecord,
  ofRequest: Complete,
  ofResponse: Complete,
): ImportedOperation {
  const [own, ...others] = requests.map((one) => (one ? { requestSchema: ofRequest(one) } : {}));
  const { otherBodies } = operation;
  return {
    ...operation,
    ...own,
    ...(otherBodies && { otherBodies: otherBodies.map((form, index) => ({ ...form, ...others[index] })) }),
    ...(response && { responseBodySchema: ofResponse(response) }),
  };
}

/** An operation with the schemas of its error responses. */
export type RefusingOperation = ImportedOperation & {
  readonly refusals?: Readonly<Record<string, { readonly schema: unknown; readonly type?: string }>>;
};

/**
 * As `completeOperation`, for many operations: their schemas share `$defs`, which has all definitions of the description, each read
 * when it is first needed.
 */
export function shareDefinitions(
  names: readonly string[],
  find: (name: string) => unknown,
): (record: OperationRecord) => RefusingOperation {
  const all = lazyMembers(names, find);
  const ofRequests = lazyMembers(names, (name) => withoutReadOnly(all[name], { $defs: all }));
  const sharing = (schema: unknown, $defs: unknown) => (isObject(schema) ? { ...schema, $defs } : schema);
  const ofRequest: Complete = ({ schema }) => sharing(withoutReadOnly(schema, { $defs: all }), ofRequests);
  const refusal = ([status, one]: readonly [string, Refusals[string]]) =>
    [status, { ...one, schema: sharing(one.schema, all) }] as const;
  return (record) => ({
    ...withSchemas(record, ofRequest, ({ schema }) => sharing(schema, all)),
    ...(record.refusals && {
      refusals: Object.fromEntries(Object.entries(record.refusals).map(refusal)),
    }),
  });
}

/** An object with members of these names, each created when it is first read. */
function lazyMembers<T>(names: readonly string[], make: (name: string) => T): Readonly<Record<string, T>> {
  const members: Record<string, T> = {};
  for (const name of names) {
    const get = (): T => {
      const value = make(name);
      Object.defineProperty(members, name, { value, enumerable: true });
      return value;
    };
    Object.defineProperty(members, name, { get, enumerable: true, configurable: true });
  }
  return members;
}

function withDefinitions(
  { schema, references }: ConvertedSchema,
  find: (name: string) => ConvertedSchema | undefined,
): unknown {
  const definitions = new Map<string, unknown>();
  const waiting = [...references];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const found = definitions.has(name) ? undefined : find(name);
    if (!found) continue;
    definitions.set(name, found.schema);
    waiting.push(...found.references);
  }
  if (definitions.size === 0 || !isObject(schema)) return schema;
  return { ...schema, $defs: Object.fromEntries(definitions) };
}

function withoutReadOnly(schema: unknown, root: unknown): unknown {
  if (!isObject(schema)) return schema;
  const { properties, required } = schema;
  const isNeeded = (name: string) =>
    !(
      isObject(properties) &&
      Object.hasOwn(properties, name) &&
      isMarked(properties[name], root, 'readOnly')
    );
  return {
    ...mapParts(schema, (part) => withoutReadOnly(part, root)),
    ...(Array.isArray(required) && { required: required.filter(isNeeded) }),
  };
}
