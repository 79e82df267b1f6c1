import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorObject } from '../../harness/error-object.ts';
import { lines } from '../../harness/lines.ts';
import { failed, succeeded } from '../../harness/outcome.ts';
import type { Home } from '../../harness/run-payctl.ts';
import { quickHomes } from '../quick-homes.ts';
import { UNSET_SETTINGS } from './unset-settings.ts';

const { freshHome } = quickHomes();

const SANDBOX = [
  '--base-url',
  'https://api.{id}.example.com',
  '--instance',
  'acme',
  '--environment',
  'sandbox',
];
const NOTHING = {
  environment: null,
  access: 'write',
  timeout: null,
  max_retries: null,
  base_url: null,
  instance: null,
  merchant_account: null,
  merchant_header: null,
  webhook_header_prefix: null,
  output: null,
  utc: null,
  columns: null,
  max_amounts: null,
  max_totals: null,
  approvers: null,
  proxy: null,
  ca_file: null,
  client_certificate: null,
  client_key: null,
  rsa_algorithm: null,
  description: null,
  credentials: null,
};

async function json(home: Home, ...args: string[]) {
  const run = await home.payctl([...args, '--json']);
  expect(run).toMatchObject({ stderr: '', code: 0 });
  return JSON.parse(run.stdout);
}

/** The columns of a table row: runs of blanks separate them, so that an empty cell must not be looked for. */
async function profilesFile(home: Home) {
  return JSON.parse(readFileSync(join(home.configDirectory, 'profiles.json'), 'utf8'));
}

