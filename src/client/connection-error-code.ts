import { type ConnectionErrorCode, errorCode } from './errors.ts';

const BY_CODE: Readonly<Record<string, ConnectionErrorCode>> = {
  ENOTFOUND: 'dns',
  ECONNREFUSED: 'connection_refused',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EHOSTDOWN: 'unreachable',
  ENETDOWN: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'headers_too_large',
  EPROTO: 'tls',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls',
  UNABLE_TO_GET_ISSUER_CERT: 'tls',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls',
  INVALID_CA: 'tls',
  INVALID_PURPOSE: 'tls',
  PATH_LENGTH_EXCEEDED: 'tls',
  HOSTNAME_MISMATCH: 'tls',
};

/** Whether something other than HTTP arrived. A response that is cut off can also be a parser error, but has no `data`. */
export function isNotHttp(error: unknown): boolean {
  return error instanceof Error && error.name === 'HTTPParserError' && 'data' in error && !!error.data;
}

/** Classifies an error of the transport by its code, into kinds that a caller can act on. */
export function connectionErrorCode(error: unknown): ConnectionErrorCode {
  const code = errorCode(error);
  const known = BY_CODE[code];
  if (known) return known;
  if (code.startsWith('EAI_')) return 'dns';
  return /^(ERR_TLS_|ERR_SSL_|CERT_|CRL_)/.test(code) ? 'tls' : 'connection_lost';
}
