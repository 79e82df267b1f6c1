import { createHmac, createPublicKey, generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { SignJWT } from 'jose/jwt/sign';
import { describe, expect, test } from 'vitest';
import { CredentialsError } from '../../src/errors.ts';
import { generateKey, readSigningKey, type SigningKey } from '../../src/tokens/keys.ts';
import { signToken } from '../../src/tokens/sign.ts';
import { type VerificationJwk, verifyToken } from '../../src/tokens/verify.ts';
import { anyText } from '../harness/any-text.ts';
import { ED25519_KEY, KEYS_WITH_LEADING_ZEROS, RSA_KEY } from './key-vectors.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const SECONDS = NOW.getTime() / 1000;
const key = await readSigningKey(KEYS_WITH_LEADING_ZEROS[0]?.pem ?? '');
const rsa = await readSigningKey(RSA_KEY.pem);

function registered(...keys: { keyId: string; publicJwk: VerificationJwk }[]) {
  const byId = new Map(keys.map(({ keyId, publicJwk }) => [keyId, publicJwk]));
  return (keyId: string | undefined) => (keyId === undefined ? undefined : byId.get(keyId));
}

async function codeOf(
  token: string,
  options: Partial<Parameters<typeof verifyToken>[1]> = {},
): Promise<string> {
  const result = await verifyToken(token, { keyById: registered(key, rsa), now: NOW, ...options }).then(
    () => 'verified',
    (error: unknown) => error,
  );
  if (result === 'verified') {
    return result;
  }
  expect(result).toBeInstanceOf(CredentialsError);
  return (result as CredentialsError).code;
}

function sign(by: SigningKey, claims: Record<string, unknown>, header: Record<string, unknown> = {}) {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: by.algorithm, typ: 'JWT', kid: by.keyId, ...header })
    .sign(by.privateKey);
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

describe('a token is accepted', () => {
  test.each([...KEYS_WITH_LEADING_ZEROS, ED25519_KEY, RSA_KEY])(
    'when payctl signed it: $name',
    async ({ pem }) => {
      const signer = await readSigningKey(pem);
      const token = await signToken(signer, {
        scopes: ['buyers.read', 'embed'],
        now: NOW,
        issuer: 'payctl/1.2.3',
      });
      const verified = await verifyToken(token, { keyById: registered(signer), now: NOW });
      expect(verified).toEqual({
        keyId: signer.keyId,
        scopes: ['buyers.read', 'embed'],
        claims: expect.objectContaining({ iss: 'payctl/1.2.3', exp: SECONDS + 300 }),
      });
    },
  );

  test('with RS256 and PS256 alike, unless the registered key names one of them', async () => {
    const ps256 = await readSigningKey(RSA_KEY.pem, { rsaAlgorithm: 'PS256' });
    const token = await signToken(ps256, { scopes: [], now: NOW, issuer: 'payctl/1.2.3' });
    const { alg: _alg, ...open } = rsa.publicJwk;
    expect(await codeOf(token, { keyById: () => open })).toBe('verified');
    expect(await codeOf(token, { keyById: () => ps256.publicJwk })).toBe('verified');
    expect(await codeOf(token, { keyById: () => rsa.publicJwk })).toBe('token_invalid');
  });

  test('when its key was registered together with the private half', async () => {
    const jwk = key.privateKey.export({ format: 'jwk' });
    const token = await signToken(key, { scopes: [], now: NOW, issuer: 'payctl/1.2.3' });
    expect(await codeOf(token, { keyById: () => jwk })).toBe('verified');
  });

  test('without kid when the one registered key is given for it, and then bears the id of that key', async () => {
    const token = await new SignJWT({ exp: SECONDS + 1 })
      .setProtectedHeader({ alg: 'ES512' })
      .sign(key.privateKey);
    const verified = await verifyToken(token, { keyById: () => key.publicJwk, now: NOW });
    expect(verified.keyId).toBe(key.keyId);
  });
});

describe('the validity period', () => {
  test('ends with the second of exp and begins with the second of nbf', async () => {
    expect(await codeOf(await sign(key, { exp: SECONDS + 1, nbf: SECONDS }))).toBe('verified');
    expect(await codeOf(await sign(key, { exp: SECONDS }))).toBe('token_expired');
    expect(await codeOf(await sign(key, { exp: SECONDS + 9, nbf: SECONDS + 1 }))).toBe('token_not_yet_valid');
  });

  test('must be given: a token without exp, or with an exp that is no number, has no expiry', async () => {
    expect(await codeOf(await sign(key, {}))).toBe('token_without_expiry');
    expect(await codeOf(await sign(key, { exp: '2026-03-01' }))).toBe('token_without_expiry');
    expect(await codeOf(await sign(key, { exp: SECONDS + 1, nbf: 'now' }))).toBe('token_invalid');
  });
});

