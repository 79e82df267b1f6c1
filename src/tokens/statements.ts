import { calculateJwkThumbprint } from 'jose/jwk/thumbprint';
import { CompactSign } from 'jose/jws/compact/sign';
import { compactVerify } from 'jose/jws/compact/verify';
import { importJWK } from 'jose/key/import';
import type { SigningKey } from './keys.ts';
import { algorithmsOf, publicPart, type VerificationJwk } from './verify.ts';

/**
 * Signs a text that is not a token, as a compact JWS. `type` is the `typ` of its header: it keeps a service from taking the
 * text for a token.
 */
export function signStatement(key: SigningKey, text: string, type: string): Promise<string> {
  return new CompactSign(new TextEncoder().encode(text))
    .setProtectedHeader({ alg: key.algorithm, typ: type, kid: key.keyId })
    .sign(key.privateKey);
}

/**
 * The text of such a JWS, and the thumbprint of the key; undefined unless this key signed it as this type. Only the algorithms of
 * the key's own type count, whatever the header claims.
 */
export async function verifyStatement(
  jws: string,
  jwk: VerificationJwk,
  type: string,
): Promise<{ readonly text: string; readonly keyId: string } | undefined> {
  const key = publicPart(jwk);
  try {
    const { payload, protectedHeader } = await compactVerify(jws, ({ alg }) => importJWK(key, alg), {
      algorithms: algorithmsOf(jwk),
    });
    if (protectedHeader.typ !== type) return undefined;
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(payload);
    return { text, keyId: await calculateJwkThumbprint(key) };
  } catch {
    return undefined;
  }
}
