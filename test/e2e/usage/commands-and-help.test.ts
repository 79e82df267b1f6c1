import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HELP_TOPICS } from '../../../src/cli/routing/catalog/help-topics.ts';
import { renderHelp } from '../../../src/cli/routing/help-text.ts';
import { listCommands } from '../../../src/cli/routing/route.ts';
import { errorObject } from '../../harness/error-object.ts';
import { lines } from '../../harness/lines.ts';
import { succeeded } from '../../harness/outcome.ts';
import { printedError } from '../../harness/printed-error.ts';
import { PAYCTL, useHome } from '../../harness/run-payctl.ts';

const home = useHome();
const root = join(dirname(PAYCTL), '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const helpPage = (name: string, columns = 80) =>
  renderHelp(readFileSync(join(root, 'dist/help', `${name}.txt`), 'utf8'), columns);

const commandsOfDocument = (stdout: string) =>
  JSON.parse(stdout).commands.map(({ command }: { command: string }) => command);

describe('a format', () => {
  it.each([
    [['help', '--search', 'buyer', '-o', 'csv'], 'format_not_possible', 'not shown as csv'],
    [['help', 'flags', '-oyaml'], 'format_not_possible', 'not shown as yaml'],
    [['help', 'buyers', 'list', '--output=markdown'], 'format_not_possible', 'not shown as markdown'],
    [['--help', '-o', 'csv'], 'format_not_possible', 'not shown as csv'],
    [['--version', '-o', 'yaml'], 'format_not_possible', 'not shown as yaml'],
    [['help', 'flags', '-o', 'cvs'], 'invalid_output', '"cvs", which is not an output format'],
    [['-o', 'cvs', '--help'], 'invalid_output', '"cvs", which is not an output format'],
    [['-o', 'cvs', 'help', 'buyers'], 'invalid_output', '"cvs", which is not an output format'],
    [['-ocvs', '--version'], 'invalid_output', '"cvs", which is not an output format'],
    [['help', '--output='], 'invalid_output', 'not an output format'],
    [['help', '-o'], 'bad_flag', '--output needs a value'],
    [['help', '--json', 'buyers', '-o', 'csv'], 'format_conflict', 'name different formats'],
  ])(
    'that help or the version does not have is refused before anything is printed: %j',
    async (args, code, words) => {
      const run = await home.payctl(args);
      expect(run).toMatchObject({ stdout: '', code: 2 });
      expect(run.stderr).toContain(code);
      expect(run.stderr).toContain(words);
    },
  );

  it('for people leaves help as it is, and so does that of the command line that asks for its help', async () => {
    const page = await home.payctl(['help', 'buyers', 'list']);
    expect(await home.payctl(['help', 'buyers', 'list', '-o', 'wide'])).toEqual(page);
    expect(await home.payctl(['buyers', 'list', '-o', 'csv', '--help'])).toEqual(page);
    expect(await home.payctl(['-o', 'csv', 'help', 'buyers', 'list'])).toEqual(page);
  });

  it.each([['--json'], ['-ojson']])('of the version may be JSON: %s', async (flag) => {
    const run = await home.payctl(['--version', flag]);
    expect(run).toMatchObject({ stderr: '', code: 0 });
    const platform = `${process.platform}-${process.arch} node-${process.version}`;
    expect(JSON.parse(run.stdout)).toEqual({ program: 'payctl', program_version: version, platform });
  });
});

describe('an unknown command', () => {
  it.each([
    [['buyer'], '"buyer"', 'Did you mean: payctl buyers'],
    [['buyers', 'lst'], '"buyers lst"', 'Did you mean: payctl buyers list'],
    [['frobnicate'], '"frobnicate"', 'payctl --help'],
    [['help', 'frobnicate'], '"frobnicate"', 'payctl help --search frobnicate'],
    [['help', 'lob'], '"lob"', 'Did you mean: payctl help api-logs'],
    [['whoami'], '"whoami"', 'Did you mean: payctl auth status'],
    [['buyers', 'search', 'ada'], '"buyers search"', 'Did you mean: payctl buyers find TEXT'],
    [['buyers', 'frobnicate'], '"buyers frobnicate"', 'payctl buyers --help'],
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
      hint: expect.stringContaining('Did you mean: payctl buyers list'),
      exit_code: 2,
    });
    expect(run).toMatchObject({ stdout: '', code: 2 });
  });
});

