import { isObject } from '../json/is-object.ts';
import type { Schema } from './schema-at.ts';
import { NOT_CHECKED } from './schema-loops.ts';
import { isPattern } from './within-time.ts';

/** Whether a keyword is left out of a copy. */
type IsLeftOut = (name: string, value: unknown) => boolean;

/**
 * A copy that the validator accepts: `false` as a schema to which errors can be attached, patterns that compile. The member that
 * distinguishes the branches of a union is required.
 */
export function usableSchema(schema: unknown): unknown {
  return copySchema(schema, isUnusable);
}

/** The same without limits on numbers and strings: only types, listed values, members and unions remain. */
export function schemaOfTypes(schema: unknown): unknown {
  return copySchema(schema, (name, value) => isUnusable(name, value) || LIMITS.has(name));
}

function copySchema(schema: unknown, isLeftOut: IsLeftOut): unknown {
  if (schema === false) return { not: {} };
  if (!isObject(schema)) return schema;
  if (schema[NOT_CHECKED] === true) throw new TypeError('the schema has a part that the import left out');
  const copy = (part: unknown) => copySchema(part, isLeftOut);
  const members = Object.entries(schema).flatMap(([name, value]): [string, unknown][] => {
    if (isLeftOut(name, value)) return [];
    if (MAPS.has(name) && isObject(value)) {
      const kept = Object.entries(value).filter(([key]) => name !== 'patternProperties' || isPattern(key));
      return [[name, Object.fromEntries(kept.map(([key, part]) => [key, copy(part)]))]];
    }
    if (LISTS.has(name) && Array.isArray(value)) return [[name, value.map(copy)]];
    return [[name, SCHEMAS.has(name) ? copy(value) : value]];
  });
  return Object.fromEntries([...members, ...requiredByDiscriminator(schema)]);
}

function requiredByDiscriminator({ discriminator, required }: Schema): [string, unknown][] {
  const name = isObject(discriminator) ? discriminator.propertyName : undefined;
  if (typeof name !== 'string') return [];
  return [['required', [...(Array.isArray(required) ? required : []), name]]];
}

/** Keywords that would change the base of the references in a schema. */
const NAMES = new Set(['$id', 'id', '$anchor', '$schema']);
const MAPS = new Set(['properties', 'patternProperties', '$defs', 'dependentSchemas']);
const LISTS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const SCHEMAS = new Set(['items', 'not', 'if', 'then', 'else', 'contains', 'propertyNames']);
for (const name of ['additionalProperties', 'unevaluatedProperties', 'unevaluatedItems']) SCHEMAS.add(name);
const LIMITS = new Set(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']);
for (const name of ['pattern', 'format', 'minLength', 'maxLength', 'uniqueItems']) LIMITS.add(name);

function isUnusable(name: string, value: unknown): boolean {
  return NAMES.has(name) || (name === 'pattern' && !isPattern(value));
}
