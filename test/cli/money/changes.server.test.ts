import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { serve } from '../../client/live-client.ts';
import { runInProcess } from '../../commands/run-in-process.ts';
import { answer, document } from '../../descriptions/describe.ts';
import { type Answer, answers, type Handler } from '../../harness/http-server.ts';
import { lines } from '../../harness/lines.ts';
import { printedError } from '../../harness/printed-error.ts';
import { folderForTest } from '../../harness/temporary-folder.ts';

const amount = { type: 'integer' };
const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }];
const body = (content: string, properties: object) => ({
  requestBody: { content: { [content]: { schema: { type: 'object', properties } } } },
});
const DESCRIPTION = document({
  '/transactions/{id}': {
    parameters,
    get: {
      summary: 'Get a transaction',
      'x-scopes': ['transactions.read'],
      responses: answer({ type: 'object' }),
    },
    patch: {
      summary: 'Update a transaction',
      'x-scopes': ['transactions.write'],
      ...body('application/json', { amount }),
      responses: {},
    },
  },
  '/transactions/{id}:refund': {
    parameters,
    post: {
      summary: 'Refund',
      'x-scopes': ['transactions.write'],
      ...body('application/json', { amount }),
      responses: {},
    },
  },
  '/transactions/{id}/reversals': {
    parameters: [...parameters, { name: 'X-Tip-Amount', in: 'header', schema: { type: 'integer' } }],
    post: {
      operationId: 'reverse',
      summary: 'Reverse a transaction',
      'x-scopes': ['transactions.write'],
      ...body('application/json', { amount }),
      responses: {},
    },
  },
  '/evidence': {
    post: {
      summary: 'Add evidence',
      'x-scopes': ['payouts.write'],
      ...body('multipart/form-data', {
        amount,
        currency: { type: 'string' },
        file: { type: 'string', format: 'binary' },
      }),
      responses: {},
    },
  },
  '/transactions/{id}/refunds': {
    parameters,
    get: {
      summary: 'List refunds',
      responses: answer({}),
    },
    post: {
      summary: 'Refund a transaction',
      'x-scopes': ['transactions.write'],
      ...body('application/json', { amount, currency: { type: 'string' } }),
      responses: {},
    },
  },
  '/paid/{amount}/{currency}': {
    parameters: [
      { name: 'amount', in: 'path', required: true, schema: { type: 'integer' } },
      { name: 'currency', in: 'path', required: true, schema: { type: 'string' } },
      { name: 'X-Fee-Amount', in: 'header', schema: { type: 'integer' } },
    ],
    post: { operationId: 'pay', summary: 'Pay', 'x-scopes': ['payouts.write'], responses: {} },
  },
  '/charges/{id}': {
    parameters,
    get: {
      summary: 'Get a charge',
      responses: answer({
        type: 'object',
        properties: { captured_amount: { type: 'number' }, refunded_amount: { type: 'number' } },
      }),
    },
  },
  '/charges/{id}/refunds': {
    parameters,
    post: { summary: 'Refund', ...body('application/json', { amount }), responses: {} },
  },
  '/payouts': {
    post: {
      summary: 'Pay out',
      'x-scopes': ['payouts.write'],
      ...body('application/x-www-form-urlencoded', { amount, currency: { type: 'string' } }),
      responses: {},
    },
  },
});

const PAYMENT: Answer = {
  body: { id: 't1', amount: 100_000, captured_amount: 90_000, refunded_amount: 30_000, currency: 'EUR' },
};
const DONE: Answer = { status: 201, body: { id: 'r1' } };

