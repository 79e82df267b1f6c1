import { CredentialsError } from '../errors.ts';
import { quote } from '../text/format.ts';

/** What helps wherever there is no keychain. */
const OTHERWISE =
  'Otherwise, set a variable for the credentials, or store them in a file that only you can read, with --insecure-storage. ' +
  'The variables: payctl help settings';

type Reason = { readonly words: string; readonly hint: string };

/**
 * The binding has a single error code; only the message text differs. The text selects the wording of our message, never the
 * behaviour; an unknown text is shown unchanged.
 */
const REASONS: readonly (readonly [text: RegExp, reason: Reason])[] = [
  [
    /set your DBUS_SESSION_BUS_ADDRESS/,
    {
      words: 'there is no D-Bus session',
      hint: 'Desktop sessions have one; SSH sessions, containers and scheduled jobs usually do not.',
    },
  ],
  [
    /^Failed to (connect to|open) socket|server address/,
    {
      words: 'the D-Bus session cannot be reached',
      hint: 'DBUS_SESSION_BUS_ADDRESS may point to a session that has ended.',
    },
  ],
  [
    /org\.freedesktop\.secrets/,
    {
      words: 'no program on the D-Bus session provides it',
      hint: 'Start a password manager that does, such as GNOME Keyring, KWallet or KeePassXC.',
    },
  ],
  [
    /not receive a reply/,
    { words: 'it does not respond', hint: 'Try again when your password manager is running.' },
  ],
  [
    /no result found/,
    {
      words: 'it has no default keyring',
      hint: 'Create one in your password manager and make it the default.',
    },
  ],
  [
    /dismissed|locked|canceled|interaction is not allowed/,
    { words: 'it is locked', hint: 'Unlock it and try again.' },
  ],
  [
    /NO_SUCH_LOGON_SESSION/,
    {
      words: 'it is not available in this logon session',
      hint: 'SSH sessions have no keychain; log in to the desktop.',
    },
  ],
];

/** The error for a binding that is not there or that this machine cannot load. */
export function bindingMissing(error: unknown): CredentialsError {
  const isInstalled = !(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND');
  const fact = isInstalled
    ? `cannot be loaded on ${process.platform}-${process.arch}`
    : 'is not installed, for example because of --omit=optional';
  return new CredentialsError(
    'keychain_unavailable',
    `The keychain (${keychainName()}) cannot be used: the package @napi-rs/keyring ${fact}`,
    { hint: `Install payctl again with its optional dependencies. ${OTHERWISE}`, cause: error },
  );
}

/** The error for a keychain that cannot be reached. */
export function keychainUnavailable(error: unknown): CredentialsError {
  const { words, hint } = reasonOf(error) ?? unknownReason(detailOf(error));
  return new CredentialsError(
    'keychain_unavailable',
    `The keychain (${keychainName()}) cannot be used: ${words}`,
    {
      hint: `${hint} ${OTHERWISE}`,
      cause: error,
    },
  );
}

/** The operation that failed. */
export type KeychainTask = {
  readonly account: string;
  readonly action: 'read from' | 'written to' | 'removed from';
  /** The message must not contain this, whatever the keychain reports. */
  readonly secret?: string;
};

/** The error for a keychain that is available but fails. Has no cause, because the cause could contain the secret. */
export function keychainFailed(error: unknown, task: KeychainTask): CredentialsError {
  const { words, hint } = reasonOf(error) ?? unknownReason(withoutSecret(detailOf(error), task.secret));
  return failure(task, words, `${hint} ${OTHERWISE}`);
}

/** The error for an entry that payctl did not write. */
export function notText(task: KeychainTask): CredentialsError {
  return failure(task, 'the entry is not text', 'Store it again: payctl auth login');
}

/** The error for a keychain that reports success and holds something else. */
export function verificationFailed(task: KeychainTask): CredentialsError {
  return failure(
    task,
    'it reported success, but the entry is not as expected',
    `Check your password manager. ${OTHERWISE}`,
  );
}

/** The error for a secret that is larger than the keychain takes. */
export function tooLarge(task: KeychainTask, size: number, largest: number): CredentialsError {
  return failure(
    task,
    `it has ${size} bytes, but an entry can hold at most ${largest}`,
    `Use a shorter key, such as an elliptic curve key. ${OTHERWISE}`,
  );
}

function failure({ account, action }: KeychainTask, words: string, hint: string): CredentialsError {
  const message = `The secret of ${quote(account)} cannot be ${action} the ${keychainName()}: ${words}`;
  return new CredentialsError('keychain_failed', message, { hint });
}

function reasonOf(error: unknown): Reason | undefined {
  const detail = detailOf(error);
  return REASONS.find(([text]) => text.test(detail))?.[1];
}

function unknownReason(detail: string): Reason {
  return {
    words: `it reported ${quote(detail)}`,
    hint: 'Try again, or check your password manager.',
  };
}

/** The message of the innermost cause: the outer errors repeat it with a prefix of the binding. */
function detailOf(error: unknown): string {
  if (!(error instanceof Error)) return 'nothing';
  return error.cause instanceof Error ? detailOf(error.cause) : error.message;
}

/** Compares by word, because a multi-line key may come back with different line endings. */
function withoutSecret(detail: string, secret = ''): string {
  const shows = secret.split(/\s+/).some((part) => part !== '' && detail.includes(part));
  return shows ? '(not shown, because it contains the secret)' : detail;
}

/** What people call the keychain of a platform. */
export function keychainName(platform: NodeJS.Platform = process.platform): string {
  if (platform === 'darwin') return 'Keychain';
  return platform === 'win32' ? 'Credential Manager' : 'Secret Service';
}
