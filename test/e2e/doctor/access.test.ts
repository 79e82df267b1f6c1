import { describe, expect, it } from 'vitest';
import {
  answering,
  COMMANDS,
  check,
  doctor,
  serviceOf,
  TRIED,
  UNTRIED,
} from '../../features/doctor/run-doctor.ts';
import type { Handler } from '../../harness/http-server.ts';
import { against, SECRET_TOKEN } from '../paged-service.ts';
import { quickHomes } from '../quick-homes.ts';
import { useEmulator } from '../shared-emulator.ts';

const { freshHome, useHome } = quickHomes();

describe('a wrong clock', () => {
  const dated =
    (offsetSeconds: number): Handler =>
    (request, response) => {
      const date = new Date(Date.now() + offsetSeconds * 1000).toUTCString();
      answering(200, '{"items":[]}', { date })(request, response);
    };

  it.each([
    [-3_600, /^60 minutes ahead of the service: tokens signed here are not valid yet when they arrive$/],
    [7_200, /^2 hours behind the service: tokens signed here have expired when they arrive$/],
  ])('exits with 3 and says which way it is wrong: %i s', async (offset, message) => {
    const server = await serviceOf({ '/roles': dated(offset) });
    const found = await check(freshHome(), 'clock', against(server));
    expect(found).toMatchObject({ state: 'fail', message: expect.stringMatching(message), code: 3 });
    expect(Math.abs(found.skew + offset)).toBeLessThan(5);
  });

  it('is a warning up to a minute', async () => {
    const server = await serviceOf({ '/roles': dated(30) });
    expect(await check(freshHome(), 'clock', against(server))).toMatchObject({
      state: 'warn',
      message: expect.stringMatching(
        /^(29|30|31) seconds behind the service: tokens signed here may be rejected$/,
      ),
      code: 0,
    });
  });

  it('cannot be seen where the service tells no date', async () => {
    const silent: Handler = (_, response) => {
      response.sendDate = false;
      response.end('{"items":[]}');
    };
    const server = await serviceOf({ '/roles': silent });
    expect(await check(freshHome(), 'clock', against(server))).toMatchObject({
      state: 'skip',
      message: 'the response has no usable Date header',
      code: 0,
    });
  });
});

describe('credentials that fail', () => {
  it('exits with 3 when the service rejects them, and never shows them', async () => {
    const error = { type: 'error', code: 'unauthorized', status: 401, message: `No: ${SECRET_TOKEN}` };
    const server = await serviceOf({ '*': answering(401, error) });
    const run = await doctor(freshHome(), [], against(server));
    expect(run.stdout.split('\n').slice(7)).toEqual([
      'fail\tcredentials\tthe service rejects the token from PAYCTL_TOKEN (401: No: ********)\tThe API logs say why; reading them requires a valid token. Replace the token in PAYCTL_TOKEN, or unset it and log in: payctl auth login',
      'skip\tscopes\tnot checked: no accepted credentials\t',
      'skip\tmerchant-account\tnot checked: no accepted credentials\t',
      '',
    ]);
    expect(run).toMatchObject({ stderr: '1 problem.\n', code: 3 });
  });

  it('are not in the trace of -v either', async () => {
    const server = await serviceOf({
      '*': answering(401, { type: 'error', code: 'x', message: SECRET_TOKEN }),
    });
    const { stdout, stderr } = await doctor(freshHome(), ['-v'], against(server));
    expect(stdout + stderr).not.toContain(SECRET_TOKEN);
    const requests = stderr.split('\n').filter((line) => line.startsWith('> GET'));
    expect(requests).toEqual([`> GET ${server.origin}/roles?limit=1`]);
  });

  it('exits with 3 when there are none', async () => {
    const server = await serviceOf();
    expect(await check(freshHome(), 'credentials', { PAYCTL_BASE_URL: server.origin })).toMatchObject({
      state: 'fail',
      message: 'no credentials are configured',
      states: 'pass pass pass pass pass pass fail skip skip',
      code: 3,
    });
  });

  it('exits with 3 when they cannot be used, and says why', async () => {
    const server = await serviceOf();
    const env = { PAYCTL_BASE_URL: server.origin, PAYCTL_PRIVATE_KEY: 'secret-that-is-no-key' };
    const found = await check(freshHome(), 'credentials', env);
    expect(found).toMatchObject({
      state: 'fail',
      message: 'PAYCTL_PRIVATE_KEY is neither PEM nor base64-encoded PEM',
      code: 3,
    });
    expect(server.requests).toHaveLength(1);
  });

  it('shows what the service says only sanitised', async () => {
    const server = await serviceOf({
      '*': answering(401, { type: 'error', code: 'x', message: '\u001b[2J\tok' }),
    });
    const run = await doctor(freshHome(), [], against(server));
    expect(run.stdout).toContain('(401: ␛[2J␉ok)');
  });
});

describe('what the credentials allow', () => {
  const forbidden = answering(403);

  it('is a warning with names when some commands are refused', async () => {
    const server = await serviceOf({ '/audit-logs': forbidden, '/api-logs': forbidden });
    expect(await check(freshHome(), 'scopes', against(server))).toMatchObject({
      state: 'warn',
      message: `${TRIED - 2} of ${TRIED} testable commands are allowed; not allowed: api-logs list, audit-logs list; ${UNTRIED}`,
      remedy: 'Get a token that also has these scopes: api-logs.read, audit-logs.read.',
      code: 0,
    });
  });

  it('fails when all are refused, and exits with 4', async () => {
    const server = await serviceOf({ '*': forbidden });
    expect(await check(freshHome(), 'scopes', against(server))).toMatchObject({
      state: 'fail',
      states: 'pass pass pass pass pass pass pass fail pass',
      code: 4,
    });
  });

  it('is asked of the claims of a token where it cannot be tried', async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = { scopes: ['*.read', 'buyers.write'], exp: 4_000_000_000 };
    const token = `${part({ alg: 'none', kid: 'key-7' })}.${part(claims)}.c2ln`;
    const server = await serviceOf();
    const env = { ...against(server), PAYCTL_TOKEN: token };
    expect(await check(freshHome(), 'scopes', env)).toMatchObject({
      state: 'warn',
      message: `${COMMANDS - 2} of ${COMMANDS} commands are allowed; not allowed: checkout-sessions update, payment-service-definitions sessions create`,
      remedy: 'Get a token that also has these scopes: checkout-sessions.write, transactions.write.',
    });
  });
});

describe('a merchant account', () => {
  const home = useHome();
  useEmulator(home);

  it('is accepted where the emulator knows it', async () => {
    const found = await check(home, 'merchant-account', {}, '--profile', 'emulator', '-m', 'default');
    expect(found).toMatchObject({
      state: 'pass',
      message: 'the service accepts default (--merchant-account)',
      code: 0,
    });
  });

  it('is the only problem where the emulator does not know it, and exits with 6', async () => {
    const env = { PAYCTL_MERCHANT_ACCOUNT: 'nobody' };
    const found = await check(home, 'merchant-account', env, '--profile', 'emulator');
    expect(found).toMatchObject({
      state: 'fail',
      message:
        'the service rejects nobody (PAYCTL_MERCHANT_ACCOUNT): requests fail with it (404) and succeed without it',
      remedy: 'Set PAYCTL_MERCHANT_ACCOUNT to another merchant account ID, or unset it.',
      states: 'pass pass pass pass pass pass pass pass fail',
      code: 6,
    });
  });
});
