import { commandAccess } from '../../../cli/routing/catalog/allowed-commands.ts';
import { callProbe, PROBE_IDS, type ProbeId } from '../../../cli/routing/catalog/probes.ts';
import { callDescribedProbe, findProbe } from '../../../cli/session/described-probe.ts';
import { descriptionInUse } from '../../../cli/session/description-in-use.ts';
import type { Session } from '../../../cli/session/session.ts';
import { ApiError } from '../../../client/errors.ts';
import type { Environment } from '../../../config/environment.ts';
import { operations } from '../../../contract/generated/operations.ts';
import type { CredentialSource } from '../../../credentials/sources.ts';
import { CredentialsError } from '../../../errors.ts';
import type { TokenContent } from '../../../tokens/claims.ts';
import type { Credentials } from '../../../tokens/provider.ts';
import { checkAccess } from '../../../tokens/scopes.ts';
import { examine } from '../status.ts';

/** What is known about credentials without asking the service. */
export type CredentialFacts = {
  /** The scopes that a token claims; undefined for a key, which signs for any, and for a token that does not say. */
  readonly scopes: readonly string[] | undefined;
  /** What they allow, as a sentence. */
  readonly sentence: string;
};

/**
 * Looks at credentials before they are used or kept.
 * @throws CredentialsError `key_unusable` for a key that cannot sign, `token_expired` or `token_unreadable`
 */
export async function examineCredentials(credentials: Credentials, now: Date): Promise<CredentialFacts> {
  const { keyId, algorithm, content } = await examine(credentials, now);
  if (credentials.kind === 'key') {
    const sentence = `The key ${keyId} (${algorithm}) signs a token for each command, with only the scopes that it needs.`;
    return { scopes: undefined, sentence };
  }
  if (credentials.kind !== 'token') {
    const isBasic = credentials.kind === 'basic';
    const what = isBasic ? 'user name and password are' : 'API key is';
    return {
      scopes: undefined,
      sentence: `The ${what} sent only with requests that need ${isBasic ? 'them' : 'it'}, as the API description says.`,
    };
  }
  return examineToken(content, now);
}

function examineToken(content: TokenContent | undefined, now: Date): CredentialFacts {
  if (!content)
    return { scopes: undefined, sentence: 'The token is not a JWT: only the service knows what it allows.' };
  const { scopes, expiresAt } = content;
  if (expiresAt && expiresAt <= now) {
    throw new CredentialsError('token_expired', `The token expired at ${expiresAt.toISOString()}`, {
      hint: 'Get a new one.',
    });
  }
  const until = expiresAt ? ` until ${expiresAt.toISOString()}` : '';
  const all = commandAccess(scopes).filter(({ revealsPii }) => !revealsPii);
  if (all.some(({ access }) => access === 'unknown')) {
    const expiry = expiresAt ? `; it is valid${until}` : '';
    return {
      scopes,
      sentence: `The token has no scope claim: only the service knows what it allows${expiry}.`,
    };
  }
  const allowed = all.filter(({ access }) => access === 'allowed');
  const names = allowed.map(({ command }) => command).join(', ');
  const sentence = `The token allows ${allowed.length} of ${all.length} commands${until}${names && `: ${names}`}.`;
  return { scopes, sentence };
}

/**
 * Makes one harmless call with credentials, one that their scopes allow if there is any, and gives a sentence about how the
 * service took them.
 * @throws ApiError unless the service accepted them; ConnectionError and ResponseError where it gave no response
 */
export async function verifyWithService(
  session: Session,
  scopes: readonly string[] | undefined,
): Promise<string> {
  const isOpen = (id: ProbeId) => checkAccess(scopes, [operations[id].scopes]).access !== 'refused';
  const id = PROBE_IDS.find(isOpen) ?? 'listRoles';
  const { error } = await callProbe(await session.client(), id, session.signal);
  if (!error) return 'The service accepted the credentials.';
  if (!(error instanceof ApiError) || error.status !== 403) throw error;
  const { method, path } = operations[id];
  return `The service accepted the credentials, but they do not allow the test request ${method} ${path}.`;
}

/**
 * The same for an API key or a password, with a request that requires it by the imported API description.
 * @throws ApiError for a 401, and as `verifyWithService`; UsageError `description_missing`, `description_damaged`
 */
export async function verifyByDescription(
  session: Session,
  { environment, source }: { readonly environment: Environment; readonly source: CredentialSource },
): Promise<string> {
  const { settings, signal } = session;
  const profile = settings.profile.value;
  const isDescribed = environment.description !== undefined || profile?.description !== undefined;
  const described = isDescribed
    ? await descriptionInUse({ environment, profile: profile?.name, signal })
    : undefined;
  if (!described) {
    return `The credentials were not checked: without an API description, payctl does not know where to send them. Import it: payctl api import FILE --profile ${profile?.name}`;
  }
  const operation = findProbe(described, source);
  if (!operation)
    return 'The credentials were not checked: the API description has no request to check them with.';
  const { status, error } = await callDescribedProbe(await session.client(), operation, signal);
  if (!error) return 'The service accepted the credentials.';
  if (status === undefined || status === 401) throw error;
  const request = `${operation.method} ${operation.path}`;
  if (status === 403)
    return `The service accepted the credentials, but they do not allow the test request ${request}.`;
  return `The service responded to the test request ${request} with ${status}, which does not say whether it accepts the credentials.`;
}
