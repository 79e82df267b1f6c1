import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorObject } from '../../harness/error-object.ts';
import { startServer, type TestServer } from '../../harness/http-server.ts';
import { lines } from '../../harness/lines.ts';
import { useHome } from '../../harness/run-payctl.ts';
import { against, SECRET_TOKEN } from '../paged-service.ts';

const home = useHome();
let server: TestServer;
beforeAll(async () => {
  server = await startServer((_, response) => void response.end('{}'));
});
afterAll(() => server.close());

const HELP = 'Add --help for the flags of the command.';
const FORMATS = 'Write one of table, json, ndjson, csv, yaml.';
const DURATION = 'Write a whole number with its unit: 500ms, 30s, 2m.';
const ABSOLUTE = 'Write an absolute URL such as https://api.example.com or https://api.{id}.example.com.';
const LOOPBACK = 'Use https. Plain http is accepted for 127.0.0.1, [::1] and localhost only.';
const ACCOUNT = 'Write the id of a merchant account: 1 to 255 printable ASCII characters.';
const INSTANCE = 'Write letters, digits and hyphens only, at most 63 of them, with no hyphen at either end.';

/** Flags behind `buyers list`, the message, and the lines of the hint. */
const flags: readonly [args: string[], message: string, ...hint: string[]][] = [
  [['--serch', 'x'], 'There is no flag --serch (unknown_flag)', 'Did you mean --search?'],
  [['--frobnicate'], 'There is no flag --frobnicate (unknown_flag)', HELP],
  [['-x'], 'There is no flag -x (unknown_flag)', HELP],
  [['--token', 'abc'], 'There is no flag --token (unknown_flag)', HELP],
  [['--token=abc'], 'There is no flag --token (unknown_flag)', HELP],
  [['-tabc'], 'There is no flag -t (unknown_flag)', HELP],
  [
    ['sk_live_abcdefgh'],
    'The command takes no argument, and this one looks like a secret (unexpected_argument)',
    'Every process of this machine can read arguments. Give secrets on standard input or in variables.',
  ],
  [
    ['0123456789abcdef'],
    'The command takes no argument, and this one looks like a secret (unexpected_argument)',
    'Every process of this machine can read arguments. Give secrets on standard input or in variables.',
  ],
  [
    ['ef28fde9-5d24-429e-af7b-494ed25fc77c'],
    'The command takes no argument "ef28fde9-5d24-429e-af7b-494ed25fc77c" (unexpected_argument)',
    'Put a text with blanks in quotation marks. Add --help for what the command takes.',
  ],
  [
    ['eyJhbGciOiJub25lIn0.e30.c2ln'],
    'The command takes no argument, and this one looks like a secret (unexpected_argument)',
    'Every process of this machine can read arguments. Give secrets on standard input or in variables.',
  ],
  [['--limit'], 'Flag --limit expects a value (bad_usage)', HELP],
  [['--limit', '1', '--limit', '2'], 'Flag --limit can only be specified once (bad_usage)', HELP],
  [
    ['ada'],
    'The command takes no argument "ada" (unexpected_argument)',
    'Put a text with blanks in quotation marks. Add --help for what the command takes.',
  ],
  [['--limit', '0'], '--limit takes a whole number, from 1 to 100, not "0" (bad_flag)'],
  [['--limit', '101'], '--limit takes a whole number, from 1 to 100, not "101" (bad_flag)'],
  [['--limit', '1e1'], '--limit takes a whole number, from 1 to 100, not "1e1" (bad_flag)'],
  [['--limit', '-5'], '--limit takes a whole number, from 1 to 100, not "-5" (bad_flag)'],
  [['--max-items', '0'], '--max-items takes a whole number, 1 or more, not "0" (bad_flag)'],
  [['--max-items', '1.5'], '--max-items takes a whole number, 1 or more, not "1.5" (bad_flag)'],
  [['--cursor', ''], '--cursor cannot be empty (bad_flag)', 'Leave --cursor out, or give it a value.'],
  [['--cursor', 'é'.repeat(1_001)], '--cursor takes at most 1000 characters, not 1001 (bad_flag)'],
  [['--search='], '--search cannot be empty (bad_flag)', 'Leave --search out, or give it a value.'],
  [
    ['--external-identifier', ''],
    '--external-identifier cannot be empty (bad_flag)',
    'Leave --external-identifier out, or give it a value.',
  ],
  [['--columns', 'id,,name'], '--columns takes names separated by commas, not "id,,name" (bad_flag)'],
  [['--jq', ''], '--jq cannot be empty (bad_flag)', 'Leave --jq out, or give it a value.'],
  [['-o', 'jsn'], '--output cannot be "jsn" (bad_flag)', `Did you mean json? ${FORMATS}`],
  [['--output=xml'], '--output cannot be "xml" (bad_flag)', FORMATS],
  [['--timeout', 'soon'], '--timeout is "soon", which is not a duration (invalid_duration)', DURATION],
  [
    ['--timeout', '5'],
    '--timeout is "5", which has no unit (invalid_duration)',
    'Write 5s for seconds, 5ms for milliseconds.',
  ],
  [
    ['--timeout', '0s'],
    '--timeout is "0s", which leaves no time at all (invalid_duration)',
    'Write 1ms or more, for instance 30s.',
  ],
  [
    ['--timeout', '2h'],
    '--timeout is "2h", which is longer than an hour (invalid_duration)',
    'Write 1h or less.',
  ],
  [
    ['--max-retries', '11'],
    '--max-retries is "11", which is not a number of retries (invalid_max_retries)',
    'Write a whole number from 0 to 10.',
  ],
  [
    ['--profile', 'emulatr'],
    '--profile is "emulatr", and there is no such profile (unknown_profile)',
    'Did you mean emulator? Known profiles: emulator.',
  ],
  [
    ['-m', ''],
    '--merchant-account cannot be empty (bad_flag)',
    'Leave --merchant-account out, or give it a value.',
  ],
  [['-m', 'ü'], '--merchant-account is "ü", which no header can carry (invalid_merchant_account)', ACCOUNT],
  [
    ['-m', 'a\nb'],
    '--merchant-account is "a\\nb", which no header can carry (invalid_merchant_account)',
    ACCOUNT,
  ],
  [
    ['--base-url', 'api.example.com'],
    '--base-url is "api.example.com", which is not an absolute http or https URL (invalid_base_url)',
    ABSOLUTE,
  ],
  [
    ['--base-url', 'http://127.0.0.1.evil.example'],
    '--base-url is "http://127.0.0.1.evil.example", which would send the token unencrypted (insecure_base_url)',
    LOOPBACK,
  ],
  [
    ['--base-url', 'https://me:hunter2@api.example.com'],
    '--base-url holds an @, and so perhaps a password (invalid_base_url)',
    'Leave out the user name and the password.',
  ],
  [
    ['--base-url', 'https://api.{id}.example.com'],
    '--base-url is "https://api.{id}.example.com", which needs an instance for its {id} (instance_missing)',
    'Give the instance with --instance or PAYCTL_INSTANCE.',
  ],
  [
    ['--base-url', 'https://{id}.example.com', '--instance', 'evil.example/'],
    'The instance "evil.example/" cannot be part of a host name (invalid_instance)',
    INSTANCE,
  ],
];

