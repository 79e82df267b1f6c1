import type { TokenContent } from '../../auth/claims.ts';
import { namesScopes } from '../../auth/scopes.ts';
import { CredentialsError } from '../../client/errors.ts';
import type { CredentialSource } from '../../config/credential-sources.ts';
import { type CredentialMeans, type Credentials, readCredentials } from '../../config/credentials.ts';
import type { Profile } from '../../config/profile.ts';

/** What can be told of the credentials in use without asking the service. Holds no secret. */
export type CredentialStatus = {
  readonly kind: 'token' | 'key';
  readonly source: string;
  readonly storage: CredentialSource['storage'];
  readonly usable: boolean;
  /** Why they cannot be used. */
  readonly problem: string | null;
  readonly keyId: string | null;
  readonly algorithm: string | null;
  /** Null: a key signs for whatever a command needs; or the token does not say. */
  readonly scopes: readonly string[] | null;
  readonly expiresAt: Date | null;
};

/** Reads the credentials of one source and says what they are; what is wrong with them is part of the answer. */
export async function readCredentialStatus(
  source: CredentialSource,
  { profile, now, ...means }: CredentialMeans & { profile: Profile | undefined; now: Date },
): Promise<CredentialStatus> {
  const { kind, origin, storage } = source;
  const unknown = {
    kind,
    source: origin,
    storage,
    keyId: null,
    algorithm: null,
    scopes: null,
    expiresAt: null,
  };
  try {
    const credentials = await readCredentials(source, profile, means);
    return { ...unknown, usable: true, problem: null, ...(await factsOf(credentials, now)) };
  } catch (error) {
    if (!(error instanceof CredentialsError)) throw error;
    return { ...unknown, usable: false, problem: error.message };
  }
}

type Facts = Partial<Omit<CredentialStatus, 'kind' | 'source' | 'storage'>>;

async function factsOf(credentials: Credentials, now: Date): Promise<Facts> {
  if (credentials.kind === 'key') {
    const { readSigningKey } = await import('../../auth/keys.ts');
    const { keyId, algorithm } = await readSigningKey(credentials.pem, credentials);
    return { keyId, algorithm };
  }
  const { createReadyTokenProvider } = await import('../../auth/ready-token.ts');
  // Throws for a token that no header can carry.
  createReadyTokenProvider(credentials, { now: () => now, warn: () => {} });
  const { readClaimsIfAny } = await import('../../auth/claims.ts');
  const content = readClaimsIfAny(credentials.token.trim());
  return content ? factsOfToken(content, now) : {};
}

function factsOfToken(
  { header, claims, keyId, scopes, expiresAt, notBefore }: TokenContent,
  now: Date,
): Facts {
  const problem =
    expiresAt && expiresAt <= now
      ? `the token expired at ${expiresAt.toISOString()}`
      : notBefore && notBefore > now
        ? `the token is not valid before ${notBefore.toISOString()}`
        : null;
  return {
    usable: problem === null,
    problem,
    keyId: keyId ?? null,
    algorithm: typeof header.alg === 'string' ? header.alg : null,
    scopes: namesScopes(claims) ? scopes : null,
    expiresAt: expiresAt ?? null,
  };
}
