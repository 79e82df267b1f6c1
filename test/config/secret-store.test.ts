import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { CredentialsError, UsageError } from '../../src/client/errors.ts';
import type { ProfileCredentials } from '../../src/config/profile.ts';
import { forgetSecrets, keepSecret, type NewSecret } from '../../src/config/secret-store.ts';
import { failureOf } from '../client/failure-of.ts';
import { followProcess } from '../helpers/follow-process.ts';
import { freshSecretService } from '../helpers/secret-service.ts';
import { freshDirectory, modeOf } from './config-directory.ts';

const entries = new Map<string, string>();
const keychain = vi.hoisted(() => ({ openKeychain: vi.fn() }));
vi.mock('../../src/config/keychain.ts', () => keychain);

beforeEach(() => {
  entries.clear();
  keychain.openKeychain.mockReset().mockResolvedValue({
    write: async (account: string, secret: string) => void entries.set(account, secret),
    remove: async (account: string) => entries.delete(account),
  });
});

const KEY = { kind: 'key', secret: '-----BEGIN KEY-----\nä' } as const;
const TOKEN = { kind: 'token', secret: 'eyJ.e30.s' } as const;

function fileOf(directory: string, kind: 'token' | 'key', name = 'acme'): string {
  return join(directory, 'secrets', `${name}.${kind}`);
}

/** The names of the secrets that are kept in files. */
function filesIn(directory: string): string[] {
  return existsSync(join(directory, 'secrets')) ? readdirSync(join(directory, 'secrets')).sort() : [];
}

describe('keepSecret', () => {
  it('keeps a secret in the keychain under the name and the directory, and nothing in files', async () => {
    const directory = freshDirectory();
    const account = `acme (${directory})`;
    expect(await keepSecret(directory, 'acme', { ...KEY, storage: 'keychain' })).toEqual({
      kind: 'key',
      storage: 'keychain',
      account,
    });
    expect([...entries]).toEqual([[account, KEY.secret]]);
    expect(readdirSync(directory)).toEqual([]);
  });

  it('keeps a secret in a file where that is asked for, and opens no keychain', async () => {
    const directory = freshDirectory();
    const path = fileOf(directory, 'token');
    expect(await keepSecret(directory, 'acme', { ...TOKEN, storage: 'file' })).toEqual({
      kind: 'token',
      storage: 'file',
      path,
    });
    expect([readFileSync(path, 'utf8'), filesIn(directory)]).toEqual([TOKEN.secret, ['acme.token']]);
    expect(keychain.openKeychain).not.toHaveBeenCalled();
  });

  it('replaces one of the same kind', async () => {
    const directory = freshDirectory();
    await keepSecret(directory, 'acme', { ...KEY, storage: 'file' });
    await keepSecret(directory, 'acme', { kind: 'key', secret: 'new', storage: 'file' });
    expect([readFileSync(fileOf(directory, 'key'), 'utf8'), filesIn(directory)]).toEqual([
      'new',
      ['acme.key'],
    ]);
  });

  it.skipIf(process.platform === 'win32').each([0o000, 0o022])(
    'keeps files for the owner alone under umask %o, also where they were open',
    async (mask) => {
      const directory = freshDirectory();
      const folder = join(directory, 'secrets');
      const path = fileOf(directory, 'key');
      const umask = process.umask(mask);
      try {
        await keepSecret(directory, 'acme', { ...KEY, storage: 'file' });
        expect([modeOf(folder), modeOf(path)]).toEqual(['700', '600']);
        chmodSync(folder, 0o755);
        chmodSync(path, 0o644);
        await keepSecret(directory, 'acme', { ...KEY, storage: 'file' });
        expect([modeOf(folder), modeOf(path)]).toEqual(['700', '600']);
      } finally {
        process.umask(umask);
      }
    },
  );

  it('leaves nothing in files where there is no keychain', async () => {
    const directory = freshDirectory();
    const error = new CredentialsError('keychain_unavailable', 'none');
    keychain.openKeychain.mockRejectedValue(error);
    expect(await failureOf(keepSecret(directory, 'acme', { ...KEY, storage: 'keychain' }))).toBe(error);
    expect(readdirSync(directory)).toEqual([]);
  });
});

