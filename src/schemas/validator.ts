import { deepCompareStrict, format as formats, ucs2length } from '@cfworker/json-schema';
import { decimalOf, isMultiple } from '../json/decimal.ts';
import { isObject, own } from '../json/is-object.ts';
import { pointerSegment } from '../json/pointer.ts';
import { plural, quotePattern } from '../text/format.ts';
import { inOtherCase } from '../text/suggest.ts';
import { oncePerObject } from './memoize.ts';
import { fitsPattern, matchesPattern } from './patterns.ts';
import { NOT_CHECKED, type Schema, targetOf, typeOf } from './schema-at.ts';
import { choiceText, discriminatorIssue, meantBranch, unionOf } from './unions.ts';

/** A problem of a value. */
export type BodyProblem = {
  /** JSON pointer to the invalid value; empty for the value itself. */
  readonly pointer: string;
  /** What the value must be, such as `must be a string`. */
  readonly message: string;
  /** The keyword that the value breaks, and what the schema has for it; undefined where no keyword alone decides. */
  readonly keyword?: string | undefined;
  readonly limit?: unknown;
  /** The name of the branch of a union that the problem is about. */
  readonly branch?: string | undefined;
  /** The types that the value may have, where it has none of them. */
  readonly types?: readonly unknown[] | undefined;
};

/** A keyword that could not be checked: it leads nowhere or to too much, or it takes too long. */
export type Unchecked = '$ref' | 'pattern';

/** What a check finds out besides whether a value fits. */
type Run = {
  readonly pointer: string;
  /** Takes what is wrong; undefined if nobody asks. What is wrong with unions comes after everything else. */
  readonly problems?: { readonly plain: BodyProblem[]; readonly ofUnions: BodyProblem[] } | undefined;
  /** Takes the members and elements that fit a keyword, for `unevaluatedProperties` and `unevaluatedItems`. */
  readonly seen?: Set<string> | undefined;
  readonly unchecked?: Set<Unchecked>;
};

/** Whether a value fits a schema. What cannot be checked fits. */
export type Check = (value: unknown, run?: Run) => boolean;

type Compiler = {
  readonly root: unknown;
  readonly refer: (reference: string) => Check;
  /** Keywords that count for nothing. */
  readonly ignored: ReadonlySet<string>;
};

/**
 * Compiles a schema of JSON Schema 2020-12 for the validation of many values, once: a validator that reads it every time takes ten times as
 * long. References point into `root`. Their targets are compiled when a value first needs them, once for all schemas of one root.
 */
export function checkOf(schema: unknown, root: unknown = schema): Check {
  if (isObject(schema) && isObject(root)) return checksIn(root)(schema);
  return schema === false ? NEVER : ALWAYS;
}

/** As `checkOf`, without limits on numbers and texts: only types, listed values, members and unions count. */
export const checkOfTypes = oncePerObject((root: object) => compile(root, newCompiler(root, LIMITS)));

const checksIn = oncePerObject((root: object) => {
  const compiler = newCompiler(root, new Set());
  return oncePerObject((schema: object) => compile(schema, compiler));
});

function newCompiler(root: object, ignored: Compiler['ignored']): Compiler {
  const references = new Map<string, Check>();
  const refer = (reference: string): Check => {
    let check: Check | undefined;
    const later: Check = (value, run) => {
      check ??= compile(targetOf(reference, root) ?? { [NOT_CHECKED]: true }, compiler);
      return check(value, run);
    };
    const found = references.get(reference) ?? later;
    references.set(reference, found);
    return found;
  };
  const compiler = { root, ignored, refer };
  return compiler;
}

function compile(schema: unknown, compiler: Compiler): Check {
  if (schema === false) return NEVER;
  if (!isObject(schema)) return ALWAYS;
  const known = Object.keys(KEYWORDS).filter(
    (name) => schema[name] !== undefined && !compiler.ignored.has(name),
  );
  const checks = known.map((keyword) => {
    const limit = schema[keyword];
    return KEYWORDS[keyword]?.(limit, { keyword, schema, compiler, fail: failOf(keyword, limit) }) ?? ALWAYS;
  });
  const [first = ALWAYS, ...others] = checks;
  const check = others.length === 0 ? first : every(checks);
  if (schema.unevaluatedProperties === undefined && schema.unevaluatedItems === undefined) return check;
  return (value, run = { pointer: '' }) => check(value, run.seen ? run : { ...run, seen: new Set() });
}

