import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { changeProfiles } from '../../src/config/profile-writer.ts';
import { profilesFile, readProfiles } from '../../src/config/profiles.ts';
import { EMPTY_DOCUMENT, type ProfilesDocument } from '../../src/config/profiles-document.ts';
import { UsageError } from '../../src/errors.ts';
import { lockAlone } from '../../src/files/kernel-lock.ts';
import { failureOf } from '../client/failure-of.ts';
import { freshDirectory, modeOf } from './config-directory.ts';

const umask = process.umask();

afterEach(() => {
  process.umask(umask);
  vi.unstubAllEnvs();
});

/** A change that makes one more profile. */
function adding(name: string, members: Readonly<Record<string, unknown>> = {}) {
  return (document: ProfilesDocument): ProfilesDocument => ({
    ...document,
    profiles: { ...document.profiles, [name]: members },
  });
}

function contentOf(directory: string): unknown {
  return JSON.parse(readFileSync(profilesFile(directory), 'utf8'));
}

describe('changeProfiles', () => {
  it.each([
    ['nothing', 'missing'],
    ['itself', 'profiles.json'],
    ['a directory', '.'],
  ])('leaves a link to %s as it is', async (_, target) => {
    const directory = freshDirectory();
    symlinkSync(target, profilesFile(directory));
    const error = await failureOf(changeProfiles(directory, adding('acme')));
    expect(error).toMatchObject({ code: 'profiles_unreadable' });
    expect([readlinkSync(profilesFile(directory)), readdirSync(directory)]).toEqual([
      target,
      ['profiles.json'],
    ]);
  });

  it('writes no file that could not be read again', async () => {
    const directory = freshDirectory('{"version":1,"profiles":{}}');
    const error = await failureOf(changeProfiles(directory, adding('acme', { later: 'x'.repeat(2 ** 20) })));
    expect(error).toMatchObject({
      code: 'profiles_unwritable',
      message: `${profilesFile(directory)} cannot be written: it would be larger than 1 MiB`,
    });
    expect(contentOf(directory)).toEqual({ version: 1, profiles: {} });
  });

  it('makes the file and its directory, gives what it wrote, and leaves nothing else', async () => {
    const directory = join(freshDirectory(), 'a', 'b');
    const changed = await changeProfiles(directory, (document) => {
      expect(document).toEqual(EMPTY_DOCUMENT);
      return { ...adding('acme', { instance: 'a' })(document), active: 'acme' };
    });
    expect(changed).toEqual({ version: 1, active: 'acme', profiles: { acme: { instance: 'a' } } });
    expect(contentOf(directory)).toEqual(changed);
    expect(readdirSync(directory)).toEqual(['profiles.json']);
  });

  it.each(['', '\n', '{"version":1,"profiles":{}}'])('takes a file that holds %j for none', async (text) => {
    const directory = freshDirectory(text);
    await changeProfiles(directory, adding('acme'));
    expect(contentOf(directory)).toEqual({ version: 1, profiles: { acme: {} } });
  });

  it('keeps every member that it does not know, in the document and in profiles', async () => {
    const stored = {
      version: 1,
      toJSON: 'no function',
      later: { deep: [[{ a: null }], 1.5, 'ü\u0000'], '': true },
      active: 'acme',
      profiles: {
        acme: {
          instance: 'a',
          later: [1],
          credentials: { kind: 'key', storage: 'file', path: '/k', later: 2 },
        },
        'b.c': { 'd.e': 1 },
        constructor: { instance: 'c' },
      },
    };
    const directory = freshDirectory(JSON.stringify(stored));
    await changeProfiles(directory, adding('new'));
    expect(contentOf(directory)).toEqual({ ...stored, profiles: { ...stored.profiles, new: {} } });
  });

  it('writes a name that objects know by themselves as any other', async () => {
    const directory = freshDirectory();
    await changeProfiles(directory, adding('constructor', { instance: 'a' }));
    expect(readProfiles(directory).profiles.get('constructor')).toEqual({
      name: 'constructor',
      instance: 'a',
    });
  });

  it('follows a link, which stays one', async () => {
    const elsewhere = freshDirectory('{"version":1,"profiles":{"old":{}}}');
    const directory = freshDirectory();
    symlinkSync(profilesFile(elsewhere), profilesFile(directory));
    await changeProfiles(directory, adding('acme'));
    expect(lstatSync(profilesFile(directory)).isSymbolicLink()).toBe(true);
    expect(contentOf(elsewhere)).toEqual({ version: 1, profiles: { old: {}, acme: {} } });
    expect([readdirSync(elsewhere), readdirSync(directory)]).toEqual([['profiles.json'], ['profiles.json']]);
  });

  it('writes beside the file even where a Snap says to write in place', async () => {
    vi.stubEnv('SNAP', '/snap/x');
    const directory = freshDirectory('{"version":1,"profiles":{}}');
    const { ino } = lstatSync(profilesFile(directory));
    await changeProfiles(directory, adding('acme'));
    expect(lstatSync(profilesFile(directory)).ino).not.toBe(ino);
    expect(readdirSync(directory)).toEqual(['profiles.json']);
  });

  it('heeds nothing that a killed process left beside the file', async () => {
    const directory = freshDirectory('{"version":1,"profiles":{}}');
    const left = `${profilesFile(directory)}.new`;
    mkdirSync(left);
    for (const name of ['profiles.json', 'profiles.json.tmp-1'])
      writeFileSync(join(left, name), '{"version":');
    await changeProfiles(directory, adding('acme'));
    expect(contentOf(directory)).toEqual({ version: 1, profiles: { acme: {} } });
    expect(readdirSync(directory)).toEqual(['profiles.json']);
  });
});

