import { homedir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { configDirectory, dataDirectory, emulatorDirectory } from '../../src/config/environment.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

function on(platform: NodeJS.Platform): void {
  vi.spyOn(process, 'platform', 'get').mockReturnValue(platform);
}

test('PAYCTL_CONFIG_DIR is the configuration directory and holds the data', () => {
  expect(configDirectory({ configDirectory: '/etc/payctl' })).toBe(resolve('/etc/payctl'));
  expect(dataDirectory({ configDirectory: '/etc/payctl' })).toBe(resolve('/etc/payctl/data'));
  expect(emulatorDirectory({ configDirectory: '/etc/payctl' })).toBe(resolve('/etc/payctl/data/emulator'));
});

test('a relative PAYCTL_CONFIG_DIR is taken from the working directory', () => {
  expect(configDirectory({ configDirectory: 'here' })).toBe(join(process.cwd(), 'here'));
  expect(dataDirectory({ configDirectory: 'here' })).toBe(join(process.cwd(), 'here', 'data'));
});

describe.skipIf(process.platform === 'win32')('without it', () => {
  const home = homedir();
  const none = { configDirectory: undefined };

  test('Linux keeps both where the XDG specification says', () => {
    on('linux');
    vi.stubEnv('XDG_CONFIG_HOME', '');
    vi.stubEnv('XDG_DATA_HOME', '');
    expect([configDirectory(none), dataDirectory(none)]).toEqual([
      join(home, '.config/payctl'),
      join(home, '.local/share/payctl'),
    ]);
    vi.stubEnv('XDG_CONFIG_HOME', '/x/config');
    vi.stubEnv('XDG_DATA_HOME', '/x/data');
    expect([configDirectory(none), dataDirectory(none)]).toEqual(['/x/config/payctl', '/x/data/payctl']);
  });

  test.each(['relative/folder', '.', ''])('a variable of Linux that is %j is ignored', (value) => {
    on('linux');
    vi.stubEnv('XDG_CONFIG_HOME', value);
    vi.stubEnv('XDG_DATA_HOME', value);
    expect([configDirectory(none), dataDirectory(none)]).toEqual([
      join(home, '.config/payctl'),
      join(home, '.local/share/payctl'),
    ]);
  });

  test.each(['', 'relative', '.'])('HOME=%j is ignored: the system knows the home directory', (value) => {
    on('linux');
    vi.stubEnv('XDG_CONFIG_HOME', '');
    vi.stubEnv('HOME', value);
    expect(configDirectory(none)).toBe(join(userInfo().homedir, '.config/payctl'));
  });

  test('Windows keeps them where it says, and ignores a relative place', () => {
    on('win32');
    vi.stubEnv('APPDATA', '/roaming');
    vi.stubEnv('LOCALAPPDATA', 'local');
    expect([configDirectory(none), dataDirectory(none)]).toEqual([
      '/roaming/payctl/Config',
      join(home, 'AppData/Local/payctl/Data'),
    ]);
  });

  test('macOS keeps both in the Library', () => {
    on('darwin');
    expect([configDirectory(none), dataDirectory(none)]).toEqual([
      join(home, 'Library/Preferences/payctl'),
      join(home, 'Library/Application Support/payctl'),
    ]);
  });
});
