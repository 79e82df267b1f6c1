import { resolve } from 'node:path';
import type { Prompter } from '../../../cli/prompt/prompter.ts';
import type { Runtime } from '../../../cli/runtime.ts';
import type { Display } from '../../../cli/show/display.ts';
import type { Profile } from '../../../config/profile.ts';
import { openKeychain } from '../../../credentials/keychain.ts';
import { readCredentials, requireSecretSize } from '../../../credentials/read.ts';
import { CredentialsError, UsageError } from '../../../errors.ts';
import { fileErrorReason } from '../../../files/file-error.ts';
import { expandHome } from '../../../files/home-directory.ts';
import { LIMITS, requireReadable } from '../../../files/read-file.ts';
import type { Credentials } from '../../../tokens/provider.ts';
import { readSecretInput } from '../token-input.ts';

/** The secret, and whether payctl stores a copy of it or only the path of its file. */
export type GivenSecret = { readonly credentials: Credentials } & (
  | { readonly keep: 'copy' }
  | { readonly keep: 'path'; readonly path: string }
);

/** Where a secret comes from: standard input or the terminal, or a file. */
export type SecretSource =
  | { readonly from: 'input'; readonly kind: 'token' | 'key' }
  | { readonly from: 'file'; readonly path: string; readonly keep: 'copy' | 'path' };

/** The flags that say where the secret comes from. */
export type SecretFlagValues = {
  readonly 'with-token'?: boolean | undefined;
  readonly 'with-key'?: boolean | undefined;
  readonly 'key-file'?: string | undefined;
};

/** Positions in the list of choices. */
const LEFT_IN_FILE = 1;
const PASTED_KEY = 2;

const CHOICES = [
  'Copy a private key from a file',
  'Use a private key file without copying it',
  'Paste a private key',
  'Paste a token',
];

/** The source that the flags name; undefined where none does. @throws UsageError `bad_usage` for more than one */
export function sourceOfFlags(flags: SecretFlagValues): SecretSource | undefined {
  const { 'with-token': token, 'with-key': key, 'key-file': path } = flags;
  const given = [token && '--with-token', key && '--with-key', path !== undefined && '--key-file'].filter(
    Boolean,
  );
  if (given.length > 1) {
    throw new UsageError('bad_usage', `${given.join(' and ')} cannot be used together`, {
      hint: 'Use only one: a profile has one token or one key.',
    });
  }
  if (path !== undefined) return { from: 'file', path, keep: 'path' };
  if (token || key) return { from: 'input', kind: token ? 'token' : 'key' };
  return undefined;
}

/** Why no copy of a secret can be kept in the keychain; undefined where one can. @throws AbortedError */
export async function whyNoKeychain(signal: AbortSignal): Promise<string | undefined> {
  try {
    await openKeychain(signal);
    return undefined;
  } catch (error) {
    if (error instanceof CredentialsError) return error.message;
    throw error;
  }
}

type Choice = {
  /** What the flags name. */
  readonly named: SecretSource | undefined;
  readonly storage: 'keychain' | 'file';
  readonly asker: Prompter | undefined;
  /** A copy of a secret can be kept. */
  readonly canCopy: boolean;
};

/**
 * The source that the flags name, else the answer. Makes sure that a keychain exists before a secret is typed.
 * @throws UsageError `no_secret_source` where there is no terminal; CredentialsError `keychain_unavailable`
 */
export async function chooseSource({ named, storage, asker, canCopy }: Choice): Promise<SecretSource> {
  const source = named ?? (asker && (await askForSource(asker, canCopy)));
  if (source === undefined) {
    throw new UsageError(
      'no_secret_source',
      'auth login needs a token or a key, but there is no terminal to prompt for it',
      {
        hint: 'Add --with-token or --with-key and pass the secret on standard input, or add --key-file FILE.',
      },
    );
  }
  const copies = source.from === 'input' || source.keep === 'copy';
  if (copies && storage === 'keychain') await openKeychain();
  if (named && !copies && storage === 'file') {
    throw new UsageError('bad_usage', '--insecure-storage has nothing to store: the key stays in its file', {
      hint: 'Remove --insecure-storage, or store a copy of the key: --with-key < FILE',
    });
  }
  return source;
}

async function askForSource(asker: Prompter, canCopy: boolean): Promise<SecretSource> {
  const choice = canCopy
    ? await asker.choose('How should payctl get its credentials?', CHOICES)
    : LEFT_IN_FILE;
  if (choice > LEFT_IN_FILE) return { from: 'input', kind: choice === PASTED_KEY ? 'key' : 'token' };
  const path = await asker.ask('Private key file', { check: checkReadable });
  return { from: 'file', path, keep: choice === LEFT_IN_FILE ? 'path' : 'copy' };
}

function checkReadable(path: string): void {
  if (path === '') throw new UsageError('no_path', 'Enter the path of the file');
  try {
    requireReadable(expandHome(path), LIMITS.secret);
  } catch (error) {
    throw new UsageError('unreadable_file', `The file cannot be read: ${fileErrorReason(error)}`);
  }
}

/**
 * Reads the secret of a source: hidden from a terminal, else standard input to its end, or a file.
 * @throws CredentialsError `credentials_unreadable`
 */
export async function readSecretOf(
  source: SecretSource,
  { runtime, display, profile }: { runtime: Runtime; display: Display; profile: Profile },
): Promise<GivenSecret> {
  if (source.from === 'file') {
    const path = resolve(expandHome(source.path));
    const file = { kind: 'key', storage: 'reference', path, origin: path } as const;
    const warn = (message: string) => display.warn('secret_file_open', message);
    const credentials = await readCredentials(file, profile, { warn, signal: runtime.signal });
    return source.keep === 'path' ? { credentials, keep: 'path', path } : { credentials, keep: 'copy' };
  }
  const credentials = await readInput(source.kind, runtime, profile);
  display.addSecret(credentials.kind === 'token' ? credentials.token : credentials.pem);
  return { credentials, keep: 'copy' };
}

async function readInput(
  kind: 'token' | 'key',
  runtime: Runtime,
  { rsaAlgorithm }: Profile,
): Promise<Credentials> {
  const prompter = await runtime.prompter();
  const question = kind === 'token' ? 'Token' : 'Private key';
  const text = prompter ? await prompter.askSecret(question) : await readSecretInput(runtime);
  const origin = prompter ? `the ${question.toLowerCase()}` : 'standard input';
  requireSecretSize(text, origin);
  return kind === 'token' ? { kind, token: text.trim(), origin } : { kind, pem: text, origin, rsaAlgorithm };
}
