import { isObject, own } from '../json/is-object.ts';
import type { ImportedOperation } from './imported-operation.ts';
import { definitionName } from './schema-at.ts';

/** A schema and the names of the definitions that it refers to. */
export type DefinedSchema = { readonly schema: unknown; readonly references: Iterable<string> };

/** An operation whose schemas refer to definitions that are stored separately. */
export type OperationParts = {
  readonly operation: ImportedOperation;
  readonly request?: DefinedSchema | undefined;
  readonly response?: DefinedSchema | undefined;
};

/** Finds a definition by its name. */
export type FindDefinition = (name: string) => DefinedSchema | undefined;

/**
 * Adds the schemas of an operation, each with everything that it refers to below `$defs`. A body needs no member that is marked
 * `readOnly`.
 */
export function completeOperation(
  { operation, request, response }: OperationParts,
  find: FindDefinition,
): ImportedOperation {
  return {
    ...operation,
    ...(request && { requestSchema: withoutReadOnly(withDefinitions(request, find)) }),
    ...(response && { responseBodySchema: withDefinitions(response, find) }),
  };
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

function withoutReadOnly(whole: unknown): unknown {
  const definitions = isObject(whole) && isObject(whole.$defs) ? whole.$defs : {};
  const isReadOnly = (schema: unknown): boolean => {
    if (!isObject(schema)) return false;
    if (schema.readOnly === true) return true;
    const target = own(definitions, definitionName(schema.$ref));
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