/** Variables, the message, and the hint. */
const variables: readonly [env: Record<string, string>, message: string, hint: string][] = [
  [{ PAYCTL_TIMEOUT: 'x' }, 'PAYCTL_TIMEOUT is "x", which is not a duration (invalid_duration)', DURATION],
  [
    { PAYCTL_MAX_RETRIES: '-1' },
    'PAYCTL_MAX_RETRIES is "-1", which is not a number of retries (invalid_max_retries)',
    'Write a whole number from 0 to 10.',
  ],
  [
    { PAYCTL_OUTPUT: 'yml' },
    'PAYCTL_OUTPUT is "yml", which is not an output format (invalid_output)',
    `Did you mean yaml? ${FORMATS}`,
  ],
  [
    { PAYCTL_VERBOSE: 'very' },
    'PAYCTL_VERBOSE is "very", which is neither yes nor no (invalid_switch)',
    'Write 1 or 0.',
  ],
  [
    { PAYCTL_PROFILE: 'prod' },
    'PAYCTL_PROFILE is "prod", and there is no such profile (unknown_profile)',
    'Known profiles: emulator.',
  ],
  [{ PAYCTL_MERCHANT_ACCOUNT: ' ' }, 'PAYCTL_MERCHANT_ACCOUNT is empty (invalid_merchant_account)', ACCOUNT],
  [
    { PAYCTL_MERCHANT_HEADER: 'Authorization' },
    'PAYCTL_MERCHANT_HEADER is "Authorization", a header that has a meaning of its own (invalid_merchant_header)',
    'Write a name such as x-service-merchant-account-id.',
  ],
  [
    { PAYCTL_BASE_URL: 'http://api.example.com' },
    'PAYCTL_BASE_URL is "http://api.example.com", which would send the token unencrypted (insecure_base_url)',
    LOOPBACK,
  ],
  [
    { PAYCTL_BASE_URL: 'https://{id}.example.com', PAYCTL_INSTANCE: 'a b' },
    'The instance "a b" cannot be part of a host name (invalid_instance)',
    INSTANCE,
  ],
];

