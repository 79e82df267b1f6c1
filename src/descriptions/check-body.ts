import {
  format as formats,
  type OutputUnit,
  type Schema as RawSchema,
  validate as validateBy,
} from '@cfworker/json-schema';
import { plainNumber } from '../json/exact.ts';
import { integerProblem, isFraction, isOtherNumber, withFractions } from '../json/integers.ts';
import { isObject, own } from '../json/is-object.ts';
import { pointerSegment } from '../json/pointer.ts';
import { plural, quote } from '../text/format.ts';
import { inOtherCase } from '../text/suggest.ts';
import { segmentsOf, targetOf, typeOf, valueAtPointer } from './schema-at.ts';
import {
  choiceText,
  chooseBranch,
  discriminatorIssue,
  follow,
  nameOfBranch,
  type Union,
  unionAt,
} from './unions.ts';
import { OPTIONAL_KEYWORDS, schemaOfTypes, schemaWithout, usableSchema } from './usable-schema.ts';
import { matchesPattern, TOO_LONG, withinTime } from './within-time.ts';

/** A problem of a body. */
export type BodyProblem = {
  /** JSON pointer to the invalid value; empty for the body itself. */
  readonly pointer: string;
  /** What the value must be, such as `must be a string`. */
  readonly message: string;
  /** The name of the branch of a union that the problem is about. */
  readonly branch?: string | undefined;
  /** The types that the value may have, where it has none of them. */
  readonly types?: readonly unknown[] | undefined;
};

/** The longest time for a validation, in milliseconds, because a schema of unknown origin may be slow. */
const LONGEST_MS = 2000;

/**
 * Validates a body by the schema of an imported description (JSON Schema 2020-12, references below `$defs`). Of a union that no
 * branch fits, only the problems of the branch that is meant are reported. Undefined if the body cannot be validated: it
 * takes too long, or the schema is invalid.
 */
export function checkBody(
  schema: unknown,
  body: unknown,
  longestMs = LONGEST_MS,
): readonly BodyProblem[] | undefined {
  return validate(body, () => usableSchema(schema), longestMs);
}

/** The result of a check without a keyword that could not be checked. */
export type PartialCheck = { readonly problems: readonly BodyProblem[]; readonly keyword: string };

/** Validates a body that `checkBody` could not validate by the rest of its schema; undefined if that is not possible either. */
export function checkRest(schema: unknown, body: unknown): PartialCheck | undefined {
  for (const keyword of OPTIONAL_KEYWORDS) {
    const rest = schemaWithout(schema, keyword);
    const problems = rest === undefined ? undefined : validate(body, () => rest);
    if (problems) return { problems, keyword };
  }
  return undefined;
}

/** Whether `checkBody` refuses texts that do not have this format. */
export function isCheckedFormat(format: string): boolean {
  return Object.hasOwn(formats, format);
}

/**
 * The numbers of a body that are written in another form than an integer has, such as `5.00`, where the schema takes only
 * integers. The body has its numbers as they were written. Undefined as for `checkBody`.
 */
export function checkIntegers(schema: unknown, body: unknown): readonly BodyProblem[] | undefined {
  const marked = withFractions(body);
  if (marked === undefined) return [];
  const found = validate(marked, () => schemaOfTypes(schema))?.flatMap(({ pointer, types = [], branch }) => {
    const value = valueAtPointer(body, pointer);
    const isAllowed = types.includes('number') && isFraction(plainNumber(value) ?? 0.5);
    const isWrong = types.includes('integer') && isOtherNumber(value) && !isAllowed;
    return isWrong ? [{ pointer, message: integerProblem(value), branch }] : [];
  });
  // A type and a list of values can refuse the same number.
  return found && unique(found);
}

function validate(
  body: unknown,
  read: () => unknown,
  longestMs = LONGEST_MS,
): readonly BodyProblem[] | undefined {
  try {
    const found = withinTime(() => problemsIn(read() as RawSchema | boolean, body), longestMs);
    return found === TOO_LONG ? undefined : found;
  } catch {
    // The schema refers to itself endlessly, or has broken references.
    return undefined;
  }
}

