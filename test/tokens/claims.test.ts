import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CredentialsError } from '../../src/errors.ts';
import { readClaims } from '../../src/tokens/claims.ts';
import { anyText } from '../harness/any-text.ts';
import { propertyRuns } from '../harness/property-runs.ts';

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function refusalOf(token: string): string {
  try {
    readClaims(token);
  } catch (error) {
    expect(error).toBeInstanceOf(CredentialsError);
    const { code, message } = error as CredentialsError;
    return `${code}: ${message}`;
  }
  return 'read';
}

describe('readClaims', () => {
  test('gives header, claims, scopes, key id and times', () => {
    const header = { alg: 'ES512', kid: 'key-1' };
    const claims = { iat: 1772366400, nbf: 1772366401, exp: 1772366700.5, scope: 'buyers.read' };
    expect(readClaims(`${encode(header)}.${encode(claims)}.c2ln`)).toEqual({
      header,
      claims,
      scopes: ['buyers.read'],
      keyId: 'key-1',
      issuedAt: new Date('2026-03-01T12:00:00Z'),
      notBefore: new Date('2026-03-01T12:00:01Z'),
      expiresAt: new Date('2026-03-01T12:05:00.500Z'),
    });
  });

  test('leaves out what is not of the type that it should be', () => {
    const token = `${encode({ kid: 7 })}.${encode({ iat: '1', nbf: null, exp: 1e300 })}.`;
    expect(readClaims(token)).toEqual({
      header: { kid: 7 },
      claims: { iat: '1', nbf: null, exp: 1e300 },
      scopes: undefined,
      keyId: undefined,
      issuedAt: undefined,
      notBefore: undefined,
      expiresAt: undefined,
    });
  });

  const object = encode({});
  test.each([
    ['', 'The token is not a JWT: it does not have three parts separated by dots'],
    ['opaque', 'The token is not a JWT: it does not have three parts separated by dots'],
    ['a.b.c.d', 'The token is not a JWT: it does not have three parts separated by dots'],
    ['a.b.c.d.e', 'The token is encrypted (a JWE); its claims cannot be read'],
    [`=.${object}.c2ln`, 'The token is not a JWT: its header is not base64url'],
    [`.${object}.c2ln`, 'The token is not a JWT: its header is not base64url'],
    [`${object}.e30=.c2ln`, 'The token is not a JWT: its payload is not base64url'],
    [`${object}.e.c2ln`, 'The token is not a JWT: its payload is not base64url'],
    [`${object}.${object}.c2 ln`, 'The token is not a JWT: its signature is not base64url'],
    [`${object}.${object}.c2ln\n`, 'The token is not a JWT: its signature is not base64url'],
    [`${encode([])}.${object}.c2ln`, 'The token is not a JWT: its header is not a JSON object'],
    [`${object}.${encode(null)}.c2ln`, 'The token is not a JWT: its payload is not a JSON object'],
    [
      `${object}.${Buffer.from('{').toString('base64url')}.c2ln`,
      'The token is not a JWT: its payload is not JSON',
    ],
    [
      `${object}.${Buffer.from('7b22ff227d', 'hex').toString('base64url')}.c2ln`,
      'The token is not a JWT: its payload is not JSON',
    ],
  ])('refuses %j', (token, message) => {
    expect(refusalOf(token)).toBe(`token_unreadable: ${message}`);
  });

  test('refuses claims that are nested beyond reason without any other error', () => {
    const nested = Buffer.from('['.repeat(200_000)).toString('base64url');
    expect(refusalOf(`${object}.${nested}.c2ln`)).toBe(
      'token_unreadable: The token is not a JWT: its payload is not JSON',
    );
  });

  test('throws nothing but token_unreadable, whatever the text is', () => {
    const part = fc.oneof(
      fc.base64String(),
      fc.json().map((text) => Buffer.from(text).toString('base64url')),
    );
    const hostile = fc.oneof(
      anyText(),
      fc.array(part).map((parts) => parts.join('.')),
    );
    fc.assert(
      fc.property(hostile, (token) => {
        expect(refusalOf(token)).toMatch(/^(read$|token_unreadable: )/);
      }),
      propertyRuns(1000),
    );
  });

  test('gives back any object that was put in', { tags: 'slow' }, () => {
    const object = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(object, object, (header, claims) => {
        const read = readClaims(`${encode(header)}.${encode(claims)}.`);
        expect(JSON.stringify(read.header)).toBe(JSON.stringify(header));
        expect(JSON.stringify(read.claims)).toBe(JSON.stringify(claims));
      }),
    );
  });
});
