import { randomInt } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorObject } from '../harness/error-object.ts';
import type { Run } from '../harness/follow-process.ts';
import type { Handler, TestServer } from '../harness/http-server.ts';
import { printedError, WORDS } from '../harness/printed-error.ts';
import type { Home } from '../harness/run-payctl.ts';
import { against, answeringBuyers, serve, serveBuyers } from './paged-service.ts';
import { quickHomes } from './quick-homes.ts';

const { freshHome, useHome } = quickHomes();

const home = useHome();
const REFUSED = '{"type":"error","code":"bad_request","status":400,"message":"Generic error","details":[]}';
const refuse: Handler = (_, response) => void response.writeHead(400).end(REFUSED);
const ALL = ['buyers', 'list', '--all', '--limit', '2'];

/** Runs payctl in the folder of its home. */
function runIn({ payctl, path }: Home, server: TestServer, args: readonly string[]): Promise<Run> {
  return payctl(args, { env: against(server), cwd: path });
}

/** What a run prints, for a file that must be the same. */
async function printed(server: TestServer, args: readonly string[]): Promise<string> {
  const { stdout, code } = await runIn(home, server, args);
  expect(code).toBe(0);
  return stdout;
}

const textOf = (path: string, name: string) => readFileSync(join(path, name), 'utf8');

describe('a list in a file', () => {
  it.each(['table', 'wide', 'csv', 'ndjson', 'markdown', 'detail', 'json', 'yaml'])(
    'has the bytes that stdout would have: %s',
    async (format) => {
      const user = freshHome();
      const server = await serveBuyers(7);
      const list = [...ALL, '-o', format];
      const run = await runIn(user, server, [...list, '--output-file', 'buyers']);
      expect(run).toMatchObject({ stdout: '', code: 0 });
      expect(textOf(user.path, 'buyers')).toBe(await printed(server, list));
      expect(readdirSync(user.path)).not.toContainEqual(expect.stringContaining('.part'));
    },
  );

  it('says what it wrote, and how to get the rest of a list that was cut', async () => {
    const user = freshHome();
    const server = await serveBuyers(7);
    const whole = await runIn(user, server, [...ALL, '-o', 'csv', '--output-file', 'all.csv']);
    expect(whole.stderr).toBe('Wrote 7 items to all.csv.\n');
    const one = ['buyers', 'list', '--limit', '2', '-o', 'csv', '--output-file', 'one.csv'];
    const cut = await runIn(user, server, one);
    const rest = 'payctl buyers list --limit 2 -o csv --output-file one.csv --all --overwrite';
    expect(cut).toMatchObject({
      stderr: `There are more buyers after these 2. All of them: ${rest}\nWrote 2 items to one.csv.\n`,
      code: 0,
    });
    expect(await runIn(user, server, rest.split(' ').slice(1))).toMatchObject({ code: 0 });
    expect(textOf(user.path, 'one.csv')).toBe(textOf(user.path, 'all.csv'));
  });

  it('goes to stdout with -', async () => {
    const server = await serveBuyers(3);
    const run = await runIn(home, server, [...ALL, '-o', 'csv', '--output-file', '-']);
    expect(run).toMatchObject({ stdout: await printed(server, [...ALL, '-o', 'csv']), code: 0 });
  });

  it.each([
    ['a file that exists', 'file_exists', (path: string) => writeFileSync(path, 'old')],
    ['a folder', 'file_unwritable', (path: string) => mkdirSync(path)],
  ])('is refused in the place of %s, before anything is sent', async (_, code, make) => {
    const user = freshHome();
    make(join(user.path, 'f'));
    const server = await serveBuyers(3);
    const run = await runIn(user, server, [...ALL, '--output-file', 'f']);
    expect(run).toMatchObject({ stdout: '', code: 2 });
    expect(printedError(run.stderr)).toMatchObject({ code, hints: [WORDS] });
    expect(server.requests).toEqual([]);
  });

  it.runIf(process.getuid?.() !== 0 && process.platform !== 'win32')(
    'is refused in a folder that cannot be written (root can write to every one)',
    async () => {
      const user = freshHome();
      mkdirSync(join(user.path, 'closed'));
      chmodSync(join(user.path, 'closed'), 0o500);
      const server = await serveBuyers(3);
      const run = await runIn(user, server, [...ALL, '--output-file', 'closed/f']);
      expect(printedError(run.stderr)).toMatchObject({
        code: 'file_unwritable',
        message: '"closed/f" cannot be written: permission denied',
      });
      expect(server.requests).toEqual([]);
    },
  );
});

