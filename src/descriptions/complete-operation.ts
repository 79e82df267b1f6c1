import { isObject, own } from '../json/is-object.ts';
import type { ImportedOperation } from './imported-operation.ts';
import { lazyMembers } from './lazy-members.ts';
import { definitionName } from './schema-at.ts';

/** A schema and the names of the definitions that it refers to. */
export type DefinedSchema = { readonly schema: unknown; readonly references: Iterable<string> };

/** An operation whose schemas refer to definitions that are stored separately. */
export type OperationParts = {
  readonly operation: ImportedOperation;
  readonly request?: DefinedSchema | undefined;
  /** Those of `otherBodies`, in their order. */
  readonly otherRequests?: readonly (DefinedSchema | null | undefined)[] | undefined;
  readonly response?: DefinedSchema | undefined;
};

/** Finds a definition by its name. */
export type FindDefinition = (name: string) => DefinedSchema | undefined;

/**
 * Adds the schemas of an operation, each with everything that it refers to below `$defs`. A body needs no member that is marked
 * `readOnly`.
 */
export function completeOperation(
  { operation, request, otherRequests, response }: OperationParts,
  find: FindDefinition,
): ImportedOperation {
  const requestSchema = (one: DefinedSchema) => {
    const body: unknown = withDefinitions(one, find);
    const { $defs = {} } = isObject(body) ? body : {};
    return withoutReadOnly(body, $defs);
  };
  return {
    ...withBodies(operation, { request, otherRequests }, requestSchema),
    ...(response && { responseBodySchema: withDefinitions(response, find) }),
  };
}

/** An operation with the schemas of its bodies. */
function withBodies(
  operation: ImportedOperation,
  { request, otherRequests }: Pick<OperationParts, 'request' | 'otherRequests'>,
  requestSchema: (one: DefinedSchema) => unknown,
): ImportedOperation {
  const otherBodies =
    otherRequests &&
    operation.otherBodies?.map((form, index) => {
      const schema = otherRequests[index];
      return schema ? { ...form, requestSchema: requestSchema(schema) } : form;
    });
  return {
    ...operation,
    ...(request && { requestSchema: requestSchema(request) }),
    ...(otherBodies && { otherBodies }),
  };
}

/**
 * As `completeOperation`, for many operations: their schemas share `$defs`, which has all definitions of the description, each read
 * when it is first needed.
 */
export function shareDefinitions(
  names: readonly string[],
  find: (name: string) => unknown,
): (parts: OperationParts) => ImportedOperation {
  const all = lazyMembers(names, find);
  const ofRequests = lazyMembers(names, (name) => withoutReadOnly(all[name], all));
  const sharing = (schema: unknown, $defs: unknown) => (isObject(schema) ? { ...schema, $defs } : schema);
  const requestSchema = ({ schema }: DefinedSchema) => sharing(withoutReadOnly(schema, all), ofRequests);
  return ({ operation, request, otherRequests, response }) => ({
    ...withBodies(operation, { request, otherRequests }, requestSchema),
    ...(response && { responseBodySchema: sharing(response.schema, all) }),
  });
}

function withDefinitions({ schema, references }: DefinedSchema, find: FindDefinition): unknown {
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

function withoutReadOnly(whole: unknown, definitions: unknown): unknown {
  const isReadOnly = (schema: unknown): boolean => {
    if (!isObject(schema)) return false;
    if (schema.readOnly === true) return true;
    const target = isObject(definitions) ? own(definitions, definitionName(schema.$ref)) : undefined;
    return isObject(target) && target.readOnly === true;
  };
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (!isObject(value)) return value;
    const { properties, required } = value;
    const members = Object.entries(value).map(([name, part]) => [name, visit(part)]);
    if (!isObject(properties) || !Array.isArray(required)) return Object.fromEntries(members);
    const needed = required.filter(
      (name) => !(Object.hasOwn(properties, name) && isReadOnly(properties[name])),
    );
    return { ...Object.fromEntries(members), required: needed };
  };
  return visit(whole);
}
