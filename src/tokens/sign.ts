import { SignJWT } from 'jose/jwt/sign';
import type { SigningKey } from './keys.ts';

/** The content of a signed token. */
export type SignOptions = {
  readonly scopes: readonly string[];
  /** Default 300. */
  readonly lifetimeSeconds?: number;
  /** Default: the clock. */
  readonly now?: Date;
  /** `payctl/VERSION`. */
  readonly issuer: string;
};

/**
 * Signs a token for the service: header `alg`, `typ`, `kid`; claims `iss`, `iat`, `nbf`, `exp`, `jti`, `scopes`, as
 * docs/decisions/0048-where-the-specification-is-silent.md says under "JWT".
 */
export function signToken(key: SigningKey, options: SignOptions): Promise<string> {
  const { scopes, lifetimeSeconds = 300, now = new Date(), issuer } = options;
  const issuedAt = Math.floor(now.getTime() / 1000);
  const claims = {
    iss: issuer,
    iat: issuedAt,
    nbf: issuedAt,
    exp: issuedAt + lifetimeSeconds,
    jti: crypto.randomUUID(),
    scopes: [...scopes],
  };
  return new SignJWT(claims)
    .setProtectedHeader({ alg: key.algorithm, typ: 'JWT', kid: key.keyId })
    .sign(key.privateKey);
}
