import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { document } from '../../descriptions/describe.ts';
import type { Answer } from '../../harness/http-server.ts';
import { lines } from '../../harness/lines.ts';
import { failed, succeeded } from '../../harness/outcome.ts';
import type { Home } from '../../harness/run-payctl.ts';
import { SECRET_TOKEN, serveAnswers } from '../paged-service.ts';
import { quickHomes } from '../quick-homes.ts';

const { freshHome } = quickHomes();

const CREATE = ['buyers', 'shipping-details', 'create', 'b1', '--first-name', 'Ada'];
const env = { PAYCTL_TOKEN: SECRET_TOKEN };
const CREATED = { body: { type: 'shipping-details', id: 's1' } };

/** A home whose active profile is marked production and leads to a service that gives these answers. */
async function inProduction(...answers: readonly Answer[]) {
  const home = freshHome();
  const server = await serveAnswers(...answers);
  await setUp(home, server.origin, 'production');
  return { home, server };
}

async function setUp(home: Home, origin: string, environment: string): Promise<void> {
  const set = ['profiles', 'set', 'live', '--base-url', origin, '-m', 'outlet', '--environment', environment];
  expect(await home.payctl(set)).toMatchObject({ code: 0 });
  expect(await home.payctl(['profiles', 'use', 'live'])).toMatchObject({ code: 0 });
}

const says = (origin: string, what: string) =>
  `PRODUCTION  live, merchant account outlet, ${origin}; Add a shipping detail to a buyer: ${what}`;

describe('a command that changes something in a profile marked production', () => {
  it('says where it goes and sends nothing without --yes where there is nobody to ask', async () => {
    const { home, server } = await inProduction(CREATED);
    const run = await home.payctl(CREATE, { env });
    expect(run).toEqual(
      failed(
        2,
        says(server.origin, 'POST /buyers/b1/shipping-details'),
        'Error: Nothing was sent: POST /buyers/b1/shipping-details was not confirmed (not_confirmed)',
        'Add --yes to send it without confirmation, or --dry-run to see it first.',
      ),
    );
    expect(server.requests).toEqual([]);
  });

  it.each([['--yes'], ['-y']])('goes on with %s, and says where it goes', async (flag) => {
    const { home, server } = await inProduction(CREATED);
    const run = await home.payctl([...CREATE, flag], { env });
    expect(run).toEqual(
      succeeded(
        lines('type\tshipping-details', 'id\ts1'),
        lines(says(server.origin, 'b1 (not read: no GET is described)')),
      ),
    );
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ['y', 0, 1],
    ['yes', 0, 1],
    ['n', 2, 0],
    ['', 2, 0],
    ['yeah', 2, 0],
  ])('asks once on a terminal; the answer %j ends with %d', async (answer, code, requests) => {
    const { home, server } = await inProduction({ status: 429, headers: { 'retry-after': '0' } }, CREATED);
    const running = home.start(CREATE, { env, terminal: { columns: 80, withStderr: true } });
    await running.sees('stdout', 'Send it? [y/N]: ');
    running.type(`${answer}\r`);
    const run = await running.done;
    expect({ code: run.code, requests: server.requests.length }).toEqual({ code, requests: requests * 2 });
    expect(run.stdout.match(/Send it\?/g)).toHaveLength(1);
  });

  it('ends with 130 and sends nothing on Ctrl-C at the question', async () => {
    const { home, server } = await inProduction(CREATED);
    const running = home.start(CREATE, { env, terminal: { columns: 80, withStderr: true } });
    await running.sees('stdout', '[y/N]: ');
    running.type('\u0003');
    expect(await running.done).toMatchObject({ code: 130 });
    expect(server.requests).toEqual([]);
  });

  it('needs no word for --dry-run, which sends nothing', async () => {
    const { home, server } = await inProduction(CREATED);
    const run = await home.payctl([...CREATE, '--dry-run'], { env });
    expect(run).toMatchObject({ stderr: '', code: 0 });
    expect(run.stdout).toContain(`POST ${server.origin}/buyers/b1/shipping-details`);
    expect(server.requests).toEqual([]);
  });

  it('is one JSON object of an error beside --json', async () => {
    const { home } = await inProduction(CREATED);
    const run = await home.payctl([...CREATE, '--json'], { env });
    expect(JSON.parse(run.stderr).error).toMatchObject({ code: 'not_confirmed', exit_code: 2 });
    expect(run.stderr.split('\n')).toHaveLength(2);
  });
});

