import type { KeyObject, webcrypto } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose/jwk/thumbprint';
import { CredentialsError } from '../errors.ts';

/** How an RSA key signs; other keys leave no choice. */
export type RsaAlgorithm = 'RS256' | 'PS256';

/** The signature algorithms that payctl signs with and that the emulator accepts. */
export type Algorithm = 'ES256' | 'ES384' | 'ES512' | 'EdDSA' | RsaAlgorithm;

/** The public half of a signing key: `kid` is its thumbprint, `alg` its one algorithm. Holds nothing secret. */
export type PublicJwk = webcrypto.JsonWebKey & {
  readonly kid: string;
  readonly alg: Algorithm;
  readonly use: 'sig';
};

/** A private key that is fit to sign tokens. */
export type SigningKey = {
  readonly privateKey: KeyObject;
  readonly algorithm: Algorithm;
  /** RFC 7638 SHA-256 thumbprint of the public key, in base64url. */
  readonly keyId: string;
  readonly publicJwk: PublicJwk;
};

/** Options of `readSigningKey`. */
export type ReadKeyOptions = {
  /** Default RS256; without effect on keys that are not RSA. */
  readonly rsaAlgorithm?: RsaAlgorithm | undefined;
  /** Where the key came from, as messages name it. Default `The private key`. */
  readonly origin?: string;
};

const DER_TYPES: Readonly<Record<string, 'pkcs8' | 'sec1' | 'pkcs1'>> = {
  'PRIVATE KEY': 'pkcs8',
  'EC PRIVATE KEY': 'sec1',
  'RSA PRIVATE KEY': 'pkcs1',
};

const CURVE_ALGORITHMS: Readonly<Record<string, Algorithm>> = {
  prime256v1: 'ES256',
  secp384r1: 'ES384',
  secp521r1: 'ES512',
};

const SUPPORTED = 'an EC key on P-521, P-384 or P-256, an Ed25519 key, or an RSA key of 2048 bits or more';
const GIVE_PEM = `Use a private key in PEM format, or base64-encoded PEM: ${SUPPORTED}.`;

/**
 * Reads a private key from PEM (PKCS#8, SEC1 or PKCS#1) or base64 of PEM, and derives its algorithm and key id as
 * docs/decisions/0048-where-the-specification-is-silent.md says under "JWT".
 * @throws CredentialsError `key_unusable` when the text holds no key that can sign; the message never holds key material.
 */
export async function readSigningKey(source: string, options: ReadKeyOptions = {}): Promise<SigningKey> {
  const origin = options.origin ?? 'The private key';
  const privateKey = parsePrivateKey(privateBlock(source, origin), origin);
  const algorithm = algorithmOf(privateKey, options.rsaAlgorithm ?? 'RS256', origin);
  const publicJwk = await publicJwkOf(privateKey, algorithm);
  return { privateKey, algorithm, keyId: publicJwk.kid, publicJwk };
}

/** Makes a new P-521 key: the private half as PKCS#8 PEM, the public half as the JWK to register. */
export async function generateKey(): Promise<{
  readonly privateKeyPem: string;
  readonly publicJwk: PublicJwk;
  readonly keyId: string;
}> {
  const { generateKeyPair } = process.getBuiltinModule('node:crypto');
  const { promise, resolve, reject } = Promise.withResolvers<KeyObject>();
  generateKeyPair('ec', { namedCurve: 'P-521' }, (error, _publicKey, privateKey) => {
    return error ? reject(error) : resolve(privateKey);
  });
  const privateKey = await promise;
  const publicJwk = await publicJwkOf(privateKey, 'ES512');
  const privateKeyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { privateKeyPem, publicJwk, keyId: publicJwk.kid };
}

function privateBlock(source: string, origin: string): PemBlock {
  if (source.trim() === '') {
    throw unusable(`${origin} is empty`, GIVE_PEM);
  }
  const blocks = readPem(source);
  // `openssl ecparam -genkey` writes an `EC PARAMETERS` block in front of the key.
  const block = blocks.find(({ label }) => label.endsWith('PRIVATE KEY'));
  if (block) {
    return block;
  }
  const other = blocks[0]?.label;
  if (other?.endsWith('PUBLIC KEY')) {
    throw unusable(`${origin} is a public key; signing needs the private key`, GIVE_PEM);
  }
  throw unusable(
    other
      ? `${origin} is a PEM ${other}, not a private key`
      : `${origin} is neither PEM nor base64-encoded PEM`,
    GIVE_PEM,
  );
}

