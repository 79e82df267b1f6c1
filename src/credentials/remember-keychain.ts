import { readClaimsIfAny } from '../tokens/claims.ts';
import { readBoundSecret } from './bound-secret.ts';
import type { CredentialDeps } from './read.ts';

type ReadKeychain = NonNullable<CredentialDeps['readKeychain']>;

/**
 * Reads an entry of the keychain once, for a command that connects again and again. A token that has expired is read again, because
 * the user may have logged in since.
 */
export function rememberKeychain(read: ReadKeychain, now: () => number = Date.now): ReadKeychain {
  const known = new Map<string, string>();
  return async (account) => {
    const remembered = known.get(account);
    if (remembered !== undefined && !hasExpired(remembered, now())) return remembered;
    const stored = await read(account);
    // A secret that an earlier version stored is stored again with its origin when it is used.
    if (stored !== undefined && readBoundSecret(stored).origin !== undefined) known.set(account, stored);
    return stored;
  };
}

function hasExpired(stored: string, now: number): boolean {
  const expiresAt = readClaimsIfAny(readBoundSecret(stored).secret.trim())?.expiresAt;
  return expiresAt !== undefined && expiresAt.getTime() <= now;
}
