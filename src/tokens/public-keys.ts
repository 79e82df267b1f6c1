import type { KeyObject } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose/jwk/thumbprint';
import { CredentialsError } from '../errors.ts';
import { jsonOrNone } from '../json/is-json.ts';
import { isObject } from '../json/is-object.ts';
import { algorithmOf, readPem } from './keys.ts';
import { publicPart } from './verify.ts';

/** A public key as a JWK: `kid` is its thumbprint, `name` the `kid` that its file had, if that was another. */
export type NamedPublicKey = Readonly<Record<string, string>> & {
  readonly kty: string;
  readonly kid: string;
  readonly name?: string;
};

/** Members that only a private key has, and the one of a shared secret (RFC 7518). */
const SECRET_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

const LONGEST_NAME = 100;

/**
 * Reads public keys that can verify what payctl signs: a JWK Set (RFC 7517), one JWK, or PEM. Each key counts once.
 * @throws CredentialsError `key_unusable` for a private key, for a key that payctl could not have signed with, and for any other
 * text; the message holds no key material
 */
export async function readPublicKeys(text: string): Promise<readonly NamedPublicKey[]> {
  const given = /^\s*[[{]/.test(text) ? keysOfJson(text) : keysOfPem(text);
  const keys = new Map<string, NamedPublicKey>();
  for (const [index, { key, name }] of given.entries()) {
    algorithmOf(key, 'RS256', `key ${index + 1}`);
    const { kty = '', ...jwk } = publicPart(key.export({ format: 'jwk' }));
    const kid = await calculateJwkThumbprint({ kty, ...jwk });
    const isNamed = typeof name === 'string' && name !== '' && name.length <= LONGEST_NAME && name !== kid;
    if (!keys.has(kid)) keys.set(kid, { kty, ...jwk, kid, ...(isNamed && { name }) });
  }
  return [...keys.values()];
}

type GivenKey = { readonly key: KeyObject; readonly name?: unknown };

function keysOfJson(text: string): readonly GivenKey[] {
  const set = jsonOrNone(text);
  if (set === undefined) throw unusable('it is not JSON');
  const jwks: unknown = isObject(set) && set.kty === undefined ? set.keys : [set];
  if (!Array.isArray(jwks) || jwks.length === 0) throw unusable('it is not a JWK Set: it has no keys');
  return jwks.map((jwk: unknown, index) => {
    if (!isObject(jwk)) throw unusable(`key ${index + 1} is not a JSON object`);
    if (SECRET_MEMBERS.some((member) => Object.hasOwn(jwk, member))) throw secret(index);
    return { key: publicKey({ key: jwk, format: 'jwk' }, index), name: jwk.kid };
  });
}

function keysOfPem(text: string): readonly GivenKey[] {
  const blocks = readPem(text);
  if (blocks.length === 0) throw unusable('it is neither a JWK Set nor PEM');
  return blocks.map(({ label, der }, index) => {
    if (label.endsWith('PRIVATE KEY')) throw secret(index);
    if (label !== 'PUBLIC KEY') throw unusable(`key ${index + 1} is a PEM ${label}, not a public key`);
    return { key: publicKey({ key: der, format: 'der', type: 'spki' }, index) };
  });
}

function publicKey(
  source: Parameters<typeof import('node:crypto').createPublicKey>[0],
  index: number,
): KeyObject {
  try {
    return process.getBuiltinModule('node:crypto').createPublicKey(source);
  } catch {
    throw unusable(`key ${index + 1} is damaged, or of an unsupported type`);
  }
}

function secret(index: number): CredentialsError {
  return new CredentialsError('key_unusable', `key ${index + 1} is a private key`, {
    hint: 'Use the public key alone. To write it to a file: openssl pkey -in KEY.pem -pubout -out PUBLIC.pem',
  });
}

function unusable(message: string): CredentialsError {
  return new CredentialsError('key_unusable', message, {
    hint: 'Use a JWK Set of public keys, {"keys": [...]}, or public keys in PEM format.',
  });
}
