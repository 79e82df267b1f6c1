import { profileOrigin } from '../config/origin.ts';
import { CREDENTIAL_NAMES, type Profile } from '../config/profile.ts';
import { AbortedError, CredentialsError, PayctlError } from '../errors.ts';
import { fileErrorReason } from '../files/file-error.ts';
import { openModeOf } from '../files/private-files.ts';
import { formatLimit, inputHint, LIMITS } from '../files/read-file.ts';
import { readInputFile } from '../files/read-input.ts';
import { shellQuote } from '../text/shell.ts';
import type { Credentials } from '../tokens/provider.ts';
import { bindSecret, readBoundSecret } from './bound-secret.ts';
import {
  type CredentialInputs,
  type CredentialSource,
  holdsSecret,
  listCredentialSources,
} from './sources.ts';

const SECRET_HINT = `Use a file of at most ${formatLimit(LIMITS.secret)} that you have permission to read.`;

/** What `findCredentials` reads with. */
export type CredentialDeps = {
  /** Default: the file system. What it throws makes a `credentials_unreadable`. */
  readonly readFile?: (path: string, signal?: AbortSignal) => SecretFile | Promise<SecretFile>;
  /** Default: the keychain of the operating system. Resolves to undefined where it holds no such entry. */
  readonly readKeychain?: ((account: string) => Promise<string | undefined>) | undefined;
  /** Replaces the text that is stored in the place of a source. Default: where the source says. */
  readonly replace?: (source: CredentialSource, text: string, signal?: AbortSignal) => Promise<void>;
  /** Ends the waiting for a keychain that has to be unlocked, and for the writer of a pipe. */
  readonly signal?: AbortSignal | undefined;
  /** Called with a warning about a secret file that others can read. */
  readonly warn: (text: string) => void;
};

/**
 * The credentials of the first source that is set, or undefined when none is. A first source that cannot be read is an
 * error: falling through to the next would act as another user.
 * @throws CredentialsError as `readCredentials`.
 */
export async function findCredentials(
  inputs: CredentialInputs,
  deps: CredentialDeps,
): Promise<Credentials | undefined> {
  const [source] = listCredentialSources(inputs);
  return source && (await readCredentials(source, inputs.profile, deps));
}

/**
 * Reads the secret of one source.
 * @throws CredentialsError `credentials_unreadable`, which names the variable or profile and the path; `credentials_missing`
 * where the keychain holds no such entry; `no_credentials` where it was stored for another origin than its profile leads to;
 * what the keychain throws.
 */
export async function readCredentials(
  source: CredentialSource,
  profile: Profile | undefined,
  deps: CredentialDeps,
): Promise<Credentials> {
  const { kind, origin } = source;
  const stored = await readSecret(source, deps);
  if (stored === undefined) throw missing(source, profile);
  const secret = await openStored(stored, source, deps);
  requireSecretSize(secret, origin);
  if (kind === 'token') return { kind, token: secret, origin };
  return kind === 'key'
    ? { kind, pem: secret, origin, rsaAlgorithm: profile?.rsaAlgorithm }
    : { kind, secret, origin };
}

/** The secret in a stored text, which is for the origin of its profile and for no other. */
async function openStored(text: string, source: CredentialSource, deps: CredentialDeps): Promise<string> {
  const home = source.profile && profileOrigin(source.profile);
  if (home === undefined || (source.storage !== 'keychain' && source.storage !== 'file')) {
    return readBoundSecret(text).secret;
  }
  const { origin, secret } = readBoundSecret(text);
  if (origin === undefined) await bindToHome({ source, secret, home }, deps);
  else if (origin !== home) throw storedForOther(source, { storedFor: origin, home });
  return secret;
}

type Unbound = { readonly source: CredentialSource; readonly secret: string; readonly home: string };

/** Adds the origin to a secret of an earlier version, which stored none; where that is not possible, it stays as it is. */
async function bindToHome({ source, secret, home }: Unbound, deps: CredentialDeps): Promise<void> {
  try {
    const replace = deps.replace ?? (await import('./store.ts')).replaceSecret;
    await replace(source, bindSecret(secret, home), deps.signal);
  } catch (error) {
    if (!(error instanceof PayctlError) || error instanceof AbortedError) throw error;
  }
}