function parsePrivateKey({ label, der, encrypted }: PemBlock, origin: string): KeyObject {
  if (encrypted || label === 'ENCRYPTED PRIVATE KEY') {
    throw unusable(
      `${origin} is protected by a passphrase, which payctl does not support`,
      'Use an unencrypted copy: openssl pkey -in KEY.pem -out PLAIN.pem',
    );
  }
  if (label === 'OPENSSH PRIVATE KEY') {
    throw unusable(
      `${origin} is in OpenSSH format`,
      'Convert a copy of the file in place: ssh-keygen -p -m PKCS8 -f COPY',
    );
  }
  const type = DER_TYPES[label];
  if (!type) {
    throw unusable(`${origin} is a PEM ${label}, which cannot sign tokens`, GIVE_PEM);
  }
  try {
    return process.getBuiltinModule('node:crypto').createPrivateKey({ key: der, format: 'der', type });
  } catch {
    throw unusable(`${origin} is a PEM ${label} whose content is damaged or truncated`, GIVE_PEM);
  }
}

/** The algorithm that a private key signs with, or a public one verifies. @throws CredentialsError `key_unusable` */
export function algorithmOf(key: KeyObject, rsaAlgorithm: RsaAlgorithm, origin: string): Algorithm {
  const { namedCurve, modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
  const give = `Use ${SUPPORTED}.`;
  switch (key.asymmetricKeyType) {
    case 'ed25519':
      return 'EdDSA';
    case 'rsa':
      if (modulusLength < 2048) {
        throw unusable(`${origin} is an RSA key of ${modulusLength} bits, which is too short`, give);
      }
      return rsaAlgorithm;
    case 'ec': {
      const algorithm = CURVE_ALGORITHMS[namedCurve ?? ''];
      if (!algorithm) {
        throw unusable(
          `${origin} is an EC key on an unsupported curve (${namedCurve ?? 'custom parameters'})`,
          give,
        );
      }
      return algorithm;
    }
    default:
      throw unusable(`${origin} is a key of an unsupported type (${key.asymmetricKeyType})`, give);
  }
}

/** Node pads EC coordinates to the full size of the curve on export, as the thumbprint requires. */
async function publicJwkOf(key: KeyObject, alg: Algorithm): Promise<PublicJwk> {
  const jwk = process.getBuiltinModule('node:crypto').createPublicKey(key).export({ format: 'jwk' });
  return { ...jwk, kid: await calculateJwkThumbprint(jwk), alg, use: 'sig' };
}

function unusable(message: string, hint: string): CredentialsError {
  return new CredentialsError('key_unusable', message, { hint });
}

/** One block of a PEM text: `PRIVATE KEY`, `EC PRIVATE KEY`, `PUBLIC KEY` ..., and the bytes it encloses. */
export type PemBlock = {
  readonly label: string;
  readonly der: Buffer;
  /** True of the old OpenSSL form, whose headers say that a passphrase protects the block. */
  readonly encrypted: boolean;
};

const BLOCK = /-----BEGIN ([A-Z0-9 ]{1,40})-----([\s\S]*?)-----END \1-----/g;

/**
 * The blocks of a PEM text, or of the base64 of one. Line ends may be of any kind, also the two characters `\n`, blanks
 * or nothing at all, because environment variables and CI systems change them.
 * Empty when the text is neither.
 */
export function readPem(source: string): PemBlock[] {
  const blocks = blocksOf(source);
  return blocks.length > 0 ? blocks : blocksOf(decodeBase64(source) ?? '');
}

function blocksOf(text: string): PemBlock[] {
  return [...text.matchAll(BLOCK)].flatMap(([, label = '', body = '']) => {
    const encrypted = body.includes('Proc-Type: 4,ENCRYPTED');
    const base64 = body.replaceAll(/\\[rnt]|\s/g, '');
    if (!encrypted && !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) {
      return [];
    }
    return [{ label, encrypted, der: Buffer.from(base64, 'base64') }];
  });
}

function decodeBase64(text: string): string | undefined {
  const compact = text.replaceAll(/\\[rnt]|[\s"']/g, '');
  return /^[A-Za-z0-9+/_-]+={0,2}$/.test(compact)
    ? Buffer.from(compact, 'base64').toString('utf8')
    : undefined;
}
