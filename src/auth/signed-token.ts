import type { SigningKey } from './keys.ts';
import type { NeededScopes, TokenDescription, TokenProvider, TokenSource } from './token-source.ts';

const LIFETIME_SECONDS = 300;
const RENEWAL_SECONDS = 60;

type SignedToken = { readonly token: Promise<string>; readonly expiresAt: Date };

/**
 * Gives tokens signed with a private key, each for exactly the scopes asked for and valid for 5 minutes. One token
 * serves until less than a minute of it is left, so that long exports outlive it.
 */
export function createSignedTokenProvider(
  source: Extract<TokenSource, { kind: 'key' }>,
  { issuer, now }: { readonly issuer: string; readonly now: () => Date },
): TokenProvider {
  const tokens = new Map<string, SignedToken>();
  let key: Promise<SigningKey> | undefined;
  let description: TokenDescription = { origin: source.origin };

  const sign = async (scopes: readonly string[], signedAt: Date): Promise<string> => {
    const { signToken } = await import('./sign.ts');
    key ??= readKey(source);
    return signToken(await key, { scopes, lifetimeSeconds: LIFETIME_SECONDS, now: signedAt, issuer });
  };

  const provide = async ({ scopes: asked }: NeededScopes): Promise<string> => {
    const scopes = [...new Set(asked)].sort();
    const name = scopes.join(' ');
    const current = now();
    let signed = tokens.get(name);
    if (!signed || secondsBetween(current, signed.expiresAt) < RENEWAL_SECONDS) {
      const expiresAt = new Date((Math.floor(current.getTime() / 1000) + LIFETIME_SECONDS) * 1000);
      signed = { token: sign(scopes, current), expiresAt };
      tokens.set(name, signed);
    }
    const token = await signed.token;
    const keyId = (await key)?.keyId;
    description = { origin: source.origin, ...(keyId && { keyId }), scopes, expiresAt: signed.expiresAt };
    return token;
  };
  return Object.assign(provide, { describe: () => description });
}

async function readKey({
  pem,
  origin,
  rsaAlgorithm,
}: Extract<TokenSource, { kind: 'key' }>): Promise<SigningKey> {
  const { readSigningKey } = await import('./keys.ts');
  return readSigningKey(pem, { origin, rsaAlgorithm });
}

function secondsBetween(from: Date, to: Date): number {
  return (to.getTime() - from.getTime()) / 1000;
}
