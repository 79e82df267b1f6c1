import { readClaimsIfAny } from '../../auth/claims.ts';
import { readSigningKey } from '../../auth/keys.ts';
import { createReadyTokenProvider } from '../../auth/ready-token.ts';
import { grants } from '../../auth/scopes.ts';
import { CredentialsError } from '../../client/errors.ts';
import type { Credentials } from '../../config/credentials.ts';
import type { Operation } from '../../contract/operations.ts';
import { COMMAND_OPERATIONS } from '../command-operations.ts';

/** What can be told of credentials without asking anybody. */
export type CredentialFacts = {
  /** The scopes of a token that can be read; undefined where any may be asked for, or none can be told. */
  readonly scopes: readonly string[] | undefined;
  /** What they may do, for a person. */
  readonly sentence: string;
};

/**
 * Looks at credentials before they are used or kept.
 * @throws CredentialsError `key_unusable` for a key that cannot sign, `token_expired` or `token_unreadable`
 */
export async function examineCredentials(credentials: Credentials, now: Date): Promise<CredentialFacts> {
  if (credentials.kind === 'key') {
    const { keyId, algorithm } = await readSigningKey(credentials.pem, credentials);
    const sentence = `The key ${keyId} (${algorithm}) signs a token for each command, with only the scopes that it needs.`;
    return { scopes: undefined, sentence };
  }
  // Throws for a token that no header can carry.
  createReadyTokenProvider(credentials, { now: () => now, warn: () => {} });
  return examineToken(credentials.token, now);
}

function examineToken(token: string, now: Date): CredentialFacts {
  const content = readClaimsIfAny(token);
  if (!content)
    return { scopes: undefined, sentence: 'The token is no JWT: only the service knows what it may do.' };
  const { scopes, expiresAt } = content;
  if (expiresAt && expiresAt <= now) {
    throw new CredentialsError('token_expired', `The token expired at ${expiresAt.toISOString()}`, {
      hint: 'Get a new one.',
    });
  }
  const all = Object.entries<Operation>(COMMAND_OPERATIONS);
  const allowed = all.filter(([, operation]) => operation.scopes.some((scope) => grants(scopes, scope)));
  const names = allowed.map(([command]) => command).join(', ');
  const until = expiresAt ? ` until ${expiresAt.toISOString()}` : '';
  const sentence = `The token is good for ${allowed.length} of ${all.length} commands${until}${names && `: ${names}`}.`;
  return { scopes, sentence };
}
