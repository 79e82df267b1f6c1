import { UsageError } from '../client/errors.ts';
import { nearest } from './nearest.ts';
import { quoted } from './quoted.ts';

/** What a profile may be marked as; a command that changes something in production asks first. */
export const ENVIRONMENTS = ['sandbox', 'production'] as const;

/** How an RSA key may sign. */
export const RSA_ALGORITHMS = ['RS256', 'PS256'] as const;

/** The values of `environment`. */
export type ProfileEnvironment = (typeof ENVIRONMENTS)[number];

/**
 * Where the secret of a profile is: an entry of the operating system's keychain, a file that payctl wrote because it was
 * told to (`--insecure-storage`), or a file of the user's own that payctl only refers to. The profile itself holds none.
 */
export type ProfileCredentials =
  | { readonly kind: 'token' | 'key'; readonly storage: 'keychain'; readonly account: string }
  | { readonly kind: 'token' | 'key'; readonly storage: 'file' | 'reference'; readonly path: string };

/** A named set of settings. Values are as a person wrote them: they are checked where they are resolved. */
export type Profile = {
  readonly name: string;
  /** May contain `{id}`, which `instance` fills. */
  readonly baseUrl?: string | undefined;
  readonly instance?: string | undefined;
  readonly environment?: ProfileEnvironment | undefined;
  readonly merchantAccount?: string | undefined;
  readonly merchantHeader?: string | undefined;
  readonly output?: string | undefined;
  readonly credentials?: ProfileCredentials | undefined;
  /** How an RSA key signs, wherever the key comes from. Default RS256. */
  readonly rsaAlgorithm?: (typeof RSA_ALGORITHMS)[number] | undefined;
};

/**
 * The profiles that need no set-up. `emulator` has no base URL and no credentials of its own: who runs the emulator
 * knows its address and its key.
 */
export const BUILT_IN_PROFILES: ReadonlyMap<string, Profile> = new Map([['emulator', { name: 'emulator' }]]);

/**
 * The profile of a name; `origin` is the flag, variable or argument that messages name.
 * @throws UsageError `unknown_profile`, which lists the known ones and suggests the nearest.
 */
export function findProfile(profiles: ReadonlyMap<string, Profile>, name: string, origin: string): Profile {
  const profile = profiles.get(name);
  if (!profile) {
    const suggestion = nearest(name, profiles.keys());
    const known = [...profiles.keys()].sort().join(', ');
    throw new UsageError('unknown_profile', `${origin} is ${quoted(name)}, and there is no such profile`, {
      hint: `${suggestion ? `Did you mean ${suggestion}? ` : ''}Known profiles: ${known}.`,
    });
  }
  return profile;
}

/**
 * Whether a text can be the name of a profile. Small letters only, because it becomes part of file names, which some file
 * systems do not tell apart by case.
 */
export function isProfileName(name: string): boolean {
  return /^[a-z0-9][a-z0-9._-]{0,62}$/.test(name);
}

/**
 * Checks a name for a profile of the user's own.
 * @throws UsageError `invalid_profile_name` or `built_in_profile`.
 */
export function checkProfileName(name: string): string {
  if (BUILT_IN_PROFILES.has(name)) {
    throw new UsageError('built_in_profile', `The profile ${name} is built in and cannot be changed`, {
      hint: 'Choose another name.',
    });
  }
  if (!isProfileName(name)) {
    throw new UsageError('invalid_profile_name', `${quoted(name)} cannot be the name of a profile`, {
      hint: 'Write small letters, digits, dots, hyphens and underscores, at most 63, a letter or digit first.',
    });
  }
  return name;
}
