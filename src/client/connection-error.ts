import { type PayctlError, UsageError } from '../errors.ts';
import {
  ConnectionError,
  type ConnectionErrorCode,
  errorCode,
  type RequestSummary,
  ResponseError,
} from './errors.ts';
import { BodyError } from './transport.ts';

const BY_CODE: Readonly<Record<string, ConnectionErrorCode>> = {
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EAI_FAIL: 'dns',
  EAI_NODATA: 'dns',
  ECONNREFUSED: 'connection_refused',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  EPROTO: 'tls',
  CERT_HAS_EXPIRED: 'tls',
  CERT_NOT_YET_VALID: 'tls',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls',
  UNABLE_TO_GET_ISSUER_CERT: 'tls',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls',
};

const MEANING: Readonly<Record<ConnectionErrorCode, string>> = {
  dns: 'the host name could not be resolved',
  connection_refused: 'the connection was refused',
  connection_lost: 'the connection broke before the response was complete',
  tls: 'the TLS connection could not be established',
  timeout: 'no complete response arrived in time',
};

/** Classifies an error of the transport by its code, into kinds that a caller can act on. */
export function connectionErrorCode(error: unknown): ConnectionErrorCode {
  const code = errorCode(error);
  const known = BY_CODE[code];
  if (known) return known;
  return code.startsWith('ERR_TLS_') || code.startsWith('ERR_SSL_') || code.startsWith('CERT_')
    ? 'tls'
    : 'connection_lost';
}

/** What a kind of error means, as half a sentence, with the system's own code where there is one. */
export function meaningOf(kind: ConnectionErrorCode, error: unknown): string {
  const code = errorCode(error);
  return code ? `${MEANING[kind]} (${code})` : MEANING[kind];
}

/** An attempt that ended without a response. */
export type Failure = {
  readonly summary: RequestSummary;
  readonly attempt: number;
  /** The time limit in milliseconds, where it was the reason. */
  readonly timedOutAfter: number | undefined;
};

/** The typed error for an error of the transport, selected by its code. */
export function toTypedError(error: unknown, { summary, attempt, timedOutAfter }: Failure): PayctlError {
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
  const code = timedOutAfter === undefined ? connectionErrorCode(error) : 'timeout';
  const reason =
    timedOutAfter === undefined ? meaningOf(code, error) : `no complete response within ${timedOutAfter} ms`;
  const outcomeUnknown =
    summary.method !== 'GET' && code !== 'dns' && code !== 'connection_refused' && code !== 'tls';
  return new ConnectionError(code, `No response from ${summary.origin}: ${reason}`, {
    request: summary,
    attempts: attempt,
    outcomeUnknown,
    cause: error,
  });
}
