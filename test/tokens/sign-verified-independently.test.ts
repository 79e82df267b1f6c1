import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createVerifier } from 'fast-jwt';
import { describe, expect, test } from 'vitest';
import { readSigningKey } from '../../src/tokens/keys.ts';
import { signToken } from '../../src/tokens/sign.ts';
import { KEYS_WITH_LEADING_ZEROS } from './key-vectors.ts';

type Pair = { readonly privateKey: KeyObject; readonly publicKey: KeyObject };

/** Every row of the table of key types, and RSA both ways. */
const KEY_TYPES: readonly { algorithm: string; generate: () => Pair; rsaAlgorithm?: 'PS256' }[] = [
  { algorithm: 'ES512', generate: () => generateKeyPairSync('ec', { namedCurve: 'P-521' }) },
  { algorithm: 'ES384', generate: () => generateKeyPairSync('ec', { namedCurve: 'P-384' }) },
  { algorithm: 'ES256', generate: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }) },
  { algorithm: 'EdDSA', generate: () => generateKeyPairSync('ed25519') },
  { algorithm: 'RS256', generate: () => generateKeyPairSync('rsa', { modulusLength: 2048 }) },
  {
    algorithm: 'PS256',
    generate: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
    rsaAlgorithm: 'PS256',
  },
];

/** fast-jwt shares no code with jose, which signs. It refuses every algorithm but the one that is expected. */
function verify(token: string, publicKey: KeyObject | string, algorithm: string): unknown {
  const key = typeof publicKey === 'string' ? publicKey : publicKey.export({ type: 'spki', format: 'pem' });
  return createVerifier({ key, algorithms: [algorithm as 'ES512'] })(token);
}

describe('a library that shares no code with the signer verifies the tokens', () => {
  test.each(KEY_TYPES)('$algorithm', { tags: 'slow' }, async ({ algorithm, generate, rsaAlgorithm }) => {
    const { privateKey, publicKey } = generate();
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const key = await readSigningKey(pem, { rsaAlgorithm });
    const token = await signToken(key, { scopes: ['buyers.read'], issuer: 'payctl/1.2.3' });
    expect(verify(token, publicKey, algorithm)).toMatchObject({
      scopes: ['buyers.read'],
      iss: 'payctl/1.2.3',
    });
    expect(() => verify(token, generate().publicKey, algorithm)).toThrow('The token signature is invalid.');
  });

  test.each(KEYS_WITH_LEADING_ZEROS)('$name', async ({ pem, algorithm }) => {
    const key = await readSigningKey(pem);
    const token = await signToken(key, { scopes: [], issuer: 'payctl/1.2.3' });
    const publicKey = process.getBuiltinModule('node:crypto').createPublicKey(pem);
    expect(verify(token, publicKey, algorithm)).toMatchObject({ iss: 'payctl/1.2.3' });
  });
});
