import { readClaimsIfAny, type TokenContent } from '../../auth/claims.ts';
import { createTokenProvider } from '../../auth/token-provider.ts';
import type { TokenProvider } from '../../auth/token-source.ts';
import {
  type CredentialInputs,
  type CredentialSource,
  listCredentialSources,
} from '../../config/credential-sources.ts';
import { readCredentials } from '../../config/credentials.ts';
import { operations } from '../../contract/operations.ts';

/** Credentials that can be read and used, and what they say of themselves. */
export type OpenCredentials = {
  readonly source: CredentialSource;
  /** Whether the profile names it, and no variable. */
  readonly isOfProfile: boolean;
  /** The names of the sources that are set and do not count. */
  readonly others: readonly string[];
  readonly provider: TokenProvider;
  readonly keyId: string | undefined;
  /** Undefined for a key, and for a token that is no JWT. */
  readonly claims: TokenContent | undefined;
  /** Whether others than its owner may read the file that they are in. */
  readonly isExposed: boolean;
};

/**
 * Reads the credentials that win; undefined without any. A key is tried out: it signs a token.
 * @throws CredentialsError for what cannot be read or used
 */
export async function openCredentials(
  inputs: CredentialInputs,
  issuer: string,
  signal?: AbortSignal,
): Promise<OpenCredentials | undefined> {
  const [source, ...others] = listCredentialSources(inputs);
  if (!source) return undefined;
  let isExposed = false;
  const warn = () => {
    isExposed = true;
  };
  const credentials = await readCredentials(source, inputs.profile, { warn, signal });
  const provider = createTokenProvider(credentials, { issuer, warn: () => {} });
  const { scopes } = operations.listRoles;
  const token = await provider({ scopes, accepted: scopes });
  const claims = credentials.kind === 'token' ? readClaimsIfAny(token) : undefined;
  const { keyId } = provider.describe();
  const isOfProfile = listCredentialSources({ ...inputs, profile: undefined }).length === 0;
  const origins = others.map(({ origin }) => origin);
  return { source, isOfProfile, others: origins, provider, keyId, claims, isExposed };
}
