import { UsageError } from '../client/errors.ts';
import { nearest } from './nearest.ts';
import { quoted } from './quoted.ts';

/** The credentials that a profile names. A path is absolute, or relative to the working directory. */
export type ProfileCredentials =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'token-file'; readonly path: string }
  | { readonly kind: 'key'; readonly pem: string }
  | { readonly kind: 'key-file'; readonly path: string };

/** A named set of settings. Values are as a person wrote them: they are checked where they are resolved. */
export type Profile = {
  readonly name: string;
  /** May contain `{id}`, which `instance` fills. */
  readonly baseUrl?: string | undefined;
  readonly instance?: string | undefined;
  readonly merchantAccount?: string | undefined;
  readonly merchantHeader?: string | undefined;
  readonly output?: string | undefined;
  readonly credentials?: ProfileCredentials | undefined;
  /** How an RSA key signs, wherever the key comes from. Default RS256. */
  readonly rsaAlgorithm?: 'RS256' | 'PS256' | undefined;
};

/**
 * The profiles that need no set-up. `emulator` has no base URL and no credentials of its own: who runs the emulator
 * knows its address and its key.
 */
export const BUILT_IN_PROFILES: ReadonlyMap<string, Profile> = new Map([['emulator', { name: 'emulator' }]]);

/**
 * The profile of a name; `origin` is the flag or variable that messages name.
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
