import { connectionFault, errorCode, faultMeaning } from './connection-fault.ts';
import {
  ConnectionError,
  type PayctlError,
  type RequestSummary,
  ResponseError,
  UsageError,
} from './errors.ts';
import { BodyError } from './transport.ts';

/** An attempt that ended without a response. */
export type Failure = {
  readonly summary: RequestSummary;
  readonly attempt: number;
  /** The time limit in milliseconds, where it was the reason. */
  readonly timedOutAfter: number | undefined;
};

/** The typed error for what the transport raised, told apart by codes. */
export function explainFault(error: unknown, { summary, attempt, timedOutAfter }: Failure): PayctlError {
  if (error instanceof BodyError) {
    const fields = { request: summary, status: error.status, attempts: attempt };
    const message = `The body of the response (${error.status}) cannot be used: ${error.message}`;
    return new ResponseError(error.code, message, fields);
  }
  if (error instanceof Error && errorCode(error) === 'UND_ERR_INVALID_ARG') {
    return new UsageError('bad_header', `The request cannot be sent: ${error.message}`, {
      hint: 'Look for line breaks and unusual characters in the token, the merchant account and its header name.',
    });
  }
  const code = timedOutAfter === undefined ? connectionFault(error) : 'timeout';
  const reason =
    timedOutAfter === undefined
      ? faultMeaning(code, error)
      : `no complete response within ${timedOutAfter} ms`;
  const outcomeUnknown =
    summary.method !== 'GET' && code !== 'dns' && code !== 'connection_refused' && code !== 'tls';
  return new ConnectionError(code, `No answer from ${summary.origin}: ${reason}`, {
    request: summary,
    attempts: attempt,
    outcomeUnknown,
    cause: error,
  });
}