/** The error for credentials that were stored for another origin than the one that their profile now leads to. */
export function storedForOther(
  { kind, origin, profile }: CredentialSource,
  { storedFor, home }: { readonly storedFor: string; readonly home: string },
): CredentialsError {
  const message = `The ${CREDENTIAL_NAMES[kind]} from ${origin} was stored for ${storedFor}, but the profile now points to ${home}`;
  return new CredentialsError('no_credentials', message, {
    hint: `Store credentials for ${home}: payctl auth login --profile ${profile?.name}`,
  });
}

/** Undefined where the keychain holds no such entry. */
async function readSecret(source: CredentialSource, deps: CredentialDeps): Promise<string | undefined> {
  switch (source.storage) {
    case 'environment':
      return source.secret;
    case 'keychain':
      return await (deps.readKeychain ?? keychainReader(deps.signal))(source.account);
    default:
      return await readFileOf(source, deps);
  }
}

/** Returns a reader of the operating system's keychain, which the first call opens. */
export function keychainReader(signal: AbortSignal | undefined): NonNullable<CredentialDeps['readKeychain']> {
  return async (account) => {
    const { openKeychain } = await import('./keychain.ts');
    const keychain = await openKeychain(signal);
    return await keychain.read(account);
  };
}

function missing({ kind, origin }: CredentialSource, profile: Profile | undefined): CredentialsError {
  const message = `The keychain no longer contains the ${CREDENTIAL_NAMES[kind]} from ${origin}`;
  const choice = profile ? ` --profile ${profile.name}` : '';
  return new CredentialsError('credentials_missing', message, {
    hint: `Store it again: payctl auth login${choice}`,
  });
}

async function readFileOf(
  { origin, path }: CredentialSource & { storage: 'file' | 'reference' },
  { readFile = readSecretFile, signal, warn }: CredentialDeps,
): Promise<string> {
  if (holdsSecret(path)) {
    throw new CredentialsError(
      'credentials_unreadable',
      `${origin} contains a secret instead of the path of a file`,
      {
        hint: 'Set it to the path of a file that contains the secret, or use the variable without _FILE.',
      },
    );
  }
  let secret: SecretFile;
  try {
    secret = await readFile(path, signal);
  } catch (error) {
    if (error instanceof AbortedError) throw error;
    throw new CredentialsError(
      'credentials_unreadable',
      `${origin} cannot be read: ${fileErrorReason(error)}`,
      {
        hint: inputHint(error) ?? SECRET_HINT,
        cause: error,
      },
    );
  }
  if (secret.openMode !== undefined) {
    warn(openFileWarning(origin, path, secret.openMode));
  }
  return secret.text;
}

/** The warning about a secret file that others than its owner can read. */
export function openFileWarning(origin: string, path: string, openMode: string): string {
  return `${origin} can be read by other users (mode ${openMode}); restrict it with: chmod 600 ${shellQuote(path)}`;
}

/** The content of a secret file, and whether others than its owner may read it. */
export type SecretFile = {
  readonly text: string;
  /** The permission bits in octal when the group or everybody has any of them; never on Windows. */
  readonly openMode?: string | undefined;
};

/**
 * Reads a token or a key of at most 64 KiB from a file or a pipe (`<(command)`), as UTF-8.
 * @throws an Error whose message says in a few words what is wrong: a missing file, a directory, too many bytes; AbortedError
 */
export async function readSecretFile(path: string, signal?: AbortSignal): Promise<SecretFile> {
  const { text, stats } = await readInputFile(path, { limit: LIMITS.secret, signal });
  return { text, openMode: openModeOf(stats) };
}

/**
 * Refuses a secret that is larger than any reader of secrets takes, before anything else looks at it.
 * @throws CredentialsError `credentials_unreadable`
 */
export function requireSecretSize(secret: string, origin: string): void {
  if (Buffer.byteLength(secret) <= LIMITS.secret) return;
  const message = `${origin} cannot be read: it is larger than ${formatLimit(LIMITS.secret)}`;
  throw new CredentialsError('credentials_unreadable', message, { hint: SECRET_HINT });
}
