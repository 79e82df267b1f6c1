import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ProfileCredentials } from '../../src/config/profile.ts';
import {
  deleteOrphanedSecrets,
  deleteSecret,
  deleteSecrets,
  type NewSecret,
  saveSecret,
} from '../../src/credentials/store.ts';
import { CredentialsError, UsageError } from '../../src/errors.ts';
import { failureOf } from '../client/failure-of.ts';
import { freshDirectory, modeOf } from '../config/config-directory.ts';
import { followProcess } from '../harness/follow-process.ts';
import { freshSecretService } from '../harness/secret-service.ts';

const entries = new Map<string, string>();
const keychain = vi.hoisted(() => ({ openKeychain: vi.fn() }));
vi.mock('../../src/credentials/keychain.ts', () => keychain);

beforeEach(() => {
  entries.clear();
  keychain.openKeychain.mockReset().mockResolvedValue({
    write: async (account: string, secret: string) => void entries.set(account, secret),
    remove: async (account: string) => entries.delete(account),
  });
});

const origin = 'https://api.example.com';
const KEY = { kind: 'key', secret: '-----BEGIN KEY-----\nä', origin } as const;
const TOKEN = { kind: 'token', secret: 'eyJ.e30.s', origin } as const;

/** What is stored for a secret: it remembers what it is for. */
const stored = (secret: string) => `payctl secret for ${origin}\n${secret}`;

function pathOf(kept: ProfileCredentials): string {
  return kept.storage === 'keychain' ? '' : kept.path;
}

function accountOf(kept: ProfileCredentials): string {
  return kept.storage === 'keychain' ? kept.account : '';
}

/** The names of the secrets that are kept in files. */
function filesIn(directory: string): string[] {
  return existsSync(join(directory, 'secrets')) ? readdirSync(join(directory, 'secrets')).sort() : [];
}

describe('keepSecret', () => {
  it('keeps a secret in the keychain under the name and the directory, and nothing in files', async () => {
    const directory = freshDirectory();
    const kept = await saveSecret(directory, 'acme', { ...KEY, storage: 'keychain' });
    const account = accountOf(kept);
    expect(kept).toEqual({ kind: 'key', storage: 'keychain', account });
    expect(account.replace(/[0-9a-f]{8}/, 'ID')).toBe(`acme ID (${directory})`);
    expect([...entries]).toEqual([[account, stored(KEY.secret)]]);
    expect(readdirSync(directory)).toEqual([]);
  });

  it('keeps a secret in a file where that is asked for, and opens no keychain', async () => {
    const directory = freshDirectory();
    const kept = await saveSecret(directory, 'acme', { ...TOKEN, storage: 'file' });
    const path = pathOf(kept);
    expect(kept).toEqual({ kind: 'token', storage: 'file', path });
    expect(path.replace(/[0-9a-f]{8}(?=\.token$)/, 'ID')).toBe(join(directory, 'secrets', 'acme.ID.token'));
    expect(readFileSync(path, 'utf8')).toBe(stored(TOKEN.secret));
    expect(keychain.openKeychain).not.toHaveBeenCalled();
  });

  it.each(['keychain', 'file'] as const)('leaves the older one as it is, in the %s', async (storage) => {
    const directory = freshDirectory();
    await saveSecret(directory, 'acme', { ...KEY, storage });
    await saveSecret(directory, 'acme', { kind: 'key', secret: 'new', origin, storage });
    const texts = filesIn(directory).map((file) => readFileSync(join(directory, 'secrets', file), 'utf8'));
    expect([...entries.values(), ...texts].sort()).toEqual([stored(KEY.secret), stored('new')].sort());
  });

  it.skipIf(process.platform === 'win32').each([0o000, 0o022])(
    'keeps files for the owner alone under umask %o, also in a folder that was open',
    async (mask) => {
      const directory = freshDirectory();
      const folder = join(directory, 'secrets');
      const umask = process.umask(mask);
      try {
        const first = await saveSecret(directory, 'acme', { ...KEY, storage: 'file' });
        expect([modeOf(folder), modeOf(pathOf(first))]).toEqual(['700', '600']);
        chmodSync(folder, 0o755);
        const second = await saveSecret(directory, 'acme', { ...KEY, storage: 'file' });
        expect([modeOf(folder), modeOf(pathOf(second))]).toEqual(['700', '600']);
      } finally {
        process.umask(umask);
      }
    },
  );

  it('leaves nothing in files where there is no keychain', async () => {
    const directory = freshDirectory();
    const error = new CredentialsError('keychain_unavailable', 'none');
    keychain.openKeychain.mockRejectedValue(error);
    expect(await failureOf(saveSecret(directory, 'acme', { ...KEY, storage: 'keychain' }))).toBe(error);
    expect(readdirSync(directory)).toEqual([]);
  });
});

describe('forgetSecret', () => {
  it('removes one copy and no other', async () => {
    const directory = freshDirectory();
    const old = await saveSecret(directory, 'acme', { ...KEY, storage: 'file' });
    const young = await saveSecret(directory, 'acme', { ...KEY, storage: 'file' });
    expect(await deleteSecret(old)).toBe(pathOf(old));
    expect(filesIn(directory).map((file) => join(directory, 'secrets', file))).toEqual([pathOf(young)]);
  });

  it('leaves a file that is only referred to', async () => {
    const path = join(freshDirectory(), 'own.pem');
    writeFileSync(path, 'mine');
    expect(await deleteSecret({ kind: 'key', storage: 'reference', path })).toBeUndefined();
    expect(readFileSync(path, 'utf8')).toBe('mine');
  });
});