describe('a run that fails on its third page', () => {
  it.each(['csv', 'ndjson', 'table', 'markdown'])(
    'leaves what came, and its command completes the file: %s',
    async (format) => {
      const user = freshHome();
      const server = await serveBuyers(7, { 3: refuse });
      const list = [...ALL, '-o', format];
      const failed = await runIn(user, server, [...list, '--output-file', 'buyers']);
      expect(failed).toMatchObject({ stdout: '', code: 6 });
      expect(existsSync(join(user.path, 'buyers'))).toBe(false);
      const command = `payctl ${list.join(' ')} --output-file buyers --resume`;
      const message = 'Generic error; "buyers.part" has 2 pages (4 items)';
      if (format === 'ndjson')
        expect(errorObject(failed.stderr)).toMatchObject({ message, resume_command: command });
      else expect(printedError(failed.stderr)).toMatchObject({ message, resume: [command] });
      const rest = await runIn(user, server, command.split(' ').slice(1));
      expect(rest).toMatchObject({ stdout: '', code: 0 });
      expect(server.requests.at(-2)?.url).toBe('/buyers?cursor=from-4&limit=2');
      expect(textOf(user.path, 'buyers')).toBe(await printed(server, list));
    },
  );

  it('says how to begin again where the service refuses the cursor of the part', async () => {
    const user = freshHome();
    const server = await serveBuyers(7, { 3: refuse, 4: refuse });
    const list = [...ALL, '-o', 'csv', '--output-file', 'f'];
    expect(printedError((await runIn(user, server, list)).stderr).hints).toBeUndefined();
    const stuck = await runIn(user, server, [...list, '--resume']);
    expect(printedError(stuck.stderr)).toMatchObject({
      message: 'Generic error; "f.part" has 2 pages (4 items)',
      hints: [
        'If the service no longer accepts the cursor of the part, begin again: replace --resume with --overwrite.',
      ],
    });
  });

  it('leaves an existing file alone until the list is whole', async () => {
    const user = freshHome();
    const server = await serveBuyers(7, { 3: refuse });
    writeFileSync(join(user.path, 'f'), 'yesterday');
    const list = [...ALL, '-o', 'csv', '--output-file', 'f', '--overwrite'];
    const failed = await runIn(user, server, list);
    expect(textOf(user.path, 'f')).toBe('yesterday');
    const [command = ''] = printedError(failed.stderr).resume ?? [];
    expect(await runIn(user, server, command.split(' ').slice(1))).toMatchObject({ code: 0 });
    expect(textOf(user.path, 'f')).toBe(await printed(server, [...ALL, '-o', 'csv']));
  });

  it.each(['json', 'yaml', 'detail'])('leaves nothing of a document: %s', async (format) => {
    const user = freshHome();
    const server = await serveBuyers(7, { 3: refuse });
    const run = await runIn(user, server, [...ALL, '-o', format, '--output-file', 'f']);
    expect(run).toMatchObject({ stdout: '', code: 6 });
    expect(run.stderr).not.toContain('--resume');
    expect(readdirSync(user.path)).not.toContainEqual(expect.stringMatching(/^f/));
    const resumed = await runIn(user, server, [...ALL, '-o', format, '--output-file', 'f', '--resume']);
    expect(resumed).toMatchObject({ code: 2 });
    expect(resumed.stderr).toContain('cannot_resume');
  });

  it.each([
    ['--search: then not given, now "x"', '--all -o csv --search x'],
    ['--columns: then "', '--all -o csv --columns id'],
    ['the format: then "csv", now "ndjson"', '--all -o ndjson'],
    ['--limit: then not given, now "3"', '--all -o csv --limit 3'],
    ['the merchant account: then not given, now "eu"', '--all -o csv -m eu'],
    ['--bom: then not given, now given', '--all -o csv --bom'],
    ['--all: then given, now not given', '-o csv'],
  ])('does not continue another list: %s', async (difference, flags) => {
    const user = freshHome();
    const server = await serveBuyers(300, { 3: refuse });
    await runIn(user, server, ['buyers', 'list', '--all', '-o', 'csv', '--output-file', 'f']);
    const part = textOf(user.path, 'f.part');
    const requests = server.requests.length;
    const other = ['buyers', 'list', ...flags.split(' '), '--output-file', 'f', '--resume'];
    const run = await runIn(user, server, other);
    expect(run).toMatchObject({ stdout: '', code: 2 });
    expect(run.stderr).toContain('part_differs');
    expect(run.stderr.replaceAll('\\"', '"')).toContain(difference);
    expect(server.requests).toHaveLength(requests);
    expect(textOf(user.path, 'f.part')).toBe(part);
  });

  it('does not continue at another address', async () => {
    const user = freshHome();
    const list = [...ALL, '-o', 'csv', '--output-file', 'f'];
    await runIn(user, await serveBuyers(7, { 3: refuse }), list);
    const other = await serveBuyers(7);
    const run = await runIn(user, other, [...list, '--resume']);
    expect(printedError(run.stderr).message).toContain('the base URL: then "http://');
    expect(other.requests).toEqual([]);
  });

  it('is replaced only when told to', async () => {
    const user = freshHome();
    const server = await serveBuyers(7, { 3: refuse });
    const list = [...ALL, '-o', 'csv', '--output-file', 'f'];
    await runIn(user, server, list);
    const refused = await runIn(user, server, list);
    expect(printedError(refused.stderr)).toEqual({
      code: 'part_exists',
      message: '"f.part" holds what an earlier run wrote',
      hints: ['Add --resume to continue it, or --overwrite to begin again.'],
    });
    expect(await runIn(user, server, [...list, '--overwrite'])).toMatchObject({ code: 0 });
    expect(textOf(user.path, 'f')).toBe(await printed(server, [...ALL, '-o', 'csv']));
  });
});

