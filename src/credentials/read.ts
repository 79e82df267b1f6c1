import type { Stats } from 'node:fs';
import type { Profile } from '../config/profiles.ts';
import { CredentialsError } from '../errors.ts';
import { fileErrorReason } from '../files/file-error.ts';
import { shellQuote } from '../text/format.ts';
import type { Credentials } from '../tokens/provider.ts';
import {
  type CredentialInputs,
  type CredentialSource,
  holdsSecret,
  listCredentialSources,
} from './sources.ts';

/** What `findCredentials` reads with. */
export type CredentialDeps = {
  /** Default: the file system. What it throws makes a `credentials_unreadable`. */
  readonly readFile?: (path: string) => SecretFile;
  /** Default: the keychain of the operating system. Resolves to undefined where it holds no such entry. */
  readonly readKeychain?: (account: string) => Promise<string | undefined>;
  /** Ends the waiting for a keychain that has to be unlocked. */
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
 * where the keychain holds no such entry; what the keychain throws.
 */
export async function readCredentials(
  source: CredentialSource,
  profile: Profile | undefined,
  deps: CredentialDeps,
): Promise<Credentials> {
  const { kind, origin } = source;
  const secret = await readSecret(source, deps);
  if (secret === undefined) throw missing(source, profile);
  return kind === 'token'
    ? { kind, token: secret, origin }
    : { kind, pem: secret, origin, rsaAlgorithm: profile?.rsaAlgorithm };
}

/** Undefined where the keychain holds no such entry. */
async function readSecret(source: CredentialSource, deps: CredentialDeps): Promise<string | undefined> {
  switch (source.storage) {
    case 'environment':
      return source.secret;
    case 'keychain':
      return await (deps.readKeychain ?? keychainReader(deps.signal))(source.account);
    default:
      return readFileOf(source, deps);
  }
}

function keychainReader(signal: AbortSignal | undefined) {
  return async (account: string): Promise<string | undefined> => {
    const { openKeychain } = await import('./keychain.ts');
    const keychain = await openKeychain(signal);
    return await keychain.read(account);
  };
}

function missing({ kind, origin }: CredentialSource, profile: Profile | undefined): CredentialsError {
  const message = `The keychain no longer contains the ${kind} of ${origin}`;
  const choice = profile ? ` --profile ${profile.name}` : '';
  return new CredentialsError('credentials_missing', message, {
    hint: `Store it again: payctl auth login${choice}`,
  });
}

function readFileOf(
  { origin, path }: CredentialSource & { storage: 'file' | 'reference' },
  { readFile = readSecretFile, warn }: CredentialDeps,
): string {
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
    secret = readFile(path);
  } catch (error) {
    throw new CredentialsError(
      'credentials_unreadable',
      `${origin} cannot be read: ${fileErrorReason(error)}`,
      {
        hint: 'Use a file of at most 64 KiB that you have permission to read.',
        cause: error,
      },
    );
  }
  if (secret.openMode !== undefined) {
    warn(
      `${origin} can be read by other users (mode ${secret.openMode}); restrict it with: chmod 600 ${shellQuote(path)}`,
    );
  }
  return secret.text;
}

/** The content of a secret file, and whether others than its owner may read it. */
export type SecretFile = {
  readonly text: string;
  /** The permission bits in octal when the group or everybody has any of them; never on Windows. */
  readonly openMode?: string | undefined;
};

const LARGEST = 64 * 1024;

/**
 * Reads a token or a key from a file or a pipe (`<(command)`), as UTF-8.
 * @throws an Error whose message says in a few words what is wrong: a missing file, a directory, more than 64 KiB.
 */
export function readSecretFile(path: string): SecretFile {
  const { closeSync, fstatSync, openSync } = process.getBuiltinModule('node:fs');
  const descriptor = openSync(path, 'r');
  try {
    const stats = fstatSync(descriptor);
    if (stats.isDirectory()) {
      throw new Error('it is a directory');
    }
    return { text: readAll(descriptor), openMode: openModeOf(stats) };
  } finally {
    closeSync(descriptor);
  }
}

/** Reads one byte more than is allowed at most, whatever size the file system reports: a device has no end. */
function readAll(descriptor: number): string {
  const { readSync } = process.getBuiltinModule('node:fs');
  const buffer = Buffer.alloc(LARGEST + 1);
  let length = 0;
  while (length < buffer.length) {
    const count = readSync(descriptor, buffer, length, buffer.length - length, null);
    if (count === 0) {
      return buffer.toString('utf8', 0, length);
    }
    length += count;
  }
  throw new Error('it is larger than 64 KiB');
}

function openModeOf(stats: Stats): string | undefined {
  const isOpen = process.platform !== 'win32' && stats.isFile() && (stats.mode & 0o077) !== 0;
  return isOpen ? (stats.mode & 0o777).toString(8) : undefined;
}
