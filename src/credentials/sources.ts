import { CREDENTIAL_VARIABLES, ENVIRONMENT_VARIABLES, type Environment } from '../config/environment.ts';
import { profileOrigin } from '../config/origin.ts';
import type { CredentialKind, Profile } from '../config/profile.ts';

/** One place that names credentials. It may be one that cannot be read: nothing is read to list it. */
export type CredentialSource = {
  readonly kind: CredentialKind;
  /** `PAYCTL_TOKEN`, `PAYCTL_TOKEN_FILE (/run/token)`, `profile acme (keychain)`: never a secret. */
  readonly origin: string;
  /** Set where a profile names it, and no variable. */
  readonly profile?: Profile;
} & (
  | { readonly storage: 'environment'; readonly secret: string }
  | { readonly storage: 'file' | 'reference'; readonly path: string }
  | { readonly storage: 'keychain'; readonly account: string }
);

/** Where credentials may come from. */
export type CredentialInputs = {
  readonly environment: Environment;
  readonly profile: Profile | undefined;
  /** The profile was named with `--profile`, so that its credentials precede those of variables. */
  readonly profileFirst?: boolean;
  /** Origin that the credentials would be sent to; undefined: they are not sent, so that none are withheld. */
  readonly target?: string | undefined;
};

/**
 * All sources of credentials that may be used, the one that wins first: `PAYCTL_TOKEN`, `PAYCTL_TOKEN_FILE`,
 * `PAYCTL_PRIVATE_KEY`, `PAYCTL_PRIVATE_KEY_FILE`, the variables of API keys and passwords, then the profile, or first the profile
 * where it was named with `--profile`. Of several kinds a request takes the first that its operation accepts.
 * The profile's own are left out where they are for another origin than the target. Holds secrets: show `origin` only.
 */
export function listCredentialSources(inputs: CredentialInputs): CredentialSource[] {
  const ofVariables = sourcesOfVariables(inputs.environment);
  const ofProfile = inputs.profile && !findWithheld(inputs) ? sourceOfProfile(inputs.profile) : [];
  return inputs.profileFirst ? [...ofProfile, ...ofVariables] : [...ofVariables, ...ofProfile];
}

/** Credentials of a profile that are not used because they are for another origin than the target. */
export type WithheldSource = {
  readonly source: CredentialSource;
  /** Where the profile leads; undefined where its own settings do not say. */
  readonly home: string | undefined;
  /** What the credentials were stored for, as far as the profile records it. */
  readonly storedFor: string | undefined;
};

/** The credentials of the profile, where they must not be sent to the target. Origins are compared exactly. */
export function findWithheld({ profile, target }: CredentialInputs): WithheldSource | undefined {
  const [source] = profile ? sourceOfProfile(profile) : [];
  if (!profile || !source || target === undefined) return undefined;
  const home = profileOrigin(profile);
  const { credentials } = profile;
  const storedFor = credentials?.storage === 'reference' ? credentials.origin : undefined;
  const isAtHome = home === target && (storedFor ?? target) === target;
  return isAtHome ? undefined : { source, home, storedFor };
}

function sourcesOfVariables(environment: Environment): CredentialSource[] {
  return CREDENTIAL_VARIABLES.flatMap(([kind, secret, file]) => [
    ...variableSource(kind, environment[secret], ENVIRONMENT_VARIABLES[secret]),
    ...fileSource(kind, environment[file], ENVIRONMENT_VARIABLES[file]),
  ]);
}

function sourceOfProfile(profile: Profile): CredentialSource[] {
  const { name, credentials } = profile;
  if (!credentials) return [];
  const origin = `profile ${name}`;
  return credentials.storage === 'keychain'
    ? [{ ...credentials, origin: `${origin} (keychain)`, profile }]
    : [{ ...credentials, origin: `${origin} (${credentials.path})`, profile }];
}

function variableSource(
  kind: CredentialKind,
  secret: string | undefined,
  origin: string,
): CredentialSource[] {
  return secret === undefined ? [] : [{ kind, storage: 'environment', secret, origin }];
}

function fileSource(kind: CredentialKind, path: string | undefined, name: string): CredentialSource[] {
  if (path === undefined) {
    return [];
  }
  const origin = holdsSecret(path) ? name : `${name} (${path})`;
  return [{ kind, storage: 'reference', path, origin }];
}

/**
 * How tokens and keys begin: PEM, base64 of it, the header of a JWT, and base64 of the bare content of a key, whose tag and
 * length are `MI`, `MHc` or `MC4` in all common keys.
 */
const SECRET = /-----BEGIN|^\s*(eyJ|LS0tLS1CRUdJTi|(MI[GHI]|MHc|MC4)[A-Za-z0-9+/=]{40})/;

/** A token with its prefix in a request. */
const HEADER = /^\s*(authorization:|bearer\s)/i;

/** Whether a text is a token or a key where a path belongs, so that it must not be shown as a path. */
export function holdsSecret(path: string): boolean {
  return SECRET.test(path) || HEADER.test(path);
}
