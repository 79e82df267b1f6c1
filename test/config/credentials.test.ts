import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, expectTypeOf, test } from 'vitest';
import type { TokenSource } from '../../src/auth/token-source.ts';
import { CredentialsError } from '../../src/client/errors.ts';
import { type Credentials, findCredentials, listCredentialSources } from '../../src/config/credentials.ts';
import { readEnvironment } from '../../src/config/environment.ts';
import type { Profile } from '../../src/config/profile.ts';
import type { SecretFile } from '../../src/config/secret-file.ts';

const ALL = {
  PAYCTL_TOKEN: 'token',
  PAYCTL_TOKEN_FILE: '/run/token',
  PAYCTL_PRIVATE_KEY: 'key',
  PAYCTL_PRIVATE_KEY_FILE: '/run/key',
};
const PROFILE: Profile = {
  name: 'live',
  credentials: { kind: 'key-file', path: '/live.pem' },
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

function find(variables: Record<string, string>, profile?: Profile, warnings: string[] = []) {
  return findCredentials(
    { environment: readEnvironment(variables), profile },
    { readFile, warn: (text) => void warnings.push(text) },
  );
}

function without(...names: (keyof typeof ALL)[]): Record<string, string> {
  return Object.fromEntries(Object.entries(ALL).filter(([name]) => !(names as string[]).includes(name)));
}

describe('findCredentials', () => {
  test('the first source that is set wins', () => {
    const rest = { rsaAlgorithm: 'PS256' };
    expect(find(ALL, PROFILE)).toEqual({ kind: 'token', token: 'token', origin: 'PAYCTL_TOKEN' });
    expect(find(without('PAYCTL_TOKEN'), PROFILE)).toEqual({
      kind: 'token',
      token: 'token of the file\n',
      origin: 'PAYCTL_TOKEN_FILE (/run/token)',
    });
    expect(find(without('PAYCTL_TOKEN', 'PAYCTL_TOKEN_FILE'), PROFILE)).toEqual({
      kind: 'key',
      pem: 'key',
      origin: 'PAYCTL_PRIVATE_KEY',
      ...rest,
    });
    expect(find({ PAYCTL_PRIVATE_KEY_FILE: '/run/key' }, PROFILE)).toEqual({
      kind: 'key',
      pem: 'key of the file',
      origin: 'PAYCTL_PRIVATE_KEY_FILE (/run/key)',
      ...rest,
    });
    expect(find({}, PROFILE)).toEqual({
      kind: 'key',
      pem: 'key of the profile',
      origin: 'profile live (/live.pem)',
      ...rest,
    });
  });

  test('every kind of credentials of a profile is found', () => {
    const of = (credentials: Profile['credentials']) => find({}, { name: 'p', credentials });
    expect(of({ kind: 'token', token: 't' })).toEqual({ kind: 'token', token: 't', origin: 'profile p' });
    expect(of({ kind: 'token-file', path: '/run/token' })).toEqual({
      kind: 'token',
      token: 'token of the file\n',
      origin: 'profile p (/run/token)',
    });
    expect(of({ kind: 'key', pem: 'k' })).toEqual({ kind: 'key', pem: 'k', origin: 'profile p' });
  });

  test('nothing set gives nothing', () => {
    expect(find({ PAYCTL_TOKEN: '' })).toBeUndefined();
    expect(find({}, { name: 'emulator' })).toBeUndefined();
  });

  test('a first source that cannot be read is an error, not a reason to try the next', () => {
    const variables = { PAYCTL_TOKEN_FILE: '/missing', PAYCTL_PRIVATE_KEY: 'key' };
    expect(() => find(variables)).toThrow(
      expect.objectContaining({
        name: 'CredentialsError',
        code: 'credentials_unreadable',
        message: 'PAYCTL_TOKEN_FILE (/missing) cannot be read: there is no such file',
        hint: 'Give the path of a file of at most 64 KiB that you may read.',
      }),
    );
  });

  test('a file that others can read is warned about, and used', () => {
    const warnings: string[] = [];
    expect(find({ PAYCTL_TOKEN_FILE: '/open' }, undefined, warnings)).toMatchObject({ token: 'x' });
    expect(find({ PAYCTL_TOKEN_FILE: "/it's open" }, undefined, warnings)).toMatchObject({ token: 'x' });
    expect(warnings).toEqual([
      'PAYCTL_TOKEN_FILE (/open) can be read by other users (mode 644); close it with: chmod 600 /open',
      "PAYCTL_TOKEN_FILE (/it's open) can be read by other users (mode 640); close it with: chmod 600 '/it'\\''s open'",
    ]);
  });

  test.each([
    ['PAYCTL_TOKEN_FILE', 'eyJhbGciOiJFUzUxMiJ9.e30.c2ln'],
    ['PAYCTL_PRIVATE_KEY_FILE', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----'],
    ['PAYCTL_PRIVATE_KEY_FILE', Buffer.from('-----BEGIN PRIVATE KEY-----\n').toString('base64')],
  ])('a secret in %s itself is refused without being shown', (name, secret) => {
    try {
      find({ [name]: secret });
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(CredentialsError);
      expect(error).toMatchObject({
        code: 'credentials_unreadable',
        message: `${name} holds a secret instead of the path of a file`,
        hint: 'Give the path of the file that holds it, or use the variable without _FILE.',
      });
    }
    expect(
      listCredentialSources({ environment: readEnvironment({ [name]: secret }), profile: undefined }),
    ).toMatchObject([{ origin: name }]);
  });

  test('the result is a source of tokens as the auth folder takes it', () => {
    expectTypeOf<Credentials>().toExtend<TokenSource>();
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

describe('on the file system', () => {
  const directory = mkdtempSync(join(tmpdir(), 'payctl-credentials-'));
  afterAll(() => rmSync(directory, { recursive: true }));

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

  test('a file of its owner alone is read without a word', () => {
    const warnings: string[] = [];
    const path = write('closed', 'tök', 0o600);
    expect(findFile(path, warnings)).toEqual({
      kind: 'token',
      token: 'tök',
      origin: `PAYCTL_TOKEN_FILE (${path})`,
    });
    expect(warnings).toEqual([]);
  });

  test.skipIf(process.platform === 'win32').each([0o644, 0o640, 0o604, 0o620])(
    'a file of the mode %o is read with a warning',
    (mode) => {
      const warnings: string[] = [];
      const path = write('open', 'token', mode);
      expect(findFile(path, warnings)).toMatchObject({ token: 'token' });
      expect(warnings).toEqual([
        `PAYCTL_TOKEN_FILE (${path}) can be read by other users (mode ${mode.toString(8)}); close it with: chmod 600 ${path}`,
      ]);
    },
  );

  test('64 KiB are read, one byte more is refused', () => {
    expect(findFile(write('large', 'a'.repeat(65_536), 0o600))).toMatchObject({ token: 'a'.repeat(65_536) });
    const path = write('larger', 'a'.repeat(65_537), 0o600);
    expect(() => findFile(path)).toThrow(
      `PAYCTL_TOKEN_FILE (${path}) cannot be read: it is larger than 64 KiB`,
    );
  });

  test('a directory and a missing file are refused', () => {
    expect(() => findFile(directory)).toThrow(
      `PAYCTL_TOKEN_FILE (${directory}) cannot be read: it is a directory`,
    );
    const missing = join(directory, 'missing');
    expect(() => findFile(missing)).toThrow(
      `PAYCTL_TOKEN_FILE (${missing}) cannot be read: there is no such file`,
    );
  });

  test.skipIf(process.platform === 'win32')('a device without an end is refused', () => {
    expect(() => findFile('/dev/zero')).toThrow(
      'PAYCTL_TOKEN_FILE (/dev/zero) cannot be read: it is larger than 64 KiB',
    );
  });
});
