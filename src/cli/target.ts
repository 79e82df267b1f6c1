import { CredentialsError, UsageError } from '../client/errors.ts';
import { resolveBaseUrl } from '../config/base-url.ts';
import { emulatorDirectory } from '../config/directories.ts';
import type { Profile } from '../config/profile.ts';
import { nameOfSource } from '../config/setting-source.ts';
import type { Settings } from '../config/settings.ts';
import type { Display } from './display.ts';
import { accessEmulator, type EmulatorAccess } from './emulator-profile.ts';
import type { Runtime } from './runtime.ts';

/** The service that the settings lead to, and the profile that credentials may come from. */
export type Target = {
  readonly baseUrl: string;
  readonly profile: Profile | undefined;
  /** Ends the emulator, where it was started for this run. */
  close(): Promise<void>;
};

/** What a target is found with. */
export type TargetParts = {
  readonly settings: Settings;
  readonly display: Display;
  readonly runtime: Runtime;
};

/**
 * Finds the service that the settings lead to; for the profile `emulator` that is the emulator, started where none runs.
 * @throws CredentialsError `not_configured` without a base URL; UsageError for one that cannot be used
 */
export async function openTarget(parts: TargetParts): Promise<Target> {
  const { settings } = parts;
  const emulator = await openEmulator(parts);
  try {
    return {
      baseUrl: chooseBaseUrl(settings, emulator),
      profile: emulator ? profileOf(emulator) : settings.profile.value,
      close: async () => emulator?.close(),
    };
  } catch (error) {
    await emulator?.close();
    throw error;
  }
}

async function openEmulator({
  settings,
  display,
  runtime,
}: TargetParts): Promise<EmulatorAccess | undefined> {
  const { profile, baseUrl } = settings;
  const isEmulator = profile.value?.name === 'emulator';
  if (isEmulator && baseUrl.value === undefined) {
    return await accessEmulator(emulatorDirectory(runtime.environment));
  }
  const own = isEmulator ? 'the emulator' : profile.value?.baseUrl;
  if (own !== undefined && own !== baseUrl.value) {
    // The credentials of the profile are about to go elsewhere.
    const source = nameOfSource(baseUrl.source);
    display.note(`${source} wins over the profile ${profile.value?.name}: requests go to ${baseUrl.value}`);
  }
  return undefined;
}

function profileOf({ signingKey }: EmulatorAccess): Profile {
  return { name: 'emulator', credentials: { kind: 'key', storage: 'reference', path: signingKey } };
}

function chooseBaseUrl({ baseUrl, instance }: Settings, emulator: EmulatorAccess | undefined): string {
  const template = baseUrl.value ?? emulator?.baseUrl;
  if (template === undefined) {
    throw new CredentialsError('not_configured', 'payctl does not know yet which service to talk to', {
      hint: 'Run payctl auth login, or add --profile emulator to try it without an account.',
    });
  }
  if (instance.source.kind === 'flag' && !template.includes('{id}')) {
    throw new UsageError('instance_unused', `--instance has no place in the base URL ${template}`, {
      hint: 'Write {id} where the instance belongs, or leave --instance out.',
    });
  }
  return resolveBaseUrl(template, instance.value, nameOfSource(baseUrl.source));
}
