import { confirmUnlimitedToken } from '../../cli/money/profile-limits.ts';
import { issuerOf, type Runtime } from '../../cli/runtime.ts';
import { noCredentials, warnOfEmptyVariables } from '../../cli/session/credential-inputs.ts';
import { accessEmulator } from '../../cli/session/emulator-profile.ts';
import { refuseWriteScopes } from '../../cli/session/read-only.ts';
import type { Display } from '../../cli/show/display.ts';
import { limitedAt } from '../../config/origin.ts';
import { isLimited, LIMIT_FIELDS, type Profile } from '../../config/profile.ts';
import type { Settings } from '../../config/settings.ts';
import { LIFETIMES, parseDuration } from '../../config/values.ts';
import { scopes as known, scopes as knownScopes } from '../../contract/generated/operations.ts';
import { readCredentials } from '../../credentials/read.ts';
import { type CredentialSource, findWithheld } from '../../credentials/sources.ts';
import { CredentialsError, UsageError } from '../../errors.ts';
import { quote } from '../../text/format.ts';
import { suggest } from '../../text/suggest.ts';
import { readClaimsIfAny } from '../../tokens/claims.ts';
import { type Credentials, createTokenProvider, isTokenSource } from '../../tokens/provider.ts';
import { kindOfScope, reachOfWildcard, readScopes } from '../../tokens/scopes.ts';
import { credentialInUse, inputsInUse, usableBaseUrl } from './credential-in-use.ts';

/** What `auth token` is asked for: the values of its flags. */
export type TokenRequest = {
  readonly scopes: readonly string[];
  readonly expiresIn: string | undefined;
  /** More than a day is meant. */
  readonly confirmed: boolean;
};

type CommandContext = { readonly settings: Settings; readonly display: Display; readonly runtime: Runtime };

/**
 * The token that was asked for: signed with the key in use, or the token in use unchanged. Nothing is read
 * before the request is known to be right, and no base URL is needed.
 * @throws UsageError `scope_missing`, `invalid_duration`, `long_lifetime`, `ready_token_fixed`, `read_only`, `over_limit`; CredentialsError
 * `no_credentials`, and what reading the credentials throws
 */
export async function getToken(
  request: TokenRequest,
  { settings, display, runtime }: CommandContext,
): Promise<string> {
  warnOfEmptyVariables(inputsInUse(settings, runtime), { display, runtime });
  const inUse = credentialInUse(settings, runtime);
  if (!inUse) throw noKey(settings, runtime);
  const { source, profile } = inUse;
  const scopes = readScopes(request.scopes);
  if (source.kind === 'token') refuseChanges(request, source);
  else requireScope(scopes, settings);
  const lifetimeSeconds = readLifetime(request.expiresIn, request.confirmed);
  const limited = limitedProfiles(settings);
  if (source.kind === 'key') await confirmUnlimitedToken(limited, scopes, runtime);
  for (const warning of scopeWarnings(scopes)) display.warn('unusual_scope', warning);
  if (inUse.awaitsEmulator) await makeEmulatorKey(runtime);
  if (display.verbose) display.info(`* credentials: ${source.origin}`);
  const warn = (message: string) => display.warn('secret_file_open', message);
  const issuer = issuerOf(runtime);
  const credentials = await readCredentials(source, profile, { warn, signal: runtime.signal });
  if (!isTokenSource(credentials)) throw noKey(settings, runtime);
  if (credentials.kind === 'key') return await sign(credentials, { scopes, lifetimeSeconds, issuer });
  await confirmUnlimitedToken(limited, readClaimsIfAny(credentials.token)?.scopes, runtime);
  return await createTokenProvider(credentials, { issuer, warn: display.warn })({ scopes: [], accepted: [] });
}

/** The profiles whose limits a token evades: those with limits at the origin of the settings, and the profile in use. */
function limitedProfiles(settings: Settings): readonly Profile[] {
  const baseUrl = usableBaseUrl(settings);
  const { value: own } = settings.profile;
  return [
    ...(own && isLimited(own) ? [own] : []),
    ...(baseUrl === undefined ? [] : limitedAt(settings, new URL(baseUrl).origin, LIMIT_FIELDS)),
  ];
}

