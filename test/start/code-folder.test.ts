import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { codeFolder } from '../../src/start/code-folder.ts';

let cache: string;
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), 'payctl-cache-'));
  vi.stubEnv('XDG_CACHE_HOME', cache);
  for (const name of ['NODE_COMPILE_CACHE', 'NODE_DISABLE_COMPILE_CACHE', 'NODE_OPTIONS'])
    vi.stubEnv(name, '');
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(cache, { recursive: true, force: true });
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

describe.skipIf(process.platform === 'win32')('a folder that others have', () => {
  const own = () => join(cache, 'payctl');

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

  it('is closed, and what was in it is deleted if they could write', () => {
    mkdirSync(join(own(), 'compiled'), { recursive: true });
    writeFileSync(join(own(), 'compiled', 'planted'), '');
    chmodSync(own(), 0o755);
    expect(folder()).toBeDefined();
    expect(statSync(own()).mode & 0o777).toBe(0o700);
    expect(existsSync(join(own(), 'compiled', 'planted'))).toBe(true);
    chmodSync(own(), 0o777);
    expect(folder()).toBeDefined();
    expect(existsSync(join(own(), 'compiled', 'planted'))).toBe(false);
  });
});