function problemsIn(schema: RawSchema | boolean, body: unknown): readonly BodyProblem[] {
  // The library would otherwise make a table of every part of the schema, which takes longer than the validation.
  const targets = new Proxy<Record<string, RawSchema | boolean>>(
    {},
    { get: (_, reference) => targetOf(String(reference), schema) },
  );
  const { errors } = validateBy(body, schema, '2020-12', targets, false);
  const problems = unique(explain(errors, { schema, body }));
  // The message for a discriminator also lists its values.
  const isSaid = ({ pointer }: BodyProblem) =>
    problems.some((one) => one.pointer === pointer && one.message.startsWith(`${REQUIRED}:`));
  return problems.filter((problem) => problem.message !== REQUIRED || !isSaid(problem));
}

type Subject = { readonly schema: unknown; readonly body: unknown };

/** The errors worth reporting: only one branch of a union has its errors reported. */
function explain(errors: readonly OutputUnit[], subject: Subject): BodyProblem[] {
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf');
  const outer = unions.filter((error) => !unions.some((other) => other !== error && isWithin(error, other)));
  const plain = errors.filter((error) => !outer.some((union) => error === union || isWithin(error, union)));
  return [
    ...plain.flatMap((error) => toProblem(error, subject)),
    ...outer.flatMap((union) => explainUnion(union, errors, subject)),
  ];
}

/** Whether an error belongs to a branch of this union: it is about the same value, or one in it. */
function isWithin(error: OutputUnit, union: OutputUnit): boolean {
  return (
    error.keywordLocation.startsWith(`${union.keywordLocation}/`) &&
    `${error.instanceLocation}/`.startsWith(`${union.instanceLocation}/`)
  );
}

function explainUnion(error: OutputUnit, errors: readonly OutputUnit[], subject: Subject): BodyProblem[] {
  const pointer = pointerOf(error);
  const value = valueAtPointer(subject.body, pointer);
  const union = unionAt(subject.schema, error.keywordLocation);
  if (!union) return [{ pointer, message: NO_MATCH }];
  const issue = discriminatorIssue(union, value);
  if (issue) return [{ pointer: `${pointer}${issue.pointer}`, message: issue.message }];
  const problems = union.branches.map((_, index) => {
    const location = `${error.keywordLocation}/${index}`;
    const own = errors.filter((one) => isWithin(one, { ...error, keywordLocation: location }));
    return explain(own, subject);
  });
  const chosen = chooseBranch(union, value, problems);
  if (chosen === undefined) return severalFit(union, pointer, problems);
  const branch = nameOfBranch(union, chosen, value);
  return (problems[chosen] ?? []).map((problem) => ({ ...problem, branch: problem.branch ?? branch }));
}

/** Reports a value that fits several branches of `oneOf`, unless a discriminator says which one is meant. */
function severalFit(
  union: Union,
  pointer: string,
  problems: readonly (readonly BodyProblem[])[],
): BodyProblem[] {
  const fitting = problems.flatMap((found, index) =>
    found.length === 0 ? [nameOfBranch(union, index)] : [],
  );
  return fitting.length > 1
    ? [{ pointer, message: `matches ${fitting.join(' and ')}, but may match only one` }]
    : [];
}

const REQUIRED = 'is required';
const NO_MATCH = 'does not match the description';

/** Keywords whose errors only repeat that a value inside is invalid, which has an error of its own. */
const OUTER = new Set([
  '$ref',
  '$recursiveRef',
  'allOf',
  'properties',
  'patternProperties',
  'items',
  'prefixItems',
  'if',
  'dependentSchemas',
  'additionalProperties',
  'unevaluatedItems',
  'propertyNames',
]);

