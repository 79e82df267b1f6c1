import { join } from 'node:path';
import { emulatorDirectory } from '../../config/directories.ts';
import type { Environment } from '../../config/environment.ts';
import type { Profile } from '../../config/profile.ts';

/**
 * Absolute path of the key that the emulator signs with. Its name is the emulator's own, which a command that only reads
 * the key need not load; a test compares the two.
 */
export function emulatorKeyFile(environment: Environment): string {
  return join(emulatorDirectory(environment), 'signing-key.pem');
}

/** The profile, which in the case of `emulator` refers to the emulator's key, whether that exists yet or not. */
export function withEmulatorKey(profile: Profile | undefined, environment: Environment): Profile | undefined {
  if (profile?.name !== 'emulator') return profile;
  const path = emulatorKeyFile(environment);
  return { ...profile, credentials: { kind: 'key', storage: 'reference', path } };
}
