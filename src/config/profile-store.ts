import { join } from 'node:path';
import { UsageError } from '../client/errors.ts';
import { readPrivately } from './private-files.ts';
import { BUILT_IN_PROFILES, type Profile } from './profile.ts';
import { EMPTY_DOCUMENT, type ProfilesDocument, parseDocument, toProfile } from './profile-document.ts';

/** The profiles that there are, the built-in ones among them, and which one is used where none is named. */
export type Profiles = {
  readonly profiles: ReadonlyMap<string, Profile>;
  /** Undefined: none. */
  readonly active: string | undefined;
};

/** Absolute path of the file that holds the profiles of a configuration directory. */
export function profilesFile(directory: string): string {
  return join(directory, 'profiles.json');
}

/**
 * Reads the profiles of a configuration directory, which need not exist. Needs nothing but the file system: conf, which
 * writes the file, takes longer to load than a whole command runs.
 * @throws UsageError `profiles_damaged`, `profiles_unreadable` or `profiles_exposed`, which name the file and leave it.
 */
export function readProfiles(directory: string): Profiles {
  const document = readDocument(directory);
  const stored = Object.entries(document.profiles).map(
    ([name, profile]) => [name, toProfile(name, profile)] as const,
  );
  return { profiles: new Map([...stored, ...BUILT_IN_PROFILES]), active: document.active };
}

/** Reads the file itself. @throws as `readProfiles`. */
export function readDocument(directory: string): ProfilesDocument {
  const file = profilesFile(directory);
  const text = readPrivately(file);
  if (text === undefined) return EMPTY_DOCUMENT;
  try {
    return parseDocument(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'the reason is unknown';
    throw new UsageError('profiles_damaged', `${file} is damaged: ${reason}`, {
      hint: 'payctl leaves it as it is: mend it, or move it away and set the profiles anew.',
      cause: error,
    });
  }
}
