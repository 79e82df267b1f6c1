import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { serve } from '../../client/live-client.ts';
import { document } from '../../descriptions/describe.ts';
import { largeDescription } from '../../descriptions/large-description.ts';
import { answers } from '../../harness/http-server.ts';
import { importedForAll, importedHome, runImported } from './run-imported.ts';

const described = importedForAll(largeDescription());

describe('what is almost right of a described command', () => {
  it.each<readonly [readonly string[], string, string]>([
    [
      ['payouts', 'create', '--amount', '5'],
      'Unknown flag --amount (unknown_flag)',
      'To set a field of the body, use -F amount=VALUE. --help lists the flags and fields.',
    ],
    [['payouts', 'create', '--dry-rum'], 'Unknown flag --dry-rum (unknown_flag)', 'Did you mean --dry-run?'],
    [
      ['payouts', 'list', '--reference', '5'],
      'Unknown flag --reference (unknown_flag)',
      'Add --help to list the flags of this command.',
    ],
    [
      ['api', 'call', 'transactions.captre'],
      'There is no operation "transactions.captre" (unknown_operation)',
      'Did you mean transactions capture? List all of them: payctl api list',
    ],
    [
      ['api', 'call', 'captureTransaction'],
      'There is no operation "captureTransaction" (unknown_operation)',
      'Did you mean capture_transaction? List all of them: payctl api list',
    ],
    [
      ['api', 'show', 'payuts.list'],
      'There is no operation "payuts.list" (unknown_operation)',
      'Did you mean payouts list? List all of them: payctl api list',
    ],
    [
      ['transactions', 'captre', '17'],
      'Unknown command "transactions captre" (unknown_command)',
      'Did you mean: payctl transactions capture',
    ],
    ...[' ', ' order', 'a\nb', 'é'].map(
      (key) =>
        [
          ['payouts', 'create', '--idempotency-key', key],
          `--idempotency-key must be 1 to 255 printable ASCII characters without leading or trailing spaces, not ${JSON.stringify(key)} (bad_flag)`,
          'For example: --idempotency-key order-17. Without the flag, payctl makes a new key.',
        ] as const,
    ),
    [
      ['payouts', 'create', '--data', '{"amount":1,"lines":[{"name":"a","name":"b"}]}'],
      '--data has the field /lines/0/name more than once (bad_json)',
      `Use JSON such as '{"name":"value"}', @FILE, or - for standard input.`,
    ],
  ])('%j is answered with what is meant', async (argv, message, hint) => {
    expect(await runImported(argv, described)).toEqual({
      stdout: '',
      stderr: `Error: ${message}\n${hint}\n`,
      code: 2,
      sent: [],
    });
  });
});

it.each([
  [['buyers', 'list'], '1 to 100'],
  [['payouts', 'list'], '1 to 100'],
])('a page that is too large leads to the flags for many items: %j', async (words, range) => {
  const { stderr, code } = await runImported([...words, '--limit', '5000'], described);
  expect({ stderr, code }).toEqual({
    stderr: `Error: --limit must be a whole number from ${range}, not "5000" (bad_flag)\nIt is the size of a page. Use --max-items N for the first N items, or --all for all of them.\n`,
    code: 2,
  });
  const small = await runImported([...words, '--limit', '0'], described);
  expect(small.stderr).toBe(`Error: --limit must be a whole number from ${range}, not "0" (bad_flag)\n`);
});

it('a profile to log in to that PAYCTL_PROFILE names is told from one that was typed', async () => {
  const { home } = importedHome({});
  const login = (argv: readonly string[], env: Readonly<Record<string, string>>) =>
    runImported(['auth', 'login', ...argv], { home, file: undefined }, { env });
  const refused = 'Error: The profile emulator is built in and cannot be changed (built_in_profile)\n';
  expect((await login([], { PAYCTL_PROFILE: 'emulator' })).stderr).toBe(
    `${refused}The name comes from PAYCTL_PROFILE; --profile NAME chooses another one.\n`,
  );
  expect((await login(['--profile', 'emulator'], {})).stderr).toBe(`${refused}Choose another name.\n`);
});