/** All problems of a value, and a keyword that could not be checked. */
export function explain(check: Check, value: unknown) {
  const unchecked = new Set<Unchecked>();
  const all = problemsOf(check, value, { pointer: '', unchecked });
  const distinct = [...Map.groupBy(all, ({ pointer, message }) => `${pointer} ${message}`).values()];
  const found = distinct.flatMap(([first]) => first ?? []);
  // The message for a discriminator also lists its values.
  const isSaid = ({ pointer, message }: BodyProblem) =>
    message === REQUIRED &&
    found.some((one) => one.pointer === pointer && one.message.startsWith(`${REQUIRED}:`));
  const keyword = unchecked.has('pattern') ? 'pattern' : [...unchecked][0];
  return { problems: found.filter((problem) => !isSaid(problem)), unchecked: keyword };
}

function problemsOf(check: Check, value: unknown, run: Run): BodyProblem[] {
  const problems = { plain: [], ofUnions: [] };
  check(value, { ...run, problems });
  return [...problems.plain, ...problems.ofUnions];
}

const REQUIRED = 'is required';
const NO_MATCH = 'does not match the description';
const NOT_DESCRIBED = 'is not in the description';
const ALWAYS: Check = () => true;
const NEVER: Check = (_, run) => failOf()(run, NOT_DESCRIBED);

/** Reports a problem, where problems are asked for. `about.pointer` is below that of the run. */
type Fail = (run: Run | undefined, message: string, about?: Partial<BodyProblem>) => false;

function failOf(keyword?: string, limit?: unknown): Fail {
  return (run, message, { pointer = '', ...about } = {}) => {
    run?.problems?.plain.push({ ...about, pointer: run.pointer + pointer, message, keyword, limit });
    return false;
  };
}

/** Whether a test holds for each of these. All are tested only if all problems are asked for. */
function each<T>(all: Iterable<T>, run: Run | undefined, test: (one: T) => boolean): boolean {
  let isEach = true;
  for (const one of all) {
    if (test(one)) continue;
    isEach = false;
    if (!run?.problems) break;
  }
  return isEach;
}

function every(checks: readonly Check[]): Check {
  return (value, run) => each(checks, run, (check) => check(value, run));
}

/** A run for a schema that a value need not fit: nothing is reported. */
function quiet(run: Run | undefined): Run | undefined {
  return run && { ...run, problems: undefined };
}

/** Checks the same value by another schema. What fits that counts as seen only if all of the value does. */
function checkWhole(check: Check, value: unknown, run: Run | undefined): boolean {
  if (!run?.seen) return check(value, run);
  const seen = new Set<string>();
  const fits = check(value, { ...run, seen });
  if (fits) for (const name of seen) run.seen.add(name);
  return fits;
}

type Part = { readonly name: string; readonly check: Check };

function checkPart({ name, check }: Part, value: object, run: Run | undefined): boolean {
  const part = (value as Schema)[name];
  if (!run) return check(part);
  const fits = check(part, { ...run, pointer: `${run.pointer}/${pointerSegment(name)}`, seen: undefined });
  // What is wrong with it is reported once.
  if (fits || run.problems) run.seen?.add(name);
  return fits;
}

/** Whether a value has members or elements. */
type IsHolder = (value: unknown) => value is object;

/** The checks of members or elements, of those that are there. */
function ofParts(isHolder: IsHolder, parts: readonly Part[]): Check {
  return (value, run) =>
    !isHolder(value) ||
    each(parts, run, (part) => !Object.hasOwn(value, part.name) || checkPart(part, value, run));
}

/** The check of all members or elements that a test chooses. */
function ofAll(
  isHolder: IsHolder,
  check: Check,
  isMeant: (name: string, run: Run | undefined) => boolean,
): Check {
  return (value, run) =>
    !isHolder(value) ||
    each(Object.keys(value), run, (name) => !isMeant(name, run) || checkPart({ name, check }, value, run));
}

type Context = {
  readonly keyword: string;
  readonly schema: Schema;
  readonly compiler: Compiler;
  readonly fail: Fail;
};

type Write = (limit: unknown, context: Context) => Check;

/** The check of a limit for what is measured of a value. Values without such a measure fit. */
function bound(
  measure: (value: unknown) => number | undefined,
  isWithin: (measured: number, limit: number) => boolean,
  message: (limit: number) => string,
): Write {
  return (limit, { fail }) =>
    (value, run) => {
      const measured = measure(value);
      return measured === undefined || isWithin(measured, Number(limit)) || fail(run, message(Number(limit)));
    };
}