describe('flags before the command', () => {
  it.each([
    [
      ['-q', '--profile', 'emulator', '-o', 'json', 'buyers', 'list', '--limit', '1', '--jq', '.limit'],
      '1\n',
    ],
    [
      ['--profile=emulator', '-qojson', 'buyers', 'list', '--limit', '1', '-o', 'csv', '--columns', 'id'],
      'id\r\n',
    ],
  ])('that all commands share go to the command, which may override them: payctl %j', async (args, begin) => {
    const run = await home.payctl([...args, '-q']);
    expect(run).toMatchObject({ stderr: '', code: 0, signal: null });
    expect(run.stdout.startsWith(begin)).toBe(true);
  });
});

describe('a topic without its verb', () => {
  it('shows the help of the topic', async () => {
    expect(await home.payctl(['buyers'])).toEqual(succeeded(helpPage('buyers')));
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
      expect(run).toEqual(succeeded(helpPage('index')));
    },
  );

  it.each([
    [['buyers', '--help'], 'buyers'],
    [['buyers', 'list', '--help'], 'buyers/list'],
    [['buyers', 'list', '--limit', 'x', '--help'], 'buyers/list'],
  ])('is of a topic or a command: payctl %j', async (args, page) => {
    const run = await home.payctl(args);
    expect(run).toEqual(succeeded(helpPage(page)));
  });

  it.each(Object.keys(HELP_TOPICS))('has the topic %s', async (topic) => {
    const run = await home.payctl(['help', topic]);
    expect(run).toEqual(succeeded(helpPage(topic)));
  });

  it.each([
    [300, 100],
    [60, 60],
  ])('on a terminal of %i columns is %i wide', async (columns, width) => {
    const run = await home.payctl(['buyers', 'list', '--help'], { terminal: { columns } });
    expect(run.stdout.replaceAll('\r', '')).toBe(helpPage('buyers/list', width));
    expect(run).toMatchObject({ stderr: '', code: 0 });
  });

  it('ends quietly when its reader has read enough', async () => {
    expect(await home.shell('$PAYCTL help | head -1')).toMatchObject({ stderr: '', code: 0 });
    expect(await home.shell('$PAYCTL help --json | head -c 10')).toMatchObject({ stderr: '', code: 0 });
  });

  it.skipIf(process.platform !== 'linux')('says that stdout cannot be written', async () => {
    const run = await home.shell('$PAYCTL --help > /dev/full');
    expect(run).toMatchObject({ stdout: '', code: 1 });
    expect(printedError(run.stderr).code).toBe('ENOSPC');
  });
});

describe('help --json', () => {
  it.each([[['help', '--json']], [['--help', '--json']]])(
    'is one document with every command: payctl %j',
    async (args) => {
      const run = await home.payctl(args);
      expect(run).toMatchObject({ stderr: '', code: 0 });
      expect(run.stdout.trimEnd().split('\n')).toHaveLength(1);
      expect(commandsOfDocument(run.stdout)).toEqual(listCommands(join(root, 'src/commands')));
      const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
      expect(JSON.parse(run.stdout)).toMatchObject({
        version: 2,
        program: 'payctl',
        program_version: version,
      });
    },
  );

  it.each([
    [
      ['help', 'profiles', '--json'],
      ['delete', 'list', 'set', 'show', 'use'],
    ],
    [['profiles', 'list', '--help', '--json'], ['list']],
  ])('holds the commands that are named: payctl %j', async (args, verbs) => {
    const run = await home.payctl(args);
    expect(commandsOfDocument(run.stdout)).toEqual(verbs.map((verb) => `profiles ${verb}`));
  });

  it.each([
    [
      ['help', '--json', 'buyers list', 'money', 'roles', 'get'],
      ['buyers list', 'roles get'],
    ],
    [
      ['help', '-o', 'json', '--profile', 'emulator', 'roles'],
      ['roles get', 'roles list'],
    ],
  ])('takes several names, and says once what their commands share: payctl %j', async (args, names) => {
    const { stdout } = await home.payctl(args);
    expect(commandsOfDocument(stdout)).toEqual(names);
    const { commands, shared_flags, exit_codes, topics } = JSON.parse(stdout);
    const shared = shared_flags.map(({ name }: { name: string }) => name);
    for (const command of commands) {
      expect(shared).toEqual(expect.arrayContaining(command.shared_flags));
      expect(command.shared_flags).toContain('--output');
      const own = (command.flags ?? []).map(({ name }: { name: string }) => name);
      expect(own.filter((name: string) => command.shared_flags.includes(name))).toEqual([]);
    }
    expect(exit_codes[0]).toEqual({ code: 0, meaning: 'Done.' });
    expect(topics?.map(({ topic }: { topic: string }) => topic)).toEqual(
      args[3] === 'money' ? ['money'] : undefined,
    );
    expect(stdout.length).toBeLessThan(16_000);
  });

  it('refuses a name that is unknown', async () => {
    const run = await home.payctl(['help', '--json', 'roles', 'buyer', 'list']);
    expect(run).toMatchObject({ stdout: '', code: 2 });
    expect(JSON.parse(run.stderr).error).toMatchObject({
      code: 'unknown_command',
      hint: 'Did you mean: payctl help buyers list',
    });
  });

  it('reaches a slow reader whole', async () => {
    const run = await home.shell('$PAYCTL help --json | (sleep 0.2; cat)');
    expect(JSON.parse(run.stdout).version).toBe(2);
  });
});