describe('profiles set', () => {
  it('makes a profile, prints it, and says what comes next', async () => {
    const home = freshHome();
    const run = await home.payctl(['profiles', 'set', 'sandbox', ...SANDBOX, '-m', 'outlet']);
    expect(run).toEqual(
      succeeded(
        lines(
          'name\tsandbox',
          'active\tfalse',
          'environment\tsandbox',
          'access\twrite',
          'base_url\thttps://api.{id}.example.com',
          'instance\tacme',
          'merchant_account\toutlet',
          ...UNSET_SETTINGS,
          'credentials\t',
        ),
        lines('Created the profile sandbox. Next: payctl auth login --profile sandbox'),
      ),
    );
  });

  it('keeps the file to its owner, in a directory of its own', async () => {
    const home = freshHome();
    await home.payctl(['profiles', 'set', 'sandbox', ...SANDBOX]);
    const modes = [home.configDirectory, join(home.configDirectory, 'profiles.json')].map((path) =>
      (statSync(path).mode & 0o777).toString(8),
    );
    expect(modes).toEqual(['700', '600']);
  });

  it('changes what is given and leaves the rest, and --unset takes away', async () => {
    const home = freshHome();
    const more = '-m outlet --merchant-header X-Shop --header-prefix X-Shop-'.split(' ');
    await home.payctl(['profiles', 'set', 'a', ...SANDBOX, ...more]);
    const changed = await json(home, 'profiles', 'set', 'a', '--environment', 'production');
    expect(changed).toEqual({
      ...NOTHING,
      name: 'a',
      active: false,
      environment: 'production',
      base_url: 'https://api.{id}.example.com',
      instance: 'acme',
      merchant_account: 'outlet',
      merchant_header: 'x-shop',
      webhook_header_prefix: 'x-shop-',
    });
    const run = await home.payctl(
      'profiles set a --unset merchant-account --unset environment --yes'.split(' '),
    );
    expect(run.code).toBe(0);
    expect(await profilesFile(home)).toEqual({
      version: 1,
      profiles: {
        a: {
          base_url: 'https://api.{id}.example.com',
          instance: 'acme',
          merchant_header: 'x-shop',
          webhook_header_prefix: 'x-shop-',
        },
      },
    });
  });

  it.each([[['--environment', 'sandbox']], [['--unset', 'environment']]])(
    'keeps the mark production unless --yes, or a yes on a terminal: %j',
    async (change) => {
      const home = freshHome();
      await home.payctl(['profiles', 'set', 'live', '--environment', 'production']);
      const run = await home.payctl(['profiles', 'set', 'live', ...change]);
      expect(run).toEqual(
        failed(
          2,
          'Error: The profile live is still marked as production (not_confirmed)',
          'Add --yes to remove the mark without confirmation.',
        ),
      );
      const terminal = { columns: 80, withStderr: true };
      const running = home.start(['profiles', 'set', 'live', ...change], { terminal });
      await running.sees('stdout', 'The profile live is marked as production. Remove the mark? [y/N]: ');
      running.type('y\r');
      expect(await running.done).toMatchObject({ code: 0 });
      expect((await profilesFile(home)).profiles.live.environment).not.toBe('production');
    },
  );

  it('stores access, time limit and retries, and checks them', async () => {
    const home = freshHome();
    const flags = ['--access', 'read', '--timeout', '5s', '--max-retries', '0'];
    expect(await json(home, 'profiles', 'set', 'a', ...flags)).toMatchObject({
      access: 'read',
      timeout: '5s',
      max_retries: '0',
    });
    const run = await home.payctl(['profiles', 'set', 'a', '--timeout', '5']);
    expect(run).toMatchObject({ stdout: '', code: 2 });
    expect(run.stderr).toContain('--timeout is "5", which has no unit (invalid_duration)');
    await home.payctl(['profiles', 'set', 'a', '--unset', 'access', '--unset', 'timeout']);
    expect(await profilesFile(home)).toEqual({ version: 1, profiles: { a: { max_retries: '0' } } });
  });

  it('stores --output as the format of the profile', async () => {
    const home = freshHome();
    await home.payctl(['profiles', 'set', 'a', '--base-url', 'http://127.0.0.1:1', '--output', 'json']);
    await home.payctl(['profiles', 'use', 'a']);
    const run = await home.payctl(['profiles', 'show']);
    expect(JSON.parse(run.stdout)).toMatchObject({ name: 'a', output: 'json' });
  });

  it.each([
    [['a'], 'profiles set needs at least one setting (nothing_to_set)'],
    [['a', '--json'], 'profiles set needs at least one setting'],
    [['emulator', ...SANDBOX], 'The profile emulator is built in and cannot be changed (built_in_profile)'],
    [['A b', ...SANDBOX], '"A b" is not a valid profile name (invalid_profile_name)'],
    [['a', '--base-url', 'http://api.example.com'], 'which would send the token unencrypted'],
    [['a', '--instance', 'a.b'], 'The instance "a.b" cannot be part of a host name'],
    [['a', '-m', 'ü'], '--merchant-account is "ü", which is not valid in a header'],
    [['a', '--merchant-header', 'Host'], '--merchant-header is "Host", which is a reserved header'],
    [
      ['a', '--environment', 'live'],
      '--environment cannot be "live" (bad_flag)\nUse one of sandbox, production.',
    ],
    [
      ['a', '--instance', 'b', '--unset', 'instance'],
      '--instance and --unset instance cannot be used together',
    ],
    [['a', '--unset', 'name'], '--unset cannot be "name" (bad_flag)'],
  ])('refuses %j and stores nothing', async (args, message) => {
    const home = freshHome();
    const run = await home.payctl(['profiles', 'set', ...args]);
    expect(run).toMatchObject({ stdout: '', code: 2 });
    expect(run.stderr).toContain(message);
    expect(existsSync(join(home.configDirectory, 'profiles.json'))).toBe(false);
  });

  it('loses nothing when many are set at the same time', async () => {
    const home = freshHome();
    const names = Array.from({ length: 12 }, (_, index) => `p${index}`);
    const runs = await Promise.all(
      names.map((name) => home.start(['profiles', 'set', name, '--base-url', 'http://127.0.0.1:1']).done),
    );
    expect(runs.map(({ code }) => code)).toEqual(names.map(() => 0));
    expect(Object.keys((await profilesFile(home)).profiles).sort()).toEqual(names.toSorted());
  });
});

