import { beforeEach, describe, expect, test } from 'vitest';
import { readClaims } from '../../src/tokens/claims.ts';
import { readSigningKey } from '../../src/tokens/keys.ts';
import type { TokenProvider } from '../../src/tokens/provider.ts';
import { createTokenProvider } from '../../src/tokens/provider.ts';
import { verifyToken } from '../../src/tokens/verify.ts';
import { ED25519_KEY, RSA_KEY } from './key-vectors.ts';

let time = new Date('2026-03-01T12:00:00Z');
let warnings: string[] = [];
const options = {
  issuer: 'payctl/1.2.3',
  now: () => time,
  warn: (code: string, message: string) => void warnings.push(`${code}: ${message}`),
};
const BUYERS = { scopes: ['buyers.read'], accepted: [] };

beforeEach(() => {
  time = new Date('2026-03-01T12:00:00Z');
  warnings = [];
});

function later(seconds: number): void {
  time = new Date(time.getTime() + seconds * 1000);
}

function jwt(claims: Record<string, unknown>): string {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${encode({ alg: 'ES512', kid: 'key-1' })}.${encode(claims)}.c2ln`;
}

function ready(token: string): TokenProvider {
  return createTokenProvider({ kind: 'token', token, origin: 'PAYCTL_TOKEN' }, options);
}

describe('with a key', () => {
  const source = { kind: 'key', pem: ED25519_KEY.pem, origin: 'PAYCTL_PRIVATE_KEY' } as const;

  test('a token verifies, carries exactly the scopes asked for, and names payctl', async () => {
    const provide = createTokenProvider(source, options);
    const token = await provide({ scopes: ['roles.read', 'buyers.read'], accepted: ['*'] });
    const { publicJwk } = await readSigningKey(ED25519_KEY.pem);
    const verified = await verifyToken(token, { keyById: () => publicJwk, now: time });
    expect(verified.scopes).toEqual(['buyers.read', 'roles.read']);
    expect(verified.claims.iss).toBe('payctl/1.2.3');
    expect(warnings).toEqual([]);
  });

  test('one token serves until less than a minute of it is left', async () => {
    const provide = createTokenProvider(source, options);
    const first = await provide(BUYERS);
    later(240);
    expect(await provide(BUYERS)).toBe(first);
    later(1);
    const second = await provide(BUYERS);
    expect(second).not.toBe(first);
    expect(readClaims(second).expiresAt).toEqual(new Date('2026-03-01T12:09:01Z'));
  });

  test('requests at the same time share one token; other scopes get another', async () => {
    const provide = createTokenProvider(source, options);
    const [first, second, other] = await Promise.all([
      provide(BUYERS),
      provide(BUYERS),
      provide({ scopes: [], accepted: [] }),
    ]);
    expect(second).toBe(first);
    expect(readClaims(other).scopes).toEqual([]);
  });

  test('a token is renewed for its own scopes alone, in whatever order they are asked for', async () => {
    const provide = createTokenProvider(source, options);
    const both = { scopes: ['roles.read', 'buyers.read'], accepted: [] };
    const first = await provide(both);
    later(100);
    const buyers = await provide(BUYERS);
    later(141);
    expect(await provide(BUYERS)).toBe(buyers);
    const second = await provide({ ...both, scopes: ['buyers.read', 'roles.read', 'buyers.read'] });
    expect(second).not.toBe(first);
    expect(readClaims(second).scopes).toEqual(['buyers.read', 'roles.read']);
    expect(await provide(both)).toBe(second);
  });

  test('a key that cannot sign is refused each time, and described by its origin alone', async () => {
    const provide = createTokenProvider({ ...source, pem: 'nonsense' }, options);
    for (const attempt of [1, 2]) {
      const failure = provide(BUYERS);
      await expect(failure, `attempt ${attempt}`).rejects.toMatchObject({ code: 'key_unusable' });
    }
    expect(provide.describe()).toEqual({ origin: 'PAYCTL_PRIVATE_KEY' });
  });

  test('the description tells of the token in use, and before it of the origin alone', async () => {
    const provide = createTokenProvider(source, options);
    expect(provide.describe()).toEqual({ origin: 'PAYCTL_PRIVATE_KEY' });
    await provide(BUYERS);
    expect(provide.describe()).toEqual({
      origin: 'PAYCTL_PRIVATE_KEY',
      keyId: ED25519_KEY.thumbprint,
      scopes: ['buyers.read'],
      expiresAt: new Date('2026-03-01T12:05:00Z'),
    });
  });

  test('the algorithm of RSA is the one of the source', async () => {
    const rsa = { ...source, pem: RSA_KEY.pem, rsaAlgorithm: 'PS256' } as const;
    expect(readClaims(await createTokenProvider(rsa, options)(BUYERS)).header.alg).toBe('PS256');
  });

  test('an unusable key fails with the name of its origin, each time', async () => {
    const provide = createTokenProvider({ ...source, pem: 'nonsense' }, options);
    for (const _attempt of [1, 2]) {
      await expect(provide(BUYERS)).rejects.toMatchObject({
        code: 'key_unusable',
        message: 'PAYCTL_PRIVATE_KEY is neither PEM nor base64-encoded PEM',
      });
    }
  });
});

describe('with a ready-made token', () => {
  test('it is given without the white space around it', async () => {
    expect(await ready(' \tabc.def\r\n')(BUYERS)).toBe('abc.def');
    expect(warnings).toEqual([]);
  });

  test('an opaque token is described by its origin alone', () => {
    expect(ready('opaque').describe()).toEqual({ origin: 'PAYCTL_TOKEN' });
  });

  test('a JWT is described by key id, scopes and expiry', () => {
    expect(ready(jwt({ exp: 1772366700, scope: 'a b' })).describe()).toEqual({
      origin: 'PAYCTL_TOKEN',
      keyId: 'key-1',
      scopes: ['a', 'b'],
      expiresAt: new Date('2026-03-01T12:05:00Z'),
    });
  });

  test.each([
    ['', 'PAYCTL_TOKEN is empty'],
    [' \n', 'PAYCTL_TOKEN is empty'],
    ['Bearer abc', 'PAYCTL_TOKEN starts with the word Bearer'],
    ['abc def', 'PAYCTL_TOKEN is not a token: character 4 (U+0020) is not allowed'],
    ['abc\ndef', 'PAYCTL_TOKEN is not a token: character 4 (U+000A) is not allowed'],
    ['ab\u0000', 'PAYCTL_TOKEN is not a token: character 3 (U+0000) is not allowed'],
    ['ab\u{1f600}', 'PAYCTL_TOKEN is not a token: character 3 (U+1F600) is not allowed'],
  ])('%j is refused', (token, message) => {
    expect(() => ready(token)).toThrow(
      expect.objectContaining({
        code: 'token_unreadable',
        message,
        hint: 'Use only the token, the part after "Authorization: Bearer ".',
      }),
    );
  });

  test('an expired token is warned about once, and sent', async () => {
    const token = jwt({ exp: 1772366400, scopes: ['*'] });
    const provide = ready(token);
    expect(await provide(BUYERS)).toBe(token);
    await provide(BUYERS);
    expect(warnings).toEqual([
      'token_expired: The token from PAYCTL_TOKEN expired at 2026-03-01T12:00:00.000Z',
    ]);
  });

  test('a token that expires during a long run is warned about then', async () => {
    const provide = ready(jwt({ exp: 1772366401, scopes: ['*'] }));
    await provide(BUYERS);
    expect(warnings).toEqual([]);
    later(1);
    await provide(BUYERS);
    expect(warnings).toEqual([
      'token_expired: The token from PAYCTL_TOKEN expired at 2026-03-01T12:00:01.000Z',
    ]);
  });

  test('a token that is valid from now on is not warned about', async () => {
    await ready(jwt({ nbf: 1772366400 }))(BUYERS);
    expect(warnings).toEqual([]);
  });

  test('a token that is not valid yet is warned about', async () => {
    await ready(jwt({ nbf: 1772366401 }))(BUYERS);
    expect(warnings).toEqual([
      'token_not_yet_valid: The token from PAYCTL_TOKEN is not valid before 2026-03-01T12:00:01.000Z',
    ]);
  });

  test.each([
    [['buyers.read'], BUYERS, []],
    [['*.read'], BUYERS, []],
    [['roles.read'], BUYERS, ['buyers.read']],
    [[], { scopes: ['a', 'b'], accepted: [] }, ['a', 'b']],
    [['embed'], { scopes: ['gift-cards.read'], accepted: ['gift-cards.read', 'embed'] }, []],
    [
      [],
      { scopes: ['gift-cards.read'], accepted: ['gift-cards.read', 'embed'] },
      ['gift-cards.read or embed'],
    ],
    [
      ['buyers.read'],
      { scopes: ['buyers.read', 'buyers.x.read'], accepted: ['buyers.read'] },
      ['buyers.x.read'],
    ],
    [[], { scopes: [], accepted: [] }, []],
  ])(
    'of a token with %j that needs %j it warns that these are missing: %j',
    async (scopes, needed, missing) => {
      await ready(jwt({ scopes }))(needed);
      expect(warnings).toEqual(
        missing.map((name) => `token_lacks_scope: The token from PAYCTL_TOKEN lacks the scope ${name}`),
      );
    },
  );

  test('a JWT without any claim for scopes is not said to lack one', async () => {
    const provide = ready(jwt({ permissions: ['buyers.read'] }));
    await provide(BUYERS);
    expect(warnings).toEqual([]);
    expect(provide.describe()).not.toHaveProperty('scopes');
  });

  test('a JWT with an empty claim for scopes is described as one that has none', async () => {
    expect(ready(jwt({ scopes: [] })).describe()).toMatchObject({ scopes: [] });
  });
});
