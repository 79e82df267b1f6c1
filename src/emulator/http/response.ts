import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { ErrorDetail, ErrorObject } from '../../contract/generated/types.ts';

/** A response before it is written: the body is JSON, as text or in UTF-8. */
export type EmulatorResponse = {
  readonly status: number;
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** The ID of the request, where something else has it already. */
  readonly requestId?: string;
  /** The error object of the contract, which the API log keeps where `body` has another form. */
  readonly logged?: string;
};

/** Status and default message of each error code (specification, Errors). */
const errorCodes = {
  bad_request: [400, 'Generic error'],
  unauthorized: [401, 'No valid API authentication found'],
  forbidden: [403, 'Generic error'],
  not_found: [404, 'The resource could not be found'],
  method_not_allowed: [405, 'Method Not Allowed'],
  duplicate_record: [409, 'Generic error'],
  too_early: [425, 'Generic error'],
  too_many_requests: [429, 'Generic error'],
  server_error: [500, 'Request could not be processed'],
  bad_gateway: [502, 'Request could not be processed'],
  gateway_timeout: [504, 'Request could not be processed'],
} as const;

/** A code of the error object that the contract names. */
export type ErrorCode = keyof typeof errorCodes;

/** The status of a code of the contract; undefined for any other text. */
export function statusOfCode(code: string): number | undefined {
  return Object.hasOwn(errorCodes, code) ? errorCodes[code as ErrorCode][0] : undefined;
}

/** The code of a status and its default message; undefined for a status that the contract has no code for. */
export function errorOfStatus(
  status: number,
): { readonly code: ErrorCode; readonly message: string } | undefined {
  const found = Object.entries(errorCodes).find(([, [known]]) => known === status);
  return found === undefined ? undefined : { code: found[0] as ErrorCode, message: found[1][1] };
}

type HttpErrorOptions = {
  /** Replaces the code's default message. */
  readonly message?: string;
  readonly details?: readonly ErrorDetail[];
  /** The conflicting record of a `duplicate_record`. */
  readonly resourceId?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Thrown anywhere under a request to respond with an error object. */
export class HttpError extends Error {
  readonly code: ErrorCode;
  readonly options: HttpErrorOptions;

  constructor(code: ErrorCode, options: HttpErrorOptions = {}) {
    super(options.message ?? errorCodes[code][1]);
    this.name = 'HttpError';
    this.code = code;
    this.options = options;
  }
}

/** One problem of a 422 (specification, Errors, rule 3). */
export type ValidationIssue = {
  /** Path to the value; the first part is `query` or `body`. */
  readonly loc: readonly string[];
  readonly msg: string;
  readonly type: string;
  readonly input: unknown;
  readonly ctx: Readonly<Record<string, unknown>>;
};

/** Thrown to respond with a 422, whose body has a different structure from other errors. */
export class ValidationError extends Error {
  readonly issues: readonly ValidationIssue[];

  constructor(issues: readonly ValidationIssue[]) {
    super('the request is not valid');
    this.name = 'ValidationError';
    this.issues = issues;
  }
}

/** A 400 that names one problem: of the `query`, the `body`, the `path` or a `header`. */
export function badRequest(location: string, type: string, message: string, pointer = ''): HttpError {
  return new HttpError('bad_request', { details: [{ type, pointer, message, location }] });
}

/** A request that is refused. */
export type Refusal = HttpError | ValidationError;

/** Whether an error refuses a request; any other is one of the emulator itself. */
export function isRefusal(error: unknown): error is Refusal {
  return error instanceof HttpError || error instanceof ValidationError;
}

/** The response to a request that is refused: the error object of the specification, or the body of a 422. */
export function errorResponse(error: Refusal): EmulatorResponse & { readonly body: string } {
  if ('issues' in error) return { status: 422, body: JSON.stringify({ detail: error.issues }) };
  const { code, message } = error;
  const { details = [], resourceId = null, headers } = error.options;
  const status = errorCodes[code][0];
  const body = errorBody({
    type: 'error',
    code,
    status,
    message,
    details: [...details],
    resource_id: resourceId,
  });
  return { status, body, ...(headers === undefined ? {} : { headers }) };
}

/** The JSON text of an error object; `resource_id` is in it only on a 409, as the specification says. */
export function errorBody(error: ErrorObject): string {
  const { resource_id: resourceId = null, details = [], ...rest } = error;
  const object: ErrorObject = { ...rest, details };
  return JSON.stringify(error.status === 409 ? { ...object, resource_id: resourceId } : object);
}

/** The content type of every response of the contract. */
export const jsonType = 'application/json; charset=utf-8';

/** The headers of a response: type and length of its content, the request id, and its own. */
export function responseHeaders(outgoing: EmulatorResponse, contentType = jsonType): OutgoingHttpHeaders {
  // A response without content has no headers of its own, by RFC 9110; an empty one has no type.
  const hasContent = outgoing.status !== 204 && outgoing.status !== 304;
  return {
    ...(outgoing.body.length > 0 && { 'content-type': contentType }),
    ...(hasContent && { 'content-length': Buffer.byteLength(outgoing.body) }),
    'x-request-id': outgoing.requestId ?? process.getBuiltinModule('node:crypto').randomUUID(),
    ...outgoing.headers,
  };
}

/** Sends a whole response at once. */
export function sendResponse(response: ServerResponse, outgoing: EmulatorResponse): void {
  response.writeHead(outgoing.status, responseHeaders(outgoing));
  // Node writes a text together with the headers, but bytes after them in a second write: Latin-1 is bytes as a text.
  if (typeof outgoing.body === 'string') response.end(outgoing.body);
  else response.end(outgoing.body.toString('latin1'), 'latin1');
}
