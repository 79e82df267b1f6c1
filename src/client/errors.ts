import type { NeededScopes } from '../contract/operation.ts';
import { type ErrorDetail, PayctlError } from '../errors.ts';

/** The request that an error belongs to. Holds no header values, so that no token reaches a report through it. */
export type RequestSummary = {
  readonly method: string;
  /** Path and query as sent, a path prefix of the base URL included. */
  readonly path: string;
  readonly origin: string;
  readonly merchantAccount?: string | undefined;
  readonly needed?: NeededScopes | undefined;
  /** The key under which the service carries the request out only once, and its header, if it has one. */
  readonly idempotency?: { readonly header?: string | undefined; readonly key: string } | undefined;
};

/** These statuses say that the same request belongs elsewhere; other redirects may lead to the result of a request that was processed. */
const NOT_HERE = new Set([301, 307, 308]);

/**
 * Whether a request that changes data may have been processed although its response is an error: a 2xx was processed, and
 * a server or a gateway may fail after the change. A refusal says that it was not, and a 511 comes from a network that
 * wants a sign-in first.
 */
function mayBeProcessed({ request, status }: Pick<ApiErrorFields, 'request' | 'status'>): boolean {
  if (request.method === 'GET' || status === 511 || NOT_HERE.has(status)) return false;
  return status < 400 || status === 408 || status >= 500;
}

type ApiErrorFields = {
  readonly status: number;
  readonly request: RequestSummary;
  readonly details?: readonly ErrorDetail[];
  readonly resourceId?: string | undefined;
  readonly requestId?: string | undefined;
  readonly bodyExcerpt?: string | undefined;
  readonly retryAfter?: string | undefined;
  readonly attempts: number;
};

/**
 * The service refused a request or failed at it: any status of 400 and above. `code` is the `code` of the error
 * object, `validation_error` for the body of a 422, and `http_STATUS` where the body is neither
 * (specification: Errors).
 */
export class ApiError extends PayctlError {
  readonly status: number;
  readonly request: RequestSummary;
  readonly details: readonly ErrorDetail[];
  /** ID of the record in conflict; only on `duplicate_record`. */
  readonly resourceId: string | undefined;
  readonly requestId: string | undefined;
  /** The first 500 characters of a body that is not one of the documented shapes. */
  readonly bodyExcerpt: string | undefined;
  /** The `Retry-After` header as the service sent it. */
  readonly retryAfter: string | undefined;
  readonly attempts: number;

  constructor(code: string, message: string, fields: ApiErrorFields) {
    super(code, message, { outcomeUnknown: mayBeProcessed(fields) });
    this.status = fields.status;
    this.request = fields.request;
    this.details = fields.details ?? [];
    this.resourceId = fields.resourceId;
    this.requestId = fields.requestId;
    this.bodyExcerpt = fields.bodyExcerpt;
    this.retryAfter = fields.retryAfter;
    this.attempts = fields.attempts;
  }
}

/** Why no complete response arrived. */
export type ConnectionErrorCode =
  | 'dns'
  | 'connection_refused'
  /** No way leads to the service. */
  | 'unreachable'
  | 'connection_lost'
  /** The headers of the response are larger than payctl reads. */
  | 'headers_too_large'
  | 'tls'
  | 'timeout'
  /** Nothing listens at the address of the proxy, or what listens is not a proxy. */
  | 'proxy_unreachable'
  /** The proxy forbids the connection. */
  | 'proxy_refused'
  /** The proxy requires other credentials than it got. */
  | 'proxy_credentials'
  /** The proxy could not reach the service. */
  | 'proxy_failed';

type ConnectionErrorFields = {
  readonly request: RequestSummary;
  readonly attempts: number;
  readonly outcomeUnknown: boolean;
  readonly hint?: string | undefined;
  readonly cause?: unknown;
};

/** No complete response, because of name resolution, the connection, a proxy, TLS or time; the code says which. */
export class ConnectionError extends PayctlError {
  declare readonly code: ConnectionErrorCode;
  readonly request: RequestSummary;
  readonly attempts: number;
  constructor(code: ConnectionErrorCode, message: string, fields: ConnectionErrorFields) {
    super(code, message, fields);
    this.request = fields.request;
    this.attempts = fields.attempts;
  }
}

/** What is wrong with a response that arrived. */
export type ResponseErrorCode =
  | 'unreadable_response'
  | 'unexpected_shape'
  | 'redirect_refused'
  /** A 304: what was asked for has the version that the request names. */
  | 'not_modified'
  /** The link to the next page leads to another origin. */
  | 'link_refused'
  /** payctl cannot request the next page of a list that should be read to its end. */
  | 'paging_unknown'
  | 'response_too_large';

type ResponseErrorFields = {
  readonly request: RequestSummary;
  readonly status: number;
  readonly attempts: number;
  readonly requestId?: string | undefined;
  readonly bodyExcerpt?: string | undefined;
  readonly hint?: string | undefined;
};

/** A response that cannot be used: not JSON, another shape than the contract's, a redirect, or far too large. */
export class ResponseError extends PayctlError {
  declare readonly code: ResponseErrorCode;
  readonly request: RequestSummary;
  readonly status: number;
  readonly attempts: number;
  readonly requestId: string | undefined;
  readonly bodyExcerpt: string | undefined;
  constructor(code: ResponseErrorCode, message: string, fields: ResponseErrorFields) {
    super(code, message, { hint: fields.hint, outcomeUnknown: mayBeProcessed(fields) });
    this.request = fields.request;
    this.status = fields.status;
    this.attempts = fields.attempts;
    this.requestId = fields.requestId;
    this.bodyExcerpt = fields.bodyExcerpt;
  }
}

type Loop = {
  readonly ignored?: string | undefined;
  readonly isPage?: boolean;
  readonly emptyPages?: number;
};

/** The service returned a cursor, or a page, that it had returned before: going on would never end. */
export class CursorLoopError extends PayctlError {
  readonly cursor: string;

  /**
   * `ignored` is the parameter, as a message shows it, that asked for another page than the one that came again, and `isPage` says that
   * another cursor did; `emptyPages` is how many pages without items came one after the other.
   */
  constructor(cursor: string, { ignored = 'another cursor', isPage, emptyPages }: Loop = {}) {
    const came =
      emptyPages === undefined
        ? `the same ${isPage ? 'page' : 'cursor'} twice`
        : `${emptyPages} empty pages in a row`;
    const problem = isPage ? `that ${ignored} leads to no other page` : 'the repeated cursor';
    const report = emptyPages === undefined ? problem : 'the empty pages';
    super('cursor_loop', `The service returned ${came}, so the list would never end`, {
      hint: `No items before this point are missing. Report ${report} to the operator of the service.`,
    });
    this.cursor = cursor;
  }
}

/** The system's or undici's code of an error or of what caused it; empty where there is none. */
export function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return 'cause' in error ? errorCode(error.cause) : '';
}
