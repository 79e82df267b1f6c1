import { type PayctlError, UsageError } from '../errors.ts';
import { connectionErrorCode, isNotHttp } from './connection-error-code.ts';
import {
  ConnectionError,
  type ConnectionErrorCode,
  errorCode,
  type RequestSummary,
  ResponseError,
} from './errors.ts';
import { NetworkError } from './network/network-error.ts';
import { BodyError, LARGEST_HEAD } from './transport.ts';

const MEANING: Readonly<Record<ConnectionErrorCode, string>> = {
  dns: 'the host name could not be resolved',
  connection_refused: 'the connection was refused',
  unreachable: 'the service cannot be reached',
  connection_lost: 'the connection broke before the response was complete',
  headers_too_large: `the headers of the response are larger than ${LARGEST_HEAD / 1024} KiB`,
  tls: 'the TLS connection could not be established',
  timeout: 'no complete response arrived in time',
  proxy_unreachable: 'the proxy cannot be used',
  proxy_refused: 'the proxy refused the connection',
  proxy_credentials: 'the proxy requires different credentials',
  proxy_failed: 'the proxy could not reach the service',
};

/** What a kind of error means, as half a sentence, with the system's own code where there is one. */
export function meaningOf(kind: ConnectionErrorCode, error: unknown): string {
  const code = errorCode(error);
  if (isNotHttp(error)) return 'the response is not HTTP';
  return code && kind !== 'headers_too_large' ? `${MEANING[kind]} (${code})` : MEANING[kind];
}

/** An attempt that ended without a response. */
export type Failure = {
  readonly summary: RequestSummary;
  readonly attempt: number;
  /** The time limit in milliseconds, where it was the reason. */
  readonly timedOutAfter: number | undefined;
  /** The limit was for the next piece of a body of which there was more before. */
  readonly hasBegun?: boolean | undefined;
  /** The connection was never established, so nothing was sent. */
  readonly isUnsent?: boolean | undefined;
  /** Why there is no proxy although one is set. */
  readonly withoutProxy?: string | undefined;
};

function silence(milliseconds: number, hasBegun = false): string {
  if (hasBegun) return `the response stalled for ${milliseconds} ms`;
  return `no complete response within ${milliseconds} ms`;
}

/** The kind of an error; where it is known whether something was sent, the service is unreachable only if nothing was. */
function kindOf(error: unknown, isUnsent: boolean | undefined): ConnectionErrorCode {
  const kind = connectionErrorCode(error);
  if (isUnsent === false && kind === 'unreachable') return 'connection_lost';
  return isUnsent && kind === 'connection_lost' ? 'unreachable' : kind;
}

/** The typed error for an error of the transport, selected by its code. */
export function toTypedError(error: unknown, failure: Failure): PayctlError {
  const { summary, attempt, timedOutAfter, withoutProxy, isUnsent = false } = failure;
  if (error instanceof BodyError) {
    const fields = { request: summary, status: error.status, attempts: attempt };
    const message = `The response body (${error.status}) cannot be read: ${error.message}`;
    return new ResponseError(error.code, message, fields);
  }
  if (error instanceof Error && errorCode(error) === 'UND_ERR_INVALID_ARG') {
    return new UsageError('bad_header', `The request cannot be sent: ${error.message}`, {
      hint: 'Look for line breaks and unusual characters in the token, the merchant account and its header name.',
    });
  }
  if (error instanceof NetworkError) {
    const { code, message, hint } = error;
    const fields = { request: summary, attempts: attempt, outcomeUnknown: false, hint, cause: error.cause };
    return new ConnectionError(code, `No response from ${summary.origin}: ${message}`, fields);
  }
  const isChange = summary.method !== 'GET';
  const code = timedOutAfter === undefined ? kindOf(error, isChange ? isUnsent : undefined) : 'timeout';
  const reason =
    timedOutAfter === undefined ? meaningOf(code, error) : silence(timedOutAfter, failure.hasBegun);
  const outcomeUnknown =
    isChange && !isUnsent && code !== 'dns' && code !== 'connection_refused' && code !== 'tls';
  const direct = withoutProxy === undefined ? '' : `; ${withoutProxy}`;
  return new ConnectionError(code, `No response from ${summary.origin}: ${reason}${direct}`, {
    request: summary,
    attempts: attempt,
    outcomeUnknown,
    cause: error,
  });
}