describe('an operation that is named', () => {
  it.each([
    [['api', 'call', 'get_payouts', '--help'], 'api call get_payouts'],
    [['api', 'call', 'GET', '/payouts', '-h'], 'api call GET /payouts'],
    [['help', 'api', 'call', 'get_payouts'], 'api call get_payouts'],
  ])('has a page of its own: %j', async (argv, words) => {
    const page = await runImported(argv, described);
    expect(page).toMatchObject({ stderr: '', code: 0, sent: [] });
    expect(page.stdout).toContain(`Usage: payctl ${words} [FLAGS]`);
    expect(page.stdout).toContain('--status');
  });

  it('is shown with the flags as they are typed', async () => {
    const home = described;
    const text = await runImported(['api', 'show', 'get_payouts'], home);
    expect(text.stdout).toMatch(/^ {2}--created-at-gte {2}/m);
    const json = await runImported(
      ['api', 'show', 'get_payouts', '--jq', '.query[] | [.name, .flag] | @csv'],
      home,
    );
    expect(json.stdout).toContain('"created_at_gte","--created-at-gte"');
  });
});

describe('a description of 33 MiB', () => {
  it('is imported from a URL as from a file', async () => {
    const { home } = importedHome({});
    const description = { ...document({ '/things': { get: {} } }), 'x-text': 'x'.repeat(33 * 1024 * 1024) };
    const server = await serve(answers([{ body: description }]));
    const done = await runImported(
      ['api', 'import', `${server.origin}/openapi.json`, '-q', '--jq', '.operations'],
      { home, file: undefined },
    );
    expect(done).toMatchObject({ stdout: '1\n', stderr: '', code: 0 });
    const path = join(home, 'large.json');
    writeFileSync(path, JSON.stringify(description));
    const again = await runImported(['api', 'import', path, '-q', '--jq', '.operations'], {
      home,
      file: undefined,
    });
    expect(again).toMatchObject({ stdout: '1\n', code: 0 });
  });
});

describe('a value in the wrong case', () => {
  const parameter = (name: string, where: string, schema: object) => ({
    name,
    in: where,
    ...(where === 'path' ? { required: true } : {}),
    schema: { type: 'string', ...schema },
  });
  const orders = () =>
    importedHome({
      openapi: '3.1.0',
      info: { title: 'Orders', version: '1' },
      paths: {
        '/orders/{country}': {
          get: {
            parameters: [
              parameter('country', 'path', { pattern: '^[A-Z]{2}$' }),
              parameter('currency', 'query', { pattern: '^[A-Z]{3}$' }),
              parameter('settled_in', 'query', { enum: ['EUR', 'GBP'] }),
              parameter('state', 'query', { enum: ['open', 'closed'] }),
            ],
            responses: { 200: { content: { 'application/json': { schema: { type: 'object' } } } } },
          },
        },
      },
    });

  it.each([
    [
      ['GB', '--currency', 'eur'],
      '--currency must match the pattern "^[A-Z]{3}$", not "eur"',
      'Did you mean EUR?',
    ],
    [['gb'], 'COUNTRY must match the pattern "^[A-Z]{2}$", not "gb"', 'Did you mean GB?'],
    [['GB', '--settled-in', 'eur'], '--settled-in cannot be "eur"', 'Did you mean EUR? Use one of EUR, GBP.'],
    [['GB', '--state', 'OPEN'], '--state cannot be "OPEN"', 'Did you mean open? Use one of open, closed.'],
    [['GB', '--currency', 'e1'], '--currency must match the pattern "^[A-Z]{3}$", not "e1"', ''],
  ])('is refused with the right one: %j', async (argv, message, hint) => {
    expect(await runImported(['orders', 'get', ...argv], orders())).toEqual({
      stdout: '',
      stderr: `Error: ${message} (bad_flag)\n${hint === '' ? '' : `${hint}\n`}`,
      code: 2,
      sent: [],
    });
  });
});