describe('a change that fails', () => {
  const CONTENT = '{"version":1,  "profiles":{"a":{}}}';

  it('leaves the file as it was, and no lock', async () => {
    const directory = freshDirectory(CONTENT);
    const error = new UsageError('unknown_profile', 'no such profile');
    const failure = await failureOf(
      changeProfiles(directory, () => {
        throw error;
      }),
    );
    expect(failure).toBe(error);
    expect(readFileSync(profilesFile(directory), 'utf8')).toBe(CONTENT);
    expect(readdirSync(directory)).toEqual(['profiles.json']);
    await changeProfiles(directory, adding('b'));
    expect(contentOf(directory)).toEqual({ version: 1, profiles: { a: {}, b: {} } });
  });

  it('leaves a damaged file byte for byte, and does not begin', async () => {
    const damaged = '{"version":1,"profiles":{"a":"b"}';
    const directory = freshDirectory(damaged);
    const change = vi.fn();
    const error = await failureOf(changeProfiles(directory, change));
    expect(error).toMatchObject({
      code: 'profiles_damaged',
      message: `${profilesFile(directory)} is damaged: it is not JSON`,
    });
    expect(change).not.toHaveBeenCalled();
    expect(readFileSync(profilesFile(directory), 'utf8')).toBe(damaged);
    expect(readdirSync(directory)).toEqual(['profiles.json']);
  });

  it('is one that would write what nobody could read', async () => {
    const directory = freshDirectory(CONTENT);
    const error = await failureOf(changeProfiles(directory, adding('a', { environment: 'moon' })));
    expect(error).toEqual(new Error('/profiles/a/environment is not sandbox or production'));
    expect(readFileSync(profilesFile(directory), 'utf8')).toBe(CONTENT);
    expect(readdirSync(directory)).toEqual(['profiles.json']);
  });

  it('says so where the file cannot be written', async () => {
    const directory = freshDirectory();
    const file = profilesFile(directory);
    const failing = changeProfiles(directory, (document) => {
      mkdirSync(file);
      return document;
    });
    const error = await failureOf(failing);
    expect(error).toBeInstanceOf(UsageError);
    expect(error).toMatchObject({
      code: 'profiles_unwritable',
      message: `${file} cannot be written: it is a directory`,
    });
    expect(readdirSync(directory)).toEqual(['profiles.json']);
  });

  it('is one whose patience with another writer is at an end', { tags: 'slow' }, async () => {
    const directory = freshDirectory(CONTENT);
    const lock = lockAlone(join(directory, 'profiles.lock'));
    const error = await failureOf(changeProfiles(directory, adding('b'), { timeoutMs: 50 }));
    expect(error).toMatchObject({
      code: 'profiles_locked',
      message: 'Another payctl is changing the profiles',
      hint: 'Nothing was changed. Wait until it finishes, then run the command again.',
    });
    expect(readFileSync(profilesFile(directory), 'utf8')).toBe(CONTENT);
    lock?.release();
    await changeProfiles(directory, adding('b'));
  });
});

describe.skipIf(process.platform === 'win32')('the permissions of the profiles', () => {
  it.each([0o000, 0o022, 0o077])('are those of the owner alone under umask %o', async (mask) => {
    const directory = join(freshDirectory(), 'payctl');
    process.umask(mask);
    await changeProfiles(directory, adding('a'));
    expect([modeOf(directory), modeOf(profilesFile(directory))]).toEqual(['700', '600']);
    await changeProfiles(directory, adding('b'));
    expect([modeOf(directory), modeOf(profilesFile(directory))]).toEqual(['700', '600']);
  });

  it('are tightened on a directory and a file that others may read', async () => {
    const directory = freshDirectory('{"version":1,"profiles":{}}');
    chmodSync(directory, 0o755);
    chmodSync(profilesFile(directory), 0o644);
    await changeProfiles(directory, adding('a'));
    expect([modeOf(directory), modeOf(profilesFile(directory))]).toEqual(['700', '600']);
  });

  it('leave the file to whom it belonged', async () => {
    const directory = freshDirectory('{"version":1,"profiles":{}}');
    const file = profilesFile(directory);
    if (process.getuid?.() === 0) chownSync(file, 4711, 4712);
    const { uid, gid } = statSync(file);
    vi.stubEnv('SUDO_UID', String(uid));
    await changeProfiles(directory, adding('a'));
    expect(contentOf(directory)).toEqual({ version: 1, profiles: { a: {} } });
    expect(statSync(file)).toMatchObject({ uid, gid });
  });

  it('keep a change away from a file that others may write', async () => {
    const directory = freshDirectory('{"version":1,"profiles":{}}');
    chmodSync(profilesFile(directory), 0o666);
    expect(await failureOf(changeProfiles(directory, adding('a')))).toMatchObject({
      code: 'profiles_exposed',
    });
    expect(contentOf(directory)).toEqual({ version: 1, profiles: {} });
    expect(readdirSync(directory)).toEqual(['profiles.json']);
  });
});
