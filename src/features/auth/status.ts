import type { Target } from '../../cli/target.ts';
import type { Profile } from '../../config/profiles.ts';
import { nameOfSource, type Settings } from '../../config/settings.ts';
import { type CredentialDeps, readCredentials } from '../../credentials/read.ts';
import type { CredentialSource } from '../../credentials/sources.ts';
import { CredentialsError } from '../../errors.ts';
import type { OutputFormat } from '../../output/format.ts';
import { formatDuration } from '../../text/format.ts';
import type { TokenContent } from '../../tokens/claims.ts';
import type { Credentials } from '../../tokens/provider.ts';

/** What is known about the credentials in use without asking the service. Contains no secret. */
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

/** Reads the credentials of one source and describes them; what is wrong with them is part of the description. */
export async function readCredentialStatus(
  source: CredentialSource,
  { profile, now, ...deps }: CredentialDeps & { profile: Profile | undefined; now: Date },
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
    const credentials = await readCredentials(source, profile, deps);
    return { ...unknown, usable: true, problem: null, ...(await factsOf(credentials, now)) };
  } catch (error) {
    if (!(error instanceof CredentialsError)) throw error;
    return { ...unknown, usable: false, problem: error.message };
  }
}

type Facts = Partial<Omit<CredentialStatus, 'kind' | 'source' | 'storage'>>;

async function factsOf(credentials: Credentials, now: Date): Promise<Facts> {
  if (credentials.kind === 'key') {
    const { readSigningKey } = await import('../../tokens/keys.ts');
    const { keyId, algorithm } = await readSigningKey(credentials.pem, credentials);
    return { keyId, algorithm };
  }
  const { staticTokenProvider } = await import('../../tokens/provider.ts');
  // Throws for a token that no header can carry.
  staticTokenProvider(credentials, { now: () => now, warn: () => {} });
  const { readClaimsIfAny } = await import('../../tokens/claims.ts');
  const content = readClaimsIfAny(credentials.token.trim());
  return content ? factsOfToken(content, now) : {};
}

function factsOfToken({ header, keyId, scopes, expiresAt, notBefore }: TokenContent, now: Date): Facts {
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
    scopes: scopes ?? null,
    expiresAt: expiresAt ?? null,
  };
}

type Parts = {
  readonly settings: Settings;
  readonly target: Target | { readonly problem: string };
  /** The first one wins. */
  readonly sources: readonly CredentialSource[];
  readonly credentials: CredentialStatus | undefined;
  readonly now: Date;
};

/** The status as `auth status` prints it; every member is always there. A table has one line for each source, JSON an object. */
export function statusRecord(parts: Parts, format: OutputFormat) {
  const { settings, target, sources, credentials } = parts;
  const { profile, merchantAccount, merchantHeader } = settings;
  return {
    profile: profile.value?.name ?? null,
    profile_source: nameOfSource(profile.source),
    environment: profile.value?.environment ?? null,
    base_url: 'problem' in target ? null : target.baseUrl,
    base_url_source: nameOfSource(settings.baseUrl.source),
    base_url_problem: 'problem' in target ? target.problem : null,
    merchant_account: merchantAccount.value ?? null,
    merchant_account_source: nameOfSource(merchantAccount.source),
    merchant_header: merchantHeader.value,
    usable: credentials?.usable ?? false,
    credentials: credentials ? credentialsRecord(credentials, parts.now) : null,
    sources: format === 'table' ? describeSources(sources) : sources.map(sourceRecord),
  };
}

function credentialsRecord(credentials: CredentialStatus, now: Date) {
  const { kind, source, storage, problem, keyId, algorithm, scopes, expiresAt } = credentials;
  const left = expiresAt ? expiresAt.getTime() - now.getTime() : null;
  return {
    kind,
    source,
    storage,
    problem,
    key_id: keyId,
    algorithm,
    scopes,
    expires_at: expiresAt?.toISOString() ?? null,
    expires_in_seconds: left === null ? null : Math.round(left / 1000),
    expires: left === null ? null : left > 0 ? `in ${formatDuration(left)}` : `${formatDuration(left)} ago`,
  };
}

function sourceRecord({ kind, origin, storage }: CredentialSource, index: number) {
  return { source: origin, kind, storage, wins: index === 0 };
}

function describeSources(sources: readonly CredentialSource[]): readonly string[] | null {
  const lines = sources.map(({ kind, origin, storage }, index) => {
    const insecure = storage === 'file' ? ', insecure storage' : '';
    return `${origin}: ${kind}${insecure}${index === 0 ? ', in use' : ''}`;
  });
  return lines.length === 0 ? null : lines;
}
