import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { CredentialKind, Profile, ProfileCredentials } from '../config/profile.ts';
import { unwritable, writePrivately } from '../files/private-files.ts';
import { bindSecret } from './bound-secret.ts';
import { openKeychain } from './keychain.ts';
import type { CredentialSource } from './sources.ts';

/** A secret on its way into a profile. */
export type NewSecret = {
  readonly kind: CredentialKind;
  readonly secret: string;
  /** Of the service that it is for; stored with it. */
  readonly origin: string;
  /** `file` only where the user asked for it: the file is readable by its owner, and by every program of the owner. */
  readonly storage: 'keychain' | 'file';
  /** Ends the waiting for a keychain that has to be unlocked. */
  readonly signal?: AbortSignal | undefined;
};

/**
 * Stores a secret for a profile of this configuration directory, next to every older one, and returns what the profile has
 * to record. Until it does, nothing has changed: a login that fails leaves the profile with the secret it had.
 * @throws CredentialsError `keychain_unavailable` or `keychain_failed`; UsageError as `writePrivately`.
 */
export async function saveSecret(
  directory: string,
  name: string,
  { kind, secret, origin, storage, signal }: NewSecret,
): Promise<ProfileCredentials> {
  const id = randomBytes(4).toString('hex');
  const text = bindSecret(secret, origin);
  if (storage === 'file') {
    const path = join(secretsFolder(directory), `${name}.${id}.${kind}`);
    writePrivately(path, text);
    return { kind, storage, path };
  }
  // The directory is part of it, so that two configurations with a profile of one name do not share a secret.
  const account = `${name} ${id} (${directory})`;
  const keychain = await openKeychain(signal);
  await keychain.write(account, text);
  return { kind, storage, account };
}

/**
 * Replaces the text of a secret that payctl keeps, in its place.
 * @throws CredentialsError of the keychain; UsageError as `writePrivately`
 */
export async function replaceSecret(
  source: CredentialSource,
  text: string,
  signal?: AbortSignal,
): Promise<void> {
  if (source.storage === 'file') writePrivately(source.path, text);
  if (source.storage !== 'keychain') return;
  const keychain = await openKeychain(signal);
  await keychain.write(source.account, text);
}

/**
 * Removes one secret that payctl keeps, and resolves to where it was; undefined where there was none. A file that a profile
 * only refers to is the user's own and stays.
 * @throws CredentialsError when it is in a keychain that cannot be asked; UsageError `profiles_unwritable`.
 */
export async function deleteSecret(
  credentials: ProfileCredentials,
  signal?: AbortSignal,
): Promise<string | undefined> {
  if (credentials.storage !== 'keychain') {
    return credentials.storage === 'file' ? removeFile(credentials.path) : undefined;
  }
  const keychain = await openKeychain(signal);
  return (await keychain.remove(credentials.account)) ? 'keychain' : undefined;
}

/**
 * Removes every copy of a profile's secret that payctl made, also what a killed login left, and resolves to
 * where they were. @throws as `deleteSecret`
 */
export async function deleteSecrets(
  directory: string,
  { name, credentials }: Profile,
  signal?: AbortSignal,
): Promise<string[]> {
  const deleted = credentials ? [await deleteSecret(credentials, signal)] : [];
  const own = credentials?.storage === 'reference' ? resolve(credentials.path) : undefined;
  for (const path of secretFiles(directory, name)) if (path !== own) deleted.push(removeFile(path));
  return deleted.filter((place) => place !== undefined);
}

/** Removes the secrets in files that no profile of these names; a login that was killed may leave one. */
export function deleteOrphanedSecrets(directory: string, profiles: Iterable<Profile>): string[] {
  const named = new Set(
    [...profiles].flatMap(({ credentials }) =>
      credentials && credentials.storage !== 'keychain' ? [resolve(credentials.path)] : [],
    ),
  );
  const orphans = secretFiles(directory).filter((path) => !named.has(path));
  return orphans.flatMap((path) => removeFile(path) ?? []);
}

/** The files that secrets of a profile, or of all, are kept in; drafts of them, too. */
function secretFiles(directory: string, name?: string): string[] {
  const folder = secretsFolder(directory);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => {
      const [, owner] = /^(.+)\.[0-9a-f]{8}\.(?:token|key|api-key|basic)(?:\.\d+\.new)?$/.exec(file) ?? [];
      return owner !== undefined && (name === undefined || owner === name);
    })
    .sort()
    .map((file) => join(folder, file));
}

function removeFile(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  try {
    rmSync(path);
    return path;
  } catch (error) {
    throw unwritable(path, error);
  }
}

function secretsFolder(directory: string): string {
  return join(directory, 'secrets');
}
