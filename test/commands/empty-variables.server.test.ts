import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { folderForAll } from '../harness/temporary-folder.ts';
import { runInProcess } from './run-in-process.ts';
import { serviceForAll } from './service-for-all.ts';

const directory = folderForAll();
const secret = join(directory, 'token');
const service = serviceForAll(() => ({ body: { items: [{ id: 'b-1' }] } }));
beforeAll(() => {
  writeFileSync(secret, 'opaque', { mode: 0o600 });
  const { origin } = service;
  const credentials = { kind: 'token', storage: 'reference', path: secret, origin };
  const document = { version: 1, active: 'acme', profiles: { acme: { base_url: origin, credentials } } };
  writeFileSync(join(directory, 'profiles.json'), JSON.stringify(document), { mode: 0o600 });
});

const run = (env: Record<string, string>, ...flags: string[]) =>
  runInProcess(['buyers', 'list', '--columns', 'id', '--no-header', ...flags], {
    env: { PAYCTL_CONFIG_DIR: directory, ...env },
  });

describe('a PAYCTL_PROFILE that is set and empty', () => {
  it('counts as not set, and says which profile is used instead', async () => {
    expect(await run({ PAYCTL_PROFILE: '' })).toEqual({
      stdout: 'b-1\n',
      stderr: 'PAYCTL_PROFILE is set but empty, so it is ignored; the profile acme is used.\n',
      code: 0,
    });
    const other = { PAYCTL_CONFIG_DIR: '/none', PAYCTL_BASE_URL: service.origin, PAYCTL_TOKEN: 'opaque' };
    expect((await run({ PAYCTL_PROFILE: '', ...other })).stderr).toBe(
      'PAYCTL_PROFILE is set but empty, so it is ignored; no profile is used.\n',
    );
  });

  it.each([
    [['profiles', 'list']],
    [['profiles', 'show']],
    [['auth', 'status']],
    [['auth', 'logout', '--profile', 'emulator']],
    [['api', 'list']],
    [['api', 'show', 'listRoles']],
    [['api', 'import', '/none/openapi.json']],
    [['api', 'remove', '--yes']],
    [['doctor']],
  ])('is told once by commands that send nothing, too: %j', async (argv) => {
    const { stderr } = await runInProcess(argv, {
      env: { PAYCTL_CONFIG_DIR: directory, PAYCTL_PROFILE: '' },
    });
    const told = stderr
      .split('\n')
      .filter(
        (line) => line === 'PAYCTL_PROFILE is set but empty, so it is ignored; the profile acme is used.',
      );
    expect(told).toHaveLength(argv.includes('--profile') ? 0 : 1);
  });

  it('does not matter where a profile is named', async () => {
    expect(await run({ PAYCTL_PROFILE: '' }, '--profile', 'acme')).toMatchObject({ stderr: '', code: 0 });
  });
});

describe('a variable of credentials that is set and empty', () => {
  it('counts as not set, and says whose credentials are used instead', async () => {
    expect(await run({ PAYCTL_TOKEN: '' })).toEqual({
      stdout: 'b-1\n',
      stderr: `PAYCTL_TOKEN is set but empty, so it is ignored; the token from profile acme (${secret}) is used.\n`,
      code: 0,
    });
    const { stderr } = await run({ PAYCTL_TOKEN: '', PAYCTL_PRIVATE_KEY: '' }, '-o', 'ndjson');
    expect(JSON.parse(stderr).warning).toEqual({
      code: 'empty_variable',
      message: `PAYCTL_TOKEN and PAYCTL_PRIVATE_KEY are set but empty, so they are ignored; the token from profile acme (${secret}) is used.`,
      variables: ['PAYCTL_TOKEN', 'PAYCTL_PRIVATE_KEY'],
    });
  });

  it('is told where there are no other credentials', async () => {
    const { stderr, code } = await run({
      PAYCTL_PRIVATE_KEY: '',
      PAYCTL_CONFIG_DIR: '/none',
      PAYCTL_BASE_URL: service.origin,
    });
    expect(stderr).toContain('PAYCTL_PRIVATE_KEY is set but empty, so it is ignored.\n');
    expect(stderr).toContain('(no_credentials)');
    expect(code).toBe(3);
  });

  it('is told by commands that only look at credentials, too', async () => {
    for (const words of [['auth', 'status'], ['auth', 'token'], ['doctor']]) {
      const { stderr } = await runInProcess(words, {
        env: { PAYCTL_CONFIG_DIR: directory, PAYCTL_TOKEN: '' },
      });
      expect(stderr).toContain('PAYCTL_TOKEN is set but empty');
    }
  });

  it.each([
    ['a variable before it gives credentials', { PAYCTL_TOKEN: 'opaque', PAYCTL_PRIVATE_KEY: '' }, []],
    ['a file of a variable before it does', { PAYCTL_TOKEN_FILE: secret, PAYCTL_PRIVATE_KEY_FILE: '' }, []],
    ['--profile names the credentials', { PAYCTL_TOKEN: '' }, ['--profile', 'acme']],
    ['--quiet is given', { PAYCTL_TOKEN: '' }, ['-q']],
  ])('is not told where %s', async (_, env, flags) => {
    expect(await run(env, ...flags)).toEqual({ stdout: 'b-1\n', stderr: '', code: 0 });
  });
});
