import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HELP_TOPICS } from '../../../src/cli/routing/catalog/help-topics.ts';
import { commandLine } from '../../../src/cli/routing/leading-flags.ts';
import { commandsFolder, findRoute, listCommands } from '../../../src/cli/routing/route.ts';
import { folderForAll } from '../../harness/temporary-folder.ts';

const folder = folderForAll();
for (const path of ['buyers/list', 'buyers/gift-cards/list', 'api', 'doctor']) {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, `${path}.ts`), '');
}
writeFileSync(join(folder, 'buyers', 'notes.txt'), '');

/** The route; of a command, with the words that its parser gets where it reads all shared flags. */
function route(...argv: string[]) {
  const found = findRoute(argv, folder);
  if (found.kind !== 'command') return found;
  const { leading, ...others } = found;
  return { ...others, rest: commandLine(found, () => true).argv };
}

const command = (words: string[], rest: string[]) => ({
  kind: 'command',
  words,
  file: `${join(folder, ...words)}.ts`,
  rest,
});

describe('findRoute', () => {
  it.each([
    [['buyers', 'list'], command(['buyers', 'list'], [])],
    [['buyers', 'list', '--limit', '5'], command(['buyers', 'list'], ['--limit', '5'])],
    [['buyers', 'list', 'ada'], command(['buyers', 'list'], ['ada'])],
    [['buyers', 'gift-cards', 'list', '-v'], command(['buyers', 'gift-cards', 'list'], ['-v'])],
    [['api', 'GET', '/buyers'], command(['api'], ['GET', '/buyers'])],
    [['api', 'buyers', 'list'], command(['api'], ['buyers', 'list'])],
    [['api', 'GET', '/x', '--', '--help'], command(['api'], ['GET', '/x', '--', '--help'])],
  ])('finds the command of %j and leaves it the rest', (argv, expected) => {
    expect(route(...argv)).toEqual(expected);
  });

  it.each([
    [[], []],
    [['--help'], []],
    [
      ['--help', 'buyers', 'list'],
      ['buyers', 'list'],
    ],
    [
      ['-h', 'buyers', 'list', '--limit', '5'],
      ['buyers', 'list'],
    ],
    [['--help', 'exit-codes'], ['exit-codes']],
    [['help'], []],
    [['help', 'buyers'], ['buyers']],
    [
      ['help', 'buyers', 'list'],
      ['buyers', 'list'],
    ],
    [
      ['help', 'buyers', 'LIST'],
      ['buyers', 'list'],
    ],
    [['help', 'TIMES'], ['times']],
    [['buyers'], ['buyers']],
    [['buyers', '--help'], ['buyers']],
    [
      ['buyers', 'gift-cards'],
      ['buyers', 'gift-cards'],
    ],
    [
      ['buyers', 'list', '--limit', '--help'],
      ['buyers', 'list'],
    ],
    [['doctor', '-h'], ['doctor']],
  ])('shows help for %j', (argv, words) => {
    expect(route(...argv)).toEqual({ kind: 'help', words });
  });

  it.each(['--version', '-V', 'version'])('gives the version for %s', (word) => {
    expect(route(word)).toEqual({ kind: 'version' });
  });

  it.each([
    [['--help', '--json'], []],
    [['help', '--json'], []],
    [['help', 'buyers', '--json'], ['buyers']],
    [['help', 'Buyers', '--json'], ['buyers']],
    [['help', '--json', '--profile', 'x', 'buyers'], ['buyers']],
    [
      ['help', '-o', 'json', 'buyers list', 'roles'],
      ['buyers', 'list', 'roles'],
    ],
    [
      ['payouts', 'list', '--help', '-ojson'],
      ['payouts', 'list'],
    ],
    [
      ['buyers', 'list', '--json', '--help'],
      ['buyers', 'list'],
    ],
  ])('shows the command tree for %j', (argv, words) => {
    expect(route(...argv)).toEqual({ kind: 'help', words, json: true });
  });

  it.each([
    [['help', '--search', 'gift', 'card'], {}],
    [['help', 'gift', '--search', 'card', '--profile', 'x'], {}],
    [['help', '--search=gift card', '--json'], { json: true }],
  ])('searches for the words of %j', (argv, json) => {
    expect(route(...argv)).toEqual({ kind: 'help', words: [], ...json, search: ['gift', 'card'] });
  });

  it('does not take what follows -- for a flag', () => {
    expect(route('buyers', 'list', '--help', '--', '--json')).toEqual({
      kind: 'help',
      words: ['buyers', 'list'],
    });
  });

  it.each(Object.keys(HELP_TOPICS))('knows the topic %s of the help, which is no command', (topic) => {
    expect(route('help', topic)).toEqual({ kind: 'help', words: [topic] });
    expect(route(topic)).toEqual({ kind: 'unknown', words: [topic] });
    expect(route('help', topic, 'more')).toEqual({ kind: 'unknown', words: [topic, 'more'], isHelp: true });
  });

  it.each([
    [['buyers', 'lst']],
    [['buyers', 'LIST']],
    [['buyers', 'gift-cards', 'List']],
    [['frobnicate', 'LIST']],
    [['frobnicate']],
    [['Buyers', 'list']],
  ])('does not know %j', (argv) => {
    expect(route(...argv)).toEqual({ kind: 'unknown', words: argv });
    const words = argv.map((word) => word.toLowerCase());
    const isKnown = ['buyers list', 'buyers gift-cards list'].includes(words.join(' '));
    const help = isKnown ? { kind: 'help', words } : { kind: 'unknown', words, isHelp: true };
    expect(route('help', ...argv)).toEqual(help);
  });

  it.each([
    [['--json']],
    [['-v']],
    [['-o', 'json']],
    [['-ojson']],
    [['-m', 'outlet', '--profile', 'acme']],
    [['--profile=acme', '--base-url', 'https://x.example.com']],
    [['--timeout', '-1']],
  ])('gives shared flags before the command to the command: %j', (flags) => {
    const found = command(['buyers', 'list'], [...flags, '--limit', '5']);
    expect(route(...flags, 'buyers', 'list', '--limit', '5')).toEqual(found);
  });

  it.each([
    [['-vq'], ['-v', '-q']],
    [
      ['-vo', 'json'],
      ['-v', '-o', 'json'],
    ],
    [['-vojson'], ['-v', '-ojson']],
  ])('separates short flags that stand together: %j', (flags, separate) => {
    expect(route(...flags, 'buyers', 'list')).toEqual(command(['buyers', 'list'], separate));
  });

  it.each([
    [
      ['-o', 'csv'],
      ['-o', 'csv'],
    ],
    [['-ocsv'], ['-ocsv']],
    [
      ['ada', '--output=csv'],
      ['ada', '--output=csv'],
    ],
    [
      ['--all', '--output', 'csv'],
      ['--all', '--output', 'csv'],
    ],
    [
      ['-vo', 'csv'],
      ['-vo', 'csv'],
    ],
    // May be the value of --search: the parser decides, and refuses a flag that is given twice.
    [
      ['--search', '--output=csv'],
      ['-o', 'json', '--search', '--output=csv'],
    ],
    [
      ['--', '--output=csv'],
      ['-o', 'json', '--', '--output=csv'],
    ],
  ])('leaves out a shared flag that the command is given again: %j', (given, rest) => {
    expect(route('-o', 'json', 'buyers', 'list', ...given)).toEqual(command(['buyers', 'list'], rest));
  });

  it.each([
    [['--profile=acme', '--help'], []],
    [['-v', 'help', 'buyers'], ['buyers']],
    [
      ['--profile', 'acme', 'buyers', 'list', '--help'],
      ['buyers', 'list'],
    ],
    [['-q'], []],
  ])('shows help after shared flags: %j', (argv, words) => {
    expect(route(...argv)).toEqual({ kind: 'help', words });
  });

  it('gives the version after shared flags', () => {
    expect(route('-q', '--version')).toEqual({ kind: 'version' });
    expect(route('--json', '--version')).toEqual({ kind: 'version', json: true });
    expect(route('-o', 'json', '--version')).toEqual({ kind: 'version', json: true });
  });

  it.each([
    ['--', '--'],
    ['-', '-'],
    ['--limit', '--limit'],
    ['--profil=acme', '--profil'],
    ['-vx', '-v'],
    ['-tsecret', '-t'],
  ])('refuses any other flag before the command: %s', (word, flag) => {
    expect(route(word, 'buyers', 'list')).toEqual({ kind: 'flag-first', flag });
  });

  it.each([['--profile'], ['-o'], ['-vm']])('misses the value of %s', (word) => {
    expect(route('-v', word)).toEqual({ kind: 'no-value', flag: expect.stringMatching(/^--/) });
  });

  it.each([
    ['help', '-o'],
    ['--help', '--profile'],
    ['help', 'buyers', '-vo'],
    ['--version', '--output'],
  ])('misses the value of a shared flag after %s: %s', (...words) => {
    expect(route(...words)).toEqual({
      kind: 'no-value',
      flag: expect.stringMatching(/^--(?:output|profile)$/),
    });
  });

  it('leaves the folder of the commands for no argument whatever', () => {
    const words = fc.constantFrom(
      '..',
      '.',
      '/',
      'buyers',
      '../buyers',
      'list.ts',
      '__proto__',
      'constructor',
      '\0',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(words, fc.string())), (argv) => {
        const found = route(...argv);
        if (found.kind === 'command') expect(listCommands(folder)).toContain(found.words.join(' '));
      }),
    );
  });
});

describe('listCommands', () => {
  it('reads the commands from their folder, sorted', () => {
    expect(listCommands(folder)).toEqual(['api', 'buyers gift-cards list', 'buyers list', 'doctor']);
  });

  it('finds the commands beside the program', () => {
    expect(listCommands(commandsFolder(join(import.meta.dirname, '../../../src')))).toContain('buyers list');
  });
});
