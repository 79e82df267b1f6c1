import { resolve } from 'node:path';
import type { Prompter } from '../../../cli/prompt/prompter.ts';
import type { Runtime } from '../../../cli/runtime.ts';
import type { Display } from '../../../cli/show/display.ts';
import { CREDENTIAL_NAMES, type CredentialKind, type Profile } from '../../../config/profile.ts';
import { openKeychain } from '../../../credentials/keychain.ts';
import { readCredentials, requireSecretSize } from '../../../credentials/read.ts';
import { CredentialsError, UsageError } from '../../../errors.ts';
import { fileErrorReason } from '../../../files/file-error.ts';
import { expandHome } from '../../../files/home-directory.ts';
import { LIMITS, requireReadable } from '../../../files/read-file.ts';
import { own } from '../../../json/is-object.ts';
import { commandInShell } from '../../../text/shell.ts';
import type { Credentials } from '../../../tokens/provider.ts';
import { secretTextsOf } from '../../../tokens/shared-secrets.ts';
import { readSecretInput } from '../token-input.ts';

/** The secret, and whether payctl stores a copy of it or only the path of its file. */
export type GivenSecret = { readonly credentials: Credentials } & (
  | { readonly keep: 'copy' }
  | { readonly keep: 'path'; readonly path: string }
);

/** Where a secret comes from: standard input or the terminal, or a file. */
export type SecretSource =
  | { readonly from: 'input'; readonly kind: CredentialKind }
  | { readonly from: 'file'; readonly path: string; readonly keep: 'copy' | 'path' };

/** The flags that say where the secret comes from. */
export type SecretFlagValues = {
  readonly 'with-token'?: boolean | undefined;
  readonly 'with-key'?: boolean | undefined;
  readonly 'with-api-key'?: boolean | undefined;
  readonly 'with-basic'?: boolean | undefined;
  readonly 'key-file'?: string | undefined;
};

/** Position in the list of choices. */
const LEFT_IN_FILE = 1;

const CHOICES = [
  'Copy a private key from a file',
  'Use a private key file without copying it',
  'Paste a private key',
  'Paste a token',
  'Paste an API key',
  'Enter a user name and a password',
];

/** The kinds of credentials of the choices after the files. */
const PASTED = ['key', 'token', 'api-key', 'basic'] as const satisfies readonly CredentialKind[];

const KIND_FLAGS = {
  'with-token': 'token',
  'with-key': 'key',
  'with-api-key': 'api-key',
  'with-basic': 'basic',
} as const satisfies Record<Exclude<keyof SecretFlagValues, 'key-file'>, CredentialKind>;

/** The source that the flags name; undefined where none does. @throws UsageError `bad_usage` for more than one */
export function sourceOfFlags(flags: SecretFlagValues): SecretSource | undefined {
  const { 'key-file': path } = flags;
  const kinds = Object.entries(KIND_FLAGS).filter(([flag]) => own<unknown>(flags, flag) === true);
  const given = [...kinds.map(([flag]) => `--${flag}`), ...(path === undefined ? [] : ['--key-file'])];
  if (given.length > 1) {
    throw new UsageError('bad_usage', `${given.join(' and ')} cannot be used together`, {
      hint: 'Use only one: a profile has credentials of one kind.',
    });
  }
  if (path !== undefined) return { from: 'file', path, keep: 'path' };
  const [[, kind] = []] = kinds;
  return kind && { from: 'input', kind };
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
    throw new UsageError('no_secret_source', 'auth login needs a secret, but cannot prompt for it', {
      hint: 'Add --with-token, --with-key, --with-api-key or --with-basic and pass the secret on standard input, or add --key-file FILE.',
    });
  }
  const copies = source.from === 'input' || source.keep === 'copy';
  if (copies && storage === 'keychain') await openKeychain();
  if (named && !copies && storage === 'file') {
    throw new UsageError('bad_usage', '--insecure-storage has nothing to store: the key stays in its file', {
      hint: `Remove --insecure-storage, or store a copy of the key: ${commandInShell('payctl auth login --with-key < FILE')}`,
    });
  }
  return source;
}

async function askForSource(asker: Prompter, canCopy: boolean): Promise<SecretSource> {
  const choice = canCopy
    ? await asker.choose('How should payctl get its credentials?', CHOICES)
    : LEFT_IN_FILE;
  const kind = PASTED[choice - LEFT_IN_FILE - 1];
  if (kind) return { from: 'input', kind };
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
  for (const secret of secretTextsOf(credentials)) display.addSecret(secret);
  return { credentials, keep: 'copy' };
}

const QUESTIONS = { token: 'Token', key: 'Private key', 'api-key': 'API key' } as const;

/** A user name is not echoed either: some services take a key in its place. */
async function askFor(kind: CredentialKind, prompter: Prompter): Promise<string> {
  if (kind !== 'basic') return await prompter.askSecret(QUESTIONS[kind]);
  const user = await prompter.askSecret('User name');
  return `${user.trim()}:${await prompter.askSecret('Password, or Enter for none')}`;
}

async function readInput(
  kind: CredentialKind,
  runtime: Runtime,
  { rsaAlgorithm }: Profile,
): Promise<Credentials> {
  const prompter = await runtime.prompter();
  const text = prompter ? await askFor(kind, prompter) : await readSecretInput(runtime);
  const origin = prompter ? `the ${CREDENTIAL_NAMES[kind]}` : 'standard input';
  requireSecretSize(text, origin);
  if (kind === 'token') return { kind, token: text.trim(), origin };
  return kind === 'key' ? { kind, pem: text, origin, rsaAlgorithm } : { kind, secret: text, origin };
}
