import { describe, expect, it } from 'vitest';
import { type KnownFlags, toUsageError } from '../../../src/cli/failure/usage-error.ts';
import { FlagError } from '../../../src/cli/flags/types.ts';
import { UsageError } from '../../../src/errors.ts';
import { OUTPUT_FORMATS } from '../../../src/output/formats.ts';

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

function usageOf(error: unknown, argv: string[] = [], flags: KnownFlags = FLAGS, command = '') {
  const { code, message, hint } = toUsageError(error, { argv, flags, command }) as UsageError;
  return { code, message, hint };
}

const FLAGS_HELP = 'Add --help to list the flags of this command.';

describe('toUsageError', () => {
  it('keeps what a parser of payctl meant, whatever oclif makes of its message', () => {
    const error = new FlagError('--limit takes a number', 'Write 5.');
    Object.assign(error, { message: 'Parsing --limit\nSee more help with --help', oclif: { exit: 2 } });
    expect(usageOf(error)).toEqual({
      code: 'bad_flag',
      message: '--limit takes a number',
      hint: 'Write 5.',
    });
    expect(toUsageError(error, { argv: [], flags: FLAGS })).toBeInstanceOf(UsageError);
  });

  it.each(['per-page', 'page-size', 'max-results'])('names the page size of a list: --%s', (name) => {
    const error = parserError('Nonexistent flag: --limit', { flags: ['--limit'] });
    expect(usageOf(error, ['--limit', '2'], { 'max-items': {}, [name]: {} })).toEqual({
      code: 'unknown_flag',
      message: 'Unknown flag --limit',
      hint: `Use --max-items N to list the first N items; --${name} sets the page size.`,
    });
  });

  it.each([
    ['--since', 'Did you mean --created-at-gte? For example: --created-at-gte 1h'],
    ['--until', 'Did you mean --ended-on-to? For example: --ended-on-to 7d'],
    ['-f', 'Did you mean -F PATH=VALUE, which sets a field of the body?'],
    ['-d', "Did you mean --data '{...}', --data @FILE or --data -?"],
    ['--format', `Did you mean -o? It takes ${OUTPUT_FORMATS.join(', ')}.`],
    ['--csv', 'Did you mean -o csv?'],
    ['--fields', 'Did you mean --columns? Without a value, it lists the fields.'],
    ['--follow', 'Logs can be followed: payctl api-logs tail'],
    ['-w', 'Logs can be followed: payctl api-logs tail'],
    ['--filter', "Filters have a flag each; --help lists them. Others take jq: --jq '.items[].id'"],
    ['--per-page', 'Did you mean --limit?'],
    ['--debug', 'Did you mean --verbose?'],
    ['--account', 'Did you mean --account-number?'],
    // The command does not have the flag that it means.
    ['--all-pages', 'To set a field of the body, use -F all_pages=VALUE. --help lists the flags and fields.'],
  ])('knows a flag as other programs call it: %s', (flag, hint) => {
    const values = {
      'updated-at-gte': 'TIME',
      'created-at-gte': 'TIME',
      'ended-on-to': 'DATE',
      field: 'PATH=VALUE',
      data: 'JSON',
      output: 'FORMAT',
      columns: 'LIST',
      jq: 'EXPRESSION',
      limit: 'N',
      verbose: undefined,
      'account-number': 'TEXT',
    };
    const flags = Object.fromEntries(
      Object.entries(values).map(([name, helpValue]) => [name, { type: 'option', helpValue }]),
    );
    const error = parserError('Nonexistent flag', { flags: [flag] });
    expect(usageOf(error, [flag], flags).hint).toBe(hint);
    expect(usageOf(error, [flag], {}).hint).toBe(FLAGS_HELP);
  });

  it.each([
    ['--filter', 'Did you mean --filter-status, --filter-price-gte or --filter-price-lte?'],
    ['--filter-price', 'Did you mean --filter-price-gte or --filter-price-lte?'],
    ['--reveal', 'Did you mean --reveal-pii?'],
    ['--many', FLAGS_HELP],
  ])('names the flags that %s begins', (flag, hint) => {
    const names = ['filter-status', 'filter-price-gte', 'filter-price-lte', 'reveal-pii'];
    const many = Array.from({ length: 7 }, (_, index) => `many-parts-of-it-${index}`);
    const flags = Object.fromEntries([...names, ...many].map((name) => [name, { type: 'option' }]));
    const hidden = { 'filter-old': { type: 'option', hidden: true } };
    const error = parserError('Nonexistent flag', { flags: [flag] });
    expect(usageOf(error, [flag], { ...flags, ...hidden }).hint).toBe(hint);
  });

  it.each([
    [['--path', 'x'], ['to', 'rate'], 'Did you mean --to?'],
    [['--file', 'x'], ['from', 'profile'], 'Did you mean --from?'],
    [['--url', 'x'], ['to'], 'Did you mean --to?'],
    [['--workers', '4'], ['concurrency'], 'Did you mean --concurrency?'],
    [['--status-code', '4'], ['status'], 'Did you mean --status?'],
    [['--query', 'x'], ['search', 'jq'], 'Did you mean --search?'],
    [['-L', '4'], ['max-items'], 'Did you mean --max-items?'],
  ])('knows what %j is for the command with the flags %j', ([flag = '', ...value], names, hint) => {
    const flags = Object.fromEntries(names.map((name) => [name, { type: 'option' }]));
    const error = parserError('Nonexistent flag', { flags: [flag] });
    expect(usageOf(error, [flag, ...value], flags).hint).toBe(hint);
  });

  it.each([
    ['--type', 'webhooks trigger', 'The event is an argument: payctl webhooks trigger buyer.updated'],
    ['-f', 'audit-logs tail', 'This command already follows the log; remove this flag.'],
    ['--tail', 'api-logs report', 'Did you mean: payctl api-logs tail'],
    ['--url', 'profiles set', 'Did you mean --base-url?'],
    ['--host', 'emulator start', 'The emulator listens on 127.0.0.1 only.'],
    ['--resume', 'bulk run', 'To continue an interrupted plan, repeat the command without this flag.'],
  ])('knows what %s is for payctl %s, which its other flags do not tell', (flag, command, hint) => {
    const error = parserError('Nonexistent flag', { flags: [flag] });
    expect(usageOf(error, [flag], {}, command).hint).toBe(hint);
    const marks = ['delivery-id', 'until-match', 'slower-than', 'max-amount', 'traffic', 'canary'];
    const flags = Object.fromEntries(marks.map((name) => [name, { type: 'option' }]));
    expect(usageOf(error, [flag], flags, 'buyers list').hint).toBe(FLAGS_HELP);
  });

  it.each([
    ['refunds.plan', ['to'], 'Did you mean --to? -o sets the output format.'],
    ['refunds.plan', ['out'], 'Did you mean --out? -o sets the output format.'],
    ['refunds.plan', [], 'Use one of table, json, ndjson.'],
    ['jsonl', ['to'], 'Did you mean ndjson? Use one of table, json, ndjson.'],
  ])('knows what -o %s is for the command with the flags %j', (value, names, hint) => {
    const others = Object.fromEntries(names.map((name) => [name, { type: 'option' }]));
    expect(usageOf(parserError('Expected'), ['-o', value], { ...FLAGS, ...others }).hint).toBe(hint);
  });

  it('gives no example of a time that is a number', () => {
    const error = parserError('Nonexistent flag', { flags: ['--since'] });
    const flags = { 'created-at-from': { type: 'option', helpValue: 'N' } };
    expect(usageOf(error, ['--since'], flags).hint).toBe('Did you mean --created-at-from?');
  });

  it.each([
    [['guim'], 'To search, use --search guim'],
    [['-q', '.items'], 'Did you mean --jq .items? -q is --quiet.'],
    [['--json', 'id,display_name'], '--json takes no value. To choose fields, add --columns id,display_name'],
  ])('knows of which flag an argument is the value: %j', (argv, hint) => {
    const error = parserError('Unexpected argument', { args: argv.slice(-1) });
    const flags = { search: { type: 'option' }, columns: { type: 'option' }, jq: { type: 'option' } };
    expect(usageOf(error, argv, flags).hint).toBe(hint);
    expect(usageOf(error, argv, {}).hint).toBe(
      'Quote values that contain spaces. Add --help to see what this command takes.',
    );
  });

  it('names an unknown flag, and suggests the nearest', () => {
    const unknown = (flag: string) => parserError('Nonexistent flag', { flags: [flag] });
    expect(usageOf(unknown('--serch'))).toEqual({
      code: 'unknown_flag',
      message: 'Unknown flag --serch',
      hint: 'Did you mean --search?',
    });
    expect(usageOf(unknown('-z')).hint).toBe('Add --help to list the flags of this command.');
  });

  it.each([
    ['--tokn=eyJhbGciOi', '--tokn'],
    ['--tokn=eyJhbGciOi\nx=y', '--tokn'],
    ['--tokn=', '--tokn'],
    ['-z=eyJhbGciOi', '-z'],
    ['-zeyJhbGciOi', '-z'],
    ['-zeyJ=hbGciOi', '-z'],
  ])('names an unknown flag without its value: %j', (word, flag) => {
    expect(usageOf(parserError('Nonexistent flag', { flags: [word] }))).toEqual({
      code: 'unknown_flag',
      message: `Unknown flag ${flag}`,
      hint: FLAGS_HELP,
    });
  });

  it('names an argument that the command does not take', () => {
    expect(
      usageOf(parserError('Unexpected argument', { args: ['a b'] }), ['--search', 'x', 'a b']),
    ).toMatchObject({
      code: 'unexpected_argument',
      message: 'Unexpected argument "a b"',
      hint: 'Quote values that contain spaces. Add --help to see what this command takes.',
    });
  });

  it('names an argument that is missing', () => {
    const error = parserError('Missing 1 required arg', { args: [{ name: 'buyer_id' }] });
    expect(usageOf(error)).toEqual({
      code: 'missing_argument',
      message: 'Missing argument BUYER_ID',
      hint: 'Put BUYER_ID after the command; --help describes it.',
    });
  });

  it.each([
    ['eyJhbGciOiJub25lIn0.e30.c2ln'],
    ['Bearer abc'],
    ['-----BEGIN PRIVATE KEY-----'],
    [`MIIEvQ${'A'.repeat(40)}`],
    ['sk_live_abc'],
    ['Key_abc'],
    ['a1b2c3d4e5f6a7b8'],
  ])('does not repeat an argument that looks like a secret: %s', (argument) => {
    expect(usageOf(parserError('Unexpected argument', { args: [argument] }))).toEqual({
      code: 'unexpected_argument',
      message: 'Unexpected argument that looks like a secret',
      hint: 'Other processes on this machine can read arguments. Pass secrets on standard input or in environment variables.',
    });
  });

  it.each([
    ['8724fd24-5489-4a5d-90fd-0604df7d3b83'],
    ['a1b2c3d4e5f6a7b'],
    ['abcdefghijklmnopqrst'],
    ['orders/2026-05-05/1'],
    ['order 2026 05 05 is paid'],
    ['mask_abc'],
  ])('repeats an argument that looks like an id or a name: %s', (argument) => {
    expect(usageOf(parserError('Unexpected argument', { args: [argument] })).message).toBe(
      `Unexpected argument "${argument}"`,
    );
  });

  it.each(['with-token', 'with-key'])('repeats no argument of a command that has --%s', (name) => {
    const error = parserError('Unexpected argument', { args: ['sk_live_abc'] });
    expect(usageOf(error, [`--${name}`, 'sk_live_abc'], { [name]: { type: 'boolean' } })).toEqual({
      code: 'unexpected_argument',
      message: 'Unexpected argument',
      hint: 'Other processes on this machine can read arguments. Pass secrets on standard input or in environment variables.',
    });
  });

  it.each(['', 'yes', 'sk_live_abc\nx'])(
    'says of a switch that it takes no value, without it: %j',
    (value) => {
      const error = parserError('Unexpected argument', { args: [value] });
      expect(usageOf(error, ['--search', 'x', `--reveal-pii=${value}`])).toEqual({
        code: 'bad_flag',
        message: '--reveal-pii takes no value',
        hint: 'Use --reveal-pii without a value, or remove it.',
      });
    },
  );

  it.each([
    ['id', 'To choose fields, use -o json --columns id'],
    ['id,address.city', 'To choose fields, use -o json --columns id,address.city'],
    ['true story', 'Use --json without a value, or remove it.'],
    ['', 'Use --json without a value, or remove it.'],
    ['sk_live_abc', 'Use --json without a value, or remove it.'],
    ['abcdefgh0123456789', 'Use --json without a value, or remove it.'],
  ])('knows --json=%s as gh takes it, and repeats nothing that may be a secret', (value, hint) => {
    const error = parserError('Unexpected argument', { args: [value] });
    const json = { json: { type: 'boolean' } };
    expect(usageOf(error, [`--json=${value}`], { ...json, columns: { type: 'option' } })).toEqual({
      code: 'bad_flag',
      message: '--json takes no value',
      hint,
    });
    expect(usageOf(error, [`--json=${value}`], json).hint).toBe('Use --json without a value, or remove it.');
  });

  it.each([
    [['--overwrite'], '--overwrite needs --output-file', 'Add --output-file, or remove --overwrite.'],
    [
      ['--overwrite', '--', '--output-file'],
      '--overwrite needs --output-file',
      'Add --output-file, or remove --overwrite.',
    ],
    [['--all', '--profile=x'], '--all and --profile cannot be used together', 'Remove one of them.'],
    [['-a', '--profile', 'x'], '--all and --profile cannot be used together', 'Remove one of them.'],
    [['--overwrite', '--output-file', 'x'], 'The flags', FLAGS_HELP],
  ])('says which flags do not go together: %j', (argv, message, hint) => {
    const flags = {
      overwrite: { type: 'boolean', dependsOn: ['output-file'] },
      'output-file': { type: 'option' },
      all: { type: 'boolean', char: 'a', exclusive: ['profile'] },
      profile: { type: 'option' },
    };
    const usage = usageOf(parserError('The flags\nSee more help with --help', {}), argv, flags);
    expect({ message: usage.message, hint: usage.hint }).toEqual({ message, hint });
  });

  it('says so of the first switch with a value', () => {
    const flags = {
      plain: { type: 'boolean' },
      'reveal-pii': { type: 'boolean' },
      search: { type: 'option' },
    };
    const argv = ['--search=x', 'x--plain=y', '--reveal-pii=yes', '--plain=no'];
    expect(usageOf(parserError('Unexpected argument', { args: ['yes'] }), argv, flags).message).toBe(
      '--reveal-pii takes no value',
    );
  });

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
      hint: 'Did you mean json? Use one of table, json, ndjson.',
    });
  });

  it.each([
    [['-oa=b'], 'a=b'],
    [['-o==b'], '=b'],
    [['--output=a=b'], 'a=b'],
    [['--output='], ''],
    [['-o', 'json', '--output', 'xml'], 'xml'],
  ])('suggests no choice where none is near: %j', (argv, value) => {
    expect(usageOf(parserError('Expected --output to be one of: ...'), argv)).toEqual({
      code: 'bad_flag',
      message: `--output cannot be ${JSON.stringify(value)}`,
      hint: 'Use one of table, json, ndjson.',
    });
  });

  it.each([
    [['-o', 'json', '-otable', '-o=ndjson', '--output', 'json', '--output=table']],
    [['--search', 'jsn', '--limit=jsn', 'x-ojsn', 'x-o=jsn']],
    [['-sjsn', '-s', 'jsn', '-undefined', 'jsn']],
    [['-o']],
  ])('finds nothing in values that their flags allow: %j', (argv) => {
    const flags = { sort: { options: ['id'] }, ...FLAGS };
    expect(usageOf(parserError('Some message'), argv, flags)).toEqual({
      code: 'bad_usage',
      message: 'Some message',
      hint: FLAGS_HELP,
    });
  });

  it.each([
    ['  Two parts\n\n  on lines \n\nSee more help with --help', 'Two parts on lines'],
    ['One line', 'One line'],
    ['Try it.\n  See more help with --help', 'Try it.'],
  ])('puts the lines of a message together: %j', (message, shown) => {
    expect(usageOf(parserError(message)).message).toBe(shown);
  });

  it.each([
    { args: [{ name: 5 }] },
    { args: [{}] },
    { args: [] },
    { args: [null] },
    { flags: [] },
    { flags: [5] },
  ])('keeps the message where the members of the error tell nothing: %j', (members) => {
    expect(usageOf(parserError('Some message', members))).toEqual({
      code: 'bad_usage',
      message: 'Some message',
      hint: FLAGS_HELP,
    });
  });

  it('keeps the message of the parser for the rest, without its reference to --help', () => {
    const message = 'Flag --limit expects a value\nSee more help with --help';
    expect(usageOf(parserError(message), ['--limit'])).toEqual({
      code: 'bad_usage',
      message: 'Flag --limit expects a value',
      hint: 'Add --help to list the flags of this command.',
    });
  });

  it('leaves every other error as it is', () => {
    const errors = [new UsageError('x', 'y'), new Error('flags', { cause: 1 }), 'text', undefined];
    expect(errors.map((error) => toUsageError(error, { argv: [], flags: FLAGS }))).toEqual(errors);
  });
});
