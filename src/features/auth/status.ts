import type { Target } from '../../cli/session/target.ts';
import { productionAt } from '../../config/origin.ts';
import { CREDENTIAL_NAMES, type CredentialKind, type Profile } from '../../config/profile.ts';
import { nameOfSource, type Settings } from '../../config/settings.ts';
import { type CredentialDeps, readCredentials } from '../../credentials/read.ts';
import type { CredentialSource } from '../../credentials/sources.ts';
import { CredentialsError } from '../../errors.ts';
import { formatDuration } from '../../text/format.ts';
import type { TokenContent } from '../../tokens/claims.ts';
import type { Credentials } from '../../tokens/provider.ts';

/** What is known about the credentials in use without asking the service. Contains no secret. */
export type CredentialStatus = {
  readonly kind: CredentialKind;
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
    const { content, ...facts } = await examine(credentials, now);
    return { ...unknown, usable: true, problem: null, ...facts, ...(content && factsOfToken(content, now)) };
  } catch (error) {
    if (!(error instanceof CredentialsError)) throw error;
    return { ...unknown, usable: false, problem: error.message };
  }
}

/**
 * What credentials say about themselves: the key, or the content of a token that is a JWT.
 * @throws CredentialsError for a key that cannot sign, and for what no request can carry
 */
export async function examine(
  credentials: Credentials,
  now: Date,
): Promise<{ readonly keyId?: string; readonly algorithm?: string; readonly content?: TokenContent }> {
  if (credentials.kind === 'key') {
    const { readSigningKey } = await import('../../tokens/keys.ts');
    const { keyId, algorithm } = await readSigningKey(credentials.pem, credentials);
    return { keyId, algorithm };
  }
  if (credentials.kind !== 'token') {
    const { secretTextsOf } = await import('../../tokens/shared-secrets.ts');
    secretTextsOf(credentials);
    return {};
  }
  const { staticTokenProvider } = await import('../../tokens/provider.ts');
  staticTokenProvider(credentials, { now: () => now, warn: () => {} });
  const { readClaimsIfAny } = await import('../../tokens/claims.ts');
  const content = readClaimsIfAny(credentials.token.trim());
  return content ? { content } : {};
}

function factsOfToken({ header, keyId, scopes, expiresAt, notBefore }: TokenContent, now: Date) {
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

type StatusInput = {
  readonly settings: Settings;
  readonly target: Target | { readonly problem: string };
  /** The first one wins. */
  readonly sources: readonly CredentialSource[];
  /** Why credentials of the profile are not among them. */
  readonly withheld: WithheldStatus | undefined;
  readonly credentials: CredentialStatus | undefined;
  readonly now: Date;
};

/** Credentials of the profile that are for another address, and a sentence that says so. */
export type WithheldStatus = { readonly source: CredentialSource; readonly problem: string };

/** The status as `auth status` prints it; every member is always there. A table has one line for each source, JSON an object. */
export function statusRecord(parts: StatusInput, isForPeople: boolean) {
  const { settings, target, credentials } = parts;
  const { profile, merchantAccount, merchantHeader, readOnly } = settings;
  return {
    profile: profile.value?.name ?? null,
    profile_source: nameOfSource(profile.source),
    ...environmentRecord(settings, target),
    read_only: readOnly.value,
    read_only_source: nameOfSource(readOnly.source),
    base_url: 'problem' in target ? null : target.baseUrl,
    base_url_source: nameOfSource(settings.baseUrl.source),
    base_url_problem: 'problem' in target ? target.problem : null,
    merchant_account: merchantAccount.value ?? null,
    merchant_account_source: nameOfSource(merchantAccount.source),
    merchant_header: merchantHeader.value,
    usable: credentials?.usable ?? false,
    credentials: credentials ? credentialsRecord(credentials, parts.now) : null,
    sources: isForPeople ? describeSources(parts) : sourceRecords(parts),
  };
}

/** Production is where requests go; a profile that is marked production and leads elsewhere is not it. */
function environmentRecord(settings: Settings, target: StatusInput['target']) {
  const { profile, environment } = settings;
  if ('problem' in target) {
    return { environment: profile.value?.environment ?? null, environment_source: null };
  }
  const production = productionAt(settings, new URL(target.baseUrl).origin);
  if (production) return { environment: 'production', environment_source: production.reason };
  const other = [environment.value, profile.value?.environment].find((name) => name === 'sandbox');
  return { environment: other ?? null, environment_source: null };
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

function sourceRecords({ sources, withheld }: StatusInput) {
  const record = ({ kind, origin, storage }: CredentialSource, wins: boolean, problem: string | null) => {
    return { source: origin, kind, storage, wins, problem };
  };
  return [
    ...sources.map((source, index) => record(source, index === 0, null)),
    ...(withheld ? [record(withheld.source, false, withheld.problem)] : []),
  ];
}

function describeSources({ sources, withheld }: StatusInput): readonly string[] | null {
  const lines = sources.map(({ kind, origin, storage }, index) => {
    const insecure = storage === 'file' ? ', insecure storage' : '';
    return `${origin}: ${CREDENTIAL_NAMES[kind]}${insecure}${index === 0 ? ', in use' : ''}`;
  });
  if (withheld)
    lines.push(`${withheld.source.origin}: ${CREDENTIAL_NAMES[withheld.source.kind]}, not used here`);
  return lines.length === 0 ? null : lines;
}