/** A service with a transaction, and runs of commands that lead to it. */
async function service(get: Answer | Handler = PAYMENT, { prefix = '' } = {}) {
  const server = await serve((request, response) => {
    const reply = request.method === 'GET' ? get : DONE;
    answers([reply])(request, response);
  });
  const folder = folderForTest();
  const description = join(folder, 'pay.json');
  writeFileSync(description, JSON.stringify(DESCRIPTION));
  const env = {
    PAYCTL_CONFIG_DIR: folder,
    PAYCTL_DESCRIPTION: description,
    PAYCTL_BASE_URL: server.origin + prefix,
    PAYCTL_TOKEN: 'opaque',
    PAYCTL_MAX_RETRIES: '0',
    NO_COLOR: '1',
  };
  const payctl = async (argv: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    await runInProcess(argv, { env: { ...env, ...more } });
  const sent = () => server.requests.map(({ method, url, body: text }) => `${method} ${url} ${text}`.trim());
  const limit = async (...amounts: string[]) => {
    const flags = amounts.flatMap((one) => ['--max-amount', one]);
    expect(await payctl(['profiles', 'set', 'live', '--base-url', server.origin, ...flags])).toMatchObject({
      code: 0,
    });
  };
  return { server, payctl, sent, limit, folder };
}

const PRODUCTION = { PAYCTL_ENVIRONMENT: 'production' };

describe('the record that a change concerns', () => {
  const SAID = 't1 (authorized 1000.00 EUR, captured 900.00 EUR, refunded 300.00 EUR)';

  it.each([
    [['api', 'post', '/transactions/t1/refunds', '-F', 'amount=1'], SAID],
    [['api', 'post', '/transactions/t1/refunds/', '-F', 'amount=1', '--scope', 'transactions.write'], SAID],
    [['api', 'post', '/transactions/t1:refund', '-F', 'amount=1'], SAID],
    [['api', 'patch', '/transactions/t1', '-F', 'amount=1'], SAID],
    [['api', 'delete', '/transactions/t1', '--scope', 'transactions.write'], SAID],
  ])('is read before the question, once, by its GET: %j', async (argv, said) => {
    const { payctl, sent } = await service();
    const run = await payctl([...argv, '--yes'], PRODUCTION);
    expect(run.code).toBe(0);
    expect(run.stderr).toContain(`: ${said}`);
    expect(sent().map((line) => line.split(' ')[0])).toEqual(['GET', argv[1]?.toUpperCase()]);
    expect(sent()[0]).toBe('GET /transactions/t1');
  });

  it('is said with the amounts of headers', async () => {
    const { payctl } = await service();
    const run = await payctl(
      ['api', 'call', 'pay', '500', 'EUR', '--x-fee-amount', '7', '--yes'],
      PRODUCTION,
    );
    expect(run.stderr).toContain('; amount 500 (5.00 EUR); fee-amount 7 (0.07 EUR)\n');
    const without = await payctl(['api', 'call', 'pay', '500', 'EUR', '--yes'], PRODUCTION);
    expect(without.stderr).toContain('; fee-amount not given: the service decides; amount 500 (5.00 EUR)\n');
  });

  it('says of a fee that is not given nothing about what can still be refunded', async () => {
    const { payctl } = await service();
    const argv = ['api', 'call', 'reverse', 't1', '--yes'];
    const given = await payctl([...argv, '-F', 'amount=100'], PRODUCTION);
    expect(given.stderr).toContain('; tip-amount not given: the service decides; amount 100 (1.00 EUR)\n');
    const missing = await payctl(argv, PRODUCTION);
    expect(missing.stderr).toContain(
      '; amount not given: all that can still be refunded, 600.00 EUR; tip-amount not given: the service decides\n',
    );
  });

  it('is read below the path of the base URL', async () => {
    const { payctl, sent } = await service(PAYMENT, { prefix: '/v1' });
    const run = await payctl(['api', 'post', '/transactions/t1/refunds', '--yes'], PRODUCTION);
    expect(run.stderr).toContain(`; amount not given: all that can still be refunded, 600.00 EUR\n`);
    expect(sent()).toEqual(['GET /v1/transactions/t1', 'POST /v1/transactions/t1/refunds']);
  });

  it.each<[string, Answer | Handler, string]>([
    [
      'refused',
      { status: 403, body: { type: 'error', code: 'forbidden', status: 403, message: 'no' } },
      'refused',
    ],
    ['not found', { status: 404 }, 'not found'],
    ['no JSON', { body: '<p>' }, 'unreadable response'],
    ['no object', { body: '[1]' }, 'refused'],
    ['no answer', (_, response) => response.destroy(), 'connection lost'],
  ])('is not read where the response is %s, which stops nothing', async (_, get, why) => {
    const { payctl, sent } = await service(get);
    const run = await payctl(['api', 'post', '/transactions/t1/refunds', '--yes'], PRODUCTION);
    expect(run).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`: t1 (not read: ${why}); amount not given: the service decides\n`),
    });
    expect(sent()).toEqual(['GET /transactions/t1', 'POST /transactions/t1/refunds']);
  });

  it('is not asked for with a token that lacks the scope, and nobody is warned', async () => {
    const { payctl, sent } = await service();
    const claims = Buffer.from(JSON.stringify({ scopes: ['transactions.write'] })).toString('base64url');
    const PAYCTL_TOKEN = `eyJhbGciOiJub25lIn0.${claims}.eA`;
    const argv = ['api', 'post', '/transactions/t1/refunds', '--yes'];
    const { stderr } = await payctl(argv, { ...PRODUCTION, PAYCTL_TOKEN });
    expect(stderr.match(/\n/g)).toHaveLength(1);
    expect(stderr).toContain('t1 (not read: refused)');
    expect(sent()).toEqual(['POST /transactions/t1/refunds']);
  });

  it('is read with a token for its own scope only, and an error names the token of the change', async () => {
    const { payctl, server } = await service();
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const PAYCTL_PRIVATE_KEY = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const argv = ['api', 'post', '/transactions/t1/refunds', '--yes'];
    await payctl(argv, { ...PRODUCTION, PAYCTL_TOKEN: '', PAYCTL_PRIVATE_KEY });
    const scopes = server.requests.map(
      ({ headers }) => decodeJwt(String(headers.authorization).slice(7)).scopes,
    );
    expect(scopes).toEqual([['transactions.read'], ['transactions.write']]);
  });

  it.each([
    [['api', 'post', '/transactions/t1/refunds', '--yes'], {}],
    [['api', 'post', '/transactions/t1/refunds', '--yes', '-q'], PRODUCTION],
    [['api', 'post', '/transactions/t1/refunds', '--yes', '--json'], PRODUCTION],
    [['api', 'post', '/payouts', '--yes', '-F', 'amount=1'], PRODUCTION],
  ])('is not read where nobody needs it: %j %j', async (argv, env) => {
    const { payctl, sent } = await service();
    expect(await payctl(argv, env)).toMatchObject({ code: 0 });
    expect(sent().filter((line) => line.startsWith('GET'))).toEqual([]);
  });
});