const numberIn = (value: unknown) => (typeof value === 'number' ? value : undefined);
const lengthOf = (value: unknown) => (typeof value === 'string' ? ucs2length(value) : undefined);
const elementsIn = (value: unknown) => (Array.isArray(value) ? value.length : undefined);
const membersIn = (value: unknown) => (isObject(value) ? Object.keys(value).length : undefined);
const isAtLeast = (value: number, limit: number) => value >= limit;
const isAtMost = (value: number, limit: number) => value <= limit;
const leastOf = (what: string) => (limit: number) => `must have at least ${plural(limit, what)}`;
const mostOf = (what: string) => (limit: number) => `must have at most ${plural(limit, what)}`;

function partsIn(limit: unknown, { compiler }: Context): readonly Part[] {
  return Object.entries(limit as Schema).map(([name, part]) => ({ name, check: compile(part, compiler) }));
}

/** A type of JSON Schema in a sentence, such as `an integer`. */
export function withArticle(type: unknown): string {
  if (type === 'null') return 'null';
  return `${/^[aio]/.test(String(type)) ? 'an' : 'a'} ${type}`;
}

const type: Write = (limit, { fail }) => {
  const types = [limit].flat();
  const expected = types.map(withArticle).join(' or ');
  const hasType = (value: unknown) => (name: unknown) =>
    name === 'integer' ? Number.isInteger(value) : name === typeOf(value);
  return (value, run) =>
    types.some(hasType(value)) ||
    fail(run, `must be ${expected}, not ${withArticle(typeOf(value))}`, { types });
};

const listed: Write = (limit, { keyword, fail }) => {
  const values = keyword === 'const' ? [limit] : [limit].flat();
  const types = values.map((one) => (Number.isInteger(one) ? 'integer' : typeOf(one)));
  const texts = values.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
  const message = (value: unknown) =>
    keyword === 'const' ? `must be ${JSON.stringify(limit)}` : choiceText(texts, value);
  return (value, run) => {
    const isPart = typeof value === 'object' && value !== null;
    if (isPart ? values.some((one) => deepCompareStrict(value, one)) : values.includes(value)) return true;
    return run?.problems ? fail(run, message(value), { types }) : false;
  };
};

const schemas: Write = (limit, { compiler }) => {
  const checks = [limit].flat().map((part) => compile(part, compiler));
  return (value, run) => each(checks, run, (check) => checkWhole(check, value, run));
};

/**
 * A union: at least one of its branches has to fit, and of `oneOf` no other, unless a discriminator says which one is meant. An integer also
 * fits a branch for numbers, which no service means to exclude. Of branches that do not fit, only the problems of the one that is meant count.
 */
const union: Write = (limit, { keyword, schema, compiler }) => {
  const checks = [limit].flat().map((part) => compile(part, compiler));
  const most = keyword === 'oneOf' ? 1 : checks.length;
  const types = [limit].flat().map((part) => (isObject(part) ? part.type : undefined));
  const takesBoth = most === 1 && types.includes('integer') && types.includes('number');
  return (value, run) => {
    let fitting = 0;
    const fits = takesBoth ? new Set<unknown>() : undefined;
    for (const [index, check] of checks.entries()) {
      if (!checkWhole(check, value, quiet(run))) continue;
      fitting += 1;
      fits?.add(types[index]);
      if (fitting > 0 && most > 1 && !run?.seen) return true;
    }
    if (fits?.has('integer') && fits.has('number')) fitting -= 1;
    if (fitting > 0 && fitting <= most) return true;
    if (fitting === 0 && !run?.problems) return false;
    const ofBranch = (check: Check) => problemsOf(check, value, { ...run, pointer: '' });
    const found = meantBranch(unionOf(schema, keyword, compiler.root), value, checks.map(ofBranch));
    const below = (one: BodyProblem) => ({ ...one, pointer: run?.pointer + one.pointer });
    run?.problems?.ofUnions.push(...found.map(below));
    return found.length === 0;
  };
};

function unionKeyword(schema: Schema): string | undefined {
  return ['oneOf', 'anyOf'].find((name) => schema[name] !== undefined);
}

