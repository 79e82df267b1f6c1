import type { ErrorDetail } from '../../contract/generated/types.ts';
import type { Operation, QueryParameter } from '../../contract/operation.ts';
import { own } from '../../json/is-object.ts';
import { matchesPattern } from '../../schemas/patterns.ts';
import { decodePair } from '../../text/decode.ts';
import { plural, quotePattern } from '../../text/format.ts';
import { badRequest, HttpError, ValidationError, type ValidationIssue } from './response.ts';

/** The validated query of a request: numbers where the contract says integer, its defaults filled in. */
export type QueryValues = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/**
 * Reads the query string of a request to one operation. Parameters that the contract does not name are ignored. A
 * value that cannot be read as its type is answered with 422 where the contract lists that status; one that is read
 * and then breaks a limit is a 400.
 * @throws ValidationError, or HttpError `bad_request`, that names every such parameter
 */
export function readQuery(operation: Operation, text: string): QueryValues {
  const given = parseQuery(text);
  const values: Record<string, string | number | boolean | readonly string[]> = Object.create(null);
  const details: ErrorDetail[] = [];
  const unreadable: ValidationIssue[] = [];
  for (const [name, parameter] of Object.entries(operation.query)) {
    const several = parameter.pairs
      ? Object.values(pairsOf(given, name)).flat()
      : severalOf(given.get(name) ?? [], parameter);
    const [value = parameter.default, ...others] = several;
    if (value === undefined) {
      if (parameter.required) details.push({ ...missing, pointer: `/${name}`, location: 'query' });
      continue;
    }
    const issue =
      others.length > 0 && !parameter.multiple ? repeated : firstIssue(parameter, [value, ...others]);
    const isUnreadable = Object.values<Issue | undefined>(unreadables).includes(issue);
    if (isUnreadable && operation.errors.includes(422)) {
      unreadable.push(unreadableParameter(name, parameter, value));
    } else if (issue !== undefined) {
      details.push({ type: issue.type, pointer: `/${name}`, message: issue.message, location: 'query' });
    } else if (parameter.pairs) Object.assign(values, pairsOf(given, name));
    else if (parameter.multiple) values[name] = several;
    else values[name] = typed(parameter, value);
  }
  if (unreadable.length > 0) throw new ValidationError(unreadable);
  if (details.length > 0) throw new HttpError('bad_request', { details });
  return values;
}

/** The values of a parameter that is written under one key. */
function severalOf(given: readonly string[], { multiple, separator }: QueryParameter): readonly string[] {
  return multiple && separator !== undefined ? given.flatMap((text) => text.split(separator)) : given;
}

/** The values of `name[KEY]=VALUE`, by the whole key. */
function pairsOf(given: ReadonlyMap<string, readonly string[]>, name: string) {
  return Object.fromEntries([...given].filter(([key]) => key.startsWith(`${name}[`)));
}

function typed({ type }: QueryParameter, value: string | number): string | number | boolean {
  if (type === 'boolean') return value === 'true';
  return type === 'integer' || type === 'number' ? Number(value) : value;
}

function parseQuery(text: string): Map<string, string[]> {
  const given = new Map<string, string[]>();
  for (const pair of text.split('&')) {
    const [name, value] = readPair(pair);
    const values = given.get(name);
    if (values === undefined) given.set(name, [value]);
    else values.push(value);
  }
  return given;
}

function readPair(pair: string): readonly [name: string, value: string] {
  try {
    return decodePair(pair);
  } catch {
    throw badRequest('query', 'value_error.encoding', 'the query is not valid percent-encoded UTF-8');
  }
}

type Issue = { readonly type: string; readonly message: string };

const repeated: Issue = { type: 'value_error.repeated', message: 'must be given only once' };
const missing: Issue = { type: 'value_error.missing', message: 'is required' };
const unreadables = {
  integer: { type: 'type_error.integer', message: 'must be an integer' },
  number: { type: 'type_error.float', message: 'must be a number' },
  boolean: { type: 'type_error.bool', message: 'must be true or false' },
} as const satisfies Record<string, Issue>;
const unreadableTypes = { integer: 'int_parsing', number: 'float_parsing', boolean: 'bool_parsing' } as const;

function unreadableParameter(name: string, parameter: QueryParameter, input: unknown): ValidationIssue {
  const { minimum, maximum } = parameter;
  const ctx = {
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
  };
  const type = parameter.type === 'string' ? 'integer' : parameter.type;
  return { loc: ['query', name], msg: unreadables[type].message, type: unreadableTypes[type], input, ctx };
}

function firstIssue(parameter: QueryParameter, values: readonly (string | number)[]): Issue | undefined {
  return values.map((value) => issueOf(parameter, String(value))).find((issue) => issue !== undefined);
}

function issueOf(parameter: QueryParameter, text: string): Issue | undefined {
  switch (parameter.type) {
    case 'integer':
      return /^-?\d+$/.test(text) ? numberIssue(parameter, Number(text)) : unreadables.integer;
    case 'number':
      return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text)
        ? numberIssue(parameter, Number(text))
        : unreadables.number;
    case 'boolean':
      return text === 'true' || text === 'false' ? undefined : unreadables.boolean;
    default:
      return textIssue(parameter, text);
  }
}

function numberIssue(parameter: QueryParameter, value: number): Issue | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = parameter;
  if (minimum !== undefined && value < minimum) {
    return { type: 'value_error.minimum', message: `must be at least ${minimum}` };
  }
  if (maximum !== undefined && value > maximum) {
    return { type: 'value_error.maximum', message: `must be at most ${maximum}` };
  }
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) {
    return { type: 'value_error.minimum', message: `must be more than ${exclusiveMinimum}` };
  }
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) {
    return { type: 'value_error.maximum', message: `must be less than ${exclusiveMaximum}` };
  }
  return undefined;
}

function textIssue(parameter: QueryParameter, text: string): Issue | undefined {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, enum: allowed } = parameter;
  const length = [...text].length;
  if (length < minLength) {
    return {
      type: 'value_error.min_length',
      message: `must have at least ${plural(minLength, 'character')}`,
    };
  }
  if (length > maxLength) {
    return { type: 'value_error.max_length', message: `must have at most ${plural(maxLength, 'character')}` };
  }
  if (allowed !== undefined && !allowed.includes(text)) {
    return { type: 'value_error.enum', message: `must be one of ${allowed.join(', ')}` };
  }
  return formatIssue(parameter, text) ?? patternIssue(parameter, text);
}

function patternIssue({ pattern }: QueryParameter, text: string): Issue | undefined {
  if (pattern === undefined || matchesPattern(pattern, text)) return undefined;
  return { type: 'value_error.pattern', message: `must match the pattern ${quotePattern(pattern)}` };
}

const day = /^\d{4}-\d{2}-\d{2}/;
const formats: Readonly<Record<string, (text: string) => boolean>> = {
  date: (text) => text.length === 10 && day.test(text) && !Number.isNaN(Date.parse(text)),
  'date-time': (text) => day.test(text) && !Number.isNaN(Date.parse(text)),
  uuid: (text) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text),
  email: (text) => /^[^\s@]{1,64}@[^\s@]{1,255}$/.test(text),
  uri: URL.canParse,
};

function formatIssue({ format = '' }: QueryParameter, text: string): Issue | undefined {
  const isValid = own(formats, format);
  if (!isValid || isValid(text)) return undefined;
  return { type: `value_error.${format.replace('-', '')}`, message: `must be a valid ${format}` };
}
