import { isNestedDeeper, MAX_DEPTH } from '../../json/depth.ts';
import { copyForValidation, parseKeepingNumbers, plainNumber } from '../../json/exact.ts';
import { isObject } from '../../json/is-object.ts';
import { HttpError } from '../http/response.ts';
import type { Document } from './overlay.ts';
import type { Prepared } from './prepared.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** More errors than that in one body are not listed one by one. */
const MOST_ERRORS = 50;

/**
 * Reads the body of an operation and compares it with its schema. A whole number is one, however it is written (`1e2`, `100.0`);
 * other numbers stay as they were written. An object without members
 * stands for no body, and for one that is no object.
 * @throws HttpError `bad_request` whose details name every error
 */
export function readDescribedBody({ operation, request }: Prepared, body: Buffer): Document {
  if (!operation.hasBody) return {};
  if (body.length === 0) {
    if (operation.bodyRequired)
      throw broken([{ type: 'value_error.missing', pointer: '', message: 'field required' }]);
    return {};
  }
  const value: unknown = parse(body);
  const problems = request?.fits.problems(copyForValidation(value)) ?? [];
  if (problems.length > 0) {
    const details = problems.slice(0, MOST_ERRORS);
    throw broken(details.map(({ pointer, message }) => ({ type: 'value_error.schema', pointer, message })));
  }
  return isObject(value) ? value : {};
}

function parse(body: Buffer): unknown {
  try {
    const text = decoder.decode(body);
    if (isNestedDeeper(text, MAX_DEPTH)) {
      const message = `must not be nested more than ${MAX_DEPTH} levels deep`;
      throw broken([{ type: 'value_error.depth', pointer: '', message }]);
    }
    return withWholeNumbers(parseKeepingNumbers(text));
  } catch (error) {
    if (error instanceof HttpError) throw error;
    throw broken([{ type: 'value_error.jsondecode', pointer: '', message: 'must be valid JSON in UTF-8' }]);
  }
}

function withWholeNumbers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withWholeNumbers);
  if (isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, withWholeNumbers(member)]),
    );
  }
  const number = plainNumber(value);
  return number !== undefined && Number.isSafeInteger(number) ? number : value;
}

type Problem = { readonly type: string; readonly pointer: string; readonly message: string };

function broken(problems: readonly Problem[]): HttpError {
  return new HttpError('bad_request', { details: problems.map((one) => ({ ...one, location: 'body' })) });
}
