import type { ErrorDetail } from '../errors.ts';
import { parseExactJson, stringifyExactJson } from '../json/exact.ts';
import { isObject } from '../json/is-object.ts';
import { pointerSegment } from '../json/pointer.ts';
import { ApiError, type RequestSummary, ResponseError } from './errors.ts';
import { redirectHint } from './redirect.ts';

/** A response as it arrived: its exact text and its metadata. */
export type RawResponse = {
  /** The body exactly as the service sent it, decoded from UTF-8; bytes that are not UTF-8 become U+FFFD. */
  readonly text: string;
  /** False where such bytes were replaced. */
  readonly isUtf8?: boolean;
  /** How many bytes of the body a `receiver` got; `text` is empty then. */
  readonly bytes?: number | undefined;
  readonly status: number;
  readonly requestId: string | undefined;
  /** Lower-case names; a repeated header's values are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly request: RequestSummary;
  /** How often the request was sent. */
  readonly attempts: number;
};

const RESPONSE = Symbol('response');

/** A document that knows the response it came with. The member is not enumerable: copies and JSON leave it out. */
export type Received = { readonly [RESPONSE]: RawResponse };

/** Gives a document its response. */
export function withResponse<T extends object>(document: T, response: RawResponse): T & Received {
  return Object.defineProperty(document, RESPONSE, { value: response }) as T & Received;
}

/**
 * The response that a page or another document of this client came with: the exact text (field order, unknown fields,
 * the spelling of numbers), the status and the headers. `undefined` for any other object, copies included.
 */
export function responseOf(document: Received): RawResponse;
export function responseOf(document: object): RawResponse | undefined;
export function responseOf(document: Partial<Received>): RawResponse | undefined {
  return document[RESPONSE];
}

/** How a response is read. */
export type ReadOptions = {
  readonly acceptsAny?: boolean | undefined;
  readonly readPage?: ReadPage | undefined;
  /** Takes the response if it is not JSON: what may be anything may be nothing. */
  readonly receiver?: object | undefined;
};

/** Whether a request succeeded without a body. */
export function hasNoContent({ status, text, bytes }: RawResponse): boolean {
  return bytes === undefined && status < 300 && text.trim() === '';
}

/**
 * The JSON object that a successful response holds, with the response itself; an object without members for one without a
 * body: one that changes data with any 2xx, one that reads with a 204, or with any where a `receiver` takes anything. With `acceptsAny` it may be an array, too, and of a single value it gives an object without members.
 * `readPage` is asked before the text is parsed.
 * @throws ResponseError for a redirect, for text that is not JSON, for JSON that is not an object, and for an error object
 */
export function readDocument(
  response: RawResponse,
  { acceptsAny = false, readPage, receiver }: ReadOptions = {},
): object & Received {
  const fields = { ...response, bodyExcerpt: excerpt(response.text) };
  if (response.status === 304 && response.request.method === 'GET')
    throw new ResponseError('not_modified', 'The service returned 304: nothing has changed', fields);
  if (response.status >= 300) {
    throw new ResponseError(
      'redirect_refused',
      `The service returned a redirect (${response.status}), which is not followed`,
      {
        ...fields,
        hint: `The token is sent only to the configured base URL. ${redirectHint(response)}`,
      },
    );
  }
  if (response.bytes !== undefined) return withResponse({}, response);
  const isRead = response.request.method === 'GET' && receiver === undefined;
  const mayBeEmpty = !isRead || (acceptsAny && response.status === 204);
  if (mayBeEmpty && hasNoContent(response)) return withResponse({}, response);
  const page = readPage?.(response);
  if (page && (acceptsAny || !Array.isArray(page))) return page;
  let document: unknown;
  try {
    document = parseExactJson(response.text);
  } catch {
    throw new ResponseError('unreadable_response', 'The response is not JSON', fields);
  }
  if (isErrorObject(document)) {
    const { code, message } = document;
    const problem = `The service returned ${response.status}, but with an error: ${message.slice(0, EXCERPT_LENGTH)} (${code.slice(0, EXCERPT_LENGTH)})`;
    throw new ResponseError('unexpected_shape', problem, fields);
  }
  const isValue = typeof document !== 'object' || document === null;
  if (acceptsAny) return withResponse(isValue ? {} : (document as object), response);
  if (isValue || Array.isArray(document)) {
    throw new ResponseError('unexpected_shape', 'The response is JSON, but not an object', fields);
  }
  return withResponse(document as object, response);
}

