import { join } from 'node:path';
import { UsageError } from '../errors.ts';
import { readPrivately } from '../files/private-files.ts';
import { LIMITS } from '../files/read-file.ts';
import { BUILT_IN_PROFILES, type DescriptionBinding, type Profile } from './profile.ts';
import {
  bindingOf,
  EMPTY_DOCUMENT,
  type ProfilesDocument,
  parseDocument,
  readBinding,
  toProfile,
} from './profiles-document.ts';

/** The profiles that exist, the built-in ones among them, and which one is used where none is named. */
export type Profiles = {
  readonly profiles: ReadonlyMap<string, Profile>;
  /** Undefined: none. */
  readonly active: string | undefined;
  /** The description of runs without a profile. */
  readonly description?: DescriptionBinding | undefined;
};

/** Absolute path of the file that holds the profiles of a configuration directory. */
export function profilesFile(directory: string): string {
  return join(directory, 'profiles.json');
}

/**
 * Reads the profiles of a configuration directory, which need not exist. Needs nothing but the file system: conf, which
 * writes the file, takes longer to load than a whole command runs.
 * @throws UsageError `profiles_damaged`, `newer_version`, `profiles_unreadable` or `profiles_exposed`, which name the file and leave it.
 */
export function readProfiles(directory: string): Profiles {
  const document = readDocument(directory);
  const stored = Object.entries(document.profiles).map(
    ([name, profile]) => [name, toProfile(name, profile)] as const,
  );
  const all = [...stored, ...BUILT_IN_PROFILES].map(([name, profile]) => {
    const description = bindingOf(document, name);
    return [name, description ? { ...profile, description } : profile] as const;
  });
  const description = readBinding('/description', document.description);
  return { profiles: new Map(all), active: document.active, ...(description && { description }) };
}

/** Reads the file itself. @throws as `readProfiles`. */
export function readDocument(directory: string): ProfilesDocument {
  const file = profilesFile(directory);
  try {
    const text = readPrivately(file, LIMITS.profiles);
    return text === undefined ? EMPTY_DOCUMENT : parseDocument(text, file);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const reason = error instanceof Error ? error.message : 'the reason is unknown';
    throw new UsageError('profiles_damaged', `${file} is damaged: ${reason}`, {
      hint: 'Repair the file, or move it away and create the profiles again. payctl does not change it.',
      cause: error,
    });
  }
}
