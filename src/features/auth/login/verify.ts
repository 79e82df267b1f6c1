import { COMMAND_OPERATIONS } from '../../../cli/catalog/operations.ts';
import { callProbe, PROBE_IDS, type ProbeId } from '../../../cli/catalog/probes.ts';
import type { Session } from '../../../cli/session.ts';
import { ApiError } from '../../../client/errors.ts';
import { type Operation, operations } from '../../../contract/generated/operations.ts';
import type { Credentials } from '../../../credentials/read.ts';
import { CredentialsError } from '../../../errors.ts';
import { readClaimsIfAny } from '../../../tokens/claims.ts';
import { readSigningKey } from '../../../tokens/keys.ts';
import { createReadyTokenProvider } from '../../../tokens/provider.ts';
import { grants } from '../../../tokens/scopes.ts';

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

/**
 * Makes one harmless call with credentials, and gives a sentence about how the service took them.
 * @throws ApiError unless the service accepted them; ConnectionError and ResponseError where it gave no answer
 */
export async function verifyWithService(
  session: Session,
  scopes: readonly string[] | undefined,
): Promise<string> {
  const mayRead = (probe: ProbeId) =>
    scopes === undefined || operations[probe].scopes.some((scope) => grants(scopes, scope));
  const id = PROBE_IDS.find(mayRead) ?? 'listRoles';
  const { error } = await callProbe(await session.client(), id, session.signal);
  if (!error) return 'The service accepted it.';
  if (!(error instanceof ApiError) || error.status !== 403) throw error;
  return 'The service accepted it, but it may not even list roles.';
}