describe('forgetSecrets', () => {
  const keep = (directory: string, storage: 'keychain' | 'file', secret: Omit<NewSecret, 'storage'>) =>
    keepSecret(directory, 'acme', { ...secret, storage });
  const forget = (directory: string, before?: ProfileCredentials, kept?: ProfileCredentials) =>
    forgetSecrets(directory, { name: 'acme', credentials: before }, { keep: kept });

  it('removes the entry of the keychain', async () => {
    const directory = freshDirectory();
    const before = await keep(directory, 'keychain', KEY);
    expect(await forget(directory, before)).toEqual(['keychain']);
    expect([...entries]).toEqual([]);
  });

  it('removes files of both kinds, and none of another profile', async () => {
    const directory = freshDirectory();
    await keep(directory, 'file', KEY);
    const before = await keep(directory, 'file', TOKEN);
    await keepSecret(directory, 'acme.key', { ...KEY, storage: 'file' });
    await keepSecret(directory, 'acm', { ...KEY, storage: 'file' });
    expect(await forget(directory, before)).toEqual([fileOf(directory, 'token'), fileOf(directory, 'key')]);
    expect(filesIn(directory)).toEqual(['acm.key', 'acme.key.key']);
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

  it.each([
    ['a file by the keychain', 'file', 'keychain', KEY, KEY, [], 1],
    ['the keychain by a file', 'keychain', 'file', KEY, KEY, ['acme.key'], 0],
    ['a token by a key', 'file', 'file', TOKEN, KEY, ['acme.key'], 0],
    ['a key by a token', 'file', 'file', KEY, TOKEN, ['acme.token'], 0],
    ['a file by one of the same kind', 'file', 'file', KEY, KEY, ['acme.key'], 0],
    ['an entry by another', 'keychain', 'keychain', KEY, TOKEN, [], 1],
  ] as const)(
    'leaves only the new copy when %s is replaced',
    async (_, was, is, old, young, files, entry) => {
      const directory = freshDirectory();
      const before = await keep(directory, was, old);
      const kept = await keep(directory, is, { ...young, secret: 'new' });
      await forget(directory, before, kept);
      expect([filesIn(directory), [...entries.values()]]).toEqual([files, entry === 1 ? ['new'] : []]);
      if (kept.storage === 'file') expect(readFileSync(kept.path, 'utf8')).toBe('new');
    },
  );

  it('removes an entry of the time when the directory had another name', async () => {
    const directory = freshDirectory();
    const before = { kind: 'key', storage: 'keychain', account: 'acme (/old/place)' } as const;
    entries.set(before.account, 'old');
    const kept = await keep(directory, 'keychain', KEY);
    expect(await forget(directory, before, kept)).toEqual(['keychain']);
    expect([...entries.keys()]).toEqual([`acme (${directory})`]);
  });

  it('leaves the file that a profile only refers to, before and after', async () => {
    const directory = freshDirectory();
    const path = join(directory, 'own.pem');
    writeFileSync(path, 'mine');
    const reference = { kind: 'key', storage: 'reference', path } as const;
    expect(await forget(directory, reference)).toEqual([]);
    const copy = await keep(directory, 'file', KEY);
    expect(await forget(directory, copy, reference)).toEqual([fileOf(directory, 'key')]);
    expect(readFileSync(path, 'utf8')).toBe('mine');
  });

  it('leaves a file that a profile refers to even among the copies of payctl', async () => {
    const directory = freshDirectory();
    const copy = await keep(directory, 'file', KEY);
    const reference = { kind: 'key', storage: 'reference', path: fileOf(directory, 'key') } as const;
    expect(await forget(directory, copy, reference)).toEqual([]);
    expect(await forget(directory, reference)).toEqual([]);
    expect(filesIn(directory)).toEqual(['acme.key']);
  });

  it('says which file cannot be removed', async () => {
    const directory = freshDirectory();
    const path = fileOf(directory, 'key');
    mkdirSync(join(path, 'in the way'), { recursive: true });
    const error = await failureOf(forget(directory));
    expect(error).toBeInstanceOf(UsageError);
    expect(error).toMatchObject({
      code: 'profiles_unwritable',
      message: `${path} cannot be written: ERR_FS_EISDIR`,
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

describe.skipIf(process.platform !== 'linux')('the keychain of the system', () => {
  it('holds a secret from keepSecret to forgetSecrets', async () => {
    const directory = freshDirectory();
    const { env, items } = await freshSecretService();
    const run = (...args: string[]) => {
      const program = join(import.meta.dirname, 'secret-keeping.ts');
      const variables = { PATH: process.env.PATH ?? '', ...env };
      return followProcess(spawn(process.execPath, [program, directory, ...args], { env: variables })).done;
    };
    const account = `acme (${directory})`;
    const kept = await run('keep', KEY.secret);
    expect(kept).toMatchObject({ stderr: '', code: 0 });
    expect(JSON.parse(kept.stdout)).toEqual({ kind: 'key', storage: 'keychain', account });
    const attributes = { service: 'payctl', username: account };
    expect(items()).toMatchObject([{ attributes, secret: KEY.secret }]);
    expect(JSON.parse((await run('read')).stdout)).toMatchObject({ kind: 'key', pem: KEY.secret });
    expect(await run('forget')).toMatchObject({ stdout: '["keychain"]', stderr: '', code: 0 });
    expect(items()).toEqual([]);
    expect(await run('forget')).toMatchObject({ stdout: '[]', stderr: '', code: 0 });
    expect((await run('read')).stderr).toContain('CredentialsError: The keychain no longer holds the key');
  });
});
