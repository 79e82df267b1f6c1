import { AbortedError } from '../errors.ts';
import { blocking, untilAborted } from '../signals.ts';
import {
  bindingMissing,
  type KeychainTask,
  keychainFailed,
  keychainUnavailable,
  notText,
  tooLarge,
  verificationFailed,
} from './keychain-errors.ts';

/** The entries of payctl in the keychain of the operating system. What they throw never holds a secret. */
export type Keychain = {
  /** Undefined where there is no such entry. May wait for a person who is asked to unlock the keychain. */
  read(account: string): Promise<string | undefined>;
  /** Adds the entry, or replaces its secret, and makes sure that it can be read again. */
  write(account: string, secret: string): Promise<void>;
  /** Whether there was one. */
  remove(account: string): Promise<boolean>;
};

const SERVICE = 'payctl';

/**
 * Without this, Linux would fall back in silence on the kernel's keyring, which forgets everything at the next boot.
 * Other systems have one store only.
 */
const STORE = { linux: { store: 'secret-service' } } as const;

/** What an entry of the Credential Manager holds at most, in bytes; other keychains have no limit that a key comes near. */
const LARGEST_ON_WINDOWS = 2560;

/**
 * The keychain of this user, once it is certain that one exists. The native binding is loaded only now: it costs as much
 * as a few files of ours, and it is missing where optional dependencies are. An aborted signal ends the waiting of every
 * method with an AbortedError; what the keychain is doing then cannot be stopped and keeps the process alive.
 * @throws CredentialsError `keychain_unavailable`; the methods throw this too, or `keychain_failed`.
 */
export async function openKeychain(signal?: AbortSignal): Promise<Keychain> {
  const binding = await loadBinding();
  const entryOf = (account: string) => {
    try {
      // Connects to the Secret Service, and waits for it without a time limit.
      return blocking(() => new binding.AsyncEntry(SERVICE, account, STORE));
    } catch (error) {
      throw keychainUnavailable(error);
    }
  };
  // Makes certain that a keychain exists.
  entryOf(SERVICE);
  return {
    async read(account) {
      const task: KeychainTask = { account, action: 'read from' };
      const bytes = await perform(entryOf(account).getSecret(), task, signal);
      return bytes === null ? undefined : decode(bytes, task);
    },
    async write(account, secret) {
      const task: KeychainTask = { account, action: 'written to', secret };
      // As bytes: a text password takes two bytes per character, and entries on Windows are small.
      const bytes = Buffer.from(secret);
      if (process.platform === 'win32' && bytes.length > LARGEST_ON_WINDOWS) {
        throw tooLarge(task, bytes.length, LARGEST_ON_WINDOWS);
      }
      await perform(entryOf(account).setSecret(bytes), task, signal);
      const kept = await perform(entryOf(account).getSecret(), task, signal);
      if (!kept || !bytes.equals(Uint8Array.from(kept))) throw verificationFailed(task);
    },
    async remove(account) {
      const task: KeychainTask = { account, action: 'removed from' };
      const wasThere = await perform(entryOf(account).deleteCredential(), task, signal);
      // On macOS the binding says that it deleted an entry also when it could not.
      const left = wasThere ? await perform(entryOf(account).getSecret(), task, signal) : null;
      if (left !== null) throw verificationFailed(task);
      return wasThere;
    },
  };
}

async function loadBinding(): Promise<typeof import('@napi-rs/keyring')> {
  try {
    return await import('@napi-rs/keyring');
  } catch (error) {
    throw bindingMissing(error);
  }
}

/** The binding's own signal only stops work that has not begun. */
async function perform<T>(work: Promise<T>, task: KeychainTask, signal: AbortSignal | undefined): Promise<T> {
  try {
    return await untilAborted(work, signal);
  } catch (error) {
    throw error instanceof AbortedError ? error : keychainFailed(error, task);
  }
}

function decode(bytes: readonly number[], task: KeychainTask): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes));
  } catch {
    throw notText(task);
  }
}