/** The members that an object must have; a discriminator of the same schema says which values one of them may have. */
const required: Write = (limit, { schema, compiler, fail }) => {
  const names = [limit].flat().map(String);
  const keyword = unionKeyword(schema);
  const messageOf = (pointer: string, value: Schema) => {
    const issue = keyword && discriminatorIssue(unionOf(schema, keyword, compiler.root), value);
    return issue && issue.pointer === pointer ? issue.message : REQUIRED;
  };
  return (value, run) =>
    !isObject(value) ||
    each(names, run, (name) => {
      if (Object.hasOwn(value, name)) return true;
      const pointer = `/${pointerSegment(name)}`;
      return run?.problems ? fail(run, messageOf(pointer, value), { pointer }) : false;
    });
};

/** Whether a name or a text matches a pattern, or takes too long to say. */
const matching = (pattern: string) => (text: string, run: Run | undefined) => {
  const fits = fitsPattern(pattern, text);
  if (fits === undefined) run?.unchecked?.add('pattern');
  return fits ?? true;
};

function patternText(pattern: string, value: string): string {
  const meant = inOtherCase(value, (other) => matchesPattern(pattern, other));
  return `must match the pattern ${quotePattern(pattern)}${meant === undefined ? '' : ` (did you mean ${meant}?)`}`;
}

/** What a value of a format is, in words. */
function formatText(format: string): string {
  return own(FORMATS, format) ?? `a valid ${format}`;
}

const FORMATS: Readonly<Record<string, string>> = {
  date: 'a date such as 2026-02-28',
  'date-time': 'a date and time with an offset, such as 2026-02-28T09:30:00+00:00',
  email: 'an email address',
  uri: 'a URI such as https://example.com/a',
  uuid: 'a UUID',
};