describe('the limits of a profile', () => {
  const RAISE = ['profiles', 'set', 'live', '--max-amount', 'EUR=900.00', '--yes'];

  it.each([
    ['y', 0, '900.00'],
    ['n', 2, '500.00'],
  ])('are raised by a person at a terminal alone: %s', async (typed, code, amount) => {
    const home = freshHome();
    const set = ['profiles', 'set', 'live', '--base-url', 'https://api.example.com', '--max-amount'];
    expect(await home.payctl([...set, 'EUR=500.00'])).toMatchObject({ code: 0 });
    expect(await home.payctl(RAISE)).toMatchObject({ code: 2 });
    const running = home.start(RAISE, { terminal: { columns: 120, withStderr: true } });
    await running.sees(
      'stdout',
      'Raise what one change of the profile live may move: EUR from 500.00 to 900.00? [y/N]: ',
    );
    running.type(`${typed}\r`);
    expect(await running.done).toMatchObject({ code });
    expect(await json(home, 'profiles', 'show', 'live')).toMatchObject({ max_amounts: { EUR: amount } });
  });

  it('lose the total and the approvers of plans by a person alone, in one question', async () => {
    const home = freshHome();
    const file = join(home.path, 'approvers.json');
    const { publicKey } = generateKeyPairSync('ed25519');
    writeFileSync(file, JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'anna' }] }));
    const set = ['profiles', 'set', 'live', '--base-url', 'https://api.example.com'];
    expect(await home.payctl([...set, '--approvers', file, '--max-total', 'EUR=5000.00'])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Created the profile live.'),
    });
    const unset = ['profiles', 'set', 'live', '--unset', 'approvers', '--unset', 'max-total', '--yes'];
    expect(await home.payctl(unset)).toMatchObject({ code: 2, stdout: '' });
    expect((await profilesFile(home)).profiles.live).toMatchObject({
      max_totals: { EUR: '5000.00' },
      approvers: [{ name: 'anna' }],
    });
    const running = home.start(unset, { terminal: { columns: 120, withStderr: true } });
    await running.sees(
      'stdout',
      'Remove the limits of the profile live (5000.00 EUR in total, approvers anna)? [y/N]: ',
    );
    running.type('y\r');
    expect(await running.done).toMatchObject({ code: 0 });
    expect((await profilesFile(home)).profiles.live).toEqual({ base_url: 'https://api.example.com' });
  });
});

describe('profiles list', () => {
  it('shows the built-in profile where nothing was set', async () => {
    const run = await freshHome().payctl(['profiles', 'list']);
    expect(run).toEqual(
      succeeded(
        lines(
          'ACTIVE\tNAME\tENVIRONMENT\tACCESS\tBASE URL\tINSTANCE\tMERCHANT ACCOUNT\tCREDENTIALS\tSTORED IN\tDESCRIPTION\tLIMITS\tTOTAL LIMITS\tAPPROVERS',
          'false\temulator\t\twrite\t\t\t\t\t\t\t\t\t',
        ),
      ),
    );
  });

  it('shows every profile by name and marks the active one', async () => {
    const home = freshHome();
    await home.payctl(['profiles', 'set', 'live', '--base-url', 'https://x.example.com']);
    await home.payctl(['profiles', 'set', 'dev', ...SANDBOX]);
    await home.payctl(['profiles', 'use', 'dev']);
    expect((await json(home, 'profiles', 'list')).items).toEqual([
      {
        ...NOTHING,
        name: 'dev',
        active: true,
        environment: 'sandbox',
        base_url: SANDBOX[1],
        instance: 'acme',
      },
      { ...NOTHING, name: 'emulator', active: false },
      { ...NOTHING, name: 'live', active: false, base_url: 'https://x.example.com' },
    ]);
  });

  it('marks the profile that PAYCTL_PROFILE makes active, and says so', async () => {
    const home = freshHome();
    await home.payctl(['profiles', 'set', 'dev', ...SANDBOX]);
    await home.payctl(['profiles', 'use', 'dev']);
    const options = { env: { PAYCTL_PROFILE: 'emulator' } };
    const list = ['profiles', 'list', '--jq', '.items[] | select(.active).name'];
    const run = await home.payctl(list, options);
    expect(run).toMatchObject({
      stdout: 'emulator\n',
      stderr: 'PAYCTL_PROFILE makes emulator the active profile.\n',
      code: 0,
    });
    expect(await home.payctl([...list, '--profile', 'dev'], options)).toMatchObject({
      stdout: 'dev\n',
      stderr: '',
    });
    const show = await home.payctl(['profiles', 'show', '--columns', 'name,active'], options);
    expect(show).toMatchObject({ stdout: lines('name\temulator', 'active\ttrue'), stderr: '', code: 0 });
    expect(await home.payctl(['profiles', 'show', '--jq', '.name'], options)).toMatchObject({
      stdout: 'emulator\n',
    });
    const nope = await home.payctl(['profiles', 'show'], { env: { PAYCTL_PROFILE: 'nope' } });
    expect(nope).toMatchObject({ stdout: '', code: 2 });
    expect(nope.stderr).toContain('There is no profile "nope", but PAYCTL_PROFILE names it');
  });
});

