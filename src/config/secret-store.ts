import { existsSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openKeychain } from './keychain.ts';
import { unwritable, writePrivately } from './private-files.ts';
import type { Profile, ProfileCredentials } from './profile.ts';

/** A secret on its way into a profile. */
export type NewSecret = {
  readonly kind: 'token' | 'key';
  readonly secret: string;
  /** `file` only where the user asked for it: the file is readable by its owner, and by every program of the owner. */
  readonly storage: 'keychain' | 'file';
  /** Ends the waiting for a keychain that has to be unlocked. */
  readonly signal?: AbortSignal | undefined;
};

/** What `forgetSecrets` may be told. */
export type ForgetOptions = {
  /** The copy that stays. */
  readonly keep?: ProfileCredentials | undefined;
  /** As in `NewSecret`. */
  readonly signal?: AbortSignal | undefined;
};

const KINDS = ['token', 'key'] as const;

/**
 * Keeps a secret for a profile of this configuration directory, in the place of one of the same kind, and says what the
 * profile has to remember.
 * @throws CredentialsError `keychain_unavailable` or `keychain_failed`; UsageError as `writePrivately`.
 */
export async function keepSecret(
  directory: string,
  name: string,
  { kind, secret, storage, signal }: NewSecret,
): Promise<ProfileCredentials> {
  if (storage === 'file') {
    const path = secretFile(directory, name, kind);
    writePrivately(path, secret);
    return { kind, storage, path };
  }
  const account = accountOf(directory, name);
  const keychain = await openKeychain(signal);
  await keychain.write(account, secret);
  return { kind, storage, account };
}

/**
 * Removes every copy of a profile's secret that payctl made but the one to `keep`, and resolves to where they were. A file
 * that the profile only refers to is the user's own and stays.
 * @throws CredentialsError when the keychain holds one and cannot be asked; UsageError `profiles_unwritable`.
 */
export async function forgetSecrets(
  directory: string,
  { name, credentials }: Profile,
  { keep, signal }: ForgetOptions = {},
): Promise<string[]> {
  const forgotten: string[] = [];
  if (credentials?.storage === 'keychain' && !isEntry(keep, credentials.account)) {
    const keychain = await openKeychain(signal);
    if (await keychain.remove(credentials.account)) forgotten.push('keychain');
  }
  for (const kind of KINDS) {
    const path = secretFile(directory, name, kind);
    if (!existsSync(path) || isFile(keep, path)) continue;
    if (credentials?.storage === 'reference' && isFile(credentials, path)) continue;
    remove(path);
    forgotten.push(path);
  }
  return forgotten;
}

function isEntry(credentials: ProfileCredentials | undefined, account: string): boolean {
  return credentials?.storage === 'keychain' && credentials.account === account;
}

/** Whether this is where they are: also of a file that payctl wrote and that the user then referred to. */
function isFile(credentials: ProfileCredentials | undefined, path: string): boolean {
  return (
    credentials !== undefined && credentials.storage !== 'keychain' && resolve(credentials.path) === path
  );
}

function remove(path: string): void {
  try {
    rmSync(path);
  } catch (error) {
    throw unwritable(path, error);
  }
}

function secretFile(directory: string, name: string, kind: 'token' | 'key'): string {
  return join(directory, 'secrets', `${name}.${kind}`);
}

/** The directory is part of it, so that two configurations with a profile of one name do not share a secret. */
function accountOf(directory: string, name: string): string {
  return `${name} (${directory})`;
}
