import type { webcrypto } from 'node:crypto';
import { JWTClaimValidationFailed, JWTExpired } from 'jose/errors';
import { jwtVerify } from 'jose/jwt/verify';
import { importJWK } from 'jose/key/import';
import { CredentialsError } from '../errors.ts';
import { readClaims, type TokenContent } from './claims.ts';
import type { Algorithm } from './keys.ts';
import { scopesOf } from './scopes.ts';

/** The public key of a signer as a JWK (RFC 7517). Private members, where there are any, are left aside. */
export type VerificationJwk = webcrypto.JsonWebKey & { readonly kid?: string };

/** What a token is checked against. */
export type VerifyOptions = {
  /** The registered public key of an id, or undefined where there is none. */
  readonly keyById: (keyId: string | undefined) => VerificationJwk | undefined;
  readonly now: Date;
};

/** A token whose signature and validity period hold. */
export type VerifiedToken = {
  readonly keyId: string;
  readonly scopes: readonly string[];
  readonly claims: Readonly<Record<string, unknown>>;
};

/**
 * Verifies a token with the registered key that its `kid` names. Only the algorithm of that key's own type counts,
 * whatever the token's header claims, and a token without `exp` is refused.
 * @throws CredentialsError `key_unknown`, `token_invalid`, `token_expired`, `token_not_yet_valid` or `token_without_expiry`.
 */
export async function verifyToken(token: string, options: VerifyOptions): Promise<VerifiedToken> {
  const named = contentOf(token).keyId;
  const jwk = options.keyById(named);
  const keyId = named ?? jwk?.kid;
  if (keyId === undefined || !jwk) {
    throw new CredentialsError('key_unknown', 'The token is not signed by a registered key', {
      hint: 'The kid in its header must be the ID of a registered key.',
    });
  }
  try {
    const algorithms = algorithmsOf(jwk);
    const { payload } = await jwtVerify(token, (header) => importJWK(publicPart(jwk), header.alg), {
      algorithms,
      currentDate: options.now,
      requiredClaims: ['exp'],
    });
    return { keyId, scopes: scopesOf(payload) ?? [], claims: payload };
  } catch (error) {
    throw verdict(error);
  }
}

function contentOf(token: string): TokenContent {
  try {
    return readClaims(token);
  } catch (error) {
    throw new CredentialsError('token_invalid', 'The token is not a signed JWT', { cause: error });
  }
}

/** The algorithms that a key of this type signs with; none for a shared secret. */
export function algorithmsOf({ kty, crv, alg }: VerificationJwk): Algorithm[] {
  switch (kty === 'RSA' ? kty : `${kty} ${crv}`) {
    case 'EC P-256':
      return ['ES256'];
    case 'EC P-384':
      return ['ES384'];
    case 'EC P-521':
      return ['ES512'];
    case 'OKP Ed25519':
      return ['EdDSA'];
    case 'RSA':
      return alg === 'RS256' || alg === 'PS256' ? [alg] : ['RS256', 'PS256'];
    default:
      return [];
  }
}

/** A key registered together with its private half must verify anyway, so only public members are taken. */
export function publicPart({ kty, crv, x, y, n, e }: VerificationJwk): Record<string, string> {
  return Object.fromEntries(
    Object.entries({ kty, crv, x, y, n, e }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}

function verdict(error: unknown): CredentialsError {
  if (error instanceof JWTExpired) {
    return new CredentialsError('token_expired', 'The token has expired');
  }
  if (error instanceof JWTClaimValidationFailed && error.claim === 'nbf' && error.reason === 'check_failed') {
    return new CredentialsError('token_not_yet_valid', 'The token is not valid yet');
  }
  if (error instanceof JWTClaimValidationFailed && error.claim === 'exp') {
    return new CredentialsError('token_without_expiry', 'The token has no expiry time');
  }
  return new CredentialsError('token_invalid', 'The token failed verification', { cause: error });
}
