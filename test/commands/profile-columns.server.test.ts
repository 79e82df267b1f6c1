import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { folderForAll } from '../harness/temporary-folder.ts';
import { runInProcess } from './run-in-process.ts';
import { serviceForAll } from './service-for-all.ts';

const BUYER = { id: 'b-1', display_name: 'Ada', external_identifier: 'x-1' };

const service = serviceForAll(() => ({ body: { items: [BUYER] } }));
const folder = folderForAll();
let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(folder, 'columns-'));
});

async function run(args: readonly string[], columns?: number) {
  const env = { PAYCTL_CONFIG_DIR: directory, PAYCTL_TOKEN: 'opaque', PAYCTL_PROFILE: 'box', NO_COLOR: '1' };
  return await runInProcess(args, { env, columns });
}

const stored = () => JSON.parse(readFileSync(join(directory, 'profiles.json'), 'utf8')).profiles.box;

function store(columns: unknown) {
  const profile = { base_url: service.origin, columns };
  const document = { version: 1, profiles: { box: profile } };
  writeFileSync(join(directory, 'profiles.json'), JSON.stringify(document), { mode: 0o600 });
}

describe('the columns of a profile', () => {
  it('are set for each command by itself, and removed one by one or all at once', async () => {
    const set = async (...flags: string[]) => await run(['profiles', 'set', 'box', ...flags]);
    await set(
      '--base-url',
      service.origin,
      '--columns',
      'buyers list= NAME , id',
      '--columns=roles  list=SLUG',
    );
    expect(stored().columns).toEqual({ 'buyers list': 'NAME,id', 'roles list': 'SLUG' });
    await set('--columns', 'buyers list=ID');
    expect(stored().columns).toEqual({ 'buyers list': 'ID', 'roles list': 'SLUG' });
    const shown = await run(['profiles', 'show', '--jq', '.columns']);
    expect(shown.stdout).toBe('{"buyers list":"ID","roles list":"SLUG"}\n');
    await set('--columns', 'roles list=');
    expect(stored().columns).toEqual({ 'buyers list': 'ID' });
    await set('--unset', 'columns');
    expect(stored()).toEqual({ base_url: service.origin });
    expect((await run(['profiles', 'show', '--jq', '.columns'])).stdout).toBe('null\n');
  });

  it.each([
    ['NAME', 'bad_flag', '--columns must be COMMAND=COLUMNS, not "NAME"'],
    ['buyers list=NAME,', 'bad_flag', '--columns must be COMMAND=COLUMNS, not "buyers list=NAME,"'],
    ['buyers lst=NAME', 'bad_flag', 'Did you mean buyers list?'],
    ['=NAME', 'bad_flag', '--columns names "", which is not a command'],
    ['buyers=NAME', 'bad_flag', '--columns names "buyers", which is not a command'],
    ['profiles show=NAME', 'bad_flag', '--columns names "profiles show", which has no columns to choose'],
    ['profiles set=NAME', 'bad_flag', '--columns names "profiles set", which has no columns to choose'],
    ['buyers list=display_nam', 'unknown_column', 'Did you mean display_name?'],
  ])('are checked when they are set: %s', async (text, code, words) => {
    const {
      stdout,
      stderr,
      code: exitCode,
    } = await run(['profiles', 'set', 'box', '--profile', 'emulator', '--columns', text]);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain(`(${code})`);
    expect(stderr).toContain(words);
  });

  it('are given once for each command', async () => {
    const twice = ['--columns', 'buyers list=ID', '--columns', 'buyers list=NAME'];
    const { stderr, code } = await run(['profiles', 'set', 'box', '--profile', 'emulator', ...twice]);
    expect({ stderr, code }).toEqual({
      stderr: 'Error: --columns gives the columns of "buyers list" twice (bad_flag)\n',
      code: 2,
    });
  });

  it('are those of tables, in a pipe and on a terminal, unless --columns names others', async () => {
    store({ 'buyers list': 'EXTERNAL ID,NAME', 'roles list': 'SLUG' });
    expect((await run(['buyers', 'list'])).stdout).toBe('EXTERNAL ID\tNAME\nx-1\tAda\n');
    expect((await run(['buyers', 'list'], 80)).stdout).toBe('EXTERNAL ID  NAME\nx-1          Ada\n');
    expect((await run(['buyers', 'list', '--columns', 'id'])).stdout).toBe('ID\nb-1\n');
    const other = await run(['buyers', 'list', '--profile', 'box', '--columns', 'id']);
    expect(other.stdout).toBe('ID\nb-1\n');
  });

  it('leave what programs read as it is', async () => {
    store({ 'buyers list': 'NAME' });
    const all = JSON.stringify({ items: [BUYER] });
    expect((await run(['buyers', 'list', '--json'])).stdout).toBe(`${all}\n`);
    expect((await run(['buyers', 'list', '--jq', '.items[0].id'])).stdout).toBe('b-1\n');
    expect((await run(['buyers', 'list', '-o', 'table', '--jq', '.items'])).stdout).toBe(
      'ID\tDISPLAY NAME\tEXTERNAL IDENTIFIER\nb-1\tAda\tx-1\n',
    );
    expect((await run(['buyers', 'list', '-o', 'detail'])).stdout).toContain('external_identifier');
    expect((await run(['buyers', 'list', '-o', 'wide'])).stdout).toContain('EXTERNAL ID');
    expect((await run(['buyers', 'list', '-o', 'csv'])).stdout).toContain('external_identifier');
    expect((await run(['buyers', 'list', '--columns'])).stdout).toContain('external_identifier\tEXTERNAL ID');
  });

  it('name their profile where one of them is unknown', async () => {
    store({ 'buyers list': 'NAME,PHON' });
    expect(await run(['buyers', 'list'])).toEqual({
      stdout: '',
      stderr:
        'Error: Unknown column "PHON" of buyers list in the profile box (unknown_column)\n' +
        "Did you mean billing_details.phone_number? List the columns, then choose others with --columns or in the profile.\nTry: payctl buyers list --columns\nTry: payctl profiles set box --columns 'buyers list=COLUMNS'\n",
      code: 2,
    });
  });

  it.each([[{ 'buyers list': 1 }], [['NAME']], ['NAME']])('must be texts: %j', async (columns) => {
    store(columns);
    const { stderr, code } = await run(['buyers', 'list']);
    expect(stderr).toContain('/profiles/box/columns is not an object of strings');
    expect(code).toBe(2);
  });
});

