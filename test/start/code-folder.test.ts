import { chmodSync, chownSync, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { codeFolder } from '../../src/start/code-folder.ts';
import { folderForTest } from '../harness/temporary-folder.ts';

let cache: string;
beforeEach(() => {
  cache = folderForTest();
  vi.stubEnv('XDG_CACHE_HOME', cache);
  for (const name of ['NODE_COMPILE_CACHE', 'NODE_DISABLE_COMPILE_CACHE', 'NODE_OPTIONS'])
    vi.stubEnv(name, '');
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const folder = () => codeFolder('build', '/opt/payctl/dist');

describe('the folder of compiled code', () => {
  it('is in the cache directory of the user, by Node, build, place and flags', () => {
    const first = folder() ?? '';
    const { version, arch } = process;
    expect(first.startsWith(join(cache, 'payctl', 'compiled', `node-${version}-${arch}-build-`))).toBe(true);
    expect(folder()).toBe(first);
    const others = [codeFolder('other', '/opt/payctl/dist'), codeFolder('build', '/home/me/payctl/dist')];
    vi.stubEnv('NODE_OPTIONS', '--max-old-space-size=100');
    expect(new Set([first, folder(), ...others]).size).toBe(4);
    vi.stubEnv('NODE_OPTIONS', '-x');
    const withFlag = folder();
    vi.stubEnv('NODE_OPTIONS', '');
    expect(codeFolder('build', '/opt/payctl/dist-x')).not.toBe(withFlag);
  });

  it.each(['NODE_COMPILE_CACHE', 'NODE_DISABLE_COMPILE_CACHE'])('is none where %s is set', (name) => {
    vi.stubEnv(name, '1');
    expect(folder()).toBeUndefined();
  });

  it('is none where every path is relative or empty', () => {
    for (const name of ['XDG_CACHE_HOME', 'LOCALAPPDATA', 'HOME', 'USERPROFILE'])
      vi.stubEnv(name, 'relative');
    expect(folder()).toBeUndefined();
    for (const name of ['XDG_CACHE_HOME', 'LOCALAPPDATA', 'HOME', 'USERPROFILE']) vi.stubEnv(name, '');
    expect(folder()).toBeUndefined();
  });

  it('is none where there is no place for it', () => {
    writeFileSync(join(cache, 'payctl'), '');
    expect(folder()).toBeUndefined();
  });
});

const own = () => join(cache, 'payctl');

describe.skipIf(process.platform === 'win32')('a folder that others have', () => {
  it('is not used if it belongs to somebody else, whoever runs payctl', () => {
    mkdirSync(own(), { mode: 0o700 });
    if (process.getuid?.() === 0) chownSync(own(), 4711, 4711);
    else vi.spyOn(process, 'getuid').mockReturnValue(4711);
    expect(folder()).toBeUndefined();
  });

  it('is not used, closed or emptied through a link', () => {
    const other = join(cache, 'other');
    mkdirSync(join(other, 'compiled'), { recursive: true });
    writeFileSync(join(other, 'compiled', 'precious'), '');
    chmodSync(other, 0o777);
    symlinkSync(other, own());
    expect(folder()).toBeUndefined();
    expect(statSync(other).mode & 0o777).toBe(0o777);
    expect(existsSync(join(other, 'compiled', 'precious'))).toBe(true);
  });

  const MODE_BITS = 0o7777;
  const planted = () => join(own(), 'compiled', 'planted');
  const plant = (mode: number) => {
    mkdirSync(join(own(), 'compiled'), { recursive: true });
    writeFileSync(planted(), '');
    chmodSync(own(), mode);
  };

  it.each([0o755, 0o750, 0o711, 0o704])('is closed if they could only read it: %o', (mode) => {
    plant(mode);
    expect(folder()).toBeDefined();
    expect(statSync(own()).mode & MODE_BITS).toBe(0o700);
    expect(existsSync(planted())).toBe(true);
  });

  it.each([0o720, 0o702, 0o730, 0o770, 0o775, 0o777, 0o1777])(
    'is closed, and what was in it is deleted, if they could write: %o',
    (mode) => {
      plant(mode);
      expect(folder()).toBeDefined();
      expect(statSync(own()).mode & MODE_BITS).toBe(0o700);
      expect(existsSync(planted())).toBe(false);
    },
  );

  it('is made so that nobody else can enter it', () => {
    expect(folder()).toBeDefined();
    expect(statSync(own()).mode & MODE_BITS).toBe(0o700);
  });

  it('is emptied without following a link that they have made in it', () => {
    const precious = join(cache, 'other', 'precious');
    mkdirSync(join(cache, 'other'));
    writeFileSync(precious, '');
    mkdirSync(own());
    symlinkSync(join(cache, 'other'), join(own(), 'compiled'));
    chmodSync(own(), 0o777);
    expect(folder()).toBeDefined();
    expect(existsSync(join(own(), 'compiled'))).toBe(false);
    expect(existsSync(precious)).toBe(true);
  });

  it('is closed where there is nothing in it', () => {
    mkdirSync(own());
    chmodSync(own(), 0o777);
    expect(folder()).toBeDefined();
    expect(statSync(own()).mode & MODE_BITS).toBe(0o700);
  });

  it('is not used where a link leads nowhere', () => {
    symlinkSync(join(cache, 'nowhere'), own());
    expect(folder()).toBeUndefined();
    expect(existsSync(join(cache, 'nowhere'))).toBe(false);
  });
});

describe.skipIf(process.platform === 'win32')('a cache directory that others have', () => {
  const isRoot = process.getuid?.() === 0;

  it.each([0o702, 0o707, 0o777])('holds no code where anybody can write to it: %o', (mode) => {
    chmodSync(cache, mode);
    expect(folder()).toBeUndefined();
  });

  it.each([0o700, 0o755, 0o1777, 0o1770])(
    'holds code where nobody can replace the folder in it: %o',
    (mode) => {
      chmodSync(cache, mode);
      expect(folder()).toBeDefined();
    },
  );

  it.runIf(isRoot)('holds code where the group that can write to it is that of the user alone', () => {
    chownSync(cache, 0, 4711);
    mkdirSync(own());
    chownSync(own(), 4711, 4711);
    chmodSync(cache, 0o770);
    vi.spyOn(process, 'getuid').mockReturnValue(4711);
    expect(folder()).toBeDefined();
    chmodSync(cache, 0o777);
    expect(folder()).toBeUndefined();
    chmodSync(cache, 0o700);
    chownSync(cache, 4711, 4711);
    expect(folder()).toBeDefined();
  });

  it.runIf(isRoot)('holds none where another group can write to it', () => {
    chownSync(cache, 0, 4711);
    chmodSync(cache, 0o720);
    expect(folder()).toBeUndefined();
    chmodSync(cache, 0o750);
    expect(folder()).toBeDefined();
  });

  it.runIf(isRoot)('holds none where it belongs to another user', () => {
    chownSync(cache, 4711, 0);
    chmodSync(cache, 0o755);
    expect(folder()).toBeUndefined();
  });
});

describe('the cache directory', () => {
  const { platform } = process;
  afterEach(() => Object.defineProperty(process, 'platform', { value: platform }));
  const found = (system: NodeJS.Platform, env: Record<string, string>) => {
    Object.defineProperty(process, 'platform', { value: system });
    for (const name of ['XDG_CACHE_HOME', 'LOCALAPPDATA', 'HOME', 'USERPROFILE'])
      vi.stubEnv(name, env[name] ?? '');
    return folder()
      ?.slice(cache.length + 1)
      .split(sep)
      .slice(0, -1);
  };
  const at = (...path: readonly string[]) => join(cache, ...path);

  it.each<readonly [NodeJS.Platform, () => Record<string, string>, readonly string[]]>([
    ['linux', () => ({ HOME: at('home') }), ['home', '.cache']],
    [
      'linux',
      () => ({ HOME: at('home'), LOCALAPPDATA: at('local'), XDG_CACHE_HOME: 'relative' }),
      ['home', '.cache'],
    ],
    ['linux', () => ({ HOME: at('home'), XDG_CACHE_HOME: at('xdg') }), ['xdg']],
    ['linux', () => ({ HOME: 'relative', USERPROFILE: at('me') }), ['me', '.cache']],
    ['darwin', () => ({ HOME: at('home') }), ['home', 'Library', 'Caches']],
    ['darwin', () => ({ HOME: at('home'), XDG_CACHE_HOME: at('xdg') }), ['xdg']],
    ['win32', () => ({ USERPROFILE: at('me'), LOCALAPPDATA: at('local') }), ['local']],
    ['win32', () => ({ USERPROFILE: at('me'), LOCALAPPDATA: 'relative' }), ['me', '.cache']],
  ])('follows the habits of %s', (system, env, path) => {
    expect(found(system, env())).toEqual([...path, 'payctl', 'compiled']);
  });

  it('takes no bits of a mode for what they mean elsewhere, on Windows', () => {
    chmodSync(cache, 0o777);
    mkdirSync(at('payctl'));
    chmodSync(at('payctl'), 0o777);
    expect(found('win32', { LOCALAPPDATA: cache })).toEqual(['payctl', 'compiled']);
    expect(statSync(at('payctl')).mode & 0o777).toBe(0o777);
  });
});
