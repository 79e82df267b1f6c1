import type { ErrorDetail, ErrorObject } from '../contract/types.ts';

/** An answer before it is written: the body is JSON, as text or in UTF-8. */
export type Answer = {
  readonly status: number;
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
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

/** A code of the error object. */
export type ErrorCode = keyof typeof errorCodes;

type RefusalOptions = {
  /** In the place of the code's default message. */
  readonly message?: string;
  readonly details?: readonly ErrorDetail[];
  /** The conflicting record of a `duplicate_record`. */
  readonly resourceId?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Thrown anywhere under a request to answer it with an error object. */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly options: RefusalOptions;

  constructor(code: ErrorCode, options: RefusalOptions = {}) {
    super(options.message ?? errorCodes[code][1]);
    this.name = 'Refusal';
    this.code = code;
    this.options = options;
  }
}

/** A 400 that names one fault of the query. */
export function queryRefusal(type: string, pointer: string, message: string): Refusal {
  return new Refusal('bad_request', { details: [{ type, pointer, message, location: 'query' }] });
}

/** The answer to a refused request: the error object of the specification, `resource_id` only on a 409. */
export function errorAnswer(refusal: Refusal): Answer & { readonly body: string } {
  const status = errorCodes[refusal.code][0];
  const { details = [], resourceId, headers } = refusal.options;
  const error: ErrorObject = {
    type: 'error',
    code: refusal.code,
    status,
    message: refusal.message,
    details: [...details],
    ...(status === 409 ? { resource_id: resourceId ?? null } : {}),
  };
  return { status, body: JSON.stringify(error), ...(headers === undefined ? {} : { headers }) };
}
