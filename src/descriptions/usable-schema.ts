import { containersIn } from '../json/containers.ts';
import { isObject } from '../json/is-object.ts';
import { lazyMembers } from './lazy-members.ts';
import { mapParts, type Schema, targetOf } from './schema-at.ts';
import { NOT_CHECKED } from './schema-loops.ts';

/** Whether a keyword is left out of a copy. */
type IsLeftOut = (name: string, value: unknown) => boolean;

/** Returns a function that copies schemas. Definitions are copied when first needed, once for all schemas that share them. */
function copier(isLeftOut: IsLeftOut): (schema: unknown) => unknown {
  const copies = new WeakMap<Schema, Schema>();
  const copyDefinitions = (all: Schema): Schema => {
    const copied = copies.get(all) ?? lazyMembers(Object.keys(all), (name) => copySchema(all[name]));
    copies.set(all, copied);
    return copied;
  };
  const copySchema = (schema: unknown): unknown => {
    if (schema === false) return { not: {} };
    if (!isObject(schema)) return schema;
    if (schema[NOT_CHECKED] === true && !isLeftOut(NOT_CHECKED, true))
      throw new TypeError('the schema has a part that the import left out');
    const kept = Object.entries(schema).filter(([name, value]) => !isLeftOut(name, value));
    const members = mapParts(Object.fromEntries([...kept, ...requiredByDiscriminator(schema)]), copySchema);
    return isObject(members.$defs) ? { ...members, $defs: copyDefinitions(members.$defs) } : members;
  };
  return copySchema;
}

function requiredByDiscriminator({ discriminator, required }: Schema): [string, unknown][] {
  const name = isObject(discriminator) ? discriminator.propertyName : undefined;
  if (typeof name !== 'string') return [];
  return [['required', [...(Array.isArray(required) ? required : []), name]]];
}

const PATTERNS = new Set(['pattern', 'patternProperties', 'propertyNames']);
const LIMITS = new Set(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']);
for (const name of ['pattern', 'format', 'minLength', 'maxLength', 'uniqueItems']) LIMITS.add(name);

/**
 * A copy that the validator accepts: `false` as a schema to which errors can be attached. The member that
 * distinguishes the branches of a union is required.
 */
export const usableSchema = copier(() => false);

/** The same without limits on numbers and strings: only types, listed values, members and unions remain. */
export const schemaOfTypes = copier((name) => LIMITS.has(name));

/** What a schema can be checked without: references that lead nowhere, and then patterns, which may take any time. */
export const OPTIONAL_KEYWORDS = ['$ref', 'pattern'] as const;

/**
 * A copy as of `usableSchema` without the references that lead nowhere, and without patterns if that is the keyword. Undefined if it
 * has nothing less.
 */
export function schemaWithout(schema: unknown, keyword: (typeof OPTIONAL_KEYWORDS)[number]): unknown {
  const isBroken: IsLeftOut = (name, value) =>
    name === NOT_CHECKED ||
    (name === '$ref' && (typeof value !== 'string' || targetOf(value, schema) === undefined)) ||
    (keyword === 'pattern' && PATTERNS.has(name));
  const hasBroken = (part: object) => Object.entries(part).some(([name, value]) => isBroken(name, value));
  if (!containersIn(schema).some(hasBroken)) return undefined;
  return copier(isBroken)(schema);
}