describe('profiles use', () => {
  it('makes a profile active, which commands then use and say so', async () => {
    const home = freshHome();
    await home.payctl(['profiles', 'set', 'dev', ...SANDBOX]);
    expect(await json(home, 'profiles', 'use', 'dev')).toMatchObject({ name: 'dev', active: true });
    expect(await json(home, 'profiles', 'show')).toMatchObject({ name: 'dev', active: true });
    const run = await home.payctl(['buyers', 'list', '-v'], {
      env: { PAYCTL_TOKEN: 't', PAYCTL_TIMEOUT: '1ms' },
    });
    expect(run.stderr).toContain(
      '* profile: dev (the active profile)\n* base URL: https://api.acme.example.com',
    );
  });

  it('takes the emulator too, and --none', async () => {
    const home = freshHome();
    expect(await json(home, 'profiles', 'use', 'emulator')).toMatchObject({ name: 'emulator', active: true });
    const buyers = await home.payctl(['buyers', 'list', '--limit', '1', '--jq', '.limit']);
    expect(buyers).toMatchObject({ stdout: '1\n', code: 0 });
    const run = await home.payctl(['profiles', 'use', '--none']);
    expect(run).toEqual(succeeded('', 'No profile is active now.\n'));
    expect((await home.payctl(['profiles', 'show'])).stderr).toBe(
      lines(
        'Error: No profile is active (no_active_profile)',
        'Name a profile, or set the active one: payctl profiles use NAME',
      ),
    );
  });

  it('goes back and forth with -, and refuses where no other profile was active', async () => {
    const home = freshHome();
    const back = ['profiles', 'use', '-'];
    const none = failed(
      2,
      'Error: No other profile was active before (no_previous_profile)',
      'List the names: payctl profiles list',
    );
    expect(await home.payctl(back)).toEqual(none);
    await home.payctl(['profiles', 'set', 'dev', ...SANDBOX]);
    await home.payctl(['profiles', 'use', 'dev']);
    expect(await home.payctl(back)).toEqual(none);
    await home.payctl(['profiles', 'use', 'emulator']);
    // The same again is no change.
    await home.payctl(['profiles', 'use', 'emulator']);
    expect(await json(home, ...back)).toMatchObject({ name: 'dev', active: true });
    expect(await json(home, ...back)).toMatchObject({ name: 'emulator', active: true });
    await home.payctl(['profiles', 'use', '--none']);
    expect(await json(home, ...back)).toMatchObject({ name: 'emulator', active: true });
    await home.payctl(['profiles', 'use', 'dev']);
    await home.payctl(['profiles', 'delete', 'dev', '--yes']);
    expect(await home.payctl(back)).toEqual(none);
    await home.payctl(['profiles', 'use', 'emulator']);
    expect(await home.payctl(back)).toEqual(none);
  });

  it('says when PAYCTL_PROFILE wins all the same', async () => {
    const home = freshHome();
    await home.payctl(['profiles', 'set', 'dev', ...SANDBOX]);
    const run = await home.payctl(['profiles', 'use', 'dev'], { env: { PAYCTL_PROFILE: 'emulator' } });
    expect(run.stderr).toBe(
      lines(
        'The profile dev has no credentials. Next: payctl auth login --profile dev',
        'PAYCTL_PROFILE is set and takes precedence: commands still use the profile emulator.',
      ),
    );
  });

  it('refuses an unknown name with the nearest one, and changes nothing', async () => {
    const home = freshHome();
    await home.payctl(['profiles', 'set', 'sandbox', ...SANDBOX]);
    const run = await home.payctl(['profiles', 'use', 'sandbx']);
    expect(run).toEqual(
      failed(
        2,
        'Error: There is no profile "sandbx" (unknown_profile)',
        'Did you mean sandbox? Known profiles: emulator, sandbox.',
      ),
    );
    expect(await profilesFile(home)).not.toHaveProperty('active');
  });

  it.each([[[]], [['dev', '--none']]])('takes one name or --none, not %j', async (args) => {
    const run = await freshHome().payctl(['profiles', 'use', ...args]);
    expect(run).toMatchObject({ stdout: '', code: 2 });
    expect(run.stderr).toContain('(bad_usage)');
  });
});