describe('the question before a refund', () => {
  const path = '/transactions/{id}';
  const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }];
  const properties = { amount: { type: 'integer' }, reason: { type: 'string' } };
  const content = { 'application/json': { schema: { type: 'object', properties } } };
  const description = document({
    [path]: { parameters, get: { summary: 'Get a transaction', responses: {} } },
    [`${path}/refunds`]: {
      parameters,
      post: { summary: 'Refund a transaction', requestBody: { content }, responses: {} },
    },
  });
  const PAYMENT = { amount: 36815, captured_amount: 10000, refunded_amount: 0, currency: 'SEK' };

  it('says in words what will happen, and sends nothing on a no', async () => {
    const { home, server } = await inProduction({ body: { id: 't1', ...PAYMENT } });
    const file = join(home.path, 'pay.json');
    writeFileSync(file, JSON.stringify(description));
    const running = home.start(['transactions', 'refunds', 't1', '-F', 'reason=duplicate'], {
      env: { ...env, PAYCTL_DESCRIPTION: file, NO_COLOR: '1' },
      terminal: { columns: 160, withStderr: true },
    });
    await running.sees('stdout', '[y/N]: ');
    running.type('n\r');
    const { stdout, code } = await running.done;
    const shown = lines(
      `PRODUCTION  live, no merchant account, ${server.origin}`,
      'Refund a transaction: t1 (authorized 368.15 SEK, captured 100.00 SEK, refunded 0.00 SEK)',
      '  amount  not given: all that can still be refunded, 100.00 SEK',
      '  reason  duplicate',
    );
    expect(stdout.slice(0, shown.length)).toBe(shown);
    expect(stdout).toContain('Send it? [y/N]: ');
    expect(stdout).toMatch(/Error: The change was not confirmed \(not_confirmed\)\nNothing was sent\.\n$/);
    expect(code).toBe(2);
    expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /transactions/t1']);
  });
});

describe('production is where the request goes', () => {
  it('asks for a change through another profile, with the body, and sends nothing on a no', async () => {
    const { home, server } = await inProduction(CREATED);
    await home.payctl(['profiles', 'set', 'test', '--base-url', 'https://test.example.com']);
    const args = ['--profile', 'test', '--base-url', server.origin, ...CREATE];
    const refused = await home.payctl(args, { env });
    expect(refused).toMatchObject({ stdout: '', code: 2 });
    expect(refused.stderr).toContain('(the profile live is marked production); ');
    const running = home.start(args, { env, terminal: { columns: 80, withStderr: true } });
    await running.sees('stdout', '  first_name  Ada');
    await running.sees('stdout', 'Send it? [y/N]: ');
    running.type('n\r');
    const run = await running.done;
    expect(run.code).toBe(2);
    expect(run.stdout).toMatch(/\(not_confirmed\)\nNothing was sent\.\n$/);
    expect(server.requests).toEqual([]);
  });

  it('asks everywhere under PAYCTL_ENVIRONMENT=production', async () => {
    const home = freshHome();
    const server = await serveAnswers(CREATED);
    await setUp(home, server.origin, 'sandbox');
    const production = { ...env, PAYCTL_ENVIRONMENT: 'production' };
    expect(await home.payctl(CREATE, { env: production })).toMatchObject({ stdout: '', code: 2 });
    expect(server.requests).toEqual([]);
    expect(await home.payctl([...CREATE, '--yes'], { env: production })).toMatchObject({ code: 0 });
  });

  it('asks nothing for a change that a flag sends elsewhere', async () => {
    const { home } = await inProduction();
    const other = await serveAnswers(CREATED);
    const run = await home.payctl([...CREATE, '--base-url', other.origin], { env });
    expect(run).toMatchObject({ code: 0 });
    expect(other.requests).toHaveLength(1);
  });

  it('is told by auth status', async () => {
    const { home, server } = await inProduction();
    const status = ['auth', 'status', '--json', '--profile', 'emulator', '--base-url'];
    const { stdout } = await home.payctl([...status, server.origin], { env });
    expect(JSON.parse(stdout)).toMatchObject({
      environment: 'production',
      environment_source: 'the profile live is marked production',
    });
  });
});