describe('a limit', () => {
  it.each([
    [['api', 'post', '/transactions/t1/refunds', '-F', 'amount=50001'], '500.01 EUR'],
    [['api', 'post', '/transactions/t1/refunds'], '600.00 EUR'],
    [
      ['api', 'post', '/transactions/t1/refunds?x=y', '--no-validate', '--data', '{"amount":null}'],
      '600.00 EUR',
    ],
    [['api', 'patch', '/transactions/t1', '-F', 'amount=50001'], '500.01 EUR'],
    [['api', 'post', '/payouts', '-F', 'amount=50001', '-F', 'currency=EUR'], '500.01 EUR'],
    [['api', 'post', '/evidence', '-F', 'amount=50001', '-F', 'currency=EUR'], '500.01 EUR'],
    [
      ['api', 'post', '/elsewhere', '--scope', 'a.write', '-F', 'amount=50001', '-F', 'currency=EUR'],
      '500.01 EUR',
    ],
    [['api', 'post', '/elsewhere?amount=50001&currency=EUR', '--scope', 'a.write'], '500.01 EUR'],
    [['api', 'post', '/paid/50001/EUR'], '500.01 EUR'],
    [['api', 'post', '/paid/50001/EUR?amount=0'], '500.01 EUR'],
    [['api', 'call', 'pay', '50001', 'EUR'], '500.01 EUR'],
    [['api', 'call', 'pay', '50000', 'EUR', '--x-fee-amount', '1'], '500.01 EUR'],
  ])('holds for %j, with --yes and with --dry-run', async (argv, money) => {
    const { payctl, sent, limit } = await service();
    await limit('EUR=500.00', 'JPY=60000');
    for (const flags of [['--yes'], ['--dry-run'], []]) {
      expect(await payctl([...argv, ...flags])).toEqual({
        stdout: '',
        stderr: lines(
          `Error: Nothing was sent: the change moves ${money}, and the profile live allows 500.00 EUR at most (over_limit)`,
          'To see the limits: payctl profiles show live',
        ),
        code: 2,
      });
    }
    expect(sent().filter((line) => !line.startsWith('GET'))).toEqual([]);
  });

  it('allows what is within it, and reads a record only where it decides', async () => {
    const { payctl, sent, limit } = await service();
    await limit('EUR=500.00');
    const pay = ['api', 'post', '/payouts', '-F', 'amount=50000', '-F', 'currency=EUR'];
    expect(await payctl(pay)).toMatchObject({ code: 0, stderr: '' });
    expect(await payctl(['api', 'post', '/transactions/t1/refunds', '-F', 'amount=50000'])).toMatchObject({
      code: 0,
    });
    expect(await payctl(['api', 'post', '/transactions/t1/void', '--scope', 'a.write'])).toMatchObject({
      code: 0,
    });
    expect(sent()).toEqual([
      'POST /payouts amount=50000&currency=EUR',
      'GET /transactions/t1',
      'POST /transactions/t1/refunds {"amount":50000}',
      'POST /transactions/t1/void',
    ]);
  });

  it('holds at its origin, whichever profile is in use', async () => {
    const { payctl, server, limit } = await service();
    await limit('EUR=1.00');
    await payctl(['profiles', 'set', 'other', '--base-url', server.origin, '--max-amount', 'EUR=9.00']);
    const pay = ['api', 'post', '/payouts', '-F', 'amount=200', '-F', 'currency=EUR', '--yes'];
    for (const profile of [
      [],
      ['--profile', 'other'],
      ['--profile', 'emulator', '--base-url', server.origin],
    ]) {
      const run = await payctl([...pay, ...profile]);
      expect(printedError(run.stderr)).toMatchObject({ code: 'over_limit' });
    }
    const elsewhere = await service();
    expect(await payctl([...pay, '--base-url', elsewhere.server.origin])).toMatchObject({ code: 0 });
  });

  it('refuses a refund of all that is left where the record cannot be read', async () => {
    const { payctl, sent, limit } = await service({ status: 404 });
    await limit('EUR=500.00');
    const run = await payctl(['api', 'post', '/transactions/t1/refunds', '--yes']);
    expect(run.stderr).toContain(
      'Nothing was sent: a refund is in the currency of its record, and "t1" was not read, and the profile live limits what a change moves (over_limit)',
    );
    expect(sent()).toEqual(['GET /transactions/t1']);
  });

  it.each([
    ['/transactions/t1', '{"captured_amount":499.00,"refunded_amount":0.00,"currency":"EUR"}'],
    ['/charges/c1', '{"captured_amount":499,"refunded_amount":0,"currency":"EUR"}'],
  ])('reads the record %s in its unit: %s', async (record, text) => {
    const { payctl, limit } = await service({ body: text });
    await limit('EUR=5.00');
    const run = await payctl(['api', 'post', `${record}/refunds`]);
    expect(run.stderr).toContain(
      'the change moves 499.00 EUR, and the profile live allows 5.00 EUR at most (over_limit)',
    );
  });

  it('is one JSON object of an error beside --json', async () => {
    const { payctl, limit } = await service();
    await limit('EUR=500.00');
    const run = await payctl(['api', 'post', '/payouts', '-F', 'amount=1', '-F', 'currency=USD', '--json']);
    expect(JSON.parse(run.stderr).error).toMatchObject({
      code: 'over_limit',
      message: 'Nothing was sent: the change moves 0.01 USD, and the profile live allows no change in USD',
      exit_code: 2,
    });
  });
});

