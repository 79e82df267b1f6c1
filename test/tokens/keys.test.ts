import { createHash, generateKeyPairSync, type KeyObject, webcrypto } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CredentialsError } from '../../src/errors.ts';
import { generateKey, readSigningKey } from '../../src/tokens/keys.ts';
import { anyText } from '../harness/any-text.ts';
import { ED25519_KEY, KEYS_WITH_LEADING_ZEROS, RSA_KEY } from './key-vectors.ts';

const SUPPORTED = 'an EC key on P-521, P-384 or P-256, an Ed25519 key, or an RSA key of 2048 bits or more';
const GIVE_PEM = `Use a private key in PEM format, or base64-encoded PEM: ${SUPPORTED}.`;
const GIVE = `Use ${SUPPORTED}.`;

const [P521] = KEYS_WITH_LEADING_ZEROS;
const pem = P521?.pem ?? '';
const thumbprint = P521?.thumbprint ?? '';

async function refusalOf(source: string): Promise<CredentialsError> {
  const error = await readSigningKey(source, { origin: 'PAYCTL_PRIVATE_KEY' }).catch(
    (caught: unknown) => caught,
  );
  expect(error).toBeInstanceOf(CredentialsError);
  return error as CredentialsError;
}

function ecKey(namedCurve: string): KeyObject {
  return generateKeyPairSync('ec', { namedCurve }).privateKey;
}

describe('a key that can sign', () => {
  test.each([...KEYS_WITH_LEADING_ZEROS, ED25519_KEY, RSA_KEY])(
    'has the algorithm and the thumbprint that another program computed: $name',
    async (vector) => {
      const key = await readSigningKey(vector.pem);
      expect(key.algorithm).toBe(vector.algorithm);
      expect(key.keyId).toBe(vector.thumbprint);
      expect(key.publicJwk).toMatchObject({ kid: vector.thumbprint, alg: vector.algorithm, use: 'sig' });
    },
  );

  test.each([
    ['P-521', 66],
    ['P-384', 48],
    ['P-256', 32],
  ])('on %s has coordinates of %d bytes in its JWK', async (curve, size) => {
    const vectors = KEYS_WITH_LEADING_ZEROS.filter(({ name }) => name.startsWith(curve));
    expect(vectors).not.toEqual([]);
    for (const vector of vectors) {
      const { publicJwk } = await readSigningKey(vector.pem);
      expect(Buffer.from(publicJwk.x ?? '', 'base64url')).toHaveLength(size);
      expect(Buffer.from(publicJwk.y ?? '', 'base64url')).toHaveLength(size);
    }
  });

  test('has no private member in its public JWK', async () => {
    expect(Object.keys((await readSigningKey(pem)).publicJwk).sort()).toEqual([
      'alg',
      'crv',
      'kid',
      'kty',
      'use',
      'x',
      'y',
    ]);
    expect(Object.keys((await readSigningKey(RSA_KEY.pem)).publicJwk).sort()).toEqual([
      'alg',
      'e',
      'kid',
      'kty',
      'n',
      'use',
    ]);
  });

  test('of RSA signs with PS256 where the profile says so, and other keys do not care', async () => {
    expect((await readSigningKey(RSA_KEY.pem, { rsaAlgorithm: 'PS256' })).algorithm).toBe('PS256');
    expect((await readSigningKey(pem, { rsaAlgorithm: 'PS256' })).algorithm).toBe('ES512');
  });

  test.each([
    ['with CRLF line ends', pem.replaceAll('\n', '\r\n')],
    ['with the two characters \\n for each line end', pem.replaceAll('\n', '\\n')],
    ['with the characters \\r\\n for each line end', pem.replaceAll('\n', '\\r\\n')],
    ['with blanks for line ends', pem.replaceAll('\n', ' ')],
    ['with white space and a byte order mark around it', `\uFEFF \n\t${pem}\n\n `],
    ['in quotation marks', `"${pem.replaceAll('\n', '\\n')}"`],
    ['behind a comment', `# production\nkey:\n${pem}`],
    ['in base64', Buffer.from(pem).toString('base64')],
    ['in base64 in lines', Buffer.from(pem).toString('base64').replaceAll(/.{76}/g, '$&\n')],
    ['in base64url without padding', Buffer.from(pem).toString('base64url')],
    ['in base64 of PEM with CRLF', Buffer.from(pem.replaceAll('\n', '\r\n')).toString('base64')],
    ['in base64 in quotation marks', `'${Buffer.from(pem).toString('base64')}'`],
  ])('is read %s', async (_how, source) => {
    expect((await readSigningKey(source)).keyId).toBe(thumbprint);
  });

  test('is read from SEC1 and PKCS#1, also behind EC PARAMETERS', async () => {
    const { privateKey } = await readSigningKey(pem);
    const sec1 = privateKey.export({ type: 'sec1', format: 'pem' }).toString();
    const parameters = '-----BEGIN EC PARAMETERS-----\nBgUrgQQAIw==\n-----END EC PARAMETERS-----\n';
    expect(sec1).toContain('BEGIN EC PRIVATE KEY');
    expect((await readSigningKey(sec1)).keyId).toBe(thumbprint);
    expect((await readSigningKey(parameters + sec1)).keyId).toBe(thumbprint);

    const rsa = (await readSigningKey(RSA_KEY.pem)).privateKey
      .export({ type: 'pkcs1', format: 'pem' })
      .toString();
    expect(rsa).toContain('BEGIN RSA PRIVATE KEY');
    expect((await readSigningKey(rsa)).keyId).toBe(RSA_KEY.thumbprint);
  });
});

