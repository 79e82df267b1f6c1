import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scopes as knownScopes } from '../../src/contract/generated/operations.ts';
import { CredentialsError } from '../../src/errors.ts';
import { openToken } from '../../src/tokens/claims.ts';
import type { Inspection } from '../../src/tokens/lint.ts';
import { lintToken } from '../../src/tokens/lint.ts';
import { anyText } from '../harness/any-text.ts';
import { propertyRuns } from '../harness/property-runs.ts';
import { makeToken, SIGNATURE } from './make-token.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const SECONDS = NOW.getTime() / 1000;
const HEADER = { alg: 'ES512', typ: 'JWT', kid: 'key-1' };
const CLAIMS = { iat: SECONDS - 10, nbf: SECONDS - 10, exp: SECONDS + 290, scopes: ['buyers.read'] };
const ALGORITHMS = 'ES256, ES384, ES512, EdDSA, RS256, PS256';

type Changes = Readonly<Record<string, unknown>>;

function inspect(token: string, ownKey?: Inspection['ownKey']) {
  return lintToken({ ...openToken(token), now: NOW, ownKey, knownScopes });
}

/** What is found in a good token with these changes, each as `severity code: message`. */
function found(header: Changes, claims: Changes = {}, ownKey?: Inspection['ownKey']): string[] {
  const token = makeToken({ ...HEADER, ...header }, { ...CLAIMS, ...claims });
  return inspect(token, ownKey).map(({ severity, code, message }) => `${severity} ${code}: ${message}`);
}

describe('a token without an issue', () => {
  it.each(['ES256', 'ES384', 'ES512', 'EdDSA', 'RS256', 'PS256'])('may be signed with %s', (alg) => {
    expect(found({ alg })).toEqual([]);
  });

  it.each([
    ['typ in small letters', { typ: 'jwt' }, {}],
    ['no typ', { typ: undefined }, {}],
    ['neither iat nor nbf', {}, { iat: undefined, nbf: undefined }],
    ['exp in the next moment', {}, { exp: SECONDS + 0.001 }],
    ['a clock that is a minute ahead', {}, { iat: SECONDS + 60, nbf: undefined }],
    ['a lifetime of exactly a day', {}, { exp: SECONDS - 10 + 86_400 }],
    ['scopes in one text', {}, { scopes: undefined, scope: 'buyers.read embed' }],
  ])('may have %s', (_, header, claims) => {
    expect(found(header, claims)).toEqual([]);
  });

  it('may name the key in use', () => {
    expect(found({}, {}, { keyId: 'key-1', origin: 'profile acme' })).toEqual([]);
  });
});

describe('the times of a token', () => {
  it.each([
    [{ exp: SECONDS }, 'error expired: The token expired 0 seconds ago, at 2026-03-01T12:00:00.000Z.'],
    [
      { iat: SECONDS - 7500, nbf: SECONDS - 7500, exp: SECONDS - 7200 },
      'error expired: The token expired 2 hours ago, at 2026-03-01T10:00:00.000Z.',
    ],
    [
      { nbf: SECONDS + 60 },
      'error not_yet_valid: The token is not valid yet: it becomes valid in 60 seconds, at 2026-03-01T12:01:00.000Z.',
    ],
    [
      { iat: SECONDS + 61 },
      'warning clock_skew: iat is 61 seconds ahead of the clock of this machine: one of the clocks is wrong.',
    ],
    [{ exp: undefined }, 'error no_expiry: The token has no expiry (exp), so it never expires.'],
    [
      { exp: SECONDS - 10 + 86_401 },
      'warning long_lifetime: The token is valid for about 24 hours, more than 24 hours; if it is stolen, it can be used that long.',
    ],
    [
      { iat: undefined, exp: SECONDS + 30 * 86_400 },
      'warning long_lifetime: The token is valid for about 30 days, more than 24 hours; if it is stolen, it can be used that long.',
    ],
    [
      { iat: undefined, nbf: undefined, exp: SECONDS + 86_401 },
      'warning long_lifetime: The token is valid for about 24 hours, more than 24 hours; if it is stolen, it can be used that long.',
    ],
    [
      { exp: '1772366700' },
      'error date_unreadable: exp is not a valid time: it must be a number of seconds since 1970.',
    ],
    [
      { exp: null },
      'error date_unreadable: exp is not a valid time: it must be a number of seconds since 1970.',
    ],
    [
      { iat: 1e300 },
      'error date_unreadable: iat is not a valid time: it must be a number of seconds since 1970.',
    ],
    [
      { nbf: [1] },
      'error date_unreadable: nbf is not a valid time: it must be a number of seconds since 1970.',
    ],
    [
      { exp: NOW.getTime() + 1000 },
      'error date_in_milliseconds: exp looks like milliseconds; JWT times are in seconds.',
    ],
  ])('%j', (claims, issue) => {
    expect(found({}, claims)).toEqual([issue]);
  });

  it('are compared with the clock together, and the error comes before the warning', () => {
    expect(found({}, { iat: SECONDS + 600, nbf: SECONDS + 7200, exp: SECONDS + 9000 })).toEqual([
      'error not_yet_valid: The token is not valid yet: it becomes valid in 2 hours, at 2026-03-01T14:00:00.000Z.',
      'warning clock_skew: iat and nbf are 2 hours ahead of the clock of this machine: one of the clocks is wrong.',
    ]);
  });

  it('may lie in the year 9999 without being taken for milliseconds', () => {
    expect(found({}, { exp: 253_402_300_799 }).map((issue) => issue.split(':')[0])).toEqual([
      'warning long_lifetime',
    ]);
  });
});

