import { existsSync } from 'node:fs';
import type { Runtime } from '../../cli/runtime.ts';
import { credentialInputs } from '../../cli/session/credential-inputs.ts';
import { emulatorKeyFile, withEmulatorKey } from '../../cli/session/emulator-profile.ts';
import { resolveBaseUrl } from '../../config/base-url.ts';
import { givesTokens, type Profile } from '../../config/profile.ts';
import { isNamedProfile, type Settings } from '../../config/settings.ts';
import {
  type CredentialInputs,
  type CredentialSource,
  listCredentialSources,
} from '../../credentials/sources.ts';
import { UsageError } from '../../errors.ts';

/** The source of the token or key that commands would use, and the profile that it is read with. */
export type CredentialInUse = {
  readonly source: CredentialSource;
  readonly profile: Profile | undefined;
  /** It is the emulator's key, which does not exist before the emulator has run once. */
  readonly awaitsEmulator: boolean;
};

/** Finds that source without reading it; undefined where there is none. */
export function credentialInUse(settings: Settings, runtime: Runtime): CredentialInUse | undefined {
  const { environment } = runtime;
  const inputs = inputsInUse(settings, runtime);
  const { profile } = inputs;
  const source = listCredentialSources(inputs).find(({ kind }) => givesTokens(kind));
  if (!source) return undefined;
  const keyFile = emulatorKeyFile(environment);
  const isEmulators =
    profile?.name === 'emulator' && source.storage === 'reference' && source.path === keyFile;
  return { source, profile, awaitsEmulator: isEmulators && !existsSync(keyFile) };
}

/** Where the credentials of commands may come from. Without a base URL that can be used, nothing is sent and none are withheld. */
export function inputsInUse(settings: Settings, { environment }: Runtime): CredentialInputs {
  const profile = withEmulatorKey(settings.profile.value, environment);
  const baseUrl = usableBaseUrl(settings);
  if (baseUrl !== undefined)
    return credentialInputs({ settings, runtime: { environment }, target: { baseUrl, profile } });
  return { environment, profile, profileFirst: isNamedProfile(settings) };
}

/** The base URL of the settings; undefined without one that can be used. */
export function usableBaseUrl({ baseUrl, instance }: Settings): string | undefined {
  try {
    return baseUrl.value === undefined ? undefined : resolveBaseUrl(baseUrl.value, instance.value);
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}