describe('help --search', () => {
  const search = async (...words: string[]) =>
    JSON.parse((await home.payctl(['help', '--json', '--search', ...words])).stdout);

  it.each([
    ['gift cards', { kind: 'command', name: 'buyers gift-cards get' }],
    ['failed webhooks', { kind: 'command', name: 'webhooks list', flags: ['--failed'] }],
    ['customers', { kind: 'command', name: 'buyers find' }],
    ['masked', { kind: 'flag', name: '--reveal-secrets' }],
    ['read only', { kind: 'variable', name: 'PAYCTL_READ_ONLY' }],
    ['exit codes', { kind: 'topic', name: 'exit-codes' }],
    ['spending limit', { kind: 'command', name: 'profiles set', flags: ['--max-amount'] }],
    ['duplicate record', { kind: 'error', name: '409 duplicate_record' }],
  ])('finds first what is meant by %j', async (words, first) => {
    expect((await search(...words.split(' '))).results[0]).toMatchObject(first);
  });

  it('finds the error log for a question about failures, and what checks the set-up', async () => {
    const { results } = await search('why does my integration fail');
    const names = results.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(['api-logs summary', 'api-logs report', 'doctor']));
  });

  it('finds the operations of an imported description', async () => {
    const file = join(home.path, 'refunds.json');
    const responses = { 200: { description: 'Done.' } };
    const document = {
      openapi: '3.0.3',
      info: { title: 'Refunds', version: '1' },
      paths: { '/refunds': { post: { summary: 'Give money back.', responses } } },
    };
    writeFileSync(file, JSON.stringify(document));
    const env = { PAYCTL_DESCRIPTION: file };
    const { stdout } = await home.payctl(['help', '--search', 'refund', '--json'], { env });
    const [first] = JSON.parse(stdout).results;
    expect(first).toMatchObject({ kind: 'command', summary: 'Give money back.', changes: 'service' });
    const described = await home.payctl(['help', '--json', ...first.name.split(' ')], { env });
    expect(commandsOfDocument(described.stdout)).toEqual([first.name]);
  });

  it('prints a page for people', async () => {
    const run = await home.payctl(['help', '--search', 'exit', 'codes']);
    expect(run).toMatchObject({ stderr: '', code: 0 });
    expect(run.stdout).toBe(
      lines(
        'TOPICS (payctl help TOPIC)',
        '  exit-codes  The exit codes of payctl and what they mean.',
        '',
        'The help of a command: payctl COMMAND --help',
      ),
    );
  });

  it('says that nothing was found, and refuses to search for nothing', async () => {
    expect(await home.payctl(['help', '--search', 'xyzzy'])).toMatchObject({
      stdout: '',
      stderr: 'The help has nothing about "xyzzy".\n',
      code: 0,
    });
    expect(await search('xyzzy')).toMatchObject({ search: 'xyzzy', results: [], more: 0 });
    expect(await home.payctl(['help', '--search'])).toMatchObject({ stdout: '', code: 2 });
  });
});

describe('the version', () => {
  it.each([['--version'], ['-V'], ['version']])('is one line on stdout: payctl %s', async (flag) => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const run = await home.payctl([flag]);
    const platform = `${process.platform}-${process.arch} node-${process.version}`;
    expect(run).toEqual(succeeded(`payctl/${version} ${platform}\n`));
  });
});
