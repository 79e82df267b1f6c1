import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { printedError } from '../../harness/printed-error.ts';
import { against, serve } from '../paged-service.ts';
import { quickHomes } from '../quick-homes.ts';

const { freshHome, useHome } = quickHomes();

const home = useHome();
const UPDATE = ['checkout-sessions', 'update', 's-1'];

function write(name: string, content: string | Buffer): string {
  const path = join(home.path, name);
  writeFileSync(path, content);
  return path;
}

describe('a body', () => {
  it('is sent digit for digit as it was written', async () => {
    const server = await serve((_, response) => void response.end('{"id":"s-1"}'));
    const body =
      '{"metadata":{"a":"b"},"x":[1e400,0.12345678901234567890123,-0,1.0,12345678901234567890,1E+2],"y":-1e-999}';
    const send = (...args: string[]) => home.payctl([...UPDATE, ...args, '-q'], { env: against(server) });
    expect(await send('--data', body)).toMatchObject({ code: 0, stderr: '' });
    const airline = '{"booking_code":"A","n":1.10}';
    expect(await send('--data', '{"x":1.0}', '--airline', airline)).toMatchObject({ code: 0, stderr: '' });
    expect(server.requests.map((request) => request.body)).toEqual([body, `{"x":1.0,"airline":${airline}}`]);
  });

  it.skipIf(process.platform === 'win32')('is refused with arguments that are not UTF-8', async () => {
    const server = await serve(() => {});
    const run = await home.shell(`$PAYCTL ${UPDATE.join(' ')} --metadata $'a=caf\\xe9'`, {
      env: against(server),
    });
    expect(run).toMatchObject({
      stdout: '',
      stderr:
        'Error: The argument after --metadata is not valid UTF-8: byte 6 is 0xe9 (not_utf8)\nUse a terminal and files in UTF-8. A file is converted with: iconv -f latin1 -t utf-8\n',
      code: 2,
    });
    expect(server.requests).toEqual([]);
  });

  it('may contain U+FFFD that was typed', async () => {
    const run = await home.payctl([
      ...UPDATE,
      '--metadata',
      'a=\uFFFD',
      '--dry-run',
      '--profile',
      'emulator',
    ]);
    expect(run).toMatchObject({ code: process.platform === 'linux' ? 0 : 2 });
  });

  const deep = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;

  it.each([
    ['a file', (path: string) => [...UPDATE, '--data', `@${path}`]],
    ['standard input', () => [...UPDATE, '--data', '-']],
    ['a plan', (path: string) => ['emulator', 'start', '--faults', path]],
  ])('of 20,000 levels is wrong usage: %s', async (_, args) => {
    const text = deep(20_000);
    const run = await home.payctl(args(write('deep.json', text)), {
      stdin: text,
      env: against({ origin: 'http://127.0.0.1:1' }),
    });
    expect(run).toMatchObject({ stdout: '', code: 2 });
    expect(printedError(run.stderr)).toMatchObject({ code: 'bad_json' });
  });

  it.skipIf(process.platform === 'win32')('is read from what the shell offers', async () => {
    const path = write('body.json', '{"metadata":{"a":1.0}}');
    const command = `$PAYCTL ${UPDATE.join(' ')} --dry-run --profile emulator`;
    for (const line of [
      `${command} --data @<(cat ${path})`,
      `cat ${path} | ${command} --data @/dev/stdin`,
      `${command} --data @/dev/stdin < ${path}`,
      `${command} --data @/dev/fd/7 7< ${path}`,
      `${command} --data=@~/body.json`,
      `${command} --data - < ${path}`,
    ]) {
      const run = await home.shell(line);
      expect(run, line).toMatchObject({ stderr: '', code: 0 });
      expect(run.stdout, line).toContain('\n{"metadata":{"a":1.0}}\n');
    }
  });
});

describe('a token of ten megabytes', () => {
  const token = 'x'.repeat(10_000_000);

  it.each([
    ['auth inspect', ['auth', 'inspect']],
    [
      'auth login',
      'auth login --with-token --insecure-storage --profile x --base-url http://127.0.0.1:1'.split(' '),
    ],
  ])('is refused on standard input: %s', async (_, args) => {
    const run = await home.payctl(args, { stdin: token });
    expect(run).toMatchObject({
      stdout: '',
      stderr:
        'Error: Standard input cannot be read: it is larger than 64 KiB (unreadable_file)\npayctl reads at most 64 KiB here.\n',
      code: 2,
    });
  });
});

describe('without a home directory of its own', () => {
  it.each([
    ['empty', { HOME: '', XDG_CACHE_HOME: '', XDG_CONFIG_HOME: '', XDG_DATA_HOME: '' }],
    ['relative', { HOME: 'home', XDG_CACHE_HOME: 'cache', XDG_CONFIG_HOME: '.', XDG_DATA_HOME: 'data' }],
  ])('payctl takes nothing from the working directory and leaves nothing there: %s', async (_, env) => {
    const { path, payctl } = freshHome();
    const cwd = join(path, 'work');
    mkdirSync(join(cwd, 'payctl'), { recursive: true, mode: 0o700 });
    mkdirSync(join(cwd, '.config/payctl'), { recursive: true, mode: 0o700 });
    const planted = '{"version":1,"active":"planted","profiles":{"planted":{}}}';
    for (const folder of ['payctl', '.config/payctl']) {
      writeFileSync(join(cwd, folder, 'profiles.json'), planted, { mode: 0o600 });
    }
    const before = readdirSync(cwd, { recursive: true });
    const run = await payctl(['profiles', 'list'], {
      cwd,
      env: { ...env, USERPROFILE: undefined, PAYCTL_CONFIG_DIR: undefined },
    });
    expect(run).toMatchObject({ code: 0 });
    expect(run.stdout).not.toContain('planted');
    expect(readdirSync(cwd, { recursive: true })).toEqual(before);
  });
});