describe('flags before the command', () => {
  const SETTINGS = ['--base-url', 'http://127.0.0.1:1', '-m', 'outlet', '--timeout=5s', '--max-retries', '1'];

  it.each([
    [['profiles', 'list']],
    [['profiles', 'show', 'emulator']],
    [['emulator', 'status']],
    [['completion', 'bash']],
  ])('are accepted by payctl %j, which does not use them', async (words) => {
    store({});
    const plain = await run(words);
    expect(plain.code).not.toBe(2);
    expect(await run([...SETTINGS, ...words])).toEqual(plain);
  });

  it('never change a profile', async () => {
    store({});
    const { stdout, code } = await run([
      ...SETTINGS,
      '-o',
      'json',
      'profiles',
      'set',
      'box',
      '--access',
      'read',
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ name: 'box', output: null, merchant_account: null });
    expect(stored()).toEqual({ base_url: service.origin, columns: {}, access: 'read' });
    const nothing = await run([...SETTINGS, 'profiles', 'set', 'box']);
    expect(nothing.stderr).toContain('(nothing_to_set)');
  });

  it('are checked all the same', async () => {
    const { stderr, code } = await run(['--timeout', 'soon', 'profiles', 'list']);
    expect(stderr).toContain('(invalid_duration)');
    expect(code).toBe(2);
  });

  it('are refused after a command that does not use them, with the way out', async () => {
    const { stderr, code } = await run(['profiles', 'list', '-m', 'outlet']);
    expect({ stderr, code }).toEqual({
      stderr:
        'Error: Unknown flag -m (unknown_flag)\n' +
        'This command does not use it: remove it. In an alias, put it before the command, where every command accepts it.\n',
      code: 2,
    });
  });
});

describe('profiles use', () => {
  const KEY = { kind: 'key', storage: 'reference', path: '/none.pem' };

  it.each([
    [
      'without credentials',
      {},
      {},
      'The profile box has no credentials. Next: payctl auth login --profile box\n',
    ],
    ['with credentials', { credentials: KEY }, {}, ''],
    ['with those of a variable', {}, { PAYCTL_TOKEN: 'opaque' }, ''],
  ])('says where a profile is %s', async (_, members, env, stderr) => {
    const document = { version: 1, profiles: { box: { base_url: service.origin, ...members } } };
    writeFileSync(join(directory, 'profiles.json'), JSON.stringify(document), { mode: 0o600 });
    const printed = await runInProcess(['profiles', 'use', 'box'], {
      env: { PAYCTL_CONFIG_DIR: directory, ...env },
    });
    expect(printed).toMatchObject({ stderr, code: 0 });
  });
});

describe('auth status', () => {
  it('takes --jq and --columns, of the record that --json gives', async () => {
    store({});
    const status = async (...flags: string[]) => await run(['auth', 'status', ...flags]);
    const { sources } = JSON.parse((await status('--json')).stdout);
    expect((await status('--jq', '.sources', '-o', 'ndjson')).stdout).toBe(`${JSON.stringify(sources)}\n`);
    expect((await status('--jq', '.profile')).stdout).toBe('box\n');
    expect((await status('--columns', 'profile,usable', '--json')).stdout).toBe(
      '{"profile":"box","usable":true}\n',
    );
    expect(await status('--jq', '][')).toMatchObject({ stdout: '', code: 2 });
  });
});

describe('the output format', () => {
  it('is that of the flag, the named profile, the variable, the active profile, the default, in this order', async () => {
    const env = { PAYCTL_CONFIG_DIR: directory, PAYCTL_TOKEN: 'opaque', PAYCTL_BASE_URL: service.origin };
    const document = {
      version: 1,
      active: 'active',
      profiles: {
        active: { output: 'csv', base_url: service.origin },
        named: { output: 'yaml', base_url: service.origin },
      },
    };
    writeFileSync(join(directory, 'profiles.json'), JSON.stringify(document), { mode: 0o600 });
    const format = async (flags: readonly string[], variable?: string) => {
      const words = ['buyers', 'list', '--columns', 'id', '--profile', 'named', ...flags];
      const args = flags.includes('active')
        ? words.filter((word) => !/^(--profile|named|active)$/.test(word))
        : words;
      return (await runInProcess(args, { env: { ...env, ...(variable ? { PAYCTL_OUTPUT: variable } : {}) } }))
        .stdout;
    };
    expect(await format(['-o', 'table'], 'ndjson')).toBe('ID\nb-1\n');
    expect(await format([], 'ndjson')).toBe('items:\n- id: b-1\n');
    expect(await format(['active'], 'ndjson')).toBe('{"id":"b-1"}\n');
    expect(await format(['active'])).toBe('id\r\nb-1\r\n');
  });
});