describe('wrong usage', () => {
  it.each(flags)('exits with 2 and sends nothing: buyers list %j', async (args, message, ...hint) => {
    const run = await home.payctl(['buyers', 'list', ...args], { env: against(server) });
    expect(run).toEqual({ stdout: '', stderr: lines(`Error: ${message}`, ...hint), code: 2, signal: null });
    expect(server.requests).toEqual([]);
  });

  it.each(variables)('exits with 2 and sends nothing: %j', async (env, message, hint) => {
    const run = await home.payctl(['buyers', 'list'], { env: { ...against(server), ...env } });
    expect(run).toEqual({ stdout: '', stderr: lines(`Error: ${message}`, hint), code: 2, signal: null });
    expect(server.requests).toEqual([]);
  });

  it.each([
    [['--port', '65536'], '--port takes a whole number, from 0 to 65535, not "65536" (bad_flag)'],
    [['--seed', '-1'], '--seed takes a whole number, from 0 to 4294967295, not "-1" (bad_flag)'],
    [['--buyers', 'many'], '--buyers takes a whole number, from 0 to 10000000, not "many" (bad_flag)'],
  ])('exits with 2 and starts nothing: emulator start %j', async (args, message) => {
    const run = await home.payctl(['emulator', 'start', ...args]);
    expect(run).toEqual({ stdout: '', stderr: `Error: ${message}\n`, code: 2, signal: null });
  });

  it('names an instance that has no place in the base URL', async () => {
    const run = await home.payctl(['buyers', 'list', '--instance', 'shop'], { env: against(server) });
    expect(run.stderr).toBe(
      lines(
        `Error: --instance has no place in the base URL ${server.origin} (instance_unused)`,
        'Write {id} where the instance belongs, or leave --instance out.',
      ),
    );
    expect(run.code).toBe(2);
  });

  it('says of a switch with a value that it takes none', async () => {
    const run = await home.payctl(['buyers', 'list', '--reveal-pii=yes'], { env: against(server) });
    expect(run.stderr.split('\n')[0]).toBe('Error: --reveal-pii takes no value (bad_flag)');
    expect(run.code).toBe(2);
  });
});

describe('wrong usage beside JSON output', () => {
  it.each([
    ['--json', ['--json', '--serch', 'x']],
    ['-o json', ['-o', 'json', '--serch', 'x']],
    ['-ojson behind the fault', ['--serch', '-ojson']],
    ['--output=ndjson', ['--output=ndjson', '--serch']],
  ])('leaves stdout empty and one error object on stderr, with no secret: %s', async (_, args) => {
    const PAYCTL_PRIVATE_KEY = 'marked-private-key';
    const env = { ...against(server), PAYCTL_PRIVATE_KEY };
    const run = await home.payctl(['buyers', 'list', ...args], { env });
    expect(errorObject(run.stderr)).toEqual({
      code: 'unknown_flag',
      message: 'There is no flag --serch',
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
