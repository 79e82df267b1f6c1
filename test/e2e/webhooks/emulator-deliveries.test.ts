import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { lines } from '../../harness/lines.ts';
import type { Home } from '../../harness/run-payctl.ts';
import { quickHomes } from '../quick-homes.ts';

const { freshHome } = quickHomes();

const SESSION = 'c5000000-0000-4000-8000-000000000001';
const OUTPUT = ['-o', 'ndjson', '-q'];

type Received = {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly isSigned: boolean;
};

/** A receiver that checks signatures with code of its own. It can be stopped, and started again on the same port. */
async function startReceiver(secret: string) {
  const received: Received[] = [];
  let status = 204;
  const create = () =>
    createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const { headers } = request;
      const hmac = createHmac('sha256', secret).update(`${headers['x-service-timestamp']}.${body}`);
      received.push({ headers, body, isSigned: headers['x-service-signature'] === hmac.digest('hex') });
      response.writeHead(status).end();
    });
  let server = create();
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  await listen(0);
  onTestFinished(async () => void (await close()));
  const { port } = server.address() as AddressInfo;
  return {
    received,
    url: `http://127.0.0.1:${port}/hooks`,
    respondWith: (other: number) => {
      status = other;
    },
    stop: close,
    restart: async () => {
      server = create();
      await listen(port);
    },
  };
}

async function startEmulator(home: Home, url: string, retryFactor: string) {
  const flags = ['--subscribe', `${url}=its-secret`, '--webhook-retry-factor', retryFactor, '--buyers', '5'];
  const running = home.start(['emulator', 'start', ...flags]);
  await running.sees('stderr', 'Delivers events to');
  return running;
}

const update = (home: Home, value: string) =>
  home.payctl([
    ...['checkout-sessions', 'update', SESSION, '--profile', 'emulator', '-q', '-o', 'json'],
    ...['--data', JSON.stringify({ metadata: { value } })],
  ]);

