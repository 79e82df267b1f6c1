import { CredentialsError } from '../client/errors.ts';
import { ENVIRONMENT_VARIABLES, type Environment } from './environment.ts';
import type { Profile } from './profile.ts';
import { readSecretFile, type SecretFile } from './secret-file.ts';

/** A token, or a private key to sign tokens with, and the name of where it came from. */
export type Credentials =
  | { readonly kind: 'token'; readonly token: string; readonly origin: string }
  | {
      readonly kind: 'key';
      readonly pem: string;
      readonly origin: string;
      readonly rsaAlgorithm?: 'RS256' | 'PS256' | undefined;
    };

/** One place that names credentials. It may be a file that cannot be read: nothing is read to list it. */
export type CredentialSource = {
  readonly kind: 'token' | 'key';
  /** `PAYCTL_TOKEN`, `PAYCTL_TOKEN_FILE (/run/token)`, `profile emulator`: never a secret. */
  readonly origin: string;
} & ({ readonly secret: string } | { readonly path: string });

/** Where credentials may stand. */
export type CredentialInputs = {
  readonly environment: Environment;
  readonly profile: Profile | undefined;
};

/** Means of `findCredentials`. */
export type CredentialMeans = {
  /** Default: the file system. What it throws makes a `credentials_unreadable`. */
  readonly readFile?: (path: string) => SecretFile;
  /** Is told of a secret file that others can read. */
  readonly warn: (text: string) => void;
};

/**
 * All sources of credentials that are set, the one that wins first: `PAYCTL_TOKEN`, `PAYCTL_TOKEN_FILE`,
 * `PAYCTL_PRIVATE_KEY`, `PAYCTL_PRIVATE_KEY_FILE`, then the profile. Holds secrets: show `origin` only.
 */
export function listCredentialSources({ environment, profile }: CredentialInputs): CredentialSource[] {
  const { token, tokenFile, privateKey, privateKeyFile } = environment;
  const variable = ENVIRONMENT_VARIABLES;
  return [
    ...inline('token', token, variable.token),
    ...file('token', tokenFile, variable.tokenFile),
    ...inline('key', privateKey, variable.privateKey),
    ...file('key', privateKeyFile, variable.privateKeyFile),
    ...(profile ? sourcesOfProfile(profile) : []),
  ];
}

/**
 * The credentials of the first source that is set, or undefined when none is. A first source that cannot be read is an
 * error: falling through to the next would act as somebody else.
 * @throws CredentialsError `credentials_unreadable`, which names the variable or profile and the path.
 */
export function findCredentials(inputs: CredentialInputs, means: CredentialMeans): Credentials | undefined {
  const [source] = listCredentialSources(inputs);
  if (!source) {
    return undefined;
  }
  const { kind, origin } = source;
  const secret = 'secret' in source ? source.secret : readSecret(source, means);
  return kind === 'token'
    ? { kind, token: secret, origin }
    : { kind, pem: secret, origin, rsaAlgorithm: inputs.profile?.rsaAlgorithm };
}

function sourcesOfProfile({ name, credentials }: Profile): CredentialSource[] {
  const origin = `profile ${name}`;
  switch (credentials?.kind) {
    case 'token':
      return inline('token', credentials.token, origin);
    case 'token-file':
      return file('token', credentials.path, origin);
    case 'key':
      return inline('key', credentials.pem, origin);
    case 'key-file':
      return file('key', credentials.path, origin);
    default:
      return [];
  }
}

function inline(kind: 'token' | 'key', secret: string | undefined, origin: string): CredentialSource[] {
  return secret === undefined ? [] : [{ kind, secret, origin }];
}

function file(kind: 'token' | 'key', path: string | undefined, name: string): CredentialSource[] {
  if (path === undefined) {
    return [];
  }
  return [{ kind, path, origin: holdsSecret(path) ? name : `${name} (${path})` }];
}

/** Somebody put the token or the key itself where its path belongs, so it must not be shown as a path. */
function holdsSecret(path: string): boolean {
  return /-----BEGIN|^\s*(eyJ|LS0tLS1CRUdJTi)/.test(path);
}

function readSecret(source: { origin: string; path: string }, means: CredentialMeans): string {
  const { readFile = readSecretFile, warn } = means;
  const { origin, path } = source;
  if (holdsSecret(path)) {
    throw new CredentialsError(
      'credentials_unreadable',
      `${origin} holds a secret instead of the path of a file`,
      {
        hint: 'Give the path of the file that holds it, or use the variable without _FILE.',
      },
    );
  }
  let secret: SecretFile;
  try {
    secret = readFile(path);
  } catch (error) {
    throw new CredentialsError('credentials_unreadable', `${origin} cannot be read: ${reasonOf(error)}`, {
      hint: 'Give the path of a file of at most 64 KiB that you may read.',
      cause: error,
    });
  }
  if (secret.openMode !== undefined) {
    warn(
      `${origin} can be read by other users (mode ${secret.openMode}); close it with: chmod 600 ${shellWord(path)}`,
    );
  }
  return secret.text;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a directory',
};

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) {
    return 'the reason is unknown';
  }
  const code = 'code' in error ? String(error.code) : undefined;
  return code === undefined ? error.message : (REASONS[code] ?? code);
}

function shellWord(path: string): string {
  return /^[\w./+-]+$/.test(path) && !path.startsWith('-') ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