describe('the limits of a profile', () => {
  const show = ['profiles', 'show', 'live', '--json', '--jq', '.max_amounts'];

  it('are shown, added to, and lowered without a question', async () => {
    const { payctl, limit } = await service();
    await limit('EUR=500.00', 'JPY=60000');
    await limit('EUR=400', 'USD=0');
    expect((await payctl(show)).stdout).toBe('{"EUR":"400","JPY":"60000","USD":"0"}\n');
    const list = await payctl(['profiles', 'list', '--columns', 'NAME,LIMITS']);
    expect(list.stdout).toContain('live\t400 EUR, 60000 JPY, 0 USD\n');
  });

  it.each([
    ['profiles', 'set', 'live', '--max-amount', 'EUR=500.01', '--yes'],
    ['profiles', 'set', 'live', '--max-amount', 'USD=1', '--yes'],
    ['profiles', 'set', 'live', '--unset', 'max-amount', '--yes'],
    ['profiles', 'set', 'live', '--base-url', 'https://api.example.com', '--yes'],
    ['profiles', 'set', 'live', '--unset', 'base-url', '--yes'],
    [
      'auth',
      'login',
      '--profile',
      'live',
      '--base-url',
      'https://api.example.com',
      '--with-token',
      '--insecure-storage',
      '--no-verify',
      '--yes',
    ],
  ])('are not lifted without a person: payctl %s %s %s %s %s', async (...argv) => {
    const { payctl, limit } = await service();
    await limit('EUR=500.00');
    const run = await payctl(argv);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toBe(
      lines(
        'Error: The profile live and its limits are unchanged (not_confirmed)',
        'Only a person at a terminal can loosen limits, even with --yes. Run the command at a terminal.',
      ),
    );
    expect((await payctl(show)).stdout).toBe('{"EUR":"500.00"}\n');
  });

  it('are not deleted with their profile without a person', async () => {
    const { payctl, limit } = await service();
    await limit('EUR=500.00');
    expect(await payctl(['profiles', 'delete', 'live', '--yes'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: lines(
        'Error: The profile live was not deleted and keeps its limits (500.00 EUR) (not_confirmed)',
        'Only a person at a terminal can loosen limits, even with --yes. Run the command at a terminal.',
      ),
    });
    expect((await payctl(show)).stdout).toBe('{"EUR":"500.00"}\n');
  });

  it('do not hold for other programs, so a token that allows changes is not printed', async () => {
    const { payctl, limit, server } = await service();
    await limit('EUR=500.00');
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const PAYCTL_PRIVATE_KEY = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const key = {
      PAYCTL_TOKEN: '',
      PAYCTL_PRIVATE_KEY,
      PAYCTL_PROFILE: 'live',
      PAYCTL_BASE_URL: server.origin,
    };
    const token = ['auth', 'token', '--yes', '--scope'];
    const refusal = lines(
      'Error: No token was printed: the limits of the profile live would not hold for it (not_confirmed)',
      'Run the command at a terminal to confirm it. Scopes that end in .read need no confirmation.',
    );
    expect(await payctl([...token, 'transactions.write,transactions.read', '-q'], key)).toEqual({
      stdout: '',
      stderr: refusal,
      code: 2,
    });
    expect(await payctl([...token, 'transactions.read', '-q'], key)).toMatchObject({ code: 0 });
    const ready = await payctl(['auth', 'token'], { PAYCTL_PROFILE: 'live' });
    expect(ready).toEqual({ stdout: '', stderr: refusal, code: 2 });
    expect(await payctl(['auth', 'token'])).toEqual({ stdout: '', stderr: refusal, code: 2 });
    const others = await payctl(['auth', 'token', '-q'], { PAYCTL_BASE_URL: 'https://api.example.com' });
    expect(others).toEqual({ stdout: 'opaque\n', stderr: '', code: 0 });
  });

  it.each(['', 'EUR=', 'EUR'])('cannot be %j', async (value) => {
    const { payctl, limit } = await service();
    await limit('EUR=500.00');
    expect(await payctl(['profiles', 'set', 'live', '--max-amount', value])).toMatchObject({ code: 2 });
    expect((await payctl(show)).stdout).toBe('{"EUR":"500.00"}\n');
  });

  it('need an address to hold at', async () => {
    const { payctl } = await service();
    const run = await payctl(['profiles', 'set', 'nowhere', '--max-amount', 'EUR=1']);
    expect(run).toMatchObject({
      code: 2,
      stderr: lines(
        'Error: A limit applies to a base URL, and the profile nowhere has none (limit_without_address)',
        'Add --base-url URL.',
      ),
    });
  });

  it('that cannot be understood stop every command', async () => {
    const { payctl, limit, folder } = await service();
    await limit('EUR=500.00');
    for (const amounts of [{ EUR: '5,00' }, { EUR: 500 }, { euro: '5' }, []]) {
      const file = {
        version: 1,
        profiles: { live: { base_url: 'https://a.example.com', max_amounts: amounts } },
      };
      writeFileSync(join(folder, 'profiles.json'), JSON.stringify(file), { mode: 0o600 });
      const run = await payctl(['api', 'post', '/payouts', '-F', 'amount=1', '-F', 'currency=EUR']);
      expect(printedError(run.stderr)).toMatchObject({ code: 'profiles_damaged' });
    }
  });
});
