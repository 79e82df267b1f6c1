import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorObject } from '../../harness/error-object.ts';
import { startServer, type TestServer } from '../../harness/http-server.ts';
import { printedError } from '../../harness/printed-error.ts';
import { useHome } from '../../harness/run-payctl.ts';
import { against, SECRET_TOKEN } from '../paged-service.ts';

const home = useHome();
let server: TestServer;
beforeAll(async () => {
  server = await startServer((_, response) => void response.end('{}'));
});
afterAll(() => server.close());

/** Flags after `buyers list`, the code, and what the message names, which is nothing that may be a secret. */
const flags: readonly [args: string[], code: string, named: string, hint?: string][] = [
  [['--serch', 'x'], 'unknown_flag', '--serch', 'Did you mean --search?'],
  [['--frobnicate'], 'unknown_flag', '--frobnicate', '--help'],
  [['-x'], 'unknown_flag', '-x', '--help'],
  [['--token', 'abc'], 'unknown_flag', '--token', 'No flag takes a secret'],
  [['--token=abc'], 'unknown_flag', '--token', 'No flag takes a secret'],
  [['--help=abc'], 'bad_flag', '--help takes no value', 'without a value'],
  [['-tabc'], 'unknown_flag', '-t', '--help'],
  [['sk_live_abcdefgh'], 'unexpected_argument', 'secret', 'environment'],
  [['0123456789abcdef'], 'unexpected_argument', 'secret', 'environment'],
  [['ef28fde9-5d24-429e-af7b-494ed25fc77c'], 'unexpected_argument', '"ef28fde9-5d24', '--search'],
  [['eyJhbGciOiJub25lIn0.e30.c2ln'], 'unexpected_argument', 'secret', 'environment'],
  [['--limit'], 'bad_usage', '--limit', '--help'],
  [['--limit', '1', '--limit', '2'], 'bad_usage', '--limit', '--help'],
  [['ada'], 'unexpected_argument', '"ada"', '--search ada'],
  [['--limit', '0'], 'bad_flag', '--limit'],
  [['--limit', '101'], 'bad_flag', '"101"', '--max-items N'],
  [['--limit', '1e1'], 'bad_flag', '"1e1"'],
  [['--limit', '-5'], 'bad_flag', '"-5"'],
  [['--max-items', '0'], 'bad_flag', '--max-items'],
  [['--max-items', '1.5'], 'bad_flag', '"1.5"'],
  [['--cursor', ''], 'bad_flag', '--cursor', '--cursor'],
  [['--cursor', 'é'.repeat(1_001)], 'bad_flag', '1001'],
  [['--search='], 'bad_flag', '--search', '--search'],
  [['--external-identifier', ''], 'bad_flag', '--external-identifier', '--external-identifier'],
  [['--columns', 'id,,name'], 'bad_flag', '"id,,name"'],
  [['--jq', ''], 'bad_flag', '--jq', '--jq'],
  [['-o', 'jsn'], 'bad_flag', '"jsn"', 'Did you mean json?'],
  [['--output=xml'], 'bad_flag', '"xml"', 'table, wide, detail, json, ndjson, csv, yaml, markdown'],
  [['--timeout', 'soon'], 'invalid_duration', '--timeout is "soon"', '30s'],
  [['--timeout', '5'], 'invalid_duration', '--timeout is "5"', '5s'],
  [['--timeout', '0s'], 'invalid_duration', '--timeout is "0s"', '1ms'],
  [['--timeout', '2h'], 'invalid_duration', '--timeout is "2h"', '1h'],
  [['--max-retries', '11'], 'invalid_max_retries', '--max-retries is "11"', '10'],
  [['--profile', 'emulatr'], 'unknown_profile', 'There is no profile "emulatr"', 'Did you mean emulator?'],
  [['-m', ''], 'bad_flag', '--merchant-account', '--merchant-account'],
  [['-m', 'ü'], 'invalid_merchant_account', '--merchant-account is "ü"', '255'],
  [['-m', 'a\nb'], 'invalid_merchant_account', String.raw`"a\nb"`, '255'],
  [['--base-url', 'api.example.com'], 'invalid_base_url', '"api.example.com"', 'https://'],
  [
    ['--base-url', 'http://127.0.0.1.evil.example'],
    'insecure_base_url',
    '"http://127.0.0.1.evil.example"',
    'https',
  ],
  [
    ['--base-url', 'https://me:hunter2@api.example.com'],
    'invalid_base_url',
    'password',
    'Remove the user name and the password.',
  ],
  [['--base-url', 'https://api.{id}.example.com'], 'instance_missing', '{id}', '--instance'],
  [
    ['--base-url', 'https://{id}.example.com', '--instance', 'evil.example/'],
    'invalid_instance',
    '"evil.example/"',
    'hyphens',
  ],
];

