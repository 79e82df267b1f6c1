import { createTokenProvider } from '../../auth/token-provider.ts';
import { CredentialsError, UsageError } from '../../client/errors.ts';
import type { CredentialSource } from '../../config/credential-sources.ts';
import { type Credentials, readCredentials } from '../../config/credentials.ts';
import { emulatorDirectory } from '../../config/directories.ts';
import type { Settings } from '../../config/settings.ts';
import { scopes as knownScopes } from '../../contract/operations.ts';
import type { Display } from '../display.ts';
import { accessEmulator } from '../emulator-profile.ts';
import type { Runtime } from '../runtime.ts';
import { readScopes, remarksOn } from './asked-scopes.ts';
import { credentialInUse } from './credential-in-use.ts';
import { readLifetime } from './lifetime.ts';

/** What `auth token` is asked for: the values of its flags. */
export type TokenRequest = {
  readonly scopes: readonly string[];
  readonly expiresIn: string | undefined;
  /** More than a day is meant. */
  readonly confirmed: boolean;
};

type Parts = { readonly settings: Settings; readonly display: Display; readonly runtime: Runtime };

/**
 * The token that a person asked for: signed with the key in use, or the ready-made one in use as it is. Nothing is read
 * before the request is known to be right, and no base URL is needed.
 * @throws UsageError `scope_missing`, `invalid_duration`, `long_lifetime`, `ready_token_fixed`; CredentialsError
 * `no_credentials`, and what reading the credentials throws
 */
export async function getToken(
  request: TokenRequest,
  { settings, display, runtime }: Parts,
): Promise<string> {
  const inUse = credentialInUse(settings, runtime);
  if (!inUse) throw noCredentials();
  const { source, profile } = inUse;
  const scopes = readScopes(request.scopes);
  if (source.kind === 'token') requireNoWishes(request, source);
  else requireScope(scopes);
  const lifetimeSeconds = readLifetime(request.expiresIn, request.confirmed);
  for (const remark of remarksOn(scopes)) display.note(remark);
  if (inUse.awaitsEmulator) await makeEmulatorKey(runtime);
  if (display.verbose) display.note(`* credentials: ${source.origin}`);
  const warn = display.note;
  const issuer = `payctl/${runtime.version}`;
  const credentials = await readCredentials(source, profile, { warn, signal: runtime.signal });
  if (credentials.kind === 'key') return await sign(credentials, { scopes, lifetimeSeconds, issuer });
  return await createTokenProvider(credentials, { issuer, warn })({ scopes: [] });
}

async function sign(
  { pem, origin, rsaAlgorithm }: Credentials & { kind: 'key' },
  claims: { scopes: readonly string[]; lifetimeSeconds: number; issuer: string },
): Promise<string> {
  const [{ readSigningKey }, { signToken }] = await Promise.all([
    import('../../auth/keys.ts'),
    import('../../auth/sign.ts'),
  ]);
  return await signToken(await readSigningKey(pem, { origin, rsaAlgorithm }), claims);
}

async function makeEmulatorKey({ environment }: Runtime): Promise<void> {
  const emulator = await accessEmulator(emulatorDirectory(environment));
  await emulator.close();
}

function requireNoWishes({ scopes, expiresIn }: TokenRequest, { origin }: CredentialSource): void {
  if (scopes.length === 0 && expiresIn === undefined) return;
  const message = `${origin} holds a ready-made token, which cannot be given other scopes or another lifetime`;
  throw new UsageError('ready_token_fixed', message, {
    hint: 'Leave --scope and --expires-in out to print it as it is; other scopes take a private key.',
  });
}

function requireScope(scopes: readonly string[]): void {
  if (scopes.length > 0) return;
  throw new UsageError('scope_missing', 'A token needs a scope, and --scope names none', {
    hint: `Write for example --scope buyers.read. Known scopes: ${knownScopes.join(', ')}.`,
  });
}

function noCredentials(): CredentialsError {
  return new CredentialsError('no_credentials', 'There is no key to sign a token with', {
    hint: 'Run payctl auth login, set PAYCTL_PRIVATE_KEY or PAYCTL_PRIVATE_KEY_FILE, or add --profile emulator to try it.',
  });
}
