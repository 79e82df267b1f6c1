import type { ErrorDetail } from '../../contract/generated/types.ts';
import type { Operation, QueryParameter } from '../../contract/operation.ts';
import { plural } from '../../text/format.ts';
import { HttpError, queryError, ValidationError, type ValidationIssue } from './response.ts';

/** The validated query of a request: numbers where the contract says integer, its defaults filled in. */
export type QueryValues = Readonly<Record<string, string | number | readonly string[]>>;

/**
 * Reads the query string of a request to one operation. Parameters that the contract does not name are ignored. A
 * value that cannot be read as its type is answered with 422 where the contract lists that status; one that is read
 * and then breaks a limit is a 400.
 * @throws ValidationError, or HttpError `bad_request`, that names every such parameter
 */
export function readQuery(operation: Operation, text: string): QueryValues {
  const given = parseQuery(text);
  const values: Record<string, string | number | readonly string[]> = {};
  const details: ErrorDetail[] = [];
  const unreadable: ValidationIssue[] = [];
  for (const [name, parameter] of Object.entries(operation.query)) {
    const several = given.get(name) ?? [];
    const [value = parameter.default, ...others] = several;
    if (value === undefined) continue;
    const issue =
      others.length > 0 && !parameter.multiple ? repeated : firstIssue(parameter, [value, ...others]);
    if (issue === notAnInteger && operation.errors.includes(422)) {
      unreadable.push(unreadableParameter(name, parameter, value));
    } else if (issue !== undefined) {
      details.push({ type: issue.type, pointer: `/${name}`, message: issue.message, location: 'query' });
    } else if (parameter.multiple) values[name] = several;
    else values[name] = parameter.type === 'integer' ? Number(value) : value;
  }
  if (unreadable.length > 0) throw new ValidationError(unreadable);
  if (details.length > 0) throw new HttpError('bad_request', { details });
  return values;
}

function parseQuery(text: string): Map<string, string[]> {
  const given = new Map<string, string[]>();
  for (const pair of text.split('&')) {
    const end = pair.indexOf('=');
    const name = decode(end === -1 ? pair : pair.slice(0, end));
    const value = end === -1 ? '' : decode(pair.slice(end + 1));
    const values = given.get(name);
    if (values === undefined) given.set(name, [value]);
    else values.push(value);
  }
  return given;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw queryError('value_error.encoding', '', 'the query is not valid percent-encoded UTF-8');
  }
}

type Issue = { readonly type: string; readonly message: string };

const repeated: Issue = { type: 'value_error.repeated', message: 'must be given only once' };
const notAnInteger: Issue = { type: 'type_error.integer', message: 'must be an integer' };

function unreadableParameter(name: string, parameter: QueryParameter, input: unknown): ValidationIssue {
  const { minimum, maximum } = parameter;
  const ctx = {
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
  };
  return { loc: ['query', name], msg: notAnInteger.message, type: 'int_parsing', input, ctx };
}

function firstIssue(parameter: QueryParameter, values: readonly (string | number)[]): Issue | undefined {
  return values.map((value) => issueOf(parameter, String(value))).find((issue) => issue !== undefined);
}

function issueOf(parameter: QueryParameter, text: string): Issue | undefined {
  return parameter.type === 'integer' ? integerIssue(parameter, text) : textIssue(parameter, text);
}

function integerIssue({ minimum, maximum }: QueryParameter, text: string): Issue | undefined {
  if (!/^-?\d+$/.test(text)) return notAnInteger;
  const value = Number(text);
  if (minimum !== undefined && value < minimum) {
    return { type: 'value_error.minimum', message: `must be at least ${minimum}` };
  }
  if (maximum !== undefined && value > maximum) {
    return { type: 'value_error.maximum', message: `must be at most ${maximum}` };
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
  return undefined;
}