describe('deleteSecrets', () => {
  const keep = (directory: string, storage: 'keychain' | 'file', secret: Omit<NewSecret, 'storage'>) =>
    saveSecret(directory, 'acme', { ...secret, storage });
  const forget = (directory: string, credentials?: ProfileCredentials) =>
    deleteSecrets(directory, { name: 'acme', credentials });

  it('removes the entry of the keychain', async () => {
    const directory = freshDirectory();
    const before = await keep(directory, 'keychain', KEY);
    expect(await forget(directory, before)).toEqual(['keychain']);
    expect([...entries]).toEqual([]);
  });

  it('removes every file of the profile, drafts too, and none of another profile', async () => {
    const directory = freshDirectory();
    const stray = await keep(directory, 'file', KEY);
    const before = await keep(directory, 'file', TOKEN);
    writeFileSync(`${pathOf(before)}.4711.new`, 'a draft');
    const others = [
      await saveSecret(directory, 'acme.key', { ...KEY, storage: 'file' }),
      await saveSecret(directory, 'acm', { ...KEY, storage: 'file' }),
    ];
    const removed = await forget(directory, before);
    expect(removed.toSorted()).toEqual([pathOf(before), `${pathOf(before)}.4711.new`, pathOf(stray)].sort());
    expect(filesIn(directory).map((file) => join(directory, 'secrets', file))).toEqual(
      others.map(pathOf).sort(),
    );
    expect(keychain.openKeychain).not.toHaveBeenCalled();
  });

  it('finds nothing, and needs no keychain, where there is nothing', async () => {
    expect(await forget(freshDirectory())).toEqual([]);
    expect(keychain.openKeychain).not.toHaveBeenCalled();
  });

  it('counts no entry that somebody else removed', async () => {
    const directory = freshDirectory();
    const before = await keep(directory, 'keychain', KEY);
    entries.clear();
    expect(await forget(directory, before)).toEqual([]);
  });

  it('leaves the file that the profile refers to even among the copies of payctl', async () => {
    const directory = freshDirectory();
    const path = pathOf(await keep(directory, 'file', KEY));
    expect(await forget(directory, { kind: 'key', storage: 'reference', path })).toEqual([]);
    expect(readFileSync(path, 'utf8')).toBe(stored(KEY.secret));
  });

  it('says which file cannot be removed', async () => {
    const directory = freshDirectory();
    const path = join(directory, 'secrets', 'acme.0123abcd.key');
    mkdirSync(join(path, 'in the way'), { recursive: true });
    const error = await failureOf(forget(directory));
    expect(error).toBeInstanceOf(UsageError);
    expect(error).toMatchObject({
      code: 'profiles_unwritable',
      message: `${path} cannot be written: it is a directory`,
    });
  });

  it('fails when the keychain holds a secret and cannot be asked', async () => {
    const directory = freshDirectory();
    const before = await keep(directory, 'keychain', KEY);
    const error = new CredentialsError('keychain_failed', 'locked');
    keychain.openKeychain.mockRejectedValue(error);
    expect(await failureOf(forget(directory, before))).toBe(error);
  });
});

describe('forgetStraySecrets', () => {
  it('removes what no profile names, and nothing that is not of payctl', async () => {
    const directory = freshDirectory();
    const named = await saveSecret(directory, 'acme', { ...KEY, storage: 'file' });
    const stray = await saveSecret(directory, 'gone', { ...TOKEN, storage: 'file' });
    writeFileSync(join(directory, 'secrets', 'notes.txt'), 'mine');
    const profiles = [{ name: 'acme', credentials: named }, { name: 'bare' }];
    expect(deleteOrphanedSecrets(directory, profiles)).toEqual([pathOf(stray)]);
    expect(filesIn(directory)).toEqual([basename(pathOf(named)), 'notes.txt']);
  });

  it('finds nothing where there is no folder', () => {
    expect(deleteOrphanedSecrets(freshDirectory(), [])).toEqual([]);
  });
});

describe.skipIf(process.platform !== 'linux')('the keychain of the system', () => {
  it('holds a secret from keepSecret to deleteSecrets', async () => {
    const directory = freshDirectory();
    const { env, items } = await freshSecretService();
    const run = (...args: string[]) => {
      const program = join(import.meta.dirname, 'secret-keeping.ts');
      const variables = { PATH: process.env.PATH ?? '', ...env };
      return followProcess(spawn(process.execPath, [program, directory, ...args], { env: variables })).done;
    };
    const kept = await run('keep', KEY.secret);
    expect(kept).toMatchObject({ stderr: '', code: 0 });
    const { account } = JSON.parse(kept.stdout);
    expect(JSON.parse(kept.stdout)).toEqual({ kind: 'key', storage: 'keychain', account });
    const attributes = { service: 'payctl', username: account };
    expect(items()).toMatchObject([{ attributes, secret: stored(KEY.secret) }]);
    expect(JSON.parse((await run('read', account)).stdout)).toMatchObject({ kind: 'key', pem: KEY.secret });
    expect(await run('forget', account)).toMatchObject({ stdout: '["keychain"]', stderr: '', code: 0 });
    expect(items()).toEqual([]);
    expect(await run('forget', account)).toMatchObject({ stdout: '[]', stderr: '', code: 0 });
    expect((await run('read', account)).stderr).toContain(
      'CredentialsError: The keychain no longer contains the key',
    );
  });
});
