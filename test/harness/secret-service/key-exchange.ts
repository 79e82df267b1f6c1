import { createCipheriv, createDecipheriv, getDiffieHellman, hkdfSync, randomBytes } from 'node:crypto';

/** How secrets are encrypted between one client and the service. */
export type SecretCipher = {
  /** The public key that the client needs. */
  readonly publicKey: Buffer;
  encrypt(secret: Buffer): { readonly iv: Buffer; readonly data: Buffer };
  decrypt(iv: Buffer, data: Buffer): Buffer;
};

/** The algorithm that `agreeOnCipher` is about. */
export const DH_ALGORITHM = 'dh-ietf1024-sha256-aes128-cbc-pkcs7';

const CIPHER = 'aes-128-cbc';
const PRIME_LENGTH = 128;

// The second Oakley group is the 1024 bit group that the specification means. Making one is slow, so all sessions share it.
const exchange = getDiffieHellman('modp2');
const publicKey = exchange.generateKeys();

/** The service's side of the key exchange that the Secret Service specification names `DH_ALGORITHM`. */
export function agreeOnCipher(clientKey: Buffer): SecretCipher {
  const shared = exchange.computeSecret(clientKey);
  const padded = Buffer.concat([Buffer.alloc(PRIME_LENGTH - shared.length), shared]);
  const key = Buffer.from(hkdfSync('sha256', padded, '', '', 16));
  return {
    publicKey,
    encrypt(secret) {
      const iv = randomBytes(16);
      const cipher = createCipheriv(CIPHER, key, iv);
      return { iv, data: Buffer.concat([cipher.update(secret), cipher.final()]) };
    },
    decrypt(iv, data) {
      const decipher = createDecipheriv(CIPHER, key, iv);
      return Buffer.concat([decipher.update(data), decipher.final()]);
    },
  };
}
