import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorObject } from '../../harness/error-object.ts';
import { printedError } from '../../harness/printed-error.ts';
import { PAYCTL, useHome } from '../../harness/run-payctl.ts';

const home = useHome();
const root = join(dirname(PAYCTL), '..');
const helpPage = (name: string) => readFileSync(join(root, 'dist/help', `${name}.txt`), 'utf8');

describe('an unknown command', () => {
  it.each([
    [['buyer'], '"buyer"', 'payctl buyers?'],
    [['buyers', 'lst'], '"buyers lst"', 'payctl buyers list?'],
    [['byers', 'list'], '"byers list"', 'payctl buyers list?'],
    [['frobnicate'], '"frobnicate"', 'payctl --help'],
    [['frobnicate', '--help'], '"frobnicate"', 'payctl --help'],
    [['help', 'frobnicate'], '"frobnicate"', 'payctl --help'],
    [['Buyers', 'list'], '"Buyers list"', 'payctl buyers list?'],
  ])('exits with 2 and a suggestion: payctl %j', async (args, named, hint) => {
    const run = await home.payctl(args);
    expect(run).toMatchObject({ stdout: '', code: 2, signal: null });
    expect(printedError(run.stderr)).toEqual({
      code: 'unknown_command',
      message: expect.stringContaining(named),
      hints: [expect.stringContaining(hint)],
    });
  });

  it('is one JSON object on stderr beside --json', async () => {
    const run = await home.payctl(['buyers', 'lst', '--json']);
    expect(errorObject(run.stderr)).toEqual({
      code: 'unknown_command',
      message: expect.stringContaining('"buyers lst"'),
      details: [],
      hint: expect.stringContaining('payctl buyers list?'),
      exit_code: 2,
    });
    expect(run).toMatchObject({ stdout: '', code: 2 });
  });
});

describe('flags before the command', () => {
  it.each([
    [['--profile', 'emulator', 'buyers', 'list'], '--profile'],
    [['-v', 'buyers', 'list'], '-v'],
  ])('exit with 2: payctl %j', async (args, flag) => {
    const run = await home.payctl(args);
    expect(run).toMatchObject({ stdout: '', code: 2, signal: null });
    expect(printedError(run.stderr)).toEqual({
      code: 'flag_first',
      message: expect.stringContaining(flag),
      hints: [expect.stringContaining('payctl --help')],
    });
  });
});

describe('a topic without its verb', () => {
  it('shows the help of the topic', async () => {
    expect(await home.payctl(['buyers'])).toEqual({
      stdout: helpPage('buyers'),
      stderr: '',
      code: 0,
      signal: null,
    });
  });

  it.each([[['buyers', '--json']], [['buyers', '--limit', '5']], [['emulator', '-o', 'json']]])(
    'exits with 2 when flags follow, since a script forgot the verb: payctl %j',
    async (args) => {
      const run = await home.payctl(args);
      expect(run).toMatchObject({ stdout: '', code: 2 });
      expect(run.stderr).toContain('no_verb');
    },
  );
});

describe('help', () => {
  it.each([[[]], [['--help']], [['-h']], [['help']]])(
    'lists the commands on stdout: payctl %j',
    async (args) => {
      const run = await home.payctl(args);
      expect(run).toEqual({ stdout: helpPage('index'), stderr: '', code: 0, signal: null });
    },
  );

  it.each([
    [['buyers', '--help'], 'buyers'],
    [['help', 'buyers'], 'buyers'],
    [['buyers', 'list', '--help'], 'buyers/list'],
    [['buyers', 'list', '-h'], 'buyers/list'],
    [['help', 'buyers', 'list'], 'buyers/list'],
    [['buyers', 'list', '--limit', 'x', '--help'], 'buyers/list'],
  ])('is of a topic or a command: payctl %j', async (args, page) => {
    const run = await home.payctl(args);
    expect(run).toEqual({ stdout: helpPage(page), stderr: '', code: 0, signal: null });
  });

  it('is not asked for after --', async () => {
    const run = await home.payctl(['buyers', 'list', '--', '--help']);
    expect(run).toMatchObject({ stdout: '', code: 2 });
  });

  it('names every command with its summary', () => {
    const { commands } = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8'));
    const text = helpPage('index').replaceAll(/\s+/g, ' ');
    for (const { id, summary } of Object.values<{ id: string; summary: string }>(commands)) {
      expect(text).toContain(` ${id.replaceAll(':', ' ')} ${summary}`);
    }
  });

  it('fits into 80 columns', () => {
    const pages = globSync('**/*.txt', { cwd: join(root, 'dist/help') }).map((file) => file.slice(0, -4));
    const wide = pages.flatMap((page) =>
      helpPage(page)
        .split('\n')
        .filter((line) => line.length > 80)
        .map((line) => `${page}: ${line}`),
    );
    expect(wide).toEqual([]);
  });
});

describe('the version', () => {
  it.each([['--version'], ['-V'], ['version']])('is one line on stdout: payctl %s', async (flag) => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const run = await home.payctl([flag]);
    const platform = `${process.platform}-${process.arch} node-${process.version}`;
    expect(run).toEqual({ stdout: `payctl/${version} ${platform}\n`, stderr: '', code: 0, signal: null });
  });
});
