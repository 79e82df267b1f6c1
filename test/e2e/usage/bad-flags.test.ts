import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorObject } from '../../harness/error-object.ts';
import { startServer, type TestServer } from '../../harness/http-server.ts';
import { printedError } from '../../harness/printed-error.ts';
import { against, SECRET_TOKEN } from '../paged-service.ts';
import { quickHomes } from '../quick-homes.ts';

const { useHome } = quickHomes();

const home = useHome();
let server: TestServer;
beforeAll(async () => {
  server = await startServer((_, response) => void response.end('{}'));
});
afterAll(() => server.close());

/** Flags after `buyers list`, the code, and what the message names, which is nothing that may be a secret. */
const flags: readonly [args: string[], code: string, named: string, hint?: string][] = [
  [['--serch', 'x'], 'unknown_flag', '--serch', 'Did you mean --search?'],
  [['--token', 'abc'], 'unknown_flag', '--token', 'No flag takes a secret'],
  [['--token-file', 'token.txt'], 'unknown_flag', '--token-file', 'PAYCTL_TOKEN_FILE'],
  [['--help=abc'], 'bad_flag', '--help takes no value', 'without a value'],
  [['sk_live_abcdefgh'], 'unexpected_argument', 'secret', 'environment'],
  [['ef28fde9-5d24-429e-af7b-494ed25fc77c'], 'unexpected_argument', '"ef28fde9-5d24', '--search'],
  [['--limit', '1', '--limit', '2'], 'bad_usage', '--limit', '--help'],
  [['ada'], 'unexpected_argument', '"ada"', '--search ada'],
  [['--limit', '101'], 'bad_flag', '"101"', '--max-items N'],
  [['--max-items', '0'], 'bad_flag', '--max-items'],
  [['--cursor', 'é'.repeat(1_001)], 'bad_flag', '1001'],
  [['--jq', ''], 'bad_flag', '--jq', '--jq'],
  [['--columns', 'id,,name'], 'bad_flag', '"id,,name"'],
  [['-o', 'jsn'], 'bad_flag', '"jsn"', 'Did you mean json?'],
  [['--timeout', '5'], 'invalid_duration', '--timeout is "5"', '5s'],
  [['--max-retries', '11'], 'invalid_max_retries', '--max-retries is "11"', '10'],
  [['--profile', 'emulatr'], 'unknown_profile', 'There is no profile "emulatr"', 'Did you mean emulator?'],
  [['-m', 'ü'], 'invalid_merchant_account', '--merchant-account is "ü"', '255'],
  [
    ['--base-url', 'https://me:hunter2@api.example.com'],
    'invalid_base_url',
    'password',
    'Remove the user name and the password.',
  ],
  [['--base-url', 'https://api.{id}.example.com'], 'instance_missing', '{id}', '--instance'],
];

/** Variables, the code, what the message names, and what the hint names. */
const variables: readonly [env: Record<string, string>, code: string, named: string, hint: string][] = [
  [{ PAYCTL_OUTPUT: 'yml' }, 'invalid_output', 'PAYCTL_OUTPUT is "yml"', 'Did you mean yaml?'],
  [
    { PAYCTL_PROFILE: 'prod' },
    'unknown_profile',
    'There is no profile "prod", but PAYCTL_PROFILE names it',
    'emulator',
  ],
];

/** An error of two lines: what is wrong, which names this, and how to put it right. */
function refused(code: string, named: string, hint: string | undefined) {
  const message = expect.stringContaining(named);
  return hint === undefined ? { code, message } : { code, message, hints: [expect.stringContaining(hint)] };
}

describe('wrong usage', () => {
  it.each(flags)('exits with 2 and sends nothing: buyers list %j', async (args, code, named, hint) => {
    const run = await home.payctl(['buyers', 'list', ...args], { env: against(server) });
    expect(run).toMatchObject({ stdout: '', code: 2, signal: null });
    expect(printedError(run.stderr)).toEqual(refused(code, named, hint));
    expect(run.stderr).not.toMatch(/sk_live|0123456789abcdef|eyJ|hunter2|[= ]abc\b/);
    expect(server.requests).toEqual([]);
  });

  it.each(variables)('exits with 2 and sends nothing: %j', async (env, code, named, hint) => {
    const run = await home.payctl(['buyers', 'list'], { env: { ...against(server), ...env } });
    expect(run).toMatchObject({ stdout: '', code: 2, signal: null });
    expect(printedError(run.stderr)).toEqual(refused(code, named, hint));
    expect(server.requests).toEqual([]);
  });

  it.each([
    [['--port', '65536'], '65535'],
    [['--seed', '-1'], '4294967295'],
    [['--buyers', 'many'], '10000000'],
  ])('exits with 2 and starts nothing: emulator start %j', async (args, limit) => {
    const run = await home.payctl(['emulator', 'start', ...args]);
    expect(run).toMatchObject({ stdout: '', code: 2, signal: null });
    const error = printedError(run.stderr);
    expect(error).toEqual(refused('bad_flag', `"${args[1]}"`, undefined));
    expect(error.message).toContain(limit);
    expect(error.message).toContain(args[0]);
  });
});

describe('wrong usage beside JSON output', () => {
  it.each([
    ['--json', ['--json', '--serch', 'x']],
    ['-o json', ['-o', 'json', '--serch', 'x']],
    ['-ojson after the wrong flag', ['--serch', '-ojson']],
    ['--output=ndjson', ['--output=ndjson', '--serch']],
  ])('leaves stdout empty and one error object on stderr, with no secret: %s', async (_, args) => {
    const PAYCTL_PRIVATE_KEY = 'marked-private-key';
    const env = { ...against(server), PAYCTL_PRIVATE_KEY };
    const run = await home.payctl(['buyers', 'list', ...args], { env });
    expect(errorObject(run.stderr)).toEqual({
      code: 'unknown_flag',
      message: expect.stringContaining('--serch'),
      details: [],
      hint: 'Did you mean --search?',
      exit_code: 2,
    });
    expect(run).toMatchObject({ stdout: '', code: 2 });
    expect(run.stderr).not.toContain(SECRET_TOKEN);
    expect(run.stderr).not.toContain(PAYCTL_PRIVATE_KEY);
  });
});
