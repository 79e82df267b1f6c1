import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readProfiles } from '../../../src/config/profiles.ts';
import { checkConfiguration } from '../../../src/features/doctor/configuration.ts';
import { folderForTest } from '../../harness/temporary-folder.ts';

type Stored = Readonly<Record<string, object>>;

/** A configuration directory as payctl makes it, with one key of its own. */
function configuration(profiles: Stored = { acme: {} }): string {
  const directory = join(folderForTest(), 'payctl');
  mkdirSync(join(directory, 'secrets'), { recursive: true });
  chmodSync(directory, 0o700);
  chmodSync(join(directory, 'secrets'), 0o700);
  writeFileSync(join(directory, 'profiles.json'), JSON.stringify({ version: 1, profiles }), { mode: 0o600 });
  writeFileSync(join(directory, 'secrets/acme.key'), 'key', { mode: 0o600 });
  return directory;
}

const check = (directory: string) => checkConfiguration(directory, () => readProfiles(directory));

describe('a configuration', () => {
  it('is good when only its owner may reach it', () => {
    const directory = configuration({ acme: {}, live: {} });
    const file = join(directory, 'profiles.json');
    const { result, profiles } = check(directory);
    expect(result).toEqual({
      state: 'pass',
      message: `2 profiles in ${file}, private`,
      facts: { file, profiles: 2, open: [] },
    });
    expect([...(profiles?.profiles.keys() ?? [])]).toEqual(['acme', 'live', 'emulator']);
  });

  it('is good when there is none, however open the directory', () => {
    const directory = join(configuration(), 'elsewhere');
    const file = join(directory, 'profiles.json');
    const facts = { file, profiles: 0, open: [] };
    expect(check(directory).result).toEqual({ state: 'pass', message: 'no profiles yet', facts });
    mkdirSync(directory, { mode: 0o755 });
    expect(check(directory).result.state).toBe('pass');
  });

  it('is warned of with each path that others may reach, and the command that closes all', () => {
    const directory = configuration({
      acme: { credentials: { kind: 'key', storage: 'reference', path: '/nowhere/key.pem' } },
    });
    const key = join(directory, 'my key.pem');
    writeFileSync(key, 'key', { mode: 0o600 });
    chmodSync(key, 0o644);
    const credentials = { kind: 'key', storage: 'reference', path: key };
    const stored = JSON.stringify({ version: 1, profiles: { acme: { credentials } } });
    writeFileSync(join(directory, 'profiles.json'), stored, { mode: 0o600 });
    chmodSync(directory, 0o755);
    chmodSync(join(directory, 'secrets/acme.key'), 0o640);
    expect(check(directory).result).toEqual({
      state: 'warn',
      message: `1 profile in ${directory}/profiles.json; other users can access ${directory} (755), ${directory}/secrets/acme.key (640), ${key} (644)`,
      remedy: `chmod 700 ${directory} && chmod 600 ${directory}/secrets/acme.key '${key}'`,
      facts: {
        file: `${directory}/profiles.json`,
        profiles: 1,
        open: [
          { path: directory, mode: '755' },
          { path: `${directory}/secrets/acme.key`, mode: '640' },
          { path: key, mode: '644' },
        ],
      },
    });
  });

  it('is warned of when its file was open until it was read', () => {
    const directory = configuration();
    const file = join(directory, 'profiles.json');
    chmodSync(file, 0o644);
    expect(check(directory).result).toEqual({
      state: 'warn',
      message: `1 profile in ${file}; other users could access ${file} (644), which payctl has just made private`,
      remedy: undefined,
      facts: { file, profiles: 1, open: [{ path: file, mode: '644' }] },
    });
    expect(check(directory).result.state).toBe('pass');
  });

  it('fails when its file is damaged, and goes on without profiles', () => {
    const directory = configuration();
    const file = join(directory, 'profiles.json');
    writeFileSync(file, '{"version": 1, "profiles": {');
    const { result, profiles } = check(directory);
    expect(result).toEqual({
      state: 'fail',
      message: `${file} is damaged: it is not JSON`,
      remedy: 'Repair the file, or move it away and create the profiles again. payctl does not change it.',
      facts: { file, profiles: null, open: [] },
    });
    expect(profiles).toBeUndefined();
  });

  it('is a fault when others can change its file', () => {
    const directory = configuration();
    const file = join(directory, 'profiles.json');
    chmodSync(file, 0o666);
    expect(check(directory).result).toMatchObject({
      state: 'fail',
      message: `${file} can be changed by other users`,
      remedy: `Check that its content is yours, then restrict it: chmod go-rwx ${file}`,
      facts: { open: [{ path: file, mode: '666' }] },
    });
  });

  it('leaves a fault of payctl itself to be reported as one', () => {
    const broken = () => {
      throw new TypeError('oops');
    };
    expect(() => checkConfiguration(configuration(), broken)).toThrow('oops');
  });
});
