import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { UsageError } from '../../src/errors.ts';
import { makePrivateDirectory, readPrivately, writePrivately } from '../../src/files/private-files.ts';
import { freshDirectory, modeOf, thrownBy } from '../config/config-directory.ts';

const onPosix = describe.skipIf(process.platform === 'win32');
const umask = process.umask();

afterEach(() => {
  process.umask(umask);
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** Sets up a file or directory of somebody who is neither root nor whoever is asking from now on. */
function becomeStranger(path: string): void {
  const root = process.getuid?.() === 0;
  if (root) chownSync(path, 4711, 4711);
  vi.spyOn(process, 'getuid').mockReturnValue(statSync(path).uid + 1);
}

/** Lets root ask from now on for a file or directory of another user, and gives that user. */
function becomeRoot(path: string): number {
  becomeStranger(path);
  vi.spyOn(process, 'getuid').mockReturnValue(0);
  return statSync(path).uid;
}

describe('readPrivately', () => {
  it('gives the text of a file, and nothing where there is none', () => {
    const directory = freshDirectory();
    const path = join(directory, 'file');
    expect([readPrivately(path, 1000), readPrivately(join(path, 'x'), 1000)]).toEqual([undefined, undefined]);
    writeFileSync(path, '\uFEFFtök');
    expect(readPrivately(path, 1000)).toBe('tök');
  });

  it('refuses a file above the limit, and one that is not UTF-8', () => {
    const path = join(freshDirectory(), 'file');
    writeFileSync(path, Buffer.alloc(1025, 0xe9));
    expect(thrownBy(() => readPrivately(path, 1024))).toMatchObject({
      code: 'profiles_unreadable',
      message: `${path} cannot be read: it is larger than 1 KiB`,
    });
    expect(thrownBy(() => readPrivately(path, 2048))).toMatchObject({ problem: 'not_utf8' });
  });

  it('refuses a directory, a device, a link to nothing and a loop of links', () => {
    const directory = freshDirectory();
    const link = (name: string, target: string) => symlinkSync(target, join(directory, name));
    link('folder', directory);
    link('device', '/dev/null');
    link('nothing', 'missing');
    link('loop', 'loop');
    const names = ['folder', 'device', 'nothing', 'loop'];
    const errors = names.map((name) => thrownBy(() => readPrivately(join(directory, name), 1000)));
    expect(errors).toMatchObject(names.map(() => ({ code: 'profiles_unreadable' })));
    expect(errors.map((error) => String(error).replace(/.* cannot be read: /, ''))).toEqual([
      'it is a directory',
      'it is a device, not a regular file',
      'it is a symbolic link to something that does not exist',
      'it is a loop of symbolic links',
    ]);
  });

  it('refuses a file in a directory that is a link to nothing', () => {
    const link = join(freshDirectory(), 'link');
    symlinkSync('missing', link);
    const path = join(link, 'file');
    expect(thrownBy(() => readPrivately(path, 1000))).toMatchObject({
      message: `${path} cannot be read: ${link} is a symbolic link to something that does not exist`,
    });
  });
});

describe('makePrivateDirectory', () => {
  it('makes a directory, and those that it is in', () => {
    const directory = freshDirectory();
    makePrivateDirectory(join(directory, 'a', 'b'));
    expect(statSync(join(directory, 'a', 'b')).isDirectory()).toBe(true);
  });

  it('refuses where a file is in the way', () => {
    const path = join(freshDirectory(), 'file');
    writeFileSync(path, '');
    const error = thrownBy(() => makePrivateDirectory(join(path, 'a')));
    expect(error).toBeInstanceOf(UsageError);
    expect(error).toMatchObject({
      code: 'profiles_unwritable',
      message: `${join(path, 'a')} cannot be written: part of the path is not a directory`,
      hint: 'Make it writable, or set PAYCTL_CONFIG_DIR to another directory.',
    });
    expect(thrownBy(() => makePrivateDirectory(path))).toMatchObject({ code: 'profiles_unwritable' });
  });
});

describe('writePrivately', () => {
  it('writes a file in a directory that it makes, in the place of one that was there, and leaves no other', () => {
    const directory = join(freshDirectory(), 'secrets');
    const path = join(directory, 'acme.key');
    writePrivately(path, 'one');
    writePrivately(path, 'twö');
    expect([readFileSync(path, 'utf8'), readdirSync(directory)]).toEqual(['twö', ['acme.key']]);
  });

  it('leaves no draft where it fails', () => {
    const directory = freshDirectory();
    const path = join(directory, 'acme.key');
    mkdirSync(join(path, 'in the way'), { recursive: true });
    const error = thrownBy(() => writePrivately(path, 'secret'));
    expect(error).toBeInstanceOf(UsageError);
    expect(error).toMatchObject({ code: 'profiles_unwritable' });
    expect(readdirSync(directory)).toEqual(['acme.key']);
  });

  it('replaces a draft that a killed run left, whatever its mode and content', () => {
    const directory = freshDirectory();
    const path = join(directory, 'acme.key');
    writeFileSync(`${path}.${process.pid}.new`, 'a much longer secret', { mode: 0o666 });
    writePrivately(path, 'secret');
    expect([readFileSync(path, 'utf8'), readdirSync(directory)]).toEqual(['secret', ['acme.key']]);
    if (process.platform !== 'win32') expect(modeOf(path)).toBe('600');
  });

  it('follows no link that was put in the place of its draft', () => {
    const directory = freshDirectory();
    const path = join(directory, 'acme.key');
    const target = join(freshDirectory(), 'target');
    writeFileSync(target, 'before');
    symlinkSync(target, `${path}.${process.pid}.new`);
    writePrivately(path, 'secret');
    expect([readFileSync(target, 'utf8'), readFileSync(path, 'utf8')]).toEqual(['before', 'secret']);
  });

  it('replaces a file that others could read by one that they cannot, also for readers that have it open', () => {
    const directory = freshDirectory();
    const path = join(directory, 'acme.key');
    writeFileSync(path, 'one', { mode: 0o666 });
    const { ino } = statSync(path);
    writePrivately(path, 'two');
    expect(statSync(path).ino).not.toBe(ino);
    if (process.platform !== 'win32') expect(modeOf(path)).toBe('600');
  });
});

onPosix('the permissions of private files', () => {
  it.each([0o000, 0o022, 0o077])('are those of the owner alone under umask %o', (mask) => {
    const directory = join(freshDirectory(), 'secrets');
    const path = join(directory, 'acme.key');
    process.umask(mask);
    writePrivately(path, 'secret');
    expect([modeOf(directory), modeOf(path)]).toEqual(['700', '600']);
  });

  it('are those of the owner alone on every directory that has to be made', () => {
    const parent = join(freshDirectory(), 'a');
    makePrivateDirectory(join(parent, 'b'));
    expect([modeOf(parent), modeOf(join(parent, 'b'))]).toEqual(['700', '700']);
  });

  it.each([0o755, 0o750, 0o777, 0o701, 0o1777])(
    'are tightened on an empty directory of the mode %o',
    (mode) => {
      const directory = freshDirectory();
      chmodSync(directory, mode);
      makePrivateDirectory(directory);
      expect(modeOf(directory)).toBe('700');
    },
  );

  it("are tightened on a directory that holds nothing but payctl's own", () => {
    const directory = freshDirectory('{}');
    for (const name of ['profiles.json.new', 'secrets', 'data']) mkdirSync(join(directory, name));
    for (const name of ['profiles.lock', 'profiles.json.lock']) writeFileSync(join(directory, name), '');
    chmodSync(directory, 0o777);
    makePrivateDirectory(directory);
    expect(modeOf(directory)).toBe('700');
  });

  it.each([0o755, 0o750, 0o711])('are left alone on a directory of the mode %o with other things', (mode) => {
    const directory = freshDirectory('{}');
    writeFileSync(join(directory, 'profiles.json.txt'), '');
    chmodSync(directory, mode);
    makePrivateDirectory(directory);
    expect(modeOf(directory)).toBe(mode.toString(8));
  });

  it.each([0o777, 0o775, 0o757, 0o722, 0o1777])(
    'are left alone on a directory of the mode %o with other things, and it is refused',
    (mode) => {
      const directory = freshDirectory('{}');
      writeFileSync(join(directory, 'other'), '');
      chmodSync(directory, mode);
      const error = thrownBy(() => makePrivateDirectory(directory));
      expect(error).toBeInstanceOf(UsageError);
      expect(error).toMatchObject({
        code: 'profiles_exposed',
        message: `${directory} can be changed by other users`,
        hint: 'Set PAYCTL_CONFIG_DIR to a directory that only payctl uses.',
      });
      expect(statSync(directory).mode & 0o7777).toBe(mode);
    },
  );

  it('are tightened on the directory of a file that is written, whatever else it holds', () => {
    const directory = freshDirectory();
    writeFileSync(join(directory, 'other.key'), '');
    chmodSync(directory, 0o777);
    writePrivately(join(directory, 'acme.key'), 'secret');
    expect(modeOf(directory)).toBe('700');
  });

  it('are tightened where a file was open before, or a draft was left behind', () => {
    const directory = freshDirectory();
    const path = join(directory, 'acme.key');
    const draft = `${path}.${process.pid}.new`;
    for (const file of [path, draft]) {
      writeFileSync(file, 'old');
      chmodSync(file, 0o644);
    }
    writePrivately(path, 'secret');
    expect([modeOf(path), readFileSync(path, 'utf8'), readdirSync(directory)]).toEqual([
      '600',
      'secret',
      ['acme.key'],
    ]);
  });

  it('replace a link, and leave alone what it led to', () => {
    const directory = freshDirectory();
    const elsewhere = join(directory, 'elsewhere');
    const path = join(directory, 'acme.key');
    writeFileSync(elsewhere, 'mine');
    symlinkSync(elsewhere, path);
    writePrivately(path, 'secret');
    expect([readFileSync(elsewhere, 'utf8'), readFileSync(path, 'utf8')]).toEqual(['mine', 'secret']);
  });
});

onPosix('what belongs to another user', () => {
  it('is not read', () => {
    const path = join(freshDirectory(), 'file');
    writeFileSync(path, 'theirs', { mode: 0o644 });
    becomeStranger(path);
    const error = thrownBy(() => readPrivately(path, 1000));
    expect(error).toBeInstanceOf(UsageError);
    expect(error).toMatchObject({ code: 'profiles_exposed', message: `${path} belongs to another user` });
  });

  it.each([undefined, '', '1'])('is not read by root either, who was called by the user %j', (caller) => {
    const path = join(freshDirectory(), 'file');
    writeFileSync(path, 'theirs', { mode: 0o644 });
    becomeRoot(path);
    vi.stubEnv('SUDO_UID', caller);
    const error = thrownBy(() => readPrivately(path, 1000));
    expect(error).toMatchObject({ code: 'profiles_exposed', message: `${path} belongs to another user` });
  });

  it('is read by root for the user who called sudo, and not closed', () => {
    const path = join(freshDirectory(), 'file');
    writeFileSync(path, 'theirs', { mode: 0o644 });
    vi.stubEnv('SUDO_UID', String(becomeRoot(path)));
    expect(readPrivately(path, 1000)).toBe('theirs');
    expect(modeOf(path)).toBe('644');
  });

  it('is not read by somebody else who says to have been called by its owner', () => {
    const path = join(freshDirectory(), 'file');
    writeFileSync(path, 'theirs', { mode: 0o644 });
    becomeStranger(path);
    vi.stubEnv('SUDO_UID', String(statSync(path).uid));
    expect(thrownBy(() => readPrivately(path, 1000))).toMatchObject({ code: 'profiles_exposed' });
  });

  it('is not written to by root when it is a directory, but for the user who called sudo', () => {
    const directory = freshDirectory();
    const owner = becomeRoot(directory);
    const error = thrownBy(() => makePrivateDirectory(directory));
    expect(error).toMatchObject({ message: `${directory} belongs to another user` });
    vi.stubEnv('SUDO_UID', String(owner));
    makePrivateDirectory(directory);
  });

  it('is not written to when it is a directory that others may enter', () => {
    const directory = freshDirectory();
    chmodSync(directory, 0o755);
    becomeStranger(directory);
    const path = join(directory, 'acme.key');
    const error = thrownBy(() => writePrivately(path, 'secret'));
    expect(error).toBeInstanceOf(UsageError);
    expect(error).toMatchObject({
      code: 'profiles_exposed',
      message: `${directory} belongs to another user`,
      hint: 'Set PAYCTL_CONFIG_DIR to a directory of your own.',
    });
    expect([modeOf(directory), readdirSync(directory)]).toEqual(['755', []]);
  });
});