describe('the thumbprint of a new P-521 key', () => {
  test('is the SHA-256 of its four members in order, coordinates of 66 bytes each (RFC 7638)', async () => {
    const { publicJwk, keyId } = await generateKey();
    const { crv, kty, x = '', y = '' } = publicJwk;
    expect([crv, kty]).toEqual(['P-521', 'EC']);
    for (const coordinate of [x, y]) expect(Buffer.from(coordinate, 'base64url')).toHaveLength(66);
    const members = `{"crv":"P-521","kty":"EC","x":"${x}","y":"${y}"}`;
    expect(keyId).toBe(createHash('sha256').update(members).digest('base64url'));
  });
});

describe('a key that cannot sign is refused', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const encrypted = { cipher: 'aes-256-cbc', passphrase: 'opensesame' };
  const cases: [string, string, string, string][] = [
    ['empty', ' \n', 'PAYCTL_PRIVATE_KEY is empty', GIVE_PEM],
    ['text', 'not a key!', 'PAYCTL_PRIVATE_KEY is neither PEM nor base64-encoded PEM', GIVE_PEM],
    [
      'base64 of something else',
      'aGVsbG8=',
      'PAYCTL_PRIVATE_KEY is neither PEM nor base64-encoded PEM',
      GIVE_PEM,
    ],
    [
      'cut off',
      privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().slice(0, 120),
      'PAYCTL_PRIVATE_KEY is neither PEM nor base64-encoded PEM',
      GIVE_PEM,
    ],
    [
      'damaged',
      '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n',
      'PAYCTL_PRIVATE_KEY is a PEM PRIVATE KEY whose content is damaged or truncated',
      GIVE_PEM,
    ],
    [
      'public',
      publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      'PAYCTL_PRIVATE_KEY is a public key; signing needs the private key',
      GIVE_PEM,
    ],
    [
      'a certificate',
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
      'PAYCTL_PRIVATE_KEY is a PEM CERTIFICATE, not a private key',
      GIVE_PEM,
    ],
    [
      'encrypted PKCS#8',
      privateKey.export({ type: 'pkcs8', format: 'pem', ...encrypted }).toString(),
      'PAYCTL_PRIVATE_KEY is protected by a passphrase, which payctl does not support',
      'Use an unencrypted copy: openssl pkey -in KEY.pem -out PLAIN.pem',
    ],
    [
      'encrypted SEC1',
      privateKey.export({ type: 'sec1', format: 'pem', ...encrypted }).toString(),
      'PAYCTL_PRIVATE_KEY is protected by a passphrase, which payctl does not support',
      'Use an unencrypted copy: openssl pkey -in KEY.pem -out PLAIN.pem',
    ],
    [
      'in the format of OpenSSH',
      '-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n',
      'PAYCTL_PRIVATE_KEY is in OpenSSH format',
      'Convert a copy of the file in place: ssh-keygen -p -m PKCS8 -f COPY',
    ],
    [
      'DSA',
      '-----BEGIN DSA PRIVATE KEY-----\nAAAA\n-----END DSA PRIVATE KEY-----\n',
      'PAYCTL_PRIVATE_KEY is a PEM DSA PRIVATE KEY, which cannot sign tokens',
      GIVE_PEM,
    ],
    [
      'on secp256k1',
      ecKey('secp256k1').export({ type: 'pkcs8', format: 'pem' }).toString(),
      'PAYCTL_PRIVATE_KEY is an EC key on an unsupported curve (secp256k1)',
      GIVE,
    ],
    [
      'of X25519',
      generateKeyPairSync('x25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      'PAYCTL_PRIVATE_KEY is a key of an unsupported type (x25519)',
      GIVE,
    ],
    [
      'short RSA',
      generateKeyPairSync('rsa', { modulusLength: 1024 })
        .privateKey.export({ type: 'pkcs8', format: 'pem' })
        .toString(),
      'PAYCTL_PRIVATE_KEY is an RSA key of 1024 bits, which is too short',
      GIVE,
    ],
  ];

  test.each(cases)('with a message that says why: %s', async (_name, source, message, hint) => {
    const error = await refusalOf(source);
    expect({ code: error.code, message: error.message, hint: error.hint }).toEqual({
      code: 'key_unusable',
      message,
      hint,
    });
  });

  test('without a word of the key in the error, its causes included', async () => {
    const damaged = pem.replace(/\n(.{20})/, '\nAAAAAAAAAAAAAAAAAAAA');
    const error = await refusalOf(damaged);
    const told = `${error.message} ${error.hint} ${error.stack} ${JSON.stringify(error)}`;
    for (const line of pem.split('\n').filter((text) => text !== '' && !text.startsWith('-'))) {
      expect(told).not.toContain(line);
    }
    expect(error.cause).toBeUndefined();
  });

  test('as such, whatever the text is', async () => {
    const hostile = fc.oneof(
      anyText(),
      fc.base64String(),
      fc
        .tuple(fc.constantFrom('PRIVATE KEY', 'EC PRIVATE KEY', 'RSA PRIVATE KEY', 'X'), fc.base64String())
        .map(([label, body]) => `-----BEGIN ${label}-----\n${body}\n-----END ${label}-----`),
    );
    await fc.assert(
      fc.asyncProperty(hostile, async (source) => {
        expect((await refusalOf(source)).code).toBe('key_unusable');
      }),
    );
  });
});

describe('generateKey', () => {
  test('gives a P-521 key in PKCS#8 whose id is the one that reading it gives', async () => {
    const { privateKeyPem, publicJwk, keyId } = await generateKey();
    expect(privateKeyPem).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
    const read = await readSigningKey(privateKeyPem);
    expect(read).toMatchObject({ keyId, algorithm: 'ES512', publicJwk });
    expect(publicJwk).toMatchObject({ kty: 'EC', crv: 'P-521', kid: keyId, alg: 'ES512', use: 'sig' });
    await expect(
      webcrypto.subtle.importKey('jwk', publicJwk, { name: 'ECDSA', namedCurve: 'P-521' }, true, ['verify']),
    ).resolves.toBeDefined();
  });
});
