import type { IncomingHttpHeaders } from 'node:http';
import type { Operation, Security, SecurityScheme } from '../../contract/operation.ts';
import { describeSecurity } from '../../descriptions/security-words.ts';
import { own } from '../../json/is-object.ts';
import type { Authenticate, Caller } from './access.ts';
import { HttpError } from './response.ts';

type Request = { readonly headers: IncomingHttpHeaders; readonly query: string; readonly now: Date };

/**
 * Authenticates a request to an imported operation that takes credentials other than a token: it must have some value for each credential
 * of one alternative. The emulator's own tokens are verified, and accepted for every operation.
 * @throws HttpError `unauthorized`
 */
export async function authenticateBy(
  operation: Operation & { readonly security: Security },
  request: Request,
  authenticate: Authenticate,
): Promise<Caller> {
  const { security, scopes, piiScope } = operation;
  const { authorization } = request.headers;
  const isMet = (scheme: SecurityScheme) => scheme.type !== 'bearer' && holds(scheme, request);
  if (security.length === 0 || security.some((schemes) => schemes.every(isMet))) {
    // The permissions of a key are unknown, so it has all of them.
    const all = piiScope === undefined ? scopes : [...scopes, piiScope];
    return { scopes: all, subject: undefined, isRestricted: false, merchantAccount: undefined };
  }
  if (authorization !== undefined && /^Bearer /i.test(authorization))
    return await authenticate(authorization, request.now);
  const takesBasic = security.flat().some(({ type }) => type === 'basic');
  const message = `the request needs ${describeSecurity(security)}`;
  throw new HttpError('unauthorized', {
    details: [{ type: 'credentials_missing', pointer: '', message, location: 'header' }],
    headers: { 'www-authenticate': takesBasic ? 'Basic realm="payctl emulator"' : 'Bearer' },
  });
}

function holds(scheme: SecurityScheme, { headers, query }: Request): boolean {
  if (scheme.type === 'basic') return isPair(headers.authorization ?? '');
  if (scheme.type !== 'apiKey') return false;
  if (scheme.in === 'query') return Boolean(new URLSearchParams(query).get(scheme.name));
  if (scheme.in === 'cookie') return cookiesOf(headers.cookie).has(scheme.name);
  const value = own(headers, scheme.name);
  return value !== undefined && value !== '' && !/^Bearer /i.test(value.toString());
}

/** Whether a header holds a user name and a password. */
function isPair(authorization: string): boolean {
  const [, encoded = ''] = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization) ?? [];
  return Buffer.from(encoded, 'base64').includes(':');
}

function cookiesOf(header = ''): ReadonlySet<string> {
  const pairs = header.split(';').map((pair) => pair.trim().split('=', 2));
  return new Set(pairs.flatMap(([name = '', value = '']) => (value === '' ? [] : [name])));
}
