import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Handler } from '../../harness/http-server.ts';
import { PAYCTL, useHome } from '../../harness/run-payctl.ts';
import { KEYS_WITH_LEADING_ZEROS } from '../../tokens/key-vectors.ts';
import { against, answeringBuyers, buyer, page, serve } from '../paged-service.ts';

const home = useHome();
const { pem: KEY = '' } = KEYS_WITH_LEADING_ZEROS[0] ?? {};
const CLOCK = join(import.meta.dirname, '../../harness/clock-of-requests.mjs');

/** When the token of a request expires, in milliseconds since 1970. */
function expiryOf(authorization = ''): number {
  const [, claims = ''] = authorization.split('.');
  return JSON.parse(Buffer.from(claims, 'base64url').toString()).exp * 1000;
}

/** Refuses expired tokens, as the specification says, on the clock of test/harness/clock-of-requests.mjs. */
function refusingExpired(handler: Handler): Handler {
  let requests = 0;
  return (request, response) => {
    requests += 1;
    if (expiryOf(request.headers.authorization) > Date.now() + requests * 40_000)
      return handler(request, response);
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end('{"type":"error","code":"unauthorized","status":401,"message":"Expired","details":[]}');
  };
}

describe('an export that takes longer than its token is valid', () => {
  it('signs a new token in time, again and again', async () => {
    const server = await serve(refusingExpired(answeringBuyers(60)));
    const env = { PAYCTL_BASE_URL: server.origin, PAYCTL_PRIVATE_KEY: KEY };
    const run = await home.payctl(['buyers', 'list', '--all', '--limit', '1', '-q', '-o', 'ndjson'], {
      env,
      nodeFlags: ['--import', CLOCK],
    });
    expect(run).toMatchObject({ stderr: '', code: 0 });
    expect(run.stdout.trim().split('\n')).toHaveLength(60);
    // 40 minutes of tokens that are used for four: one serves for several pages, and none for all.
    const tokens = new Set(server.requests.map(({ headers }) => headers.authorization));
    expect(tokens.size).toBeGreaterThan(7);
    expect(tokens.size).toBeLessThan(20);
  });
});

/** A request that came, and what lets it be answered. */
type Held = { readonly answer: () => void };

/** A service whose second request waits for the test. */
async function serveHolding() {
  const held = Promise.withResolvers<Held>();
  const pages = answeringBuyers(300);
  let requests = 0;
  const server = await serve((request, response) => {
    requests += 1;
    if (requests === 2) held.resolve({ answer: () => pages(request, response) });
    else pages(request, response);
  });
  return { server, held: held.promise };
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe.skipIf(process.platform === 'win32')('a run that is stopped and continued', () => {
  it('does not count the time that it was stopped towards its time limit', async () => {
    const { server, held } = await serveHolding();
    const list = ['buyers', 'list', '--all', '-o', 'ndjson', '-q', '--timeout', '1s', '--max-retries', '0'];
    const running = home.start(list, { env: against(server) });
    const { answer } = await held;
    running.kill('SIGSTOP');
    answer();
    await pause(2500);
    running.kill('SIGCONT');
    const run = await running.done;
    expect(run).toMatchObject({ stderr: '', code: 0, signal: null });
    expect(run.stdout.trim().split('\n')).toHaveLength(300);
    expect(server.requests).toHaveLength(3);
  });

  it('still has its time limit afterwards', async () => {
    const { server, held } = await serveHolding();
    const list = ['buyers', 'list', '--all', '-o', 'ndjson', '-q', '--timeout', '1s', '--max-retries', '0'];
    const running = home.start(list, { env: against(server) });
    await held;
    running.kill('SIGSTOP');
    await pause(1500);
    running.kill('SIGCONT');
    const run = await running.done;
    expect(run.code).toBe(9);
    expect(run.stderr).toContain('timeout');
  });
});

/** bash with job control on a terminal of its own, in which `$PAYCTL` is payctl. */
function startShell(env: Readonly<Record<string, string>>) {
  return home.start([], {
    node: 'bash',
    nodeFlags: ['--norc', '--noprofile'],
    program: '-i',
    terminal: { columns: 200, withStderr: true },
    env: { ...env, PS1: '', PAYCTL: `${process.execPath} ${PAYCTL}`, HISTFILE: '' },
  });
}

describe.skipIf(process.platform === 'win32')('Ctrl-Z and fg on a terminal', () => {
  it('continue a list where it was, on the terminal as it was', async () => {
    const { server, held } = await serveHolding();
    const shell = startShell(against(server));
    shell.type('stty -g; $PAYCTL buyers list --all -q -o ndjson --columns id\n');
    const { answer } = await held;
    // Ctrl-Z makes the terminal discard what nobody has read from it yet.
    await shell.sees('stdout', buyerId(100));
    shell.type('\x1a');
    await shell.sees('stdout', 'Stopped');
    answer();
    shell.type('fg\n');
    await shell.sees('stdout', buyerId(300));
    shell.type('echo "code $?"; stty -g; exit\n');
    const { stdout } = await shell.done;
    const ids = [...stdout.matchAll(/"id":"([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toEqual(Array.from({ length: 300 }, (_, index) => buyerId(index + 1)));
    expect(stdout).toContain('code 0');
    expectSameModes(stdout);
  });

  it('continue api-logs tail, which prints what came in between', async () => {
    const entries = [entry(1)];
    const server = await serve((_, response) => response.end(JSON.stringify(page(entries))));
    const shell = startShell(against(server));
    shell.type('stty -g; $PAYCTL api-logs tail --interval 100ms --max-items 3 -o ndjson --columns id\n');
    await shell.sees('stdout', entryId(1));
    shell.type('\x1a');
    await shell.sees('stdout', 'Stopped');
    entries.unshift(entry(3), entry(2));
    shell.type('fg\n');
    await shell.sees('stdout', 'Printed 3 entries');
    shell.type('echo "code $?"; stty -g; exit\n');
    const { stdout } = await shell.done;
    const ids = [...stdout.matchAll(/"id":"([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toEqual([entryId(1), entryId(2), entryId(3)]);
    expect(stdout).toContain('code 0');
    expectSameModes(stdout);
  });
});

const buyerId = (number: number) => String(buyer(number).id);
const entryId = (number: number) => `10000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const entry = (number: number) => ({
  type: 'api-log',
  id: entryId(number),
  created_at: new Date(Date.now() - 60_000 + number * 1000).toISOString(),
  request: { method: 'GET', url: 'https://api.example.com/buyers' },
  response: { status_code: 404, body: null },
});

/** What `stty -g` printed before and after. */
function expectSameModes(stdout: string): void {
  const modes = [...stdout.matchAll(/^[0-9a-f]+(?::[0-9a-f]+){10,}$/gm)].map(([line]) => line);
  expect(modes).toHaveLength(2);
  expect(modes[1]).toBe(modes[0]);
}
