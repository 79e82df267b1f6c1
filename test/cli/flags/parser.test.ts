import { Parser } from '@oclif/core';
import { boolean, custom, string } from '@oclif/core/flags';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { namedFlags, withFormatNames } from '../../../src/cli/flags/parser.ts';
import { propertyRuns } from '../../harness/property-runs.ts';

/** New objects each time, because the parser changes those that it is given. */
const flags = () => ({
  all: boolean(),
  limit: custom<number>({ parse: async (text) => Number(text) })(),
  output: string({ char: 'o', options: ['json', 'csv'] }),
  search: string({ aliases: ['find'], exclusive: ['all'] }),
  verbose: boolean({ char: 'v', allowNo: true }),
  status: string({ multiple: true, multipleNonGreedy: true }),
  account: string({ env: 'NAMED_FLAGS_TEST' }),
  page: string({ default: '1' }),
  quiet: boolean({ char: 'q', dependsOn: ['verbose'] }),
});
const names = (...argv: string[]) => Object.keys(namedFlags(flags(), argv));
const ALL = Object.keys(flags());

describe('the flags that the parser is given', () => {
  it('are those that are named, and those that count without', () => {
    expect(names()).toEqual(['account', 'page']);
    expect(names('--limit', '5', '-o', 'json', 'word', '-', '--', '--all')).toEqual([
      'all',
      'limit',
      'output',
      'account',
      'page',
    ]);
    expect(names('--search=x=y')).toContain('search');
  });

  it.each(['--lim', '-ojson', '-vq', '-x', '--no-verbose', '--find', '--constructor', '---', '--=1'])(
    'are all where a word is not the whole name of one: %s',
    (word) => {
      expect(names('--limit', '5', word)).toEqual(ALL);
    },
  );

  it('lead to what all flags lead to', async () => {
    const word = fc.oneof(
      fc.constantFrom('--all', '--limit', '5', '-o', 'json', 'csv', '--output=csv', '--search', '-v', '-q'),
      fc.constantFrom('--status', 'new', '--no-verbose', '--find', '-ojson', '-vq', '--', '-', '--limit=7'),
      fc.constantFrom('--account', '--page', '--quiet', '--verbose', '--unknown', '-5', ''),
      fc.string({ maxLength: 4 }),
    );
    const parse = async (argv: string[], given: ReturnType<typeof flags>) => {
      const { flags, argv: words } = await Parser.parse(argv, { flags: given, strict: false });
      return { flags: Object.entries(flags), words };
    };
    const outcome = async (argv: string[], given: ReturnType<typeof flags>) =>
      await parse(argv, given).catch((error: Error) => ({ failure: error.message }));
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 7 }), async (argv) => {
        const narrowed = namedFlags(flags(), argv) as ReturnType<typeof flags>;
        expect(await outcome(argv, narrowed)).toEqual(await outcome(argv, flags()));
      }),
      propertyRuns(1500),
    );
  });
});

it.each([
  ['-o md --json', '-o markdown --json'],
  ['-omd', '-omarkdown'],
  ['--output=md', '--output=markdown'],
  ['-o x', '-o x'],
  ['-o md -- -omd -o md', '-o markdown -- -omd -o md'],
])('formats have the names that the parser knows: %s', (words, named) => {
  expect(withFormatNames(words.split(' '))).toEqual(named.split(' '));
});