/** The checks of the keywords, in the order in which problems are reported. */
const KEYWORDS: Readonly<Record<string, Write>> = {
  [NOT_CHECKED]: () => (_, run) => {
    run?.unchecked?.add('$ref');
    return true;
  },
  $ref: (limit, { compiler }) => compiler.refer(String(limit)),
  type,
  const: listed,
  enum: listed,
  not: (limit, { compiler, fail }) => {
    const check = compile(limit, compiler);
    const isAny = isObject(limit) && Object.keys(limit).length === 0;
    const message = isAny ? NOT_DESCRIBED : 'must not have this value';
    return (value, run) =>
      !check(value, run && { ...quiet(run), pointer: '', seen: undefined }) || fail(run, message);
  },
  anyOf: union,
  allOf: schemas,
  oneOf: union,
  if: (limit, { schema, compiler }) => {
    const condition = compile(limit, compiler);
    const [then, otherwise] = [compile(schema.then, compiler), compile(schema.else, compiler)];
    return (value, run) => (checkWhole(condition, value, quiet(run)) ? then : otherwise)(value, run);
  },
  required,
  // The member that tells the branches of a union apart.
  discriminator: (limit, context) => {
    const name = isObject(limit) ? limit.propertyName : undefined;
    const { schema, compiler } = context;
    const keyword = unionKeyword(schema);
    const isOptional = keyword && unionOf(schema, keyword, compiler.root).discriminator?.isOptional;
    return typeof name === 'string' && !isOptional ? required(name, context) : ALWAYS;
  },
  minProperties: bound(membersIn, isAtLeast, leastOf('field')),
  maxProperties: bound(membersIn, isAtMost, mostOf('field')),
  propertyNames: (limit, { compiler }) => {
    const check = compile(limit, compiler);
    const ofName = (name: string, run: Run | undefined) =>
      check(name, run && { ...run, pointer: `${run.pointer}/${pointerSegment(name)}`, seen: undefined });
    return (value, run) => !isObject(value) || each(Object.keys(value), run, (name) => ofName(name, run));
  },
  dependentRequired: (limit, { fail }) => {
    const needs = Object.entries(limit as Record<string, string[]>);
    return (value, run) => {
      const has = (name: string) => isObject(value) && Object.hasOwn(value, name);
      return needs.every(([name, others]) => !has(name) || others.every(has)) || fail(run, NO_MATCH);
    };
  },
  dependentSchemas: (limit, context) => {
    const parts = partsIn(limit, context);
    return (value, run) =>
      !isObject(value) ||
      each(parts, run, ({ name, check }) => !Object.hasOwn(value, name) || check(value, run));
  },
  properties: (limit, context) => ofParts(isObject, partsIn(limit, context)),
  patternProperties: (limit, context) =>
    every(partsIn(limit, context).map(({ name, check }) => ofAll(isObject, check, matching(name)))),
  additionalProperties: (limit, { schema: { properties = {}, patternProperties = {} }, compiler }) => {
    const patterns = Object.keys(patternProperties as Schema).map(matching);
    return ofAll(isObject, compile(limit, compiler), (name, run) => {
      const isNamed = Object.hasOwn(properties as Schema, name);
      return !isNamed && !patterns.some((isMeant) => isMeant(name, run));
    });
  },
  unevaluatedProperties: (limit, { schema, compiler }) =>
    schema.additionalProperties === undefined
      ? ofAll(isObject, compile(limit, compiler), (name, run) => !run?.seen?.has(name))
      : ALWAYS,
  maxItems: bound(elementsIn, isAtMost, mostOf('element')),
  minItems: bound(elementsIn, isAtLeast, leastOf('element')),
  prefixItems: (limit, context) => ofParts(Array.isArray, partsIn(limit, context)),
  items: (limit, { schema: { prefixItems = [] }, compiler }) => {
    const { length } = prefixItems as readonly unknown[];
    return ofAll(Array.isArray, compile(limit, compiler), (index) => Number(index) >= length);
  },
  contains: (limit, { schema, compiler, fail }) => {
    const { minContains: least = 1, maxContains: most = Infinity } = schema;
    const check = compile(limit, compiler);
    return (value, run) => {
      if (!Array.isArray(value)) return true;
      const fits = (name: string) => checkPart({ name, check }, value, quiet(run));
      const found = Object.keys(value).filter(fits).length;
      return (found >= Number(least) && found <= Number(most)) || fail(run, NO_MATCH);
    };
  },
  unevaluatedItems: (limit, { schema: { items, prefixItems = [] }, compiler }) => {
    const { length } = prefixItems as readonly unknown[];
    return items === undefined
      ? ofAll(
          Array.isArray,
          compile(limit, compiler),
          (index, run) => Number(index) >= length && !run?.seen?.has(index),
        )
      : ALWAYS;
  },
  uniqueItems:
    (limit, { fail }) =>
    (value, run) => {
      const isSame = (one: unknown, at: number, all: readonly unknown[]) =>
        all.some((other, before) => before < at && deepCompareStrict(one, other));
      const isBroken = limit === true && Array.isArray(value) && value.some(isSame);
      return !isBroken || fail(run, 'must not contain the same element twice');
    },
  minimum: bound(numberIn, isAtLeast, (limit) => `must be ${limit} or more`),
  maximum: bound(numberIn, isAtMost, (limit) => `must be ${limit} or less`),
  exclusiveMinimum: bound(
    numberIn,
    (value, limit) => value > limit,
    (limit) => `must be more than ${limit}`,
  ),
  exclusiveMaximum: bound(
    numberIn,
    (value, limit) => value < limit,
    (limit) => `must be less than ${limit}`,
  ),
  multipleOf: bound(numberIn, isMultipleOf, (limit) => `must be a multiple of ${limit}`),
  minLength: bound(lengthOf, isAtLeast, leastOf('character')),
  maxLength: bound(lengthOf, isAtMost, mostOf('character')),
  pattern: (limit, { fail }) => {
    const pattern = String(limit);
    const fits = matching(pattern);
    return (value, run) => {
      if (typeof value !== 'string' || fits(value, run)) return true;
      return run?.problems ? fail(run, patternText(pattern, value)) : false;
    };
  },
  format: (limit, { fail }) => {
    return (value, run) =>
      typeof value !== 'string' ||
      hasFormat(value, String(limit)) ||
      fail(run, `must be ${formatText(String(limit))}`);
  },
};

/** What `checkOfTypes` leaves out. */
const LIMITS: ReadonlySet<string> = new Set([
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['pattern', 'format', 'minLength', 'maxLength', 'uniqueItems'],
]);

function isMultipleOf(value: number, step: number): boolean {
  const [number, of] = [decimalOf(value), decimalOf(step)];
  return number !== undefined && of !== undefined && isMultiple(number, of);
}

/** Whether a text has a format, as far as the format is known. */
export function hasFormat(text: string, format: string): boolean {
  return own(formats, format)?.(text) ?? true;
}

/** Whether a text is refused that does not have this format. */
export function isCheckedFormat(format: string): boolean {
  return Object.hasOwn(formats, format);
}