describe('a file that is interrupted', () => {
  const LIST = ['buyers', 'list', '--all', '--limit', '3'];

  /** Runs a list to its end; each of some runs is ended by a signal at a random request. */
  async function interruptedRuns(user: Home, flags: readonly string[], signals: readonly NodeJS.Signals[]) {
    let left = 0;
    let end = () => {};
    const buyers = answeringBuyers(100);
    const server = await serve((request, response) => {
      left -= 1;
      if (left !== 0) return buyers(request, response);
      // Before the response, in the middle of it or after it.
      if (randomInt(2) === 0) end();
      buyers(request, response);
      setTimeout(() => end(), randomInt(20));
    });
    const list = [...LIST, ...flags, '--output-file', 'f', '--resume'];
    const options = { env: against(server), cwd: user.path };
    for (const signal of signals) {
      left = 1 + randomInt(8);
      const running = user.start(list, options);
      end = () => running.kill(signal);
      await running.done;
      if (existsSync(join(user.path, 'f'))) break;
    }
    left = 0;
    // The signal may have come after the last page, before the part was removed.
    const isWhole = existsSync(join(user.path, 'f'));
    const last = await user.payctl(isWhole ? [...list.slice(0, -1), '--overwrite'] : list, options);
    return { last, server };
  }

  it.each(['csv --bom', 'ndjson', 'table'])('by signals has each page once: %s', async (format) => {
    const user = freshHome();
    const flags = ['-o', ...format.split(' ')];
    // What a killed run wrote after the record of the run before it is cut off.
    const signals = ['SIGTERM', 'SIGKILL', 'SIGTERM', 'SIGKILL', 'SIGKILL', 'SIGINT', 'SIGKILL'] as const;
    const { last, server } = await interruptedRuns(user, flags, signals);
    expect(last, last.stderr).toMatchObject({ code: 0 });
    expect(textOf(user.path, 'f')).toBe(await printed(server, [...LIST, ...flags]));
    expect(readdirSync(user.path)).not.toContainEqual(expect.stringContaining('.part'));
  });

  it('is written by one process at a time, and a killed one is no hindrance', async () => {
    const user = freshHome();
    let third: (() => void) | undefined;
    const waits = new Promise<void>((resolve) => {
      third = resolve;
    });
    const server = await serveBuyers(7, { 3: () => third?.() });
    const list = [...ALL, '-o', 'csv', '--output-file', 'f'];
    const running = user.start(list, { env: against(server), cwd: user.path });
    await waits;
    for (const flags of [[], ['--resume'], ['--overwrite']]) {
      const second = await runIn(user, server, [...list, ...flags]);
      expect(second).toMatchObject({ stdout: '', code: 2 });
      expect(printedError(second.stderr)).toEqual({
        code: 'file_in_use',
        message: 'Another payctl is writing "f"',
        hints: ['Wait until it ends, or choose another name.'],
      });
    }
    running.kill('SIGKILL');
    await running.done;
    expect(await runIn(user, server, [...list, '--resume'])).toMatchObject({ code: 0 });
    expect(textOf(user.path, 'f')).toBe(await printed(server, [...ALL, '-o', 'csv']));
  });

  // A shell that limits the size of files stands for a disk that is full.
  it.runIf(process.platform === 'linux')('by a full disk is completed when there is room', async () => {
    const user = freshHome();
    const server = await serveBuyers(200);
    const list = 'buyers list --all --limit 10 -o csv';
    const options = { env: against(server), cwd: user.path };
    const full = await user.shell(`ulimit -f 16; $PAYCTL ${list} --output-file f`, options);
    const error = printedError(full.stderr);
    expect({ ...error, status: full.code }).toEqual({
      code: 'file_unwritable',
      message: expect.stringMatching(
        /^"f\.part" cannot be written: the file would be too large; "f\.part" has \d+ pages \(\d+0 items\)$/,
      ),
      resume: [`payctl ${list} --output-file f --resume`],
      status: 1,
    });
    const rest = await user.shell(`$PAYCTL ${list} --output-file f --resume`, options);
    expect(rest, rest.stderr).toMatchObject({ code: 0 });
    expect(textOf(user.path, 'f')).toBe(await printed(server, list.split(' ')));
  });
});

describe('--bom', () => {
  it('begins csv with the mark by which a spreadsheet knows UTF-8, and only its beginning', async () => {
    const server = await serveBuyers(3, { 2: refuse });
    const failed = await runIn(home, server, [...ALL, '-o', 'csv', '--bom', '--columns', 'id']);
    expect(failed.stdout.startsWith('\uFEFFid\r\n')).toBe(true);
    const [command = ''] = printedError(failed.stderr).resume ?? [];
    expect(command).toBe(
      'payctl buyers list --all --limit 2 -o csv --columns id --no-header --cursor from-2',
    );
    const rest = await printed(server, command.split(' ').slice(1));
    const whole = await printed(server, [...ALL, '-o', 'csv', '--columns', 'id']);
    expect(failed.stdout + rest).toBe(`\uFEFF${whole}`);
  });

  it('is refused with another format', async () => {
    const server = await serveBuyers(3);
    const run = await runIn(home, server, [...ALL, '--bom']);
    expect(run).toMatchObject({ stdout: '', code: 2 });
    expect(printedError(run.stderr)).toEqual({
      code: 'bom_needs_csv',
      message: '--bom needs -o csv',
      hints: [WORDS],
    });
    expect(server.requests).toEqual([]);
  });
});