/** Whether a document is the error object of the service, whose `status` is that of an error (specification: Error object). */
function isErrorObject(value: unknown): value is { readonly code: string; readonly message: string } {
  if (!isObject(value) || value.type !== 'error') return false;
  const { code, message, status } = value;
  return typeof code === 'string' && typeof message === 'string' && Number(status) >= 400;
}

/** Reads the text of a page in place of `JSON.parse`; undefined where the page is to be read as any other document. */
export type ReadPage = (response: RawResponse) => (object & Received) | undefined;

/** How much of an undocumented body an error keeps, in characters. */
const EXCERPT_LENGTH = 500;

/**
 * The typed error of a response with a status of 400 or above, for every body the service or something before it may
 * send: the error object, the body of a 422, other JSON, a page of HTML, nothing (specification: Errors). Never throws.
 */
export function readApiError(
  response: RawResponse & { readonly bodyProblem?: string | undefined },
): ApiError {
  const { status, text, bodyProblem } = response;
  const common = { ...response, retryAfter: response.headers['retry-after'] };
  const body = parseObject(text);
  if (body && Array.isArray(body.detail)) {
    const details = body.detail.map(readValidationItem);
    return new ApiError('validation_error', 'The request failed validation', { ...common, details });
  }
  if (body && body.type === 'error' && typeof body.code === 'string' && body.code !== '') {
    return new ApiError(body.code, asText(body.message) ?? statusName(status), {
      ...common,
      details: Array.isArray(body.details) ? body.details.map(readDetail) : [],
      resourceId: asText(body.resource_id),
    });
  }
  const problem = bodyProblem === undefined ? '' : ` (the response body cannot be read: ${bodyProblem})`;
  const name = statusName(status);
  const texts = body ? wordsIn(body).filter((words) => words !== name) : [];
  const details = texts.map((message) => ({ message }));
  return new ApiError(`http_${status}`, name + problem, { ...common, details, bodyExcerpt: excerpt(text) });
}

/** The members in which other services say in words what is wrong; the first one counts. */
const WORDS = ['message', 'detail', 'error_description', 'description', 'faultstring', 'title'];
/** So many details of such a body are kept. */
const MOST_WORDS = 20;

/**
 * The texts in which an error body of another shape says what is wrong: its own, that of its `error` or `fault`, and those of its lists
 * `errors`, `details`, `error_messages` and `message`.
 */
function wordsIn(body: Record<string, unknown>): readonly string[] {
  const { errors, details, error_messages: messages, message } = body;
  const lists = [errors, details, messages, message].filter((list) => Array.isArray(list));
  const holders = [body, body.error, body.fault, ...lists.flatMap((list) => list.slice(0, MOST_WORDS))];
  const texts = holders.flatMap((holder) => {
    const values = isObject(holder) ? WORDS.map((name) => holder[name]) : [holder];
    return values.flatMap((value) => excerpt(asText(value) ?? '') ?? []).slice(0, 1);
  });
  return [...new Set(texts)].slice(0, MOST_WORDS);
}

/** The first characters of a body, for a report; `undefined` for an empty one. */
export function excerpt(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  return trimmed.length > EXCERPT_LENGTH ? `${trimmed.slice(0, EXCERPT_LENGTH).toWellFormed()}…` : trimmed;
}

function readDetail(item: unknown): ErrorDetail {
  if (!isObject(item)) return { message: describe(item) };
  return {
    location: asText(item.location),
    pointer: asText(item.pointer),
    message: asText(item.message) ?? '',
    type: asText(item.type),
  };
}

/** Translates `loc: ["body", "address", "city"]` to location and JSON pointer (RFC 6901), as `details` has them. */
function readValidationItem(item: unknown): ErrorDetail {
  if (!isObject(item)) return { message: describe(item) };
  const { loc } = item;
  const [location, ...segments] = (Array.isArray(loc) ? loc : [loc ?? []].flat()).map(describe);
  const pointer = segments.map((segment) => `/${pointerSegment(segment)}`).join('');
  return {
    location,
    pointer: pointer || undefined,
    message: asText(item.msg) ?? '',
    type: asText(item.type),
    ...('input' in item ? { input: item.input } : {}),
    ...('ctx' in item ? { ctx: item.ctx } : {}),
  };
}

/** Any JSON value as text: a string as it is, anything else as JSON. */
function describe(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return stringifyExactJson(value);
  } catch {
    return '[nested too deeply]';
  }
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value = parseExactJson(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function statusName(status: number): string {
  const { STATUS_CODES } = process.getBuiltinModule('node:http');
  return STATUS_CODES[status] ?? (status < 500 ? 'Request rejected' : 'Server error');
}