describe('profiles show --jq .name, for the prompt of a shell', () => {
  const NAME = ['profiles', 'show', '--jq', '.name'];

  it('prints what the program prints, which -q has do it', async () => {
    const home = freshHome();
    await home.payctl(['profiles', 'set', 'dev', ...SANDBOX]);
    await home.payctl(['profiles', 'set', 'data', '--output', 'json']);
    for (const active of ['dev', 'data', '--none']) {
      await home.payctl(['profiles', 'use', active]);
      for (const env of [
        {},
        { PAYCTL_PROFILE: 'emulator' },
        { PAYCTL_PROFILE: 'devv' },
        { PAYCTL_PROFILE: 'data' },
        { PAYCTL_OUTPUT: 'json' },
      ]) {
        expect(await home.payctl(NAME, { env })).toEqual(await home.payctl([...NAME, '-q'], { env }));
      }
    }
    const { stdout, code } = await home.payctl(NAME, { env: { PAYCTL_PROFILE: 'dev' } });
    expect({ stdout, code }).toEqual({ stdout: 'dev\n', code: 0 });
  });

  it('warns of a variable that is set and empty, and says what is wrong with a damaged file', async () => {
    const home = freshHome();
    await home.payctl(['profiles', 'use', 'emulator']);
    const empty = await home.payctl(NAME, { env: { PAYCTL_PROFILE: '' } });
    expect(empty).toMatchObject({ stdout: 'emulator\n', code: 0 });
    expect(empty.stderr).toContain('PAYCTL_PROFILE is set but empty');
    writeFileSync(join(home.configDirectory, 'profiles.json'), '{"version":1,"previous":7,"profiles":{}}');
    const damaged = await home.payctl(NAME);
    expect(damaged).toMatchObject({ stdout: '', code: 2 });
    expect(damaged.stderr).toContain('is damaged: /previous is not a string (profiles_damaged)');
  });
});

describe('an unknown profile', () => {
  it('in PAYCTL_PROFILE keeps nobody from looking which ones there are', async () => {
    const run = await freshHome().payctl(['profiles', 'list', '-o', 'csv', '--columns', 'name'], {
      env: { PAYCTL_PROFILE: 'nope' },
    });
    expect(run).toMatchObject({
      stdout: 'name\r\nemulator\r\n',
      stderr: lines('PAYCTL_PROFILE names the profile "nope", which does not exist.'),
      code: 0,
    });
  });
});

describe('profiles delete', () => {
  it('deletes with --yes, and says that no profile is active any more', async () => {
    const home = freshHome();
    await home.payctl(['profiles', 'set', 'dev', ...SANDBOX]);
    await home.payctl(['profiles', 'use', 'dev']);
    const run = await home.payctl(['profiles', 'delete', 'dev', '--yes']);
    expect(run).toEqual(
      succeeded(
        lines('name\tdev', 'deleted\ttrue', 'removed_secrets\t[]'),
        lines('It was the active profile; no profile is active now. Next: payctl profiles use NAME'),
      ),
    );
    expect(await profilesFile(home)).toEqual({ version: 1, profiles: {} });
  });

  it('asks on a terminal, and Enter means no', async () => {
    const home = freshHome();
    await home.payctl(['profiles', 'set', 'dev', ...SANDBOX]);
    const running = home.start(['profiles', 'delete', 'dev', '--no-color'], {
      terminal: { columns: 80, withStderr: true },
    });
    await running.sees('stdout', 'Delete the profile dev and its credentials? [y/N]: ');
    running.type('\r');
    const run = await running.done;
    expect(run.code).toBe(2);
    expect(run.stdout).toContain('Error: The profile dev was not deleted (not_confirmed)');
    expect((await profilesFile(home)).profiles).toHaveProperty('dev');
  });

  it('keeps a limit that was set while it asked', async () => {
    const home = freshHome();
    await home.payctl(['profiles', 'set', 'dev', ...SANDBOX]);
    const running = home.start(['profiles', 'delete', 'dev', '--no-color'], {
      terminal: { columns: 80, withStderr: true },
    });
    await running.sees('stdout', 'Delete the profile dev and its credentials? [y/N]: ');
    await home.payctl(['profiles', 'set', 'dev', '--max-amount', 'EUR=5']);
    running.type('y\r');
    const run = await running.done;
    expect(run.stdout).toContain('The profile dev was changed by another process (profile_changed)');
    expect(run.code).toBe(2);
    expect((await profilesFile(home)).profiles).toMatchObject({ dev: { max_amounts: { EUR: '5' } } });
  });

  it('needs --yes where there is nobody to ask', async () => {
    const home = freshHome();
    await home.payctl(['profiles', 'set', 'dev', ...SANDBOX]);
    const run = await home.payctl(['profiles', 'delete', 'dev']);
    expect(run).toEqual(
      failed(
        2,
        'Error: The profile dev was not deleted (not_confirmed)',
        'Add --yes to delete it without confirmation.',
      ),
    );
  });
});

