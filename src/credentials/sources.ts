import { ENVIRONMENT_VARIABLES, type Environment } from '../config/environment.ts';
import type { Profile } from '../config/profiles.ts';

/** One place that names credentials. It may be one that cannot be read: nothing is read to list it. */
export type CredentialSource = {
  readonly kind: 'token' | 'key';
  /** `PAYCTL_TOKEN`, `PAYCTL_TOKEN_FILE (/run/token)`, `profile acme (keychain)`: never a secret. */
  readonly origin: string;
} & (
  | { readonly storage: 'environment'; readonly secret: string }
  | { readonly storage: 'file' | 'reference'; readonly path: string }
  | { readonly storage: 'keychain'; readonly account: string }
);

/** Where credentials may come from. */
export type CredentialInputs = {
  readonly environment: Environment;
  readonly profile: Profile | undefined;
};

/**
 * All sources of credentials that are set, the one that wins first: `PAYCTL_TOKEN`, `PAYCTL_TOKEN_FILE`,
 * `PAYCTL_PRIVATE_KEY`, `PAYCTL_PRIVATE_KEY_FILE`, then the profile. Holds secrets: show `origin` only.
 */
export function listCredentialSources({ environment, profile }: CredentialInputs): CredentialSource[] {
  const { token, tokenFile, privateKey, privateKeyFile } = environment;
  const variable = ENVIRONMENT_VARIABLES;
  return [
    ...variableSource('token', token, variable.token),
    ...fileSource('token', tokenFile, variable.tokenFile),
    ...variableSource('key', privateKey, variable.privateKey),
    ...fileSource('key', privateKeyFile, variable.privateKeyFile),
    ...(profile ? sourceOfProfile(profile) : []),
  ];
}

function sourceOfProfile({ name, credentials }: Profile): CredentialSource[] {
  if (!credentials) return [];
  const origin = `profile ${name}`;
  return credentials.storage === 'keychain'
    ? [{ ...credentials, origin: `${origin} (keychain)` }]
    : [{ ...credentials, origin: `${origin} (${credentials.path})` }];
}

function variableSource(
  kind: 'token' | 'key',
  secret: string | undefined,
  origin: string,
): CredentialSource[] {
  return secret === undefined ? [] : [{ kind, storage: 'environment', secret, origin }];
}

function fileSource(kind: 'token' | 'key', path: string | undefined, name: string): CredentialSource[] {
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
