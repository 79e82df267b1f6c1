import { type ConnectionErrorCode, errorCode } from './errors.ts';

const CODES = new Map<ConnectionErrorCode, readonly string[]>([
  ['dns', ['ENOTFOUND']],
  ['connection_refused', ['ECONNREFUSED']],
  ['unreachable', ['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN', 'EADDRNOTAVAIL']],
  ['timeout', ['ETIMEDOUT', ...['CONNECT', 'HEADERS', 'BODY'].map((part) => `UND_ERR_${part}_TIMEOUT`)]],
  ['headers_too_large', ['UND_ERR_HEADERS_OVERFLOW']],
  [
    'tls',
    [
      ...['EPROTO', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_GET_ISSUER_CERT'],
      ...['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'INVALID_CA'],
      ...['INVALID_PURPOSE', 'PATH_LENGTH_EXCEEDED', 'HOSTNAME_MISMATCH'],
    ],
  ],
]);

/** Whether something other than HTTP arrived. A response that is cut off can also be a parser error, but has no `data`. */
export function isNotHttp(error: unknown): boolean {
  return error instanceof Error && error.name === 'HTTPParserError' && 'data' in error && !!error.data;
}

/** Classifies an error of the transport by its code, into kinds that a caller can act on. */
export function connectionErrorCode(error: unknown): ConnectionErrorCode {
  const code = errorCode(error);
  for (const [kind, codes] of CODES) if (codes.includes(code)) return kind;
  if (code.startsWith('EAI_')) return 'dns';
  return /^(ERR_TLS_|ERR_SSL_|CERT_|CRL_)/.test(code) ? 'tls' : 'connection_lost';
}