/** Variables, the code, what the message names, and what the hint names. */
const variables: readonly [env: Record<string, string>, code: string, named: string, hint: string][] = [
  [{ PAYCTL_TIMEOUT: 'x' }, 'invalid_duration', 'PAYCTL_TIMEOUT is "x"', '30s'],
  [{ PAYCTL_MAX_RETRIES: '-1' }, 'invalid_max_retries', 'PAYCTL_MAX_RETRIES is "-1"', '10'],
  [{ PAYCTL_OUTPUT: 'yml' }, 'invalid_output', 'PAYCTL_OUTPUT is "yml"', 'Did you mean yaml?'],
  [
    { PAYCTL_VERBOSE: 'very' },
    'invalid_switch',
    'PAYCTL_VERBOSE is "very"',
    'Use 1, true, yes or on; or 0, false, no or off.',
  ],
  [
    { PAYCTL_PROFILE: 'prod' },
    'unknown_profile',
    'There is no profile "prod", but PAYCTL_PROFILE names it',
    'emulator',
  ],
  [{ PAYCTL_READ_ONLY: 'y' }, 'invalid_switch', 'PAYCTL_READ_ONLY is "y"', 'Use 1, true, yes or on'],
  [
    { PAYCTL_ENVIRONMENT: 'live' },
    'invalid_environment',
    'PAYCTL_ENVIRONMENT is "live"',
    'sandbox, production',
  ],
  [{ PAYCTL_MERCHANT_ACCOUNT: ' ' }, 'invalid_merchant_account', 'PAYCTL_MERCHANT_ACCOUNT', '255'],
  [
    { PAYCTL_MERCHANT_HEADER: 'Authorization' },
    'invalid_merchant_header',
    'PAYCTL_MERCHANT_HEADER is "Authorization"',
    'x-service-merchant-account-id',
  ],
  [
    { PAYCTL_BASE_URL: 'http://api.example.com' },
    'insecure_base_url',
    'PAYCTL_BASE_URL is "http://api.example.com"',
    'https',
  ],
  [
    { PAYCTL_BASE_URL: 'https://{id}.example.com', PAYCTL_INSTANCE: 'a b' },
    'invalid_instance',
    '"a b"',
    'hyphens',
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

  it('names an instance that has no place in the base URL', async () => {
    const run = await home.payctl(['buyers', 'list', '--instance', 'shop'], { env: against(server) });
    const error = printedError(run.stderr);
    expect(error).toEqual(refused('instance_unused', server.origin, '{id}'));
    expect(error.message).toContain('--instance');
    expect(run.code).toBe(2);
  });

  it('says of a switch with a value that it takes none', async () => {
    const run = await home.payctl(['buyers', 'list', '--reveal-pii=yes'], { env: against(server) });
    expect(printedError(run.stderr)).toEqual(refused('bad_flag', '--reveal-pii', '--reveal-pii'));
    expect(run.code).toBe(2);
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

  it('is one error object too when PAYCTL_OUTPUT=json asked for it', async () => {
    const env = { ...against(server), PAYCTL_OUTPUT: 'json' };
    const run = await home.payctl(['buyers', 'list', '--limit', 'x'], { env });
    expect(errorObject(run.stderr)).toMatchObject({ code: 'bad_flag', exit_code: 2 });
    expect(run).toMatchObject({ stdout: '', code: 2 });
  });
});
