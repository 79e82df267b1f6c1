import type { ConnectionFault } from './errors.ts';

const BY_CODE: Readonly<Record<string, ConnectionFault>> = {
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

const MEANING: Readonly<Record<ConnectionFault, string>> = {
  dns: 'the host name could not be resolved',
  connection_refused: 'the connection was refused',
  connection_lost: 'the connection broke before the response was complete',
  tls: 'the TLS connection could not be established',
  timeout: 'no complete response arrived in time',
};

/** Sorts what the transport raised into the kinds of fault that a caller can act upon, by its code alone. */
export function connectionFault(error: unknown): ConnectionFault {
  const code = errorCode(error);
  const known = BY_CODE[code];
  if (known) return known;
  return code.startsWith('ERR_TLS_') || code.startsWith('ERR_SSL_') || code.startsWith('CERT_')
    ? 'tls'
    : 'connection_lost';
}

/** What a kind of fault means, as half a sentence, with the system's own code where there is one. */
export function faultMeaning(fault: ConnectionFault, error: unknown): string {
  const code = errorCode(error);
  return code ? `${MEANING[fault]} (${code})` : MEANING[fault];
}

/** The system's or undici's code of an error or of what caused it; empty where there is none. */
export function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return 'cause' in error ? errorCode(error.cause) : '';
}
