import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CredentialsError } from '../../src/errors.ts';
import { bareToken, openToken } from '../../src/tokens/claims.ts';
import { propertyRuns } from '../harness/property-runs.ts';
import { makeToken, SIGNATURE } from './make-token.ts';

const HEADER = { alg: 'ES512', kid: 'k' };

describe('bareToken', () => {
  it.each([
    ['a.b.c', 'a.b.c'],
    [' \n\ta.b.c\r\n', 'a.b.c'],
    ['\uFEFFa.b.c', 'a.b.c'],
    ['Bearer a.b.c', 'a.b.c'],
    ['bearer\t a.b.c\n', 'a.b.c'],
    ['Authorization: Bearer a.b.c', 'a.b.c'],
    ['Bearera.b.c', 'Bearera.b.c'],
    ['a.b.c Bearer ', 'a.b.c Bearer'],
    ['Bearer', 'Bearer'],
    ['', ''],
  ])('of %j is %j', (text, token) => {
    expect(bareToken(text)).toBe(token);
  });
});

describe('openToken', () => {
  it('gives header and claims as they were signed, and nothing of the signature', () => {
    const claims = '{ "exp": 1.0e3, "big": 12345678901234567890,\n "2": 1, "1": 2 }';
    const opened = openToken(makeToken(HEADER, claims));
    expect(opened).toMatchObject({
      headerText: JSON.stringify(HEADER),
      claimsText: claims,
      isSigned: true,
      content: { keyId: 'k', expiresAt: new Date(1_000_000) },
    });
    expect(JSON.stringify(opened)).not.toContain(SIGNATURE.slice(0, 18));
  });

  it('tells a token without a signature', () => {
    expect(openToken(makeToken(HEADER, {}, '')).isSigned).toBe(false);
  });

  const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
  it.each([
    ['', 'No token was given: the input is empty'],
    ['opaque', 'The token is not a JWT: it does not have three parts separated by dots'],
    ['a.b.c.d.e', 'The token is encrypted (a JWE); its claims cannot be read'],
    [makeToken(HEADER, nested(101)), 'The token is nested more than 100 levels deep'],
    [makeToken(nested(101), {}), 'The token is nested more than 100 levels deep'],
    [makeToken(HEADER, nested(100_000)), 'The token is nested more than 100 levels deep'],
  ])('refuses %.30s', (token, message) => {
    expect(() => openToken(token)).toThrow(
      expect.objectContaining({ name: 'CredentialsError', code: 'token_unreadable', message }),
    );
  });

  it('reads what is nested 100 levels deep', () => {
    expect(openToken(makeToken(HEADER, nested(100))).claimsText).toBe(nested(100));
  });

  it('throws nothing but CredentialsError, which holds no part of the text', () => {
    const part = fc.oneof(
      fc.base64String({ minLength: 8 }),
      fc.json().map((text) => Buffer.from(text).toString('base64url')),
    );
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), (parts) => {
        try {
          openToken(parts.join('.'));
        } catch (error) {
          expect(error).toBeInstanceOf(CredentialsError);
          const { message, hint = '' } = error as CredentialsError;
          const long = parts.filter((text) => text.length >= 8);
          expect(long.filter((text) => `${message}${hint}`.includes(text))).toEqual([]);
        }
      }),
      propertyRuns(500),
    );
  });
});
