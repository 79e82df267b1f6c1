/**
 * A program that keeps, reads or forgets the secret of the profile `acme`. For the keychain, whose binding reads the
 * environment that a process started with.
 */

import { readEnvironment } from '../../src/config/environment.ts';
import { findCredentials } from '../../src/credentials/read.ts';
import { deleteSecrets, saveSecret } from '../../src/credentials/store.ts';

const [directory = '', deed = '', secret = ''] = process.argv.slice(2);
const kind = 'key';
const storage = 'keychain';
/** To keep: the secret. Otherwise the account that it was kept under. */
const profile = { name: 'acme', credentials: { kind, storage, account: secret } } as const;

const deeds: Readonly<Record<string, () => Promise<unknown>>> = {
  keep: () => saveSecret(directory, 'acme', { kind, secret, origin: 'https://api.example.com', storage }),
  read: () => findCredentials({ environment: readEnvironment({}), profile }, { warn: () => {} }),
  forget: () => deleteSecrets(directory, profile),
};
process.stdout.write(JSON.stringify(await deeds[deed]?.()));