function toProblem(error: OutputUnit, { schema, body }: Subject): BodyProblem[] {
  const { keyword } = error;
  if (OUTER.has(keyword)) return [];
  const pointer = pointerOf(error);
  const limit = follow(schema, segmentsOf(error.keywordLocation));
  const value = valueAtPointer(body, pointer);
  if (keyword === 'required') {
    const issue = discriminatorOf(schema, error.keywordLocation, value);
    return missingMembers(limit, value).map((name) => {
      const segment = `/${pointerSegment(name)}`;
      return { pointer: pointer + segment, message: issue?.pointer === segment ? issue.message : REQUIRED };
    });
  }
  if (keyword === 'unevaluatedProperties') {
    const [, name = ''] = /^Property "(.*)" does not match/s.exec(error.error) ?? [];
    return [{ pointer: `${pointer}/${pointerSegment(name)}`, message: 'is not in the description' }];
  }
  const types = typesAllowed(keyword, limit);
  const message = own(MESSAGES, keyword)?.(limit, value) ?? NO_MATCH;
  return [{ pointer, message, ...(types && { types }) }];
}

/** What is wrong with the discriminator of a union in the same schema as a `required`. */
function discriminatorOf(schema: unknown, location: string, value: unknown) {
  const owner = location.replace(/\/required$/, '');
  const union = unionAt(schema, `${owner}/oneOf`) ?? unionAt(schema, `${owner}/anyOf`);
  return union && discriminatorIssue(union, value);
}

/** The types that a keyword about the value itself allows: an integer in a list of values is of the type `integer`. */
function typesAllowed(keyword: string, limit: unknown): readonly unknown[] | undefined {
  if (keyword === 'type') return [limit].flat();
  if (keyword !== 'enum' && keyword !== 'const') return undefined;
  return [limit].flat().map((one) => (Number.isInteger(one) ? 'integer' : typeOf(one)));
}

const MESSAGES: Readonly<Record<string, (limit: unknown, value: unknown) => string>> = {
  type: (limit, value) => `must be ${[limit].flat().join(' or ')}, not ${typeOf(value)}`,
  enum: (limit, value) => choiceText([limit].flat().map(asText), value),
  const: (limit) => `must be ${JSON.stringify(limit)}`,
  not: (limit) =>
    isObject(limit) && Object.keys(limit).length === 0
      ? 'is not in the description'
      : 'must not have this value',
  false: () => 'is not in the description',
  minimum: (limit) => `must be ${limit} or more`,
  maximum: (limit) => `must be ${limit} or less`,
  exclusiveMinimum: (limit) => `must be more than ${limit}`,
  exclusiveMaximum: (limit) => `must be less than ${limit}`,
  multipleOf: (limit) => `must be a multiple of ${limit}`,
  minLength: (limit) => `must have at least ${plural(Number(limit), 'character')}`,
  maxLength: (limit) => `must have at most ${plural(Number(limit), 'character')}`,
  pattern: (limit, value) => patternText(String(limit), value),
  format: (limit) => `must be a valid ${limit}`,
  minItems: (limit) => `must have at least ${plural(Number(limit), 'element')}`,
  maxItems: (limit) => `must have at most ${plural(Number(limit), 'element')}`,
  uniqueItems: () => 'must not contain the same element twice',
  minProperties: (limit) => `must have at least ${plural(Number(limit), 'field')}`,
  maxProperties: (limit) => `must have at most ${plural(Number(limit), 'field')}`,
};

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function patternText(pattern: string, value: unknown): string {
  const meant =
    typeof value === 'string' ? inOtherCase(value, (other) => matchesPattern(pattern, other)) : undefined;
  return `must match the pattern ${quote(pattern)}${meant === undefined ? '' : ` (did you mean ${meant}?)`}`;
}

function missingMembers(required: unknown, value: unknown): readonly string[] {
  return [required]
    .flat()
    .map(String)
    .filter((name) => !isObject(value) || !Object.hasOwn(value, name));
}

function pointerOf({ instanceLocation }: OutputUnit): string {
  return decodeURIComponent(instanceLocation.slice(1));
}

function unique(problems: readonly BodyProblem[]): readonly BodyProblem[] {
  return [...Map.groupBy(problems, ({ pointer, message }) => `${pointer} ${message}`).values()].flatMap(
    ([first]) => first ?? [],
  );
}
