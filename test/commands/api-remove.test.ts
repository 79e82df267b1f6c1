import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { changeProfiles, setProfile } from '../../src/config/profile-writer.ts';
import { readProfiles } from '../../src/config/profiles.ts';
import { freshDirectory } from '../config/config-directory.ts';
import { get } from '../descriptions/describe.ts';
import { runInProcess } from './run-in-process.ts';

let directory = '';
beforeEach(() => {
  directory = freshDirectory();
});

async function payctl(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return await runInProcess(args, { env: { PAYCTL_CONFIG_DIR: directory, ...env } });
}

function description(title = 'T', name = 'openapi.json'): string {
  const path = join(freshDirectory(), name);
  writeFileSync(path, JSON.stringify({ ...get({ operationId: 'first' }), info: { title, version: '1' } }));
  return path;
}

const folders = () => {
  const folder = join(directory, 'data', 'descriptions');
  return existsSync(folder) ? readdirSync(folder).filter((name) => /^file-|-\d+$/.test(name)) : [];
};

const pathOf = (name = '') => join(directory, 'data', 'descriptions', name);

describe('api remove', () => {
  it('removes the description of runs without a profile, and its files at once', {
    tags: 'slow',
  }, async () => {
    await payctl(['api', 'import', description()]);
    const [folder] = folders();
    expect(await payctl(['api', 'remove', '--yes'])).toEqual({
      stdout: `profile\t\nfile\topenapi.json\ndeleted.0\t${pathOf(folder)}\n`,
      stderr: '',
      code: 0,
    });
    expect(readProfiles(directory).description).toBeUndefined();
    expect(folders()).toEqual([]);
    const list = await payctl(['api', 'list']);
    expect(list.stderr).toContain("These are the operations of payctl's own contract.");
  });

  it('removes that of the profile in use, and of no other', { tags: 'slow' }, async () => {
    await changeProfiles(directory, (all) => ({
      ...setProfile(setProfile(all, 'acme', {}), 'other', {}),
      active: 'other',
    }));
    for (const name of ['acme', 'other', 'emulator'])
      await payctl(['api', 'import', description(name), '--profile', name]);
    const left = () =>
      [...readProfiles(directory).profiles.values()]
        .filter((profile) => profile.description)
        .map(({ name }) => name)
        .sort();
    const json = async (args: readonly string[], env = {}) =>
      JSON.parse((await payctl(['api', 'remove', '-y', '-o', 'json', ...args], env)).stdout);
    expect(await json([])).toMatchObject({ profile: 'other', file: 'openapi.json' });
    expect(left()).toEqual(['acme', 'emulator']);
    expect(await json(['--profile', 'emulator'])).toMatchObject({ profile: 'emulator' });
    expect(left()).toEqual(['acme']);
    expect(await json([], { PAYCTL_PROFILE: 'acme' })).toMatchObject({ profile: 'acme' });
    expect(left()).toEqual([]);
    expect(folders()).toEqual([]);
  });

  it('keeps the files that another profile refers to, and those of a file that a variable named', async () => {
    const source = description();
    await payctl(['api', 'import', source]);
    await payctl(['api', 'import', source, '--profile', 'emulator']);
    const deleted = async (args: readonly string[]) =>
      JSON.parse((await payctl(['api', 'remove', '--yes', '--json', ...args])).stdout).deleted;
    expect(await deleted([])).toEqual([]);
    const [stored] = folders();
    await payctl(['api', 'list'], { PAYCTL_DESCRIPTION: source });
    expect(await deleted(['--profile', 'emulator'])).toEqual([
      join(directory, 'data', 'descriptions', stored ?? ''),
    ]);
    expect(folders()).toEqual([expect.stringMatching(/^file-/)]);
  });

  it('leaves alone what another run may have stored a moment ago, and removes what is old', {
    tags: 'slow',
  }, async () => {
    await payctl(['api', 'import', description('old')]);
    const [old] = folders();
    await payctl(['api', 'import', description('new'), '--yes']);
    expect(folders()).toHaveLength(2);
    const hours = new Date(Date.now() - 2 * 60 * 60 * 1000);
    await payctl(['api', 'import', description('third'), '--yes']);
    utimesSync(pathOf(old), hours, hours);
    const run = await payctl(['api', 'remove', '--yes', '--jq', '.deleted | length']);
    expect(run).toEqual({ stdout: '1\n', stderr: '', code: 0 });
    expect(folders()).toHaveLength(1);
    expect(folders()).not.toContain(old);
  });

  it('needs --yes where there is nobody to ask, and leaves everything as it is', {
    tags: 'slow',
  }, async () => {
    await payctl(['api', 'import', description()]);
    const before = readFileSync(join(directory, 'profiles.json'), 'utf8');
    expect(await payctl(['api', 'remove'])).toEqual({
      stdout: '',
      stderr:
        'Error: Nothing was removed: the description openapi.json of runs without a profile is still there (not_confirmed)\nAdd --yes to remove it without confirmation.\n',
      code: 2,
    });
    expect(readFileSync(join(directory, 'profiles.json'), 'utf8')).toBe(before);
    expect(folders()).toHaveLength(1);
  });

  it('finds an invalid expression before it removes anything', async () => {
    await payctl(['api', 'import', description()]);
    const run = await payctl(['api', 'remove', '--yes', '--jq', '.[']);
    expect(run).toMatchObject({ stdout: '', code: 2 });
    expect(readProfiles(directory).description?.file).toBe('openapi.json');
  });

  it('removes what cannot be read any more', async () => {
    await payctl(['api', 'import', description()]);
    const [folder = ''] = folders();
    writeFileSync(join(pathOf(folder), 'index.json'), '{');
    expect(await payctl(['api', 'remove', '--yes'])).toMatchObject({ stderr: '', code: 0 });
    expect(folders()).toEqual([]);
  });

  it('says that there is nothing to remove, and which profiles have a description', async () => {
    const none = 'Error: No description was imported for runs without a profile (no_description)\n';
    expect(await payctl(['api', 'remove', '--yes'])).toEqual({
      stdout: '',
      stderr: `${none}There is nothing to remove.\n`,
      code: 2,
    });
    await payctl(['api', 'import', description(), '--profile', 'emulator']);
    expect(await payctl(['api', 'remove'])).toEqual({
      stdout: '',
      stderr: `${none}There is nothing to remove. Profiles with a description: emulator.\n`,
      code: 2,
    });
    expect((await payctl(['api', 'remove', '--profile', 'nope', '--yes'])).stderr).toContain(
      '(unknown_profile)',
    );
  });

  it('says that a variable names a description all the same', async () => {
    const source = description();
    await payctl(['api', 'import', source]);
    const run = await payctl(['api', 'remove', '--yes'], { PAYCTL_DESCRIPTION: source });
    expect(run.stderr).toBe('PAYCTL_DESCRIPTION is still set: commands use the description that it names.\n');
  });

  it('profiles delete deletes the files of its description at once, too', { tags: 'slow' }, async () => {
    await changeProfiles(directory, (all) => setProfile(all, 'acme', {}));
    await payctl(['api', 'import', description(), '--profile', 'acme']);
    await payctl(['profiles', 'delete', 'acme', '--yes']);
    expect(folders()).toEqual([]);
  });
});