describe('a file that holds nonsense', () => {
  it.each([
    [
      'an active profile that is not there',
      '{"version":1,"active":"gone","profiles":{"dev":{}}}',
      ['use', '--none'],
    ],
    [
      'an output format that there is not',
      '{"version":1,"active":"dev","profiles":{"dev":{"output":"xml"}}}',
      ['set', 'dev', '--unset', 'output'],
    ],
  ])('can be looked at and mended: %s', async (_, text, cure) => {
    const home = freshHome();
    await home.payctl(['profiles', 'set', 'dev', ...SANDBOX]);
    writeFileSync(join(home.configDirectory, 'profiles.json'), text);
    const list = await home.payctl(['profiles', 'list', '-o', 'csv', '--columns', 'name', '--no-header']);
    expect(list).toMatchObject({ stdout: 'dev\r\nemulator\r\n', stderr: '', code: 0 });
    expect(await home.payctl(['buyers', 'list'])).toMatchObject({ stdout: '', code: 2 });
    expect(await home.payctl(['profiles', ...cure])).toMatchObject({ code: 0 });
    expect(await home.payctl(['profiles', 'list'])).toMatchObject({ code: 0 });
  });
});

describe('the file of the profiles', () => {
  async function withFile(text: string, mode = 0o600): Promise<{ home: Home; file: string }> {
    const home = freshHome();
    await home.payctl(['profiles', 'set', 'dev', ...SANDBOX]);
    const file = join(home.configDirectory, 'profiles.json');
    writeFileSync(file, text);
    chmodSync(file, mode);
    return { home, file };
  }

  it.each([
    [['buyers', 'list']],
    [['profiles', 'set', 'a', '--instance', 'b']],
    [['profiles', 'use', 'dev']],
    [['auth', 'status']],
  ])('is named and kept when it is damaged: %j', async (args) => {
    const { home, file } = await withFile('{"version":1,"profiles":{"dev":');
    const run = await home.payctl(args);
    expect(run).toEqual(
      failed(
        2,
        `Error: ${file} is damaged: it is not JSON (profiles_damaged)`,
        'Repair the file, or move it away and create the profiles again. payctl does not change it.',
      ),
    );
    expect(readFileSync(file, 'utf8')).toBe('{"version":1,"profiles":{"dev":');
  });

  it('is closed to others when they may read it', async () => {
    const { home, file } = await withFile('{"version":1,"profiles":{}}', 0o644);
    expect((await home.payctl(['profiles', 'list'])).code).toBe(0);
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
  });

  it('is refused when others may change it', async () => {
    const { home, file } = await withFile('{"version":1,"profiles":{}}', 0o666);
    const run = await home.payctl(['buyers', 'list', '--json']);
    expect(run).toMatchObject({ stdout: '', code: 2 });
    expect(errorObject(run.stderr)).toMatchObject({
      code: 'profiles_exposed',
      message: `${file} can be changed by other users`,
      hint: `Check that its content is yours, then restrict it: chmod go-rwx ${file}`,
    });
    expect((statSync(file).mode & 0o777).toString(8)).toBe('666');
  });
});
