import { isObject, own } from '../json/is-object.ts';
import { definitionName } from './schema-at.ts';
import type { Definitions, Schema } from './schema-keywords.ts';

/** The number of passes over all definitions. Schemas that are nested deeper are not reported. */
const MOST_ROUNDS = 60;

/**
 * The definitions that no finite value fits, because each value must contain another one of the same kind: a member that is
 * required, or an element where there must be one. They come in the order of the definitions.
 */
export function endlessDefinitions(definitions: Definitions): readonly string[] {
  const endless = new Set(definitions.keys());
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const before = endless.size;
    for (const name of endless) if (mayEnd(definitions.get(name)?.schema, endless)) endless.delete(name);
    if (endless.size === before) return [...endless];
  }
  return [];
}

/** Whether a finite value fits a schema, given the definitions that are known to have one. */
function mayEnd(schema: Schema | undefined, endless: ReadonlySet<string>): boolean {
  if (!isObject(schema)) return true;
  const { $ref: reference, allOf, anyOf, oneOf } = schema;
  if (endless.has(definitionName(reference) ?? '')) return false;
  const ends = (part: unknown) => mayEnd(part as Schema, endless);
  if (Array.isArray(allOf) && !allOf.every(ends)) return false;
  for (const choices of [anyOf, oneOf]) {
    if (Array.isArray(choices) && choices.length > 0 && !choices.some(ends)) return false;
  }
  return typesOf(schema).some((type) => {
    if (type === 'object') return requiredMembers(schema).every(ends);
    if (type !== 'array') return true;
    return !(typeof schema.minItems === 'number' && schema.minItems > 0) || ends(schema.items);
  });
}

/** A schema with members or elements and without a type is an object or an array. */
function typesOf({ type, properties, items, enum: values }: Readonly<Record<string, unknown>>): unknown[] {
  if (Array.isArray(values)) return [undefined];
  if (type !== undefined) return [type].flat();
  if (isObject(properties)) return ['object'];
  return [isObject(items) ? 'array' : undefined];
}

function requiredMembers({ properties, required }: Readonly<Record<string, unknown>>): readonly unknown[] {
  if (!isObject(properties) || !Array.isArray(required)) return [];
  return required.map((name) => own(properties, name));
}
