import { createTokenProvider } from '../auth/token-provider.ts';
import type { TokenProvider } from '../auth/token-source.ts';
import type { ClientHooks, NeededScopes } from '../client/call.ts';
import { createClient } from '../client/client.ts';
import { CredentialsError, UsageError } from '../client/errors.ts';
import { resolveBaseUrl } from '../config/base-url.ts';
import { findCredentials } from '../config/credentials.ts';
import { emulatorDirectory } from '../config/directories.ts';
import { nameOfSource, type SettingSource } from '../config/setting-source.ts';
import type { Settings } from '../config/settings.ts';
import type { Display } from './display.ts';
import { dryRunHooks } from './dry-run.ts';
import { accessEmulator, type EmulatorAccess } from './emulator-profile.ts';
import type { Connection, SessionParts } from './session.ts';
import { traceHooks } from './trace.ts';

/**
 * Makes the client that the settings describe; for the profile `emulator` also the emulator, where none is running.
 * @throws CredentialsError `not_configured` without a base URL, `no_credentials` without a token or key
 */
export async function connect(parts: SessionParts): Promise<Connection> {
  const { settings, display, runtime } = parts;
  const emulator = await openEmulator(parts);
  try {
    const baseUrl = chooseBaseUrl(settings, emulator);
    const tokenProvider = parts.dryRun ? undefined : chooseCredentials(parts, emulator);
    if (display.verbose) {
      saySources(settings, display, { baseUrl, token: tokenProvider?.describe().origin ?? 'none' });
    }
    let needed: NeededScopes | undefined;
    const client = createClient({
      baseUrl,
      token: async (scopes) => {
        needed = scopes;
        const token = (await tokenProvider?.(scopes)) ?? '';
        display.hide(token);
        return token;
      },
      merchantAccount: settings.merchantAccount.value,
      merchantHeader: settings.merchantHeader.value,
      userAgent: `payctl/${runtime.version} (${runtime.platform})`,
      timeoutMilliseconds: settings.timeoutMilliseconds.value,
      maxRetries: settings.maxRetries.value,
      hooks: parts.dryRun ? dryRunHooks(display) : hooksFor(display),
    });
    const close = async () => {
      await client.close();
      await emulator?.close();
    };
    return { client, tokenProvider, neededScopes: () => needed, close };
  } catch (error) {
    await emulator?.close();
    throw error;
  }
}

async function openEmulator({
  settings,
  display,
  runtime,
}: SessionParts): Promise<EmulatorAccess | undefined> {
  const { profile, baseUrl } = settings;
  if (profile.value?.name !== 'emulator') return undefined;
  if (baseUrl.value === undefined) return await accessEmulator(emulatorDirectory(runtime.environment));
  const source = nameOfSource(baseUrl.source);
  display.note(`${source} wins over the profile emulator: requests go to ${baseUrl.value}`);
  return undefined;
}

function chooseBaseUrl({ baseUrl, instance }: Settings, emulator: EmulatorAccess | undefined): string {
  const template = baseUrl.value ?? emulator?.baseUrl;
  if (template === undefined) {
    throw new CredentialsError('not_configured', 'payctl does not know yet which service to talk to', {
      hint: 'Set PAYCTL_BASE_URL and PAYCTL_TOKEN, or add --profile emulator to try it without an account.',
    });
  }
  if (instance.source.kind === 'flag' && !template.includes('{id}')) {
    throw new UsageError('instance_unused', `--instance has no place in the base URL ${template}`, {
      hint: 'Write {id} where the instance belongs, or leave --instance out.',
    });
  }
  return resolveBaseUrl(template, instance.value, nameOfSource(baseUrl.source));
}

function chooseCredentials(
  { settings, display, runtime }: SessionParts,
  emulator: EmulatorAccess | undefined,
): TokenProvider {
  const profile = emulator
    ? ({ name: 'emulator', credentials: { kind: 'key-file', path: emulator.signingKey } } as const)
    : settings.profile.value;
  const warn = display.note;
  const credentials = findCredentials({ environment: runtime.environment, profile }, { warn });
  if (credentials) return createTokenProvider(credentials, { issuer: `payctl/${runtime.version}`, warn });
  throw new CredentialsError('no_credentials', 'There is no token and no key to sign one with', {
    hint: 'Set PAYCTL_TOKEN, PAYCTL_TOKEN_FILE, PAYCTL_PRIVATE_KEY or PAYCTL_PRIVATE_KEY_FILE.',
  });
}

function hooksFor(display: Display): ClientHooks {
  return {
    ...(display.verbose ? traceHooks(display.note) : {}),
    onRetry({ error, retry, maxRetries, delayMilliseconds }) {
      const wait = (delayMilliseconds / 1000).toFixed(1);
      display.note(`${error.message}. Trying again in ${wait} s (retry ${retry} of ${maxRetries})`);
    },
  };
}

/** Says which source won for each setting. */
function saySources(
  settings: Settings,
  display: Display,
  { baseUrl, token }: { baseUrl: string; token: string },
): void {
  const { profile, merchantAccount, timeoutMilliseconds, maxRetries } = settings;
  const rows: [string, string | number, SettingSource | undefined][] = [
    ['profile', profile.value?.name ?? 'none', profile.source],
    ['base URL', baseUrl, settings.baseUrl.source],
    ['credentials', token, undefined],
    ['merchant account', merchantAccount.value ?? 'none', merchantAccount.source],
    ['time limit', `${timeoutMilliseconds.value} ms`, timeoutMilliseconds.source],
    ['retries', maxRetries.value, maxRetries.source],
  ];
  for (const [name, value, source] of rows) {
    display.note(`* ${name}: ${value}${source ? ` (${nameOfSource(source)})` : ''}`);
  }
}
