import { format as formats, ucs2length } from '@cfworker/json-schema';
import { isObject, own } from '../json/is-object.ts';
import { targetOf } from './schema-at.ts';
import { oncePerObject } from './values/memoize.ts';
import { isSlow } from './values/patterns.ts';
import { isPattern } from './within-time.ts';

/** Whether a value fits a schema; undefined if a quick check cannot say. */
export type QuickCheck = (value: unknown) => boolean | undefined;

const UNKNOWN: QuickCheck = () => undefined;
const NEVER: QuickCheck = () => false;
const ALWAYS: QuickCheck = () => true;

/**
 * Compiles a schema for the validation of many values: a validator that reads the schema every time needs ten times as long.
 * References point into `root`, and their targets are compiled once for all schemas of one root.
 */
export function quickCheck(schema: unknown, root: unknown = schema): QuickCheck {
  return compile(schema, isObject(root) ? targetsIn(root) : () => UNKNOWN);
}

const targetsIn = oncePerObject((root: object): Refer => {
  const references = new Map<string, QuickCheck>();
  const refer: Refer = (reference) => {
    const before = references.get(reference);
    if (before) return before;
    // A schema that contains itself is compiled when a value first needs it.
    let check: QuickCheck | undefined;
    const later: QuickCheck = (value) => {
      check ??= compile(targetOf(reference, root), refer);
      return check(value);
    };
    references.set(reference, later);
    return later;
  };
  return refer;
});

type Refer = (reference: string) => QuickCheck;

function compile(schema: unknown, refer: Refer): QuickCheck {
  if (schema === true) return ALWAYS;
  if (schema === false) return NEVER;
  if (!isObject(schema)) return UNKNOWN;
  const checks: QuickCheck[] = [];
  for (const [keyword, limit] of Object.entries(schema)) {
    if (IGNORED.has(keyword) || keyword.startsWith('x-') || limit === undefined) continue;
    const write = own(KEYWORDS, keyword);
    const check = write?.(limit, refer, schema) ?? UNKNOWN;
    if (check !== ALWAYS) checks.push(check);
  }
  const [first = ALWAYS, ...others] = checks;
  return others.length === 0 ? first : (value) => all(checks, (check) => check(value));
}

/** Whether a test holds for each of these; undefined if that depends on one for which it cannot say. */
function all<T>(each: readonly T[], test: (one: T) => boolean | undefined): boolean | undefined {
  let isEach: boolean | undefined = true;
  for (const one of each) {
    const found = test(one);
    if (found === false) return false;
    if (found === undefined) isEach = undefined;
  }
  return isEach;
}

/** The check of a union, of whose branches at least one has to fit a value, and at most so many may. */
function union(most: number): Write {
  return (limit, refer) => {
    const checks = [limit].flat().map((part) => compile(part, refer));
    return (value) => {
      let fitting = 0;
      let isSure = true;
      for (const check of checks) {
        const found = check(value);
        if (found && most > 1) return true;
        if (found) fitting += 1;
        else if (found === undefined) isSure = false;
      }
      if (fitting > most) return false;
      return isSure ? fitting > 0 : undefined;
    };
  };
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
/** The check of a limit for what is measured of a value. Values without such a measure fit. */
function bound(
  measure: (value: unknown) => number | undefined,
  isWithin: (measured: number, limit: number) => boolean,
): Write {
  return (limit) => {
    if (typeof limit !== 'number') return undefined;
    return (value) => {
      const measured = measure(value);
      return measured === undefined || isWithin(measured, limit);
    };
  };
}
const numberIn = (value: unknown) => (typeof value === 'number' ? value : undefined);
const lengthOf = (value: unknown) => (typeof value === 'string' ? ucs2length(value) : undefined);
const elementsIn = (value: unknown) => (Array.isArray(value) ? value.length : undefined);
const membersIn = (value: unknown) => (isObject(value) ? Object.keys(value).length : undefined);
const isAtLeast = (value: number, limit: number) => value >= limit;
const isAtMost = (value: number, limit: number) => value <= limit;

/** The checks of the keywords. Any other keyword is left to the validator. */
const KEYWORDS: Readonly<Record<string, Write>> = {
  $ref: (limit, refer) => (typeof limit === 'string' ? refer(limit) : undefined),
  type: (limit) => {
    const checks = [limit].flat().map((name) => (typeof name === 'string' ? own(TYPES, name) : undefined));
    return (value) =>
      checks.some((check) => check?.(value)) || (checks.includes(undefined) ? undefined : false);
  },
  enum: (limit) =>
    Array.isArray(limit) && limit.every(isScalar) ? (value) => limit.includes(value) : undefined,
  const: (limit) => (isScalar(limit) ? (value) => value === limit : undefined),
  allOf: (limit, refer) => {
    const checks = [limit].flat().map((part) => compile(part, refer));
    return (value) => all(checks, (check) => check(value));
  },
  anyOf: union(Number.POSITIVE_INFINITY),
  oneOf: union(1),
  required: (limit) => (value) =>
    !isObject(value) || [limit].flat().every((name) => Object.hasOwn(value, String(name))),
  properties: (limit, refer) => {
    if (!isObject(limit)) return undefined;
    const checks = Object.entries(limit).map(([name, part]) => [name, compile(part, refer)] as const);
    return (value) =>
      !isObject(value) || all(checks, ([name, check]) => !Object.hasOwn(value, name) || check(value[name]));
  },
  additionalProperties: (limit, refer, { properties, patternProperties }) => {
    if (limit === true) return ALWAYS;
    if (patternProperties !== undefined) return undefined;
    const named = new Set(isObject(properties) ? Object.keys(properties) : []);
    const check = limit === false ? NEVER : compile(limit, refer);
    return (value) =>
      !isObject(value) || all(Object.entries(value), ([name, member]) => named.has(name) || check(member));
  },
  items: (limit, refer, { prefixItems }) => {
    if (prefixItems !== undefined) return undefined;
    const check = compile(limit, refer);
    return (value) => !Array.isArray(value) || all(value, check);
  },
  pattern: (limit) => {
    const expression = isPattern(limit) && !isSlow(limit) ? new RegExp(limit, 'u') : undefined;
    return expression && ofText((text) => expression.test(text));
  },
  format: (limit) => {
    const test = typeof limit === 'string' ? own(formats, limit) : undefined;
    return test ? ofText(test) : ALWAYS;
  },
  minimum: bound(numberIn, isAtLeast),
  maximum: bound(numberIn, isAtMost),
  exclusiveMinimum: bound(numberIn, (value, limit) => value > limit),
  exclusiveMaximum: bound(numberIn, (value, limit) => value < limit),
  minLength: bound(lengthOf, isAtLeast),
  maxLength: bound(lengthOf, isAtMost),
  minItems: bound(elementsIn, isAtLeast),
  maxItems: bound(elementsIn, isAtMost),
  minProperties: bound(membersIn, isAtLeast),
  maxProperties: bound(membersIn, isAtMost),
};

function isScalar(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}
