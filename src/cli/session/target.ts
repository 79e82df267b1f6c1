import type { NetworkOptions } from '../../client/network/options.ts';
import { resolveBaseUrl } from '../../config/base-url.ts';
import type { Profile } from '../../config/profile.ts';
import { nameOfSource, type Settings, usesEmulator } from '../../config/settings.ts';
import { CredentialsError, UsageError } from '../../errors.ts';
import type { RunParts } from '../show/display.ts';
import { accessEmulator, type EmulatorAccess, withEmulatorKey } from './emulator-profile.ts';
import { openNetwork } from './network.ts';

/** The service that the settings lead to, and the profile that credentials may come from. */
export type Target = {
  readonly baseUrl: string;
  readonly profile: Profile | undefined;
  /** How to get there. */
  readonly network: NetworkOptions;
  /** The emulator of the built-in profile, where any valid token does for an operation without scopes. */
  readonly isEmulator: boolean;
  /** Ends the emulator, where it was started for this run. */
  close(): Promise<void>;
};

/**
 * Finds the service that the settings lead to; for the profile `emulator` that is the emulator, started where none runs.
 * @throws CredentialsError `not_configured` without a base URL; UsageError for one that cannot be used
 */
export async function openTarget(parts: RunParts): Promise<Target> {
  const { settings, runtime } = parts;
  const emulator = await openEmulator(parts);
  try {
    const baseUrl = chooseBaseUrl(settings, emulator);
    if (!emulator) reportOverride(parts, baseUrl);
    const profile = withEmulatorKey(settings.profile.value, runtime.environment);
    return {
      baseUrl,
      network: emulator ? {} : await openNetwork(parts, baseUrl),
      isEmulator: emulator !== undefined,
      profile: profile && emulator ? { ...profile, baseUrl: emulator.baseUrl } : profile,
      close: async () => emulator?.close(),
    };
  } catch (error) {
    await emulator?.close();
    throw error;
  }
}

async function openEmulator({ settings, runtime }: RunParts): Promise<EmulatorAccess | undefined> {
  const { merchantAccount, merchantHeader } = settings;
  if (!usesEmulator(settings)) return undefined;
  const header = merchantAccount.value === undefined ? undefined : merchantHeader.value;
  const { environment, signal } = runtime;
  return await accessEmulator(environment, {
    merchantHeader: header,
    description: async () => {
      const { descriptionInUse } = await import('./description-in-use.ts');
      return (await descriptionInUse({ environment, profile: 'emulator', signal }))?.folder;
    },
    signal,
  });
}

/** Says that requests leave the address of the profile. Comes after the check of the base URL, which may hold a password. */
function reportOverride({ settings, display }: RunParts, chosen: string): void {
  const { profile, baseUrl } = settings;
  const own = profile.value?.name === 'emulator' ? 'the emulator' : profile.value?.baseUrl;
  if (own === undefined || own === baseUrl.value) return;
  const source = nameOfSource(baseUrl.source);
  const message = `${source} overrides the profile ${profile.value?.name}: requests go to ${chosen}`;
  display.warn('profile_overridden', message);
}

function chooseBaseUrl({ baseUrl, instance }: Settings, emulator: EmulatorAccess | undefined): string {
  const template = baseUrl.value ?? emulator?.baseUrl;
  if (template === undefined) throw notConfigured();
  const resolved = resolveBaseUrl(template, instance.value, nameOfSource(baseUrl.source));
  if (instance.source.kind === 'flag' && !template.includes('{id}')) {
    throw new UsageError(
      'instance_unused',
      `--instance was given, but the base URL ${resolved} has no {id}`,
      {
        hint: 'Add {id} to the base URL where the instance belongs, or remove --instance.',
      },
    );
  }
  return resolved;
}

/** The error for settings that lead nowhere. */
export function notConfigured(): CredentialsError {
  return new CredentialsError('not_configured', 'No base URL is configured', {
    hint: 'Add --profile emulator to try payctl without an account, or log in: payctl auth login',
  });
}
