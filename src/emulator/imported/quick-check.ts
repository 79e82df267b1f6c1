import { format as formats, ucs2length } from '@cfworker/json-schema';
import { targetOf } from '../../descriptions/schema-at.ts';
import { isPattern } from '../../descriptions/within-time.ts';
import { isObject, own } from '../../json/is-object.ts';

/** True for a value that fits a schema; false if it does not, or if a quick check cannot say. */
export type QuickCheck = (value: unknown) => boolean;

const NEVER: QuickCheck = () => false;
const ALWAYS: QuickCheck = () => true;

/**
 * Compiles a schema for the validation of many values. Most of them fit, and a validator that reads the schema every time needs ten
 * times as long to find that. References point into the schema itself.
 */
export function quickCheck(schema: unknown): QuickCheck {
  const references = new Map<string, QuickCheck>();
  const refer = (reference: string): QuickCheck => {
    const before = references.get(reference);
    if (before) return before;
    // A schema that contains itself is compiled when a value first needs it.
    let check: QuickCheck | undefined;
    const later: QuickCheck = (value) => {
      check ??= compile(targetOf(reference, schema), refer);
      return check(value);
    };
    references.set(reference, later);
    return later;
  };
  return compile(schema, refer);
}

type Refer = (reference: string) => QuickCheck;

function compile(schema: unknown, refer: Refer): QuickCheck {
  if (schema === true) return ALWAYS;
  if (!isObject(schema)) return NEVER;
  const checks: QuickCheck[] = [];
  for (const [keyword, limit] of Object.entries(schema)) {
    if (IGNORED.has(keyword) || keyword.startsWith('x-') || limit === undefined) continue;
    const write = own(KEYWORDS, keyword);
    const check = write?.(limit, refer, schema);
    if (!check) return NEVER;
    if (check !== ALWAYS) checks.push(check);
  }
  const [first = ALWAYS, ...others] = checks;
  return others.length === 0 ? first : (value) => checks.every((check) => check(value));
}

const IGNORED = new Set([
  ...['title', 'description', 'examples', 'example', 'default', 'deprecated', 'readOnly', 'writeOnly'],
  ...['$defs', '$comment', 'discriminator', 'xml', 'externalDocs'],
]);

const TYPES: Readonly<Record<string, QuickCheck>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: Array.isArray,
  object: isObject,
};

type Write = (
  limit: unknown,
  refer: Refer,
  schema: Readonly<Record<string, unknown>>,
) => QuickCheck | undefined;

const ofText = (test: (text: string) => boolean): QuickCheck => {
  return (value) => typeof value !== 'string' || test(value);
};
const ofNumber = (test: (number: number, limit: number) => boolean): Write => {
  return (limit) =>
    typeof limit === 'number' ? (value) => typeof value !== 'number' || test(value, limit) : undefined;
};
const ofLength = (test: (length: number, limit: number) => boolean): Write => {
  return (limit) => (typeof limit === 'number' ? ofText((text) => test(ucs2length(text), limit)) : undefined);
};
const ofCount = (test: (count: number, limit: number) => boolean): Write => {
  return (limit) =>
    typeof limit === 'number' ? (value) => !Array.isArray(value) || test(value.length, limit) : undefined;
};
const ofMembers = (test: (count: number, limit: number) => boolean): Write => {
  return (limit) =>
    typeof limit === 'number'
      ? (value) => !isObject(value) || test(Object.keys(value).length, limit)
      : undefined;
};
const isAtLeast = (value: number, limit: number) => value >= limit;
const isAtMost = (value: number, limit: number) => value <= limit;

/** The checks of the keywords. Any other keyword is left to the validator. */
const KEYWORDS: Readonly<Record<string, Write>> = {
  $ref: (limit, refer) => (typeof limit === 'string' ? refer(limit) : undefined),
  type: (limit) => {
    const checks = [limit]
      .flat()
      .map((name) => (typeof name === 'string' ? own(TYPES, name) : undefined) ?? NEVER);
    return (value) => checks.some((check) => check(value));
  },
  enum: (limit) =>
    Array.isArray(limit) && limit.every(isScalar) ? (value) => limit.includes(value) : undefined,
  const: (limit) => (isScalar(limit) ? (value) => value === limit : undefined),
  allOf: (limit, refer) => {
    const checks = Array.isArray(limit) ? limit.map((part) => compile(part, refer)) : [NEVER];
    return (value) => checks.every((check) => check(value));
  },
  anyOf: (limit, refer) => {
    const checks = Array.isArray(limit) ? limit.map((part) => compile(part, refer)) : [];
    return (value) => checks.some((check) => check(value));
  },
  required: (limit) =>
    Array.isArray(limit)
      ? (value) => !isObject(value) || limit.every((name) => Object.hasOwn(value, String(name)))
      : undefined,
  properties: (limit, refer) => {
    if (!isObject(limit)) return undefined;
    const checks = Object.entries(limit).map(([name, part]) => [name, compile(part, refer)] as const);
    return (value) =>
      !isObject(value) || checks.every(([name, check]) => !Object.hasOwn(value, name) || check(value[name]));
  },
  additionalProperties: (limit, refer, { properties, patternProperties }) => {
    if (limit === true) return ALWAYS;
    if (patternProperties !== undefined) return undefined;
    const named = new Set(isObject(properties) ? Object.keys(properties) : []);
    const check = limit === false ? NEVER : compile(limit, refer);
    return (value) =>
      !isObject(value) || Object.entries(value).every(([name, member]) => named.has(name) || check(member));
  },
  items: (limit, refer, { prefixItems }) => {
    if (prefixItems !== undefined) return undefined;
    const check = compile(limit, refer);
    return (value) => !Array.isArray(value) || value.every(check);
  },
  pattern: (limit) => {
    const expression = isPattern(limit) ? new RegExp(limit, 'u') : undefined;
    return expression && ofText((text) => expression.test(text));
  },
  format: (limit) => {
    const test = typeof limit === 'string' ? own(formats, limit) : undefined;
    return test ? ofText(test) : ALWAYS;
  },
  minimum: ofNumber(isAtLeast),
  maximum: ofNumber(isAtMost),
  exclusiveMinimum: ofNumber((value, limit) => value > limit),
  exclusiveMaximum: ofNumber((value, limit) => value < limit),
  minLength: ofLength(isAtLeast),
  maxLength: ofLength(isAtMost),
  minItems: ofCount(isAtLeast),
  maxItems: ofCount(isAtMost),
  minProperties: ofMembers(isAtLeast),
  maxProperties: ofMembers(isAtMost),
};

function isScalar(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}