describe('a forged token is refused', () => {
  const claims = { exp: SECONDS + 60, scopes: ['*'] };

  test('with alg none, signed or not', async () => {
    for (const alg of ['none', 'None', 'NONE', '']) {
      const unsigned = `${encode({ alg, kid: key.keyId })}.${encode(claims)}`;
      expect(await codeOf(`${unsigned}.`)).toBe('token_invalid');
      expect(await codeOf(`${unsigned}.AAAA`)).toBe('token_invalid');
    }
  });

  test('with HS256 over the public key in any form', async () => {
    const publicKey = createPublicKey(rsa.privateKey);
    const secrets = [
      publicKey.export({ type: 'spki', format: 'pem' }),
      publicKey.export({ type: 'spki', format: 'der' }),
      JSON.stringify(rsa.publicJwk),
    ];
    for (const secret of secrets) {
      const signed = `${encode({ alg: 'HS256', kid: rsa.keyId })}.${encode(claims)}`;
      const token = `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
      expect(await codeOf(token)).toBe('token_invalid');
    }
  });

  test('with the algorithm of another type of key', async () => {
    const other = await readSigningKey(ED25519_KEY.pem);
    expect(await codeOf(await sign(other, claims, { kid: key.keyId }))).toBe('token_invalid');
    expect(await codeOf(await sign(rsa, claims, { kid: key.keyId }))).toBe('token_invalid');
  });

  test('with the signature of another key of the same type', async () => {
    const other = await readSigningKey((await generateKey()).privateKeyPem);
    expect(await codeOf(await sign(other, claims, { kid: key.keyId }))).toBe('token_invalid');
  });

  test('with a key that it brings along', async () => {
    const other = await readSigningKey((await generateKey()).privateKeyPem);
    expect(await codeOf(await sign(other, claims, { kid: key.keyId, jwk: other.publicJwk }))).toBe(
      'token_invalid',
    );
  });

  test('with claims that were changed after signing', async () => {
    const [header, , signature] = (await sign(key, { ...claims, scopes: [] })).split('.');
    expect(await codeOf(`${header}.${encode(claims)}.${signature}`)).toBe('token_invalid');
  });

  test('with a critical header that nobody here understands', async () => {
    const [, payload, signature] = (await sign(key, claims)).split('.');
    const header = encode({ alg: 'ES512', kid: key.keyId, crit: ['x'], x: 1 });
    expect(await codeOf(`${header}.${payload}.${signature}`)).toBe('token_invalid');
  });

  test('when the registered key is of a kind that is not accepted', async () => {
    const token = await sign(key, claims);
    const secp256k1 = generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).publicKey.export({
      format: 'jwk',
    });
    expect(await codeOf(token, { keyById: () => ({ kty: 'oct', k: 'c2VjcmV0' }) })).toBe('token_invalid');
    expect(await codeOf(token, { keyById: () => secp256k1 })).toBe('token_invalid');
    expect(await codeOf(token, { keyById: () => ({ kty: 'EC', crv: 'P-521', x: 'AA', y: 'AA' }) })).toBe(
      'token_invalid',
    );
  });

  test('with its own code when no registered key has its id, or it names none', async () => {
    expect(await codeOf(await sign(key, claims), { keyById: () => undefined })).toBe('key_unknown');
    expect(await codeOf(await sign(key, claims, { kid: 'other' }))).toBe('key_unknown');
    expect(await codeOf(await sign(key, claims, { kid: undefined }))).toBe('key_unknown');
  });

  test('with a CredentialsError whatever the text is', async () => {
    const part = fc.oneof(
      fc.base64String(),
      fc.json().map((text) => Buffer.from(text).toString('base64url')),
    );
    const header = fc
      .record({
        alg: fc.constantFrom('ES512', 'none', 'HS256', 1),
        kid: fc.constantFrom(key.keyId, 1, 'x'),
        b64: fc.boolean(),
      })
      .map(encode);
    const hostile = fc.oneof(
      anyText(),
      fc.tuple(fc.oneof(part, header), part, part).map((parts) => parts.join('.')),
    );
    await fc.assert(
      fc.asyncProperty(hostile, async (token) => {
        expect(['token_invalid', 'key_unknown']).toContain(await codeOf(token));
      }),
    );
  });
});
