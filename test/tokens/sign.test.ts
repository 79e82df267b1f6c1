import { describe, expect, test } from 'vitest';
import { readClaims } from '../../src/tokens/claims.ts';
import { readSigningKey } from '../../src/tokens/keys.ts';
import { signToken } from '../../src/tokens/sign.ts';
import { ED25519_KEY, KEYS_WITH_LEADING_ZEROS, RSA_KEY } from './key-vectors.ts';

const NOW = new Date('2026-03-01T12:00:00.900Z');
const SECONDS = 1772366400;

describe('signToken', () => {
  test.each([...KEYS_WITH_LEADING_ZEROS, ED25519_KEY, RSA_KEY])(
    'names the algorithm and the key id in the header: $name',
    async ({ pem, algorithm, thumbprint }) => {
      const key = await readSigningKey(pem);
      const { header } = readClaims(await signToken(key, { scopes: [], issuer: 'payctl/1.2.3' }));
      expect(header).toEqual({ alg: algorithm, typ: 'JWT', kid: thumbprint });
    },
  );

  test('carries exactly the claims that the project decided on, for 5 minutes', async () => {
    const key = await readSigningKey(ED25519_KEY.pem);
    const token = await signToken(key, { scopes: ['buyers.read'], now: NOW, issuer: 'payctl/1.2.3' });
    expect(readClaims(token).claims).toEqual({
      iss: 'payctl/1.2.3',
      iat: SECONDS,
      nbf: SECONDS,
      exp: SECONDS + 300,
      jti: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      scopes: ['buyers.read'],
    });
  });

  test('lives as long as it is told, and never has the id of another token', async () => {
    const key = await readSigningKey(ED25519_KEY.pem);
    const options = { scopes: [], now: NOW, lifetimeSeconds: 60, issuer: 'payctl/1.2.3' };
    const [first, second] = [
      readClaims(await signToken(key, options)),
      readClaims(await signToken(key, options)),
    ];
    expect(first.expiresAt).toEqual(new Date('2026-03-01T12:01:00Z'));
    expect(first.claims.jti).not.toBe(second.claims.jti);
  });
});
