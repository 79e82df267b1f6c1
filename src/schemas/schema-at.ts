import { isObject, memberAt } from '../json/is-object.ts';
import { valueAtPointer } from '../json/pointer.ts';
import { decodeComponent } from '../text/decode.ts';
import { matchesPattern } from './patterns.ts';

/** A schema of JSON Schema 2020-12 that is an object. */
export type Schema = Readonly<Record<string, unknown>>;

/** The first element of a list, in a dotted path. */
export const FIRST = '0';

/** Marks a schema of which too much was left out for a check to mean anything. */
export const NOT_CHECKED = 'x-payctl-not-checked';

/** More references or unions than any useful schema has. */
const MOST = 200;
/** The largest depth of composition that is read. */
const DEEPEST = 10;

/** The keywords that limit a value by a number. */
export const LIMITS = [
  ...(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'] as const),
  ...(['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'] as const),
];

/**
 * The parts of a schema: the schema itself, the schemas that it refers to, and those that it is composed of (`allOf`, and the
 * branches of `anyOf` and `oneOf`). A schema that contains itself is read once. References point into `root`.
 */
export function partsOf(schema: unknown, root: unknown, reading: Reading = {}): readonly Schema[] {
  const { choose = (_, branches) => branches, isConditional = false } = reading;
  const parts = new Set<Schema>();
  const waiting: unknown[] = [schema];
  while (waiting.length > 0 && parts.size < MOST) {
    const next = waiting.shift();
    if (!isObject(next) || parts.has(next)) continue;
    parts.add(next);
    const { $ref, allOf, anyOf, oneOf } = next;
    if (typeof $ref === 'string') waiting.push(targetOf($ref, root));
    if (Array.isArray(allOf)) waiting.push(...allOf);
    for (const group of [anyOf, oneOf]) if (Array.isArray(group)) waiting.push(...choose(next, group));
    if (!isConditional) continue;
    waiting.push(next.then, next.else);
    if (isObject(next.dependentSchemas)) waiting.push(...Object.values(next.dependentSchemas));
  }
  return [...parts];
}

const MAPS = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs']);
const LISTS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const SCHEMAS = new Set([
  ...['items', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'],
  ...['additionalProperties', 'unevaluatedProperties', 'unevaluatedItems'],
]);

/** A schema with what `map` gives for each schema in it; `keyword` is the one that has it. */
export function mapParts(schema: Schema, map: (part: unknown, keyword: string) => unknown): Schema {
  const members = Object.entries(schema).map(([name, value]) => {
    if (LISTS.has(name) && Array.isArray(value)) return [name, value.map((part) => map(part, name))];
    if (!MAPS.has(name) || !isObject(value)) return [name, SCHEMAS.has(name) ? map(value, name) : value];
    return [name, Object.fromEntries(Object.entries(value).map(([key, part]) => [key, map(part, name)]))];
  });
  return Object.fromEntries(members);
}

/** How a schema is read. */
type Reading = {
  /** The branches of a union that count; all of them by default. */
  readonly choose?: (owner: Schema, branches: readonly unknown[]) => readonly unknown[];
  /** Parts that hold under a condition count, too: `then`, `else`, `dependentSchemas`. */
  readonly isConditional?: boolean;
};

/** Follows the references of a schema; undefined if they are broken. */
export function resolveSchema(schema: unknown, root: unknown): Schema | undefined {
  let found = schema;
  for (let hops = 0; hops < MOST && isObject(found); hops += 1) {
    if (typeof found.$ref !== 'string') return found;
    found = targetOf(found.$ref, root);
  }
  return undefined;
}

/** Whether a member is marked as `readOnly` or `writeOnly`, in its own schema or in the one that it refers to. */
export function isMarked(schema: unknown, root: unknown, mark: 'readOnly' | 'writeOnly'): boolean {
  if (!isObject(schema)) return false;
  const { allOf, [mark]: isSet } = schema;
  if (isSet === true) return true;
  const target = typeof schema.$ref === 'string' ? resolveSchema(schema, root) : undefined;
  const parts: unknown[] = Array.isArray(allOf) ? allOf : [];
  return target?.[mark] === true || parts.some((part) => isObject(part) && part[mark] === true);
}

/** The name of the definition that a reference leads to, such as `Card` of `#/$defs/Card`; undefined for any other value. */
export function definitionName(reference: unknown): string | undefined {
  return typeof reference === 'string' ? reference.slice('#/$defs/'.length) : undefined;
}

/** The schema that a reference such as `#/$defs/Card` names. */
export function targetOf(reference: string, root: unknown): unknown {
  if (!reference.startsWith('#')) return undefined;
  return valueAtPointer(root, decodeComponent(reference.slice(1)));
}

/** The schemas of a member: by its name, else those of any further member. */
export function memberSchemas(parts: readonly Schema[], name: string): readonly unknown[] {
  const named = parts.flatMap(({ properties }) =>
    isObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [],
  );
  return named.length > 0
    ? named
    : parts.flatMap(({ additionalProperties: other }) => (isObject(other) ? [other] : []));
}

/** The schema of the member or element at a dotted path, with the definitions of the whole; the whole for no path. */
export function schemaBelow(root: unknown, path: string | undefined): unknown {
  if (path === undefined) return root;
  const below = (found: readonly unknown[], name: string) => {
    const parts = [...new Set(found.flatMap((schema) => partsOf(schema, root)))];
    const members = memberSchemas(parts, name);
    return members.length === 0 && name === FIRST ? elementSchemas(parts) : members;
  };
  const found = path.split('.').reduce<readonly unknown[]>(below, [root]);
  const schema = found.length === 1 ? found[0] : { anyOf: found };
  return isObject(schema) && isObject(root) && root.$defs ? { ...schema, $defs: root.$defs } : schema;
}

/** Whether the service sets a member, so that no request has it. */
export function isReadOnlyMember(parts: readonly Schema[], name: string, root: unknown): boolean {
  const schemas = memberSchemas(parts, name);
  return (
    schemas.length > 0 &&
    schemas.every((schema) => partsOf(schema, root).some(({ readOnly }) => readOnly === true))
  );
}

/** The members that a value must have: those of the schema itself, of what it refers to, and of all that it is composed of. */
export function requiredMembers(schema: unknown, root: unknown, depth = 0): readonly string[] {
  const own = depth < DEEPEST ? resolveSchema(schema, root) : undefined;
  if (!own) return [];
  const names = Array.isArray(own.required) ? own.required.filter((name) => typeof name === 'string') : [];
  const parts: readonly unknown[] = Array.isArray(own.allOf) ? own.allOf : [];
  return [...new Set([...names, ...parts.flatMap((part) => requiredMembers(part, root, depth + 1))])];
}

/** The schemas of the elements of a list. */
export function elementSchemas(parts: readonly Schema[]): readonly unknown[] {
  return parts.flatMap(({ items }) => (isObject(items) ? [items] : []));
}

/** Which branches of a union count for a value. */
export type ChooseBranches = (
  owner: Schema,
  branches: readonly unknown[],
  value: unknown,
) => readonly unknown[];

/**
 * The types that a value may have at the end of these names, of which those of digits may be indexes of lists: in every branch of a union and
 * under every condition, or in the branches that count for the values of a body on the way to it.
 */
export function typesAt(
  path: readonly string[],
  root: unknown,
  { body, choose }: { readonly body?: unknown; readonly choose?: ChooseBranches } = {},
): ReadonlySet<string> {
  const read = (schema: unknown, value: unknown) =>
    partsOf(schema, root, {
      isConditional: true,
      ...(choose && { choose: (owner, branches) => choose(owner, branches, value) }),
    });
  let value = body;
  let parts = read(root, value);
  for (const name of path) {
    const elements = /^\d+$/.test(name) ? elementsAt(parts, Number(name)) : [];
    const next = [...memberSchemas(parts, name), ...elements, ...patternSchemas(parts, name)];
    value = memberAt(value, [name]);
    const inner = value;
    parts = [...new Set(next.flatMap((schema) => read(schema, inner)))];
  }
  return typesOf(parts);
}

function elementsAt(parts: readonly Schema[], index: number): readonly unknown[] {
  const first = parts.flatMap(({ prefixItems }) => (Array.isArray(prefixItems) ? [prefixItems[index]] : []));
  return [...first, ...elementSchemas(parts)];
}

function patternSchemas(parts: readonly Schema[], name: string): readonly unknown[] {
  return parts.flatMap(({ patternProperties: patterns }) => {
    if (!isObject(patterns)) return [];
    return Object.keys(patterns).flatMap((one) => (matchesPattern(one, name) ? [patterns[one]] : []));
  });
}

/** Whether these types of a value include integers, and neither texts nor other numbers. */
export function takesOnlyIntegers(types: ReadonlySet<string>): boolean {
  return types.has('integer') && !types.has('number') && !types.has('string');
}

/** The types that a value may have; none where the schema does not say. */
export function typesOf(parts: readonly Schema[]): ReadonlySet<string> {
  const ofPart = ({ type, const: only, enum: values }: Schema): unknown[] => {
    if (type !== undefined) return [type].flat();
    const known = only === undefined ? values : [only];
    return Array.isArray(known) ? known.map(typeOf) : [];
  };
  return new Set(parts.flatMap(ofPart).filter((type) => typeof type === 'string'));
}

/** The type of a value by JSON Schema; a number is `number` also where it is whole. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** The types that both of two schemas allow. Every integer is a number. */
export function commonTypes(a: ReadonlySet<string>, b: ReadonlySet<string>): ReadonlySet<string> {
  const narrow = (name: string) => (name === 'number' && b.has('integer') && !b.has(name) ? 'integer' : name);
  return new Set([...a].map(narrow).filter((name) => b.has(name) || (name === 'integer' && b.has('number'))));
}
