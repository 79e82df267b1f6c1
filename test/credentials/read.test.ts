import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readEnvironment } from '../../src/config/environment.ts';
import type { Profile } from '../../src/config/profile.ts';
import type { SecretFile } from '../../src/credentials/read.ts';
import { findCredentials, requireSecretSize } from '../../src/credentials/read.ts';
import { findWithheld, holdsSecret, listCredentialSources } from '../../src/credentials/sources.ts';
import { AbortedError, CredentialsError } from '../../src/errors.ts';
import { failureOf } from '../client/failure-of.ts';
import { folderForAll } from '../harness/temporary-folder.ts';

const ALL = {
  PAYCTL_TOKEN: 'token',
  PAYCTL_TOKEN_FILE: '/run/token',
  PAYCTL_PRIVATE_KEY: 'key',
  PAYCTL_PRIVATE_KEY_FILE: '/run/key',
};
const PROFILE: Profile = {
  name: 'live',
  credentials: { kind: 'key', storage: 'reference', path: '/live.pem' },
  rsaAlgorithm: 'PS256',
};
const files: Record<string, SecretFile> = {
  '/run/token': { text: 'token of the file\n' },
  '/run/key': { text: 'key of the file' },
  '/live.pem': { text: 'key of the profile' },
  '/open': { text: 'x', openMode: '644' },
  "/it's open": { text: 'x', openMode: '640' },
};

function readFile(path: string): SecretFile {
  const file = files[path];
  if (!file) {
    throw Object.assign(new Error(`ENOENT: no such file or directory, open '${path}'`), { code: 'ENOENT' });
  }
  return file;
}

const readKeychain = async (account: string) =>
  account === 'live (/c)' ? 'secret of the keychain' : undefined;

function find(variables: Record<string, string>, profile?: Profile, warnings: string[] = []) {
  return findCredentials(
    { environment: readEnvironment(variables), profile },
    { readFile, readKeychain, warn: (text) => void warnings.push(text) },
  );
}

function without(...names: (keyof typeof ALL)[]): Record<string, string> {
  return Object.fromEntries(Object.entries(ALL).filter(([name]) => !(names as string[]).includes(name)));
}

