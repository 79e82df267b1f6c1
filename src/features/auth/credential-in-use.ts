import { existsSync } from 'node:fs';
import { emulatorKeyFile, withEmulatorKey } from '../../cli/emulator-profile.ts';
import type { Runtime } from '../../cli/runtime.ts';
import type { Profile } from '../../config/profiles.ts';
import type { Settings } from '../../config/settings.ts';
import { type CredentialSource, listCredentialSources } from '../../credentials/sources.ts';

/** The source of the token or key that commands would use, and the profile that it is read with. */
export type CredentialInUse = {
  readonly source: CredentialSource;
  readonly profile: Profile | undefined;
  /** It is the emulator's key, which does not exist before the emulator has run once. */
  readonly awaitsEmulator: boolean;
};

/** Finds that source without reading it, and without a base URL; undefined where there is none. */
export function credentialInUse(
  { profile: named }: Settings,
  { environment }: Runtime,
): CredentialInUse | undefined {
  const profile = withEmulatorKey(named.value, environment);
  const [source] = listCredentialSources({ environment, profile });
  if (!source) return undefined;
  const keyFile = emulatorKeyFile(environment);
  const isEmulators =
    profile?.name === 'emulator' && source.storage === 'reference' && source.path === keyFile;
  return { source, profile, awaitsEmulator: isEmulators && !existsSync(keyFile) };
}
