import type { CredentialSource } from '../../config/credential-sources.ts';
import { nameOfSource } from '../../config/setting-source.ts';
import type { Settings } from '../../config/settings.ts';
import type { OutputFormat } from '../../output/list-writer.ts';
import { inWords } from '../duration-words.ts';
import type { Target } from '../target.ts';
import type { CredentialStatus } from './credential-status.ts';

type Parts = {
  readonly settings: Settings;
  readonly target: Target | { readonly problem: string };
  /** The first one wins. */
  readonly sources: readonly CredentialSource[];
  readonly credentials: CredentialStatus | undefined;
  readonly now: Date;
};

/** The status as `auth status` prints it; every member always there. A table says in one line what JSON takes apart. */
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
    expires: left === null ? null : left > 0 ? `in ${inWords(left)}` : `${inWords(left)} ago`,
  };
}

function sourceRecord({ kind, origin, storage }: CredentialSource, index: number) {
  return { source: origin, kind, storage, wins: index === 0 };
}

function describeSources(sources: readonly CredentialSource[]): readonly string[] | null {
  const lines = sources.map(({ kind, origin, storage }, index) => {
    const insecure = storage === 'file' ? ', insecure storage' : '';
    return `${origin}: ${kind}${insecure}${index === 0 ? ', wins' : ''}`;
  });
  return lines.length === 0 ? null : lines;
}