describe('the header of a token', () => {
  it.each([
    [
      { alg: 'none' },
      'error algorithm_none: The algorithm is none: the token is not signed, so anyone could have created it.',
    ],
    [
      { alg: 'NoNe' },
      'error algorithm_none: The algorithm is none: the token is not signed, so anyone could have created it.',
    ],
    [
      { alg: 'HS256' },
      'error algorithm_shared_secret: "HS256" signs with a shared secret; the service expects a key pair.',
    ],
    [
      { alg: 'ES256K' },
      `error algorithm_unknown: The algorithm "ES256K" is not supported; the service accepts ${ALGORITHMS}.`,
    ],
    [
      { alg: 'es256' },
      `error algorithm_unknown: The algorithm "es256" is not supported; the service accepts ${ALGORITHMS}.`,
    ],
    [
      { alg: 7 },
      `error algorithm_unknown: The algorithm 7 is not supported; the service accepts ${ALGORITHMS}.`,
    ],
    [
      { alg: 'x'.repeat(200) },
      `error algorithm_unknown: The algorithm "${'x'.repeat(79)}... is not supported; the service accepts ${ALGORITHMS}.`,
    ],
    [{ alg: undefined }, 'error algorithm_unknown: The header has no algorithm (alg).'],
    [
      { kid: undefined },
      'error no_key_id: The header has no key ID (kid), so the service cannot tell which key to verify the token with.',
    ],
    [
      { kid: 7 },
      'error no_key_id: The header has no key ID (kid), so the service cannot tell which key to verify the token with.',
    ],
    [{ typ: 'at+jwt' }, 'warning type_unusual: typ is "at+jwt" instead of "JWT".'],
    [{ typ: null }, 'warning type_unusual: typ is null instead of "JWT".'],
  ])('%j', (header, issue) => {
    expect(found(header)).toEqual([issue]);
  });

  it('may name another key than the one in use', () => {
    expect(found({}, {}, { keyId: 'key-2', origin: 'profile acme (keychain)' })).toEqual([
      'warning other_key: The token names the key "key-1", but the key in use is key-2 (profile acme (keychain)).',
    ]);
  });

  it('may promise a signature that is not there', () => {
    expect(inspect(makeToken(HEADER, CLAIMS, ''))).toEqual([
      {
        code: 'signature_missing',
        severity: 'error',
        message: 'The token has no signature: it was truncated or never signed.',
      },
    ]);
    expect(inspect(makeToken({ ...HEADER, alg: 'none' }, CLAIMS, '')).map(({ code }) => code)).toEqual([
      'algorithm_none',
    ]);
  });
});

describe('the scopes of a token', () => {
  const missing =
    'warning scopes_missing: The token has no scope claim; only the service knows what it allows.';
  const empty = 'warning scopes_empty: The token has no scopes; it may not grant access to anything.';
  it.each([
    [{ scopes: undefined }, missing],
    [{ scopes: [] }, empty],
    [{ scopes: undefined, scope: '' }, empty],
    [{ scopes: [7, null] }, empty],
    [
      { scopes: ['buyers.read', 'buyer.read', 'x"y'] },
      'warning scopes_unknown: The API does not define "buyer.read", "x\\"y".',
    ],
    [
      { scopes: ['*.read', 'buyers.*', '*'] },
      'warning scopes_wildcard: *.read grants every scope that ends in .read, buyers.* grants every scope under buyers, * grants everything.',
    ],
    [
      { scopes: Array.from({ length: 12 }, (_, index) => `s${index}`) },
      'warning scopes_unknown: The API does not define "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9" and 2 more.',
    ],
  ])('%j', (claims, warning) => {
    expect(found({}, claims)).toEqual([warning]);
  });
});

describe('a hostile token', () => {
  const name = fc.oneof(
    fc.constantFrom('alg', 'typ', 'kid', 'iat', 'nbf', 'exp', 'scope', 'scopes', '__proto__', 'toString'),
    anyText(),
  );
  const value = fc.oneof(
    fc.jsonValue(),
    fc.double(),
    fc.maxSafeInteger(),
    fc.constantFrom('none', 'HS256', 'JWT', '\u001b[31m', '\u202e', 'x'.repeat(500)),
    fc.array(anyText()),
  );
  const part = fc.array(fc.tuple(name, value)).map((entries) => JSON.stringify(Object.fromEntries(entries)));
  const options = propertyRuns(1000);

  it('is judged with sentences that never hold its signature, or refused with CredentialsError', {
    tags: 'slow',
  }, () => {
    fc.assert(
      fc.property(part, part, fc.boolean(), (header, claims, hasKey) => {
        const ownKey = hasKey ? { keyId: 'own', origin: 'profile acme' } : undefined;
        for (const { code, severity, message } of inspect(makeToken(header, claims), ownKey)) {
          expect(code).toMatch(/^[a-z_]+$/);
          expect(severity).toMatch(/^(error|warning)$/);
          expect(message).toMatch(/\.$/);
          expect(message).not.toContain(SIGNATURE.slice(0, 18));
          expect(message.length).toBeLessThan(2000);
        }
      }),
      options,
    );
  });

  it('throws nothing but CredentialsError, whatever the text is', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          anyText(),
          fc.array(part).map((all) => all.join('.')),
        ),
        (text) => {
          try {
            inspect(text);
          } catch (error) {
            expect(error).toBeInstanceOf(CredentialsError);
          }
        },
      ),
      options,
    );
  });
});