describe('a profile marked production that leaves its address', () => {
  const MOVE = ['profiles', 'set', 'live', '--base-url', 'https://other.example.com'];

  it('is refused without --yes where there is nobody to ask, and goes on guarding the address', async () => {
    const { home, server } = await inProduction(CREATED);
    expect(await home.payctl(MOVE)).toEqual(
      failed(
        2,
        'Error: The profile live still points to its production address (not_confirmed)',
        'Add --yes to change the address without confirmation.',
      ),
    );
    const change = ['--profile', 'emulator', '--base-url', server.origin, ...CREATE];
    expect(await home.payctl(change, { env })).toMatchObject({ stdout: '', code: 2 });
    expect(await home.payctl([...MOVE, '--yes'])).toMatchObject({ code: 0 });
    expect(server.requests).toEqual([]);
  });

  it('is refused for a login that would move it', async () => {
    const { home, server } = await inProduction(CREATED);
    const login = ['auth', 'login', '--profile', 'live', '--base-url', 'https://other.example.com'];
    const run = await home.payctl([...login, '--with-token', '--insecure-storage', '--no-verify'], {
      stdin: SECRET_TOKEN,
    });
    expect(run).toMatchObject({ stdout: '', code: 2 });
    expect(run.stderr).toContain('(not_confirmed)');
    const { stdout } = await home.payctl(['profiles', 'show', 'live', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ base_url: server.origin });
  });
});

describe('a command that reads in production', () => {
  const PAGE = { body: { items: [], limit: 20, next_cursor: null, previous_cursor: null } };
  const LIST = ['buyers', 'list'];
  const terminal = { columns: 80, withStderr: true };

  it('says so once on a terminal, in colour, however many pages it reads', async () => {
    const item = { type: 'buyer', id: 'b1' };
    const { home, server } = await inProduction(
      { body: { ...PAGE.body, items: [item], next_cursor: 'x' } },
      PAGE,
    );
    const { stdout } = await home.start([...LIST, '--all'], { env, terminal }).done;
    expect(stdout.match(/PRODUCTION.*/g)).toEqual(['PRODUCTION\u001b[22m\u001b[39m  live']);
    expect(stdout).toContain('\u001b[31m\u001b[1mPRODUCTION');
    expect(server.requests).toHaveLength(2);
  });

  it.each([
    ['PRODUCTION  live\n', ['--no-color'], {}],
    ['', ['-q'], {}],
    ['PRODUCTION  live\n', ['--no-color', '--profile', 'other', '--base-url'], {}],
    ['PRODUCTION\n', ['--no-color', '--base-url'], { PAYCTL_ENVIRONMENT: 'production' }],
  ])('prints %j with %j and %j', async (mark, flags, more) => {
    const { home, server } = await inProduction(PAGE);
    await home.payctl(['profiles', 'set', 'other', '-m', 'outlet']);
    if (mark === 'PRODUCTION\n') await home.payctl(['profiles', 'use', '--none']);
    const args = [...LIST, ...flags, ...(flags.at(-1) === '--base-url' ? [server.origin] : [])];
    const { stdout } = await home.start(args, { env: { ...env, ...more }, terminal }).done;
    expect(stdout.split('No buyers found.')[0]).toBe(mark);
  });

  it('prints nothing of it where stdout or stderr is no terminal, nor for another origin', async () => {
    const { home } = await inProduction(PAGE, PAGE, PAGE);
    const other = await serveAnswers(PAGE);
    expect((await home.payctl(LIST, { env })).stderr).toBe('No buyers found.\n');
    const apart = await home.start(LIST, { env, terminal: { columns: 80 } }).done;
    expect(apart.stdout + apart.stderr).not.toContain('PRODUCTION');
    const elsewhere = await home.start([...LIST, '--base-url', other.origin], { env, terminal }).done;
    expect(elsewhere.stdout).not.toContain('PRODUCTION');
  });
});

describe('nothing is asked', () => {
  it('for a command that only reads in production', async () => {
    const { home, server } = await inProduction({ body: { items: [] } });
    const run = await home.payctl(['roles', 'list'], { env });
    expect(run).toMatchObject({ stderr: 'No roles found.\n', code: 0 });
    expect(server.requests).toHaveLength(1);
  });

  it('for a change in a profile marked sandbox', async () => {
    const home = freshHome();
    const server = await serveAnswers(CREATED);
    await setUp(home, server.origin, 'sandbox');
    expect(await home.payctl(CREATE, { env })).toMatchObject({ stderr: '', code: 0 });
  });
});
