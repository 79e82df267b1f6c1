import { describe, expect, it } from 'vitest';
import { type KnownFlags, toUsageError } from '../../../src/cli/failure/usage-error.ts';
import { FlagError } from '../../../src/cli/flags/types.ts';
import { UsageError } from '../../../src/errors.ts';

const FLAGS = {
  output: { char: 'o', options: ['table', 'json', 'ndjson'] },
  search: {},
  limit: {},
  'reveal-pii': { type: 'boolean' },
};

/** An error as oclif's parser throws it. */
function parserError(message: string, more: Record<string, unknown> = {}): Error {
  return Object.assign(new Error(message), { oclif: { exit: 2 }, ...more });
}

function usageOf(error: unknown, argv: string[] = [], flags: KnownFlags = FLAGS) {
  const { code, message, hint } = toUsageError(error, argv, flags) as UsageError;
  return { code, message, hint };
}

describe('toUsageError', () => {
  it('keeps what a parser of payctl meant', () => {
    expect(usageOf(new FlagError('--limit takes a number', 'Write 5.'))).toEqual({
      code: 'bad_flag',
      message: '--limit takes a number',
      hint: 'Write 5.',
    });
  });

  it('names an unknown flag, and suggests the nearest', () => {
    const unknown = (flag: string) => parserError('Nonexistent flag', { flags: [flag] });
    expect(usageOf(unknown('--serch'))).toEqual({
      code: 'unknown_flag',
      message: 'There is no flag --serch',
      hint: 'Did you mean --search?',
    });
    expect(usageOf(unknown('-z')).hint).toBe('Add --help for the flags of the command.');
  });

  it('names an argument that the command does not take', () => {
    expect(usageOf(parserError('Unexpected argument', { args: ['a b'] }))).toMatchObject({
      code: 'unexpected_argument',
      message: 'The command takes no argument "a b"',
    });
  });

  it.each([
    ['eyJhbGciOiJub25lIn0.e30.c2ln'],
    ['Bearer abc'],
    ['-----BEGIN PRIVATE KEY-----'],
    [`MIIEvQ${'A'.repeat(40)}`],
  ])('does not repeat an argument that looks like a secret: %s', (argument) => {
    expect(usageOf(parserError('Unexpected argument', { args: [argument] }))).toEqual({
      code: 'unexpected_argument',
      message: 'The command takes no argument, and this one looks like a secret',
      hint: 'Every process of this machine can read arguments. Give secrets on standard input or in variables.',
    });
  });

  it.each(['with-token', 'with-key'])('repeats no argument of a command that has --%s', (name) => {
    const error = parserError('Unexpected argument', { args: ['sk_live_abc'] });
    expect(usageOf(error, [`--${name}`, 'sk_live_abc'], { [name]: { type: 'boolean' } })).toEqual({
      code: 'unexpected_argument',
      message: 'The command takes no argument',
      hint: 'Every process of this machine can read arguments. Give secrets on standard input or in variables.',
    });
  });

  it.each(['', 'yes', 'sk_live_abc\nx'])(
    'says of a switch that it takes no value, without it: %j',
    (value) => {
      const error = parserError('Unexpected argument', { args: [value] });
      expect(usageOf(error, ['--search', 'x', `--reveal-pii=${value}`])).toEqual({
        code: 'bad_flag',
        message: '--reveal-pii takes no value',
        hint: 'Write --reveal-pii alone, or leave it out.',
      });
    },
  );

  it.each([
    [['-o', 'jsn']],
    [['-ojsn']],
    [['-o=jsn']],
    [['--output', 'jsn']],
    [['--output=jsn']],
    [['--search', 'json', '--output', 'jsn']],
  ])('finds the value that is no choice, and lists the choices: %j', (argv) => {
    expect(usageOf(parserError('Expected --output to be one of: ...'), argv)).toEqual({
      code: 'bad_flag',
      message: '--output cannot be "jsn"',
      hint: 'Did you mean json? Write one of table, json, ndjson.',
    });
  });

  it('keeps the message of the parser for the rest, without its invitation to --help', () => {
    const message = 'Flag --limit expects a value\nSee more help with --help';
    expect(usageOf(parserError(message), ['--limit'])).toEqual({
      code: 'bad_usage',
      message: 'Flag --limit expects a value',
      hint: 'Add --help for the flags of the command.',
    });
  });

  it('leaves every other error as it is', () => {
    const errors = [new UsageError('x', 'y'), new Error('flags', { cause: 1 }), 'text', undefined];
    expect(errors.map((error) => toUsageError(error, [], FLAGS))).toEqual(errors);
  });
});