async function sign(
  { pem, origin, rsaAlgorithm }: Credentials & { kind: 'key' },
  claims: { scopes: readonly string[]; lifetimeSeconds: number; issuer: string },
): Promise<string> {
  const [{ readSigningKey }, { signToken }] = await Promise.all([
    import('../../tokens/keys.ts'),
    import('../../tokens/sign.ts'),
  ]);
  return await signToken(await readSigningKey(pem, { origin, rsaAlgorithm }), claims);
}

async function makeEmulatorKey({ environment, signal }: Runtime): Promise<void> {
  const emulator = await accessEmulator(environment, { signal });
  await emulator.close();
}

function refuseChanges({ scopes, expiresIn }: TokenRequest, { origin }: CredentialSource): void {
  if (scopes.length === 0 && expiresIn === undefined) return;
  const message = `${origin} is a token, not a key: its scopes and lifetime cannot be changed`;
  throw new UsageError('ready_token_fixed', message, {
    hint: 'Remove --scope and --expires-in to print it unchanged; choosing scopes requires a private key.',
  });
}

function requireScope(scopes: readonly string[], settings: Settings): void {
  refuseWriteScopes(settings, scopes);
  if (scopes.length > 0) return;
  throw new UsageError('scope_missing', 'A token needs at least one scope', {
    hint: `For example: --scope buyers.read. Known scopes: ${knownScopes.join(', ')}.`,
  });
}

function noKey(settings: Settings, runtime: Runtime): CredentialsError {
  const inputs = inputsInUse(settings, runtime);
  if (findWithheld(inputs)) return noCredentials(inputs, settings);
  return new CredentialsError('no_credentials', 'No private key is configured', {
    hint: 'Add --profile emulator to try it, set PAYCTL_PRIVATE_KEY or PAYCTL_PRIVATE_KEY_FILE, or log in: payctl auth login',
  });
}

/** Warnings about the scopes of a new token: unknown names, broad wildcards. */
export function scopeWarnings(scopes: readonly string[]): string[] {
  return scopes.map(scopeWarning).filter((remark) => remark !== undefined);
}

function scopeWarning(scope: string): string | undefined {
  switch (kindOfScope(scope, known)) {
    case 'known':
      return undefined;
    case 'wildcard':
      return `The scope ${scope} is broad: it grants ${reachOfWildcard(scope)}.`;
    case 'unknown': {
      const suggestion = suggest(scope, known);
      const question = suggestion ? ` Did you mean ${suggestion}?` : '';
      return `Unknown scope ${quote(scope)}; the token includes it anyway.${question}`;
    }
  }
}

const DAY = 86_400_000;
const USUAL = '5m';

/**
 * The lifetime of a token in whole seconds: that of `--expires-in`, by default five minutes. More than 24 hours has to be
 * confirmed, more than 365 days are refused.
 * @throws UsageError `invalid_duration`, `long_lifetime`
 */
export function readLifetime(given: string | undefined, confirmed: boolean): number {
  const milliseconds = parseDuration(given ?? USUAL, '--expires-in', LIFETIMES);
  if (milliseconds <= DAY || confirmed) return milliseconds / 1000;
  throw new UsageError(
    'long_lifetime',
    `--expires-in is ${quote(given ?? USUAL)}, which is more than 24 hours`,
    {
      hint: 'A token cannot be revoked. Add --yes to sign it anyway, or use 24h or less.',
    },
  );
}

/** A token as data. Everything but the token is null where the token is not a JWT, or does not say it. */
export type TokenRecord = {
  readonly token: string;
  readonly scopes: readonly string[] | null;
  /** ISO 8601, UTC. */
  readonly expires_at: string | null;
  readonly key_id: string | null;
};

/** Describes a token by its content. */
export function toTokenRecord(token: string): TokenRecord {
  const content = readClaimsIfAny(token);
  return {
    token,
    scopes: content?.scopes ?? null,
    expires_at: content?.expiresAt?.toISOString() ?? null,
    key_id: content?.keyId ?? null,
  };
}

/** A sentence about a token that was printed to stdout, without the token itself. */
export function summaryOf({ token, scopes, expires_at: expiresAt }: TokenRecord): string {
  if (!readClaimsIfAny(token)) return 'The token is not a JWT: only the service knows its scopes and expiry.';
  if (!scopes)
    return `The token has no scope claim: only the service knows its scopes. Expires: ${expiresAt ?? 'never'}.`;
  return `Scopes: ${scopes.join(', ') || 'none'}. Expires: ${expiresAt ?? 'never'}.`;
}
