import { isObject } from '../json/is-object.ts';
import { oncePerObject } from './memoize.ts';
import { isSlow } from './patterns.ts';
import { type Schema, targetOf } from './schema-at.ts';
import { isCheckedFormat, checkOf as validatorOf } from './validator.ts';

/** Whether a value is certainly valid, and every member of it described. `false` says nothing. */
export type PlainCheck = ((value: unknown) => boolean) & {
  /** The check of a member, which decides about it alone: what the other members are does not matter. Undefined for one that is never accepted. */
  readonly member?: (name: string) => PlainCheck | undefined;
};

/**
 * A fast check for many bodies of one schema. It accepts only what `checkBody`, `checkIntegers` and `undescribedMembers` find nothing in, so
 * that these can be left out. It knows objects of texts, numbers, booleans and such objects, and `anyOf`; a member with any other keyword is never
 * accepted. Undefined where nothing would be. References of the schema are into itself.
 */
export function plainCheck(schema: unknown): PlainCheck | undefined {
  // Each part is read once at a depth, however many refer to it.
  const readers = Array.from({ length: DEEPEST + 1 }, (_, depth) =>
    oncePerObject((part: Schema) => checkOf(part, schema, (below) => read(below, depth + 1))),
  );
  const read: Read = (part, depth = 0) => (isObject(part) ? readers[depth]?.(part) : undefined);
  return read(schema);
}

/** The check of a part. */
type Read = (part: unknown, depth?: number) => PlainCheck | undefined;

/** References and objects in objects that are followed. */
const DEEPEST = 8;

function checkOf(schema: Schema, root: unknown, read: Read): PlainCheck | undefined {
  const { $ref, anyOf, properties, additionalProperties } = schema;
  if (typeof $ref === 'string') return hasOnly(schema, REFERENCE) ? read(targetOf($ref, root)) : undefined;
  if (Array.isArray(anyOf) && hasOnly(schema, UNION)) {
    const branches = anyOf.map((branch) => read(branch));
    return (value) => branches.some((branch) => branch?.(value));
  }
  const isHolder = isObject(properties) || isObject(additionalProperties);
  return isHolder ? objectCheck(schema, read) : valueCheck(schema);
}

function objectCheck(schema: Schema, read: Read): PlainCheck | undefined {
  const { type = 'object', required, properties, additionalProperties } = schema;
  const needed = (required ?? []) as readonly string[];
  if (!hasOnly(schema, OBJECT) || type !== 'object') return undefined;
  const other = read(additionalProperties);
  const members = new Map(Object.entries(properties ?? {}).map(([name, part]) => [name, read(part)]));
  const member = (name: string) => (members.has(name) ? members.get(name) : other);
  const check = (value: unknown) =>
    isObject(value) &&
    needed.every((name) => Object.hasOwn(value, name)) &&
    Object.keys(value).every((name) => member(name)?.(value[name]) === true);
  return Object.assign(check, { member });
}

function valueCheck(schema: Schema): PlainCheck | undefined {
  const { pattern = '', format = '' } = schema;
  const isQuick = !isCheckedFormat(`${format}`) || QUICK_FORMATS.has(`${format}`);
  if (!hasOnly(schema, SCALAR) || isSlow(`${pattern}`) || !isQuick) return undefined;
  const fits = validatorOf(schema);
  return (value) => {
    const isScalar = value === null || typeof value === 'string' || typeof value === 'boolean';
    return (isScalar || (typeof value === 'number' && Math.abs(value) < MOST)) && fits(value);
  };
}

function hasOnly(schema: Schema, keywords: readonly string[]): boolean {
  return Object.keys(schema).every((name) => ANNOTATIONS.has(name) || keywords.includes(name));
}

/** Numbers below it are written without an exponent, and integers are exact. */
const MOST = 2 ** 53;
/** Formats whose check takes time in proportion to the text. */
const QUICK_FORMATS: ReadonlySet<string> = new Set(['date', 'date-time', 'uuid']);
const REFERENCE = ['$ref', '$defs', '$schema'];
const UNION = ['anyOf', '$defs', '$schema'];
const OBJECT = ['type', 'properties', 'additionalProperties', 'required', '$defs', '$schema'];
const SCALAR = [
  ...['type', 'enum', 'const', 'minLength', 'maxLength', 'pattern', 'format'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
];
/** Keywords that no check looks at. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  ...['title', 'description', 'default', 'example', 'examples', 'deprecated', 'readOnly', 'writeOnly'],
  ...['$comment', 'externalDocs', 'xml'],
]);
