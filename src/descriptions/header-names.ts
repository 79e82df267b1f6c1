/** Headers that OpenAPI does not count as parameters, and others that payctl or the connection sets. */
const OWN_HEADERS = new Set([
  'accept',
  'content-type',
  'authorization',
  'user-agent',
  'accept-encoding',
  'host',
]);

/**
 * Headers that belong to the connection, or to credentials that payctl does not support; and headers that turn a request into another
 * one, so that a GET could change something without a confirmation, even with read-only access.
 */
const NEVER_SENT = new Set([
  ...[
    'content-length',
    'transfer-encoding',
    'connection',
    'keep-alive',
    'te',
    'trailer',
    'upgrade',
    'expect',
  ],
  ...['cookie', 'proxy-authorization', 'proxy-authenticate', 'proxy-connection', 'content-encoding'],
  ...['x-http-method-override', 'x-http-method', 'x-method-override', 'x-original-url', 'x-rewrite-url'],
]);

/** Whether payctl itself sets the header with this name, in lower case. */
export function isOwnHeader(name: string): boolean {
  return OWN_HEADERS.has(withHyphens(name));
}

/** Whether no request may have a header of this name, in lower case, from a description or a user. */
export function isNeverSent(name: string): boolean {
  return NEVER_SENT.has(withHyphens(name));
}

/** Many servers do not distinguish hyphens and underscores in the names of headers. */
function withHyphens(name: string): string {
  return name.replaceAll('_', '-');
}

/** The name of a header or a cookie, by RFC 9110. */
export const FIELD_NAME = /^[\w!#$%&'*+.^`|~-]{1,100}$/;