describe('findCredentials', () => {
  test('the first source that is set wins', async () => {
    const rest = { rsaAlgorithm: 'PS256' };
    expect(await find(ALL, PROFILE)).toEqual({ kind: 'token', token: 'token', origin: 'PAYCTL_TOKEN' });
    expect(await find(without('PAYCTL_TOKEN'), PROFILE)).toEqual({
      kind: 'token',
      token: 'token of the file\n',
      origin: 'PAYCTL_TOKEN_FILE (/run/token)',
    });
    expect(await find(without('PAYCTL_TOKEN', 'PAYCTL_TOKEN_FILE'), PROFILE)).toEqual({
      kind: 'key',
      pem: 'key',
      origin: 'PAYCTL_PRIVATE_KEY',
      ...rest,
    });
    expect(await find({ PAYCTL_PRIVATE_KEY_FILE: '/run/key' }, PROFILE)).toEqual({
      kind: 'key',
      pem: 'key of the file',
      origin: 'PAYCTL_PRIVATE_KEY_FILE (/run/key)',
      ...rest,
    });
    expect(await find({}, PROFILE)).toEqual({
      kind: 'key',
      pem: 'key of the profile',
      origin: 'profile live (/live.pem)',
      ...rest,
    });
  });

  const inKeychain = (kind: 'token' | 'key', account = 'live (/c)'): Profile => ({
    name: 'p',
    credentials: { kind, storage: 'keychain', account },
  });

  test.each([
    [
      { kind: 'token', storage: 'file', path: '/run/token' },
      { kind: 'token', token: 'token of the file\n', origin: 'profile p (/run/token)' },
    ],
    [
      { kind: 'key', storage: 'file', path: '/run/key' },
      { kind: 'key', pem: 'key of the file', origin: 'profile p (/run/key)' },
    ],
    [
      { kind: 'token', storage: 'reference', path: '/run/token' },
      { kind: 'token', token: 'token of the file\n', origin: 'profile p (/run/token)' },
    ],
    [
      { kind: 'token', storage: 'keychain', account: 'live (/c)' },
      { kind: 'token', token: 'secret of the keychain', origin: 'profile p (keychain)' },
    ],
    [
      { kind: 'key', storage: 'keychain', account: 'live (/c)' },
      { kind: 'key', pem: 'secret of the keychain', origin: 'profile p (keychain)' },
    ],
  ] as const)('the credentials %j of a profile are found', async (credentials, found) => {
    expect(await find({}, { name: 'p', credentials })).toEqual(found);
  });

  test('the profile says how an RSA key of the keychain signs', async () => {
    const profile: Profile = { ...inKeychain('key'), rsaAlgorithm: 'PS256' };
    expect(await find({}, profile)).toMatchObject({ pem: 'secret of the keychain', rsaAlgorithm: 'PS256' });
  });

  test('a variable wins over the keychain, which is not asked', async () => {
    const environment = readEnvironment({ PAYCTL_TOKEN: 'token' });
    const means = {
      readKeychain: () => Promise.reject(new Error('asked')),
      warn: () => {},
    };
    const found = await findCredentials({ environment, profile: inKeychain('key') }, means);
    expect(found).toEqual({ kind: 'token', token: 'token', origin: 'PAYCTL_TOKEN' });
  });

  test.each(['token', 'key'] as const)(
    'an entry that the keychain no longer holds is an error: %s',
    async (kind) => {
      const error = await failureOf(find({}, inKeychain(kind, 'gone')));
      expect(error).toBeInstanceOf(CredentialsError);
      expect(error).toMatchObject({
        code: 'credentials_missing',
        message: `The keychain no longer contains the ${kind} from profile p (keychain)`,
        hint: 'Store it again: payctl auth login --profile p',
      });
    },
  );

  test('a secret in the keychain that is larger than that of a file is refused at once', async () => {
    const deps = { readKeychain: async () => 'x'.repeat(20_000_000), warn: () => {} };
    const error = await failureOf(
      findCredentials({ environment: readEnvironment({}), profile: inKeychain('token') }, deps),
    );
    expect(error).toBeInstanceOf(CredentialsError);
    expect(error).toMatchObject({
      code: 'credentials_unreadable',
      message: 'profile p (keychain) cannot be read: it is larger than 64 KiB',
    });
  });

  test('a signal that ends the reading of a file ends the command', async () => {
    const aborted = new AbortedError();
    const inputs = { environment: readEnvironment({ PAYCTL_TOKEN_FILE: '/fifo' }), profile: undefined };
    const readAborted = () => Promise.reject(aborted);
    expect(await failureOf(findCredentials(inputs, { readFile: readAborted, warn: () => {} }))).toBe(aborted);
  });

  test('what the keychain throws is thrown as it is', async () => {
    const error = new CredentialsError('keychain_failed', 'locked');
    const means = { readKeychain: () => Promise.reject(error), warn: () => {} };
    const inputs = { environment: readEnvironment({}), profile: inKeychain('key') };
    expect(await failureOf(findCredentials(inputs, means))).toBe(error);
  });

  test('nothing set gives nothing', async () => {
    expect(await find({ PAYCTL_TOKEN: '' })).toBeUndefined();
    expect(await find({}, { name: 'emulator' })).toBeUndefined();
  });

  test('a first source that cannot be read is an error, not a reason to try the next', async () => {
    const variables = { PAYCTL_TOKEN_FILE: '/missing', PAYCTL_PRIVATE_KEY: 'key' };
    const error = await failureOf(find(variables));
    expect(error).toBeInstanceOf(CredentialsError);
    expect(error).toMatchObject({
      code: 'credentials_unreadable',
      message: 'PAYCTL_TOKEN_FILE (/missing) cannot be read: no such file or directory',
      hint: 'Use a file of at most 64 KiB that you have permission to read.',
    });
  });

  test('the file of a profile that is gone is an error that names both', async () => {
    const profile: Profile = { name: 'p', credentials: { kind: 'key', storage: 'file', path: '/gone' } };
    expect(await failureOf(find({}, profile))).toMatchObject({
      code: 'credentials_unreadable',
      message: 'profile p (/gone) cannot be read: no such file or directory',
    });
  });

  test('a file that others can read is warned about, and used', async () => {
    const warnings: string[] = [];
    expect(await find({ PAYCTL_TOKEN_FILE: '/open' }, undefined, warnings)).toMatchObject({ token: 'x' });
    expect(await find({ PAYCTL_TOKEN_FILE: "/it's open" }, undefined, warnings)).toMatchObject({
      token: 'x',
    });
    expect(warnings).toEqual([
      'PAYCTL_TOKEN_FILE (/open) can be read by other users (mode 644); restrict it with: chmod 600 /open',
      "PAYCTL_TOKEN_FILE (/it's open) can be read by other users (mode 640); restrict it with: chmod 600 '/it'\\''s open'",
    ]);
  });

  test.each([
    ['PAYCTL_TOKEN_FILE', 'eyJhbGciOiJFUzUxMiJ9.e30.c2ln'],
    ['PAYCTL_PRIVATE_KEY_FILE', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----'],
    ['PAYCTL_PRIVATE_KEY_FILE', Buffer.from('-----BEGIN PRIVATE KEY-----\n').toString('base64')],
  ])('a secret in %s itself is refused without being shown', async (name, secret) => {
    const error = await failureOf(find({ [name]: secret }));
    expect(error).toBeInstanceOf(CredentialsError);
    expect(error).toMatchObject({
      code: 'credentials_unreadable',
      message: `${name} contains a secret instead of the path of a file`,
      hint: 'Set it to the path of a file that contains the secret, or use the variable without _FILE.',
    });
    expect(
      listCredentialSources({ environment: readEnvironment({ [name]: secret }), profile: undefined }),
    ).toMatchObject([{ origin: name }]);
  });
});

test('listCredentialSources lists all that are set, the winner first, and reads nothing', () => {
  const sources = listCredentialSources({ environment: readEnvironment(ALL), profile: PROFILE });
  expect(sources.map(({ kind, origin }) => [kind, origin])).toEqual([
    ['token', 'PAYCTL_TOKEN'],
    ['token', 'PAYCTL_TOKEN_FILE (/run/token)'],
    ['key', 'PAYCTL_PRIVATE_KEY'],
    ['key', 'PAYCTL_PRIVATE_KEY_FILE (/run/key)'],
    ['key', 'profile live (/live.pem)'],
  ]);
});

describe('a text that is no path', () => {
  test.each([
    ' Bearer abc',
    '\tauthorization: Bearer abc',
    'BEARER abc',
    '  eyJhbGciOiJub25lIn0.e30.',
    'x -----BEGIN PRIVATE KEY-----',
  ])('is a secret: %j', (text) => {
    expect(holdsSecret(text)).toBe(true);
  });

  test.each(['/run/bearer', 'bearer.txt', 'my authorization: x', '/run/eyJ', ''])(
    'may be a path: %j',
    (text) => {
      expect(holdsSecret(text)).toBe(false);
    },
  );
});

test('a secret is measured in bytes, not in characters', () => {
  expect(() => requireSecretSize('é'.repeat(32 * 1024), 'PAYCTL_TOKEN')).not.toThrow();
  expect(() => requireSecretSize('é'.repeat(32 * 1024 + 1), 'PAYCTL_TOKEN')).toThrow(
    expect.objectContaining({ code: 'credentials_unreadable' }),
  );
});

describe('a secret of an earlier version', () => {
  const home: Profile = {
    name: 'live',
    baseUrl: 'https://api.example.invalid',
    credentials: { kind: 'key', storage: 'keychain', account: 'live (/c)' },
  };
  const read = (failure: Error) =>
    findCredentials(
      { environment: readEnvironment({}), profile: home },
      { readKeychain, warn: () => {}, replace: () => Promise.reject(failure) },
    );

  test('is used where its origin cannot be added', async () => {
    const locked = new CredentialsError('keychain_locked', 'The keychain is locked');
    expect(await read(locked)).toMatchObject({ pem: 'secret of the keychain' });
  });

  test('is not used after Ctrl-C, or where payctl itself fails', async () => {
    const aborted = new AbortedError();
    expect(await failureOf(read(aborted))).toBe(aborted);
    const bug = new TypeError('a bug');
    expect(await failureOf(read(bug))).toBe(bug);
  });
});

describe('on the file system', () => {
  const directory = folderForAll();

  function findFile(path: string, warnings: string[] = []) {
    const environment = readEnvironment({ PAYCTL_TOKEN_FILE: path });
    return findCredentials({ environment, profile: undefined }, { warn: (text) => void warnings.push(text) });
  }

  function write(name: string, content: string, mode: number): string {
    const path = join(directory, name);
    writeFileSync(path, content);
    chmodSync(path, mode);
    return path;
  }

  test('a file of its owner alone is read without a word', async () => {
    const warnings: string[] = [];
    const path = write('closed', 'tök', 0o600);
    expect(await findFile(path, warnings)).toEqual({
      kind: 'token',
      token: 'tök',
      origin: `PAYCTL_TOKEN_FILE (${path})`,
    });
    expect(warnings).toEqual([]);
  });

  test.skipIf(process.platform === 'win32').each([0o644, 0o640, 0o604, 0o620])(
    'a file of the mode %o is read with a warning',
    async (mode) => {
      const warnings: string[] = [];
      const path = write('open', 'token', mode);
      expect(await findFile(path, warnings)).toMatchObject({ token: 'token' });
      expect(warnings).toEqual([
        `PAYCTL_TOKEN_FILE (${path}) can be read by other users (mode ${mode.toString(8)}); restrict it with: chmod 600 ${path}`,
      ]);
    },
  );

  test('64 KiB are read, one byte more is refused', async () => {
    const large = await findFile(write('large', 'a'.repeat(65_536), 0o600));
    expect(large).toMatchObject({ token: 'a'.repeat(65_536) });
    const path = write('larger', 'a'.repeat(65_537), 0o600);
    expect(await failureOf(findFile(path))).toMatchObject({
      message: `PAYCTL_TOKEN_FILE (${path}) cannot be read: it is larger than 64 KiB`,
    });
  });

  test('a file that is not UTF-8 is refused', async () => {
    const path = write('latin', '', 0o600);
    writeFileSync(path, Buffer.from('t\xf6k', 'latin1'));
    expect(await failureOf(findFile(path))).toMatchObject({
      message: `PAYCTL_TOKEN_FILE (${path}) cannot be read: it is not valid UTF-8: byte 2, in line 1, is 0xf6`,
      hint: 'Convert it first, for example: iconv -f latin1 -t utf-8',
    });
  });

  test('a directory and a missing file are refused', async () => {
    expect(await failureOf(findFile(directory))).toMatchObject({
      message: `PAYCTL_TOKEN_FILE (${directory}) cannot be read: it is a directory`,
    });
    const missing = join(directory, 'missing');
    expect(await failureOf(findFile(missing))).toMatchObject({
      message: `PAYCTL_TOKEN_FILE (${missing}) cannot be read: no such file or directory`,
    });
  });

  test.skipIf(process.platform === 'win32')('a device without an end is refused', async () => {
    expect(await failureOf(findFile('/dev/zero'))).toMatchObject({
      message: 'PAYCTL_TOKEN_FILE (/dev/zero) cannot be read: it is larger than 64 KiB',
    });
  });
});

describe('the credentials of a profile are for its address', () => {
  const HOME = 'https://api.example.com';
  const acme = (changes: Partial<Profile> = {}): Profile => ({
    name: 'acme',
    baseUrl: `${HOME}/v1`,
    credentials: { kind: 'token', storage: 'reference', path: '/run/token' },
    ...changes,
  });
  const names = (inputs: Parameters<typeof listCredentialSources>[0]) =>
    listCredentialSources(inputs).map(({ origin }) => origin);
  const environment = readEnvironment({ PAYCTL_TOKEN: 'token' });
  const OWN = 'profile acme (/run/token)';

  test('named with --profile they precede those of variables', () => {
    const inputs = { environment, profile: acme(), target: HOME };
    expect(names({ ...inputs, profileFirst: true })).toEqual([OWN, 'PAYCTL_TOKEN']);
    expect(names(inputs)).toEqual(['PAYCTL_TOKEN', OWN]);
  });

  test.each([
    'https://evil.example.com',
    'http://api.example.com',
    'https://api.example.com:8443',
    'https://api.example.com.',
    'https://API.example.com',
    '',
  ])('they are withheld from %j, and those of variables are used', (target) => {
    const inputs = { environment, profile: acme(), profileFirst: true, target };
    expect(names(inputs)).toEqual(['PAYCTL_TOKEN']);
    expect(findWithheld(inputs)).toMatchObject({ home: HOME, source: { origin: OWN } });
  });

  test.each<[Partial<Profile>, string]>([
    [{ baseUrl: 'HTTPS://Api.Example.com:443/v1' }, HOME],
    [{ baseUrl: 'https://{id}.example.com', instance: 'api' }, HOME],
    [{ baseUrl: 'https://api.example.com/{id}' }, HOME],
    [{ baseUrl: 'http://127.0.0.1:80' }, 'http://127.0.0.1'],
  ])('an address is compared as its parsed origin: %j', (changes, target) => {
    expect(names({ environment, profile: acme(changes), target })).toContain(OWN);
  });

  test.each<[string, Partial<Profile>]>([
    ['has no base URL', { baseUrl: undefined }],
    ['has no instance for its host', { baseUrl: 'https://{id}.example.com' }],
    ['has a base URL that cannot be used', { baseUrl: 'https://user@api.example.com' }],
  ])('they are withheld where the profile %s', (_, changes) => {
    expect(findWithheld({ environment, profile: acme(changes), target: HOME })).toMatchObject({
      home: undefined,
    });
  });

  test('a file that was named for another address is withheld', () => {
    const credentials = {
      kind: 'token',
      storage: 'reference',
      path: '/p',
      origin: 'https://old.example',
    } as const;
    const profile = acme({ credentials });
    expect(findWithheld({ environment, profile, target: HOME })).toMatchObject({
      home: HOME,
      storedFor: 'https://old.example',
    });
  });

  test('nothing is withheld where nothing is sent', () => {
    expect(findWithheld({ environment, profile: acme() })).toBeUndefined();
    expect(findWithheld({ environment, profile: undefined, target: HOME })).toBeUndefined();
    expect(findWithheld({ environment, profile: { name: 'acme' }, target: HOME })).toBeUndefined();
  });

  const inFile = acme({ credentials: { kind: 'token', storage: 'file', path: '/kept' } });
  const inKeychain = acme({ credentials: { kind: 'token', storage: 'keychain', account: 'kept' } });

  /** Reads what is stored as the secret of a profile, and notes what is stored in its place. */
  async function readStored(profile: Profile, text: string, replace = async () => {}) {
    const replaced: string[] = [];
    const inputs = { environment: readEnvironment({}), profile };
    const found = findCredentials(inputs, {
      readFile: () => ({ text }),
      readKeychain: async () => text,
      replace: async (_source, changed) => {
        await replace();
        replaced.push(changed);
      },
      warn: () => {},
    });
    return { found: await found.catch((error: unknown) => error), replaced };
  }

  test.each([inFile, inKeychain])('a stored secret is used where it was stored for: %j', async (profile) => {
    expect(await readStored(profile, `payctl secret for ${HOME}\nsecret`)).toEqual({
      found: { kind: 'token', token: 'secret', origin: expect.stringMatching(/^profile acme/) },
      replaced: [],
    });
  });

  test.each([inFile, inKeychain])('a profiles file that was edited does not move it: %j', async (profile) => {
    const { found, replaced } = await readStored(profile, 'payctl secret for https://old.example\nsecret');
    expect(found).toBeInstanceOf(CredentialsError);
    expect(found).toMatchObject({
      code: 'no_credentials',
      message: expect.stringMatching(
        /^The token from profile acme \(.+\) was stored for https:\/\/old\.example, but the profile now points to https:\/\/api\.example\.com$/,
      ),
      hint: 'Store credentials for https://api.example.com: payctl auth login --profile acme',
    });
    expect(replaced).toEqual([]);
  });

  test.each([inFile, inKeychain])(
    'one of an earlier version is bound when it is read: %j',
    async (profile) => {
      const { found, replaced } = await readStored(profile, 'secret');
      expect(found).toMatchObject({ token: 'secret' });
      expect(replaced).toEqual([`payctl secret for ${HOME}\nsecret`]);
    },
  );

  test('one of an earlier version stays usable where it cannot be bound', async () => {
    const fail = () => Promise.reject(new CredentialsError('keychain_failed', 'no'));
    expect(await readStored(inKeychain, 'secret', fail)).toMatchObject({ found: { token: 'secret' } });
  });

  test('a file of the user is never changed', async () => {
    expect(await readStored(acme(), 'secret')).toMatchObject({ found: { token: 'secret' }, replaced: [] });
  });
});