async function list(home: Home, ...flags: string[]) {
  const { stdout } = await home.payctl(['emulator', 'deliveries', 'list', ...OUTPUT, ...flags]);
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

const valuesOf = (received: readonly Received[]) =>
  received.map(({ body }) => JSON.parse(body).target.metadata.value);

describe('payctl emulator start --subscribe', () => {
  it('delivers each change, signed, in order, and again after the receiver was down and the emulator killed', async () => {
    const home = freshHome();
    const receiver = await startReceiver('its-secret');
    const first = await startEmulator(home, receiver.url, '0.01');
    expect(await update(home, 'one')).toMatchObject({ code: 0 });
    await expect.poll(() => valuesOf(receiver.received)).toEqual(['one']);
    await first.sees('stderr', ` POST ${receiver.url} checkout-session.updated `);
    await receiver.stop();
    await update(home, 'two');
    await update(home, 'three');
    await expect.poll(async () => (await list(home))[1]?.attempts).toBeGreaterThan(0);
    const [third, second, oldest] = await list(home);
    expect((await list(home, '--failed')).map(({ id }) => id)).toEqual([second.id]);
    expect([third, second, oldest].map(({ state, status }) => [state, status])).toEqual([
      ['pending', null],
      ['pending', null],
      ['delivered', 204],
    ]);
    expect(second.problem).toMatch(/refused/);
    expect(third).toMatchObject({ attempts: 0, next_attempt_at: null });
    first.kill('SIGKILL');
    await first.done;
    await receiver.restart();
    const again = await startEmulator(home, receiver.url, '0.01');
    await expect.poll(() => valuesOf(receiver.received)).toEqual(['one', 'two', 'three']);
    expect(receiver.received.every(({ isSigned }) => isSigned)).toBe(true);
    const ids = receiver.received.map(({ headers }) => headers['x-service-delivery']);
    expect(ids).toEqual([oldest.id, second.id, third.id]);
    await expect.poll(async () => (await list(home)).map(({ state }) => state)).not.toContain('pending');
    again.kill('SIGINT');
    expect((await again.done).stderr).toMatch(
      new RegExp(`^204 POST ${receiver.url} checkout-session\\.updated \\d+ ms$`, 'm'),
    );
  });

  it('shows where a delivery comes from, and sends it again with its ID', async () => {
    const home = freshHome();
    const receiver = await startReceiver('its-secret');
    receiver.respondWith(500);
    const running = await startEmulator(home, receiver.url, '0.0001');
    await update(home, 'one');
    await running.sees('stderr', ' given up');
    const [failed] = await list(home, '--failed');
    expect(failed).toMatchObject({ state: 'failed', attempts: 6, status: 500, next_attempt_at: null });
    const { stdout } = await home.payctl([
      'emulator',
      'deliveries',
      'get',
      failed.id.slice(0, 8),
      '-o',
      'json',
      '-q',
    ]);
    expect(stdout).not.toContain('its-secret');
    const shown = JSON.parse(stdout);
    const { headers, body } = receiver.received.at(-1) ?? {};
    expect(shown).toMatchObject({
      request: { method: 'PUT', path: `/checkout/sessions/${SESSION}` },
      subscription: { active: true, secret: '********' },
      body: { event: 'checkout-session.updated', id: JSON.parse(body ?? '').id },
    });
    expect(headers).toMatchObject(shown.headers);
    expect(shown.attempts.map(({ status }: { status: number }) => status)).toEqual([
      500, 500, 500, 500, 500, 500,
    ]);
    expect(await list(home, '--request', shown.request.id)).toEqual([failed]);
    receiver.respondWith(200);
    const retried = await home.payctl([
      'emulator',
      'deliveries',
      'retry',
      '--failed',
      '-o',
      'csv',
      '--columns',
      'ID',
    ]);
    expect(retried).toMatchObject({
      stdout: lines('id', failed.id).replaceAll('\n', '\r\n'),
      stderr: lines('The emulator sends 1 delivery again.'),
      code: 0,
    });
    await expect.poll(async () => (await list(home))[0].state).toBe('delivered');
    expect(receiver.received.at(-1)).toMatchObject({
      headers: { 'x-service-delivery': failed.id },
      isSigned: true,
      body,
    });
  });

  it('makes the next attempt of a pending delivery at once', async () => {
    const home = freshHome();
    const receiver = await startReceiver('its-secret');
    receiver.respondWith(500);
    await startEmulator(home, receiver.url, '100');
    await update(home, 'one');
    await expect.poll(async () => (await list(home))[0]?.attempts).toBe(1);
    const [{ id, state }] = await list(home);
    expect(state).toBe('pending');
    receiver.respondWith(200);
    const retry = () => home.payctl(['emulator', 'deliveries', 'retry', id.slice(0, 8)]);
    expect(await retry()).toMatchObject({ stderr: lines('The emulator sends 1 delivery again.'), code: 0 });
    await expect.poll(async () => (await list(home))[0].state).toBe('delivered');
    expect((await retry()).stderr).toBe(
      lines(
        'The emulator sends 1 delivery again.',
        'Taken before: 1 delivery. A receiver that knows the ID, as payctl webhooks listen does, ignores it.',
      ),
    );
    const none = await home.payctl(['emulator', 'deliveries', 'list', '--request', 'nope']);
    expect(none.stderr).toContain('No deliveries match.');
  });

  it('makes a secret that webhook-subscriptions shows, and forgets receivers that the next start does not name', async () => {
    const home = freshHome();
    const url = 'http://127.0.0.1:9/hooks';
    const running = home.start(['emulator', 'start', '--subscribe', url]);
    await running.sees('stderr', '--reveal-secrets');
    const subscriptions = async () => {
      const flags = ['--profile', 'emulator', '--reveal-secrets', ...OUTPUT];
      const { stdout } = await home.payctl(['webhook-subscriptions', 'list', ...flags]);
      return stdout.split('\n').filter((line) => line.includes(url));
    };
    const [own = '{}'] = await subscriptions();
    expect(JSON.parse(own)).toMatchObject({ url, active: true, secret: expect.stringMatching(/^\w{40}$/) });
    running.kill('SIGINT');
    await running.done;
    expect(await subscriptions()).toHaveLength(1);
    const other = home.start(['emulator', 'start']);
    await other.sees('stderr', 'is running');
    expect(await subscriptions()).toEqual([]);
  });

  it.each([
    [
      ['--subscribe', 'http://example.com/hooks'],
      lines(
        'Error: The URL of --subscribe is not a loopback address, the only kind that the emulator delivers to: "http://example.com/hooks" (invalid_subscription)',
        'For example: --subscribe http://127.0.0.1:3000/hooks, or with a secret in a file: --subscribe http://127.0.0.1:3000/hooks=@FILE',
      ),
    ],
    [
      ['--subscribe', 'http://127.0.0.1:9/=@missing'],
      lines('Error: --subscribe cannot read the file "missing": no such file or directory (unreadable_file)'),
    ],
    [
      ['--webhook-retry-factor', '0'],
      lines(
        'Error: --webhook-retry-factor must be a number above 0, up to 100, not "0" (bad_flag)',
        'For example: --webhook-retry-factor 0.01',
      ),
    ],
  ])('starts nothing with %s', async (flags, stderr) => {
    const run = await freshHome().payctl(['emulator', 'start', ...flags]);
    expect(run).toMatchObject({ stdout: '', stderr, code: 2 });
  });
});

it('api-logs get names the event of a request whose response was lost, while the emulator runs and after that', async () => {
  const home = freshHome();
  const plan = [{ method: 'PUT', path: '/checkout/sessions/*', status: 502, perform: true, count: 1 }];
  const file = join(home.path, 'plan.json');
  writeFileSync(file, JSON.stringify(plan));
  const flags = ['--subscribe', 'http://127.0.0.1:9/=abc', '--faults', file, '--buyers', '5'];
  const running = home.start(['emulator', 'start', ...flags]);
  await running.sees('stderr', 'Delivers events to');
  await update(home, 'one');
  // The update is sent again after the failure, and succeeds.
  const delivery = (await list(home)).at(-1);
  const { stdout } = await home.payctl(['emulator', 'deliveries', 'get', delivery.id, ...OUTPUT]);
  const get = () => home.payctl(['api-logs', 'get', JSON.parse(stdout).request.id, '--profile', 'emulator']);
  const line = `\nEvent: checkout-session.updated: payctl emulator deliveries get ${delivery.id}\n`;
  expect((await get()).stderr).toContain(line);
  const { id: request } = JSON.parse(stdout).request;
  const json = await home.payctl(['api-logs', 'get', request, '--profile', 'emulator', '-o', 'json']);
  expect(json).toMatchObject({ stderr: '', code: 0 });
  expect(json.stdout).not.toContain(delivery.id);
  expect(await list(home, '--request', request)).toMatchObject([{ id: delivery.id }]);
  running.kill('SIGINT');
  await running.done;
  expect((await get()).stderr).toContain(line);
});

describe('payctl emulator deliveries without an emulator', () => {
  it('lists nothing where there is no data, and what a command left for the next emulator', async () => {
    const home = freshHome();
    expect(await home.payctl(['emulator', 'deliveries', 'list'])).toMatchObject({
      stderr: lines(
        'There are no deliveries. To receive events: payctl emulator start --subscribe http://127.0.0.1:3000/hooks',
      ),
      code: 0,
    });
    await update(home, 'one');
    expect(await home.payctl(['emulator', 'deliveries', 'list', '-o', 'ndjson'])).toMatchObject({
      stdout: '',
      code: 0,
    });
    const [notSent, ...others] = await list(home, '--state', 'not_sent');
    expect(others).toHaveLength(3);
    expect(notSent).toMatchObject({
      problem: 'the emulator delivers to loopback addresses only',
      attempts: 0,
    });
    expect(await home.payctl(['emulator', 'deliveries', 'retry', notSent.id])).toMatchObject({
      stderr: lines('Not changed: 1 delivery that the emulator does not send.'),
      code: 0,
    });
  });

  it.each([
    [
      ['get', 'missing'],
      lines(
        'Error: There is no delivery "missing" (not_found)',
        'List them: payctl emulator deliveries list',
      ),
      5,
    ],
    [
      ['retry', 'missing'],
      lines(
        'Error: There is no delivery "missing"; nothing was changed (not_found)',
        'List them: payctl emulator deliveries list',
      ),
      5,
    ],
    [
      ['retry'],
      lines(
        'Error: Name the deliveries to send again (bad_argument)',
        'Use IDs, or --failed: payctl emulator deliveries retry --failed',
      ),
      2,
    ],
    [
      ['list', '--state', 'done'],
      lines(
        'Error: --state cannot be "done" (bad_flag)',
        'Use one or more of pending, delivered, failed, not_sent, separated by commas.',
      ),
      2,
    ],
  ])('refuses %j', async (args, stderr, code) => {
    const run = await freshHome().payctl(['emulator', 'deliveries', ...args]);
    expect(run).toMatchObject({ stdout: '', stderr, code });
  });
});
