import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startServer } from '../../harness/http-server.ts';
import type { RunOptions } from '../../harness/run-payctl.ts';
import { accepts, delivery, post } from '../../harness/webhook.ts';
import { quickHomes } from '../quick-homes.ts';

const { freshHome } = quickHomes();

const SECRET = 'a secret of a subscription';
const TRUE = '0d1f3a52-6f0e-4d55-9a3b-2b7a0c1d4e5f';
const FORGED = '1d1f3a52-6f0e-4d55-9a3b-2b7a0c1d4e5f';

/** A listener with a receiver that refuses what it is sent as long as `status` says so. */
async function listening(flags: readonly string[] = [], options: RunOptions = {}) {
  const home = freshHome();
  const secret = `@${join(home.path, 'secret')}`;
  writeFileSync(secret.slice(1), SECRET, { mode: 0o600 });
  const state = { status: 500 };
  const receiver = await startServer((_, response) => {
    response.statusCode = state.status;
    response.end();
  });
  onTestFinished(() => receiver.close());
  const hook = `${receiver.origin}/hooks`;
  const words = [
    'webhooks',
    'listen',
    '--port',
    '0',
    '--secret',
    secret,
    '--forward',
    `transaction.*=${hook}`,
  ];
  const listener = home.start([...words, ...flags], options);
  const first = (await listener.sees('stdout', '\n')).split('\n')[0] ?? '';
  const url = first.startsWith('{') ? String(JSON.parse(first).url) : first;
  return { home, secret, receiver, state, hook, listener, url };
}

it('shows what was received, and replays what a receiver refused, beside the listener', async () => {
  const { home, secret, receiver, state, hook, listener, url } = await listening();
  const body =
    '{ "type":"event","target":{"type":"transaction","id":"tx-1","amount":12345678901234567890,"email":"a@b.example"},"event":"transaction.captured"}';
  const sent = delivery(SECRET, { id: TRUE, body });
  const withCookie = {
    ...sent,
    headers: { ...sent.headers, cookie: 'session=1', authorization: 'Basic eA==' },
  };
  expect(await post(url, withCookie)).toBe(200);
  await listener.sees('stdout', 'again in 5s');
  expect(await post(url, sent)).toBe(200);
  expect(await post(url, { ...sent, headers: { ...sent.headers, 'x-service-delivery': 'another' } })).toBe(
    200,
  );
  expect(await post(url, delivery('guessed', { id: FORGED, event: 'transaction.\u001b[31mx' }))).toBe(401);
  await listener.sees('stdout', 'wrong');

  const list = await home.payctl(['webhooks', 'list', '--columns', 'event,record,verdict,forwarded,id']);
  expect(list).toMatchObject({ code: 0, stderr: '' });
  expect(list.stdout).toBe(
    [
      'EVENT\tRECORD\tVERDICT\tFORWARDED\tID',
      `transaction.\u241b[31mx\ttx-1\twrong\trefused 401\t${FORGED}`,
      `transaction.captured\ttx-1\tok\tpending 500\t${TRUE}`,
      '',
    ].join('\n'),
  );
  const raw = await home.payctl(['webhooks', 'get', TRUE.slice(0, 4), '--raw']);
  expect(raw.stdout).toBe(body);
  const shown = await home.payctl(['webhooks', 'get', TRUE, '-o', 'json']);
  expect(shown.stdout).toContain('"amount":12345678901234567890,"email":"********"');
  expect(JSON.parse(shown.stdout).headers).toMatchObject({ cookie: '********', authorization: '********' });

  expect(await post(url, delivery(SECRET, { id: TRUE, event: 'transaction.voided' }))).toBe(200);
  const line = `\ttransaction.voided\ttx-1\tok, not kept\tanother body came before under this delivery ID\t${TRUE}\n`;
  expect(await listener.sees('stdout', line)).toContain(`\twrong\trefused 401\t${FORGED}\n`);

  const refused = await home.payctl(['webhooks', 'replay', '--failed', '--secret', secret]);
  expect(refused).toMatchObject({ code: 6, stderr: '0 delivered, 1 refused, 0 without a response.\n' });
  const other = await startServer((_, response) => response.end());
  onTestFinished(() => other.close());
  const dry = await home.payctl([
    'webhooks',
    'replay',
    '--failed',
    '--secret',
    secret,
    '--to',
    other.origin,
    '--dry-run',
    '-o',
    'json',
  ]);
  expect(JSON.parse(dry.stdout).items).toMatchObject([{ id: TRUE, outcome: null }]);
  expect(other.requests).toHaveLength(0);
  // The listener may try again by itself, too.
  state.status = 200;
  const replayed = await home.payctl(['webhooks', 'replay', '--failed', '--secret', secret]);
  expect(replayed).toMatchObject({ code: 0, stderr: '1 delivered, 0 refused, 0 without a response.\n' });
  const { headers, bytes } = receiver.requests.at(-1) ?? {};
  expect(bytes?.toString()).toBe(body);
  expect(headers).toMatchObject({
    'x-service-delivery': TRUE,
    cookie: 'session=1',
    authorization: 'Basic eA==',
  });
  expect(accepts(SECRET, headers ?? {}, body)).toBe(true);
  const left = await home.payctl(['webhooks', 'list', '--failed']);
  expect(left).toMatchObject({
    stdout: '',
    stderr: 'No event matches; 2 others are stored.\n',
  });

  const gone = await home.payctl([
    'webhooks',
    'replay',
    TRUE,
    '--to',
    'http://127.0.0.1:1/',
    '--as-received',
  ]);
  expect(gone).toMatchObject({ code: 9, stderr: '0 delivered, 0 refused, 1 without a response.\n' });
  // Later replays do not use a URL that only a replay used.
  const after = await home.payctl(['webhooks', 'list', '--failed', '-o', 'json']);
  expect(JSON.parse(after.stdout).items).toEqual([]);
  const urls = await home.payctl(['webhooks', 'replay', TRUE, '--dry-run', '--jq', '.items[].url']);
  expect(urls).toMatchObject({ code: 0, stdout: `${hook}\n` });
  const states = await home.payctl(['webhooks', 'get', TRUE, '--jq', '.forwards[] | .state']);
  expect(states.stdout).toBe('delivered\nreplayed\n');
  const forged = await home.payctl(['webhooks', 'replay', FORGED, '--to', hook, '--secret', secret]);
  expect(forged.stderr).toBe(
    '1 without a correct signature are left out. To send them, too: --forward-unverified\n' +
      'Nothing was sent: no event matches. To see what is stored: payctl webhooks list\n',
  );
  listener.kill('SIGINT');
  expect(await listener.done).toMatchObject({ code: 0 });
});

it('prints events as lines of JSON, and needs to be the only listener', async () => {
  const { home, listener, url } = await listening(['-o', 'ndjson', '--events', 'transaction.*']);
  expect(await post(url, delivery(SECRET, { event: 'buyer.created' }))).toBe(200);
  expect(await post(url, delivery(undefined, { id: FORGED }))).toBe(401);
  await listener.sees('stdout', FORGED);
  const second = await home.payctl(['webhooks', 'listen', '--port', '0']);
  expect(second).toMatchObject({
    code: 2,
    stdout: '',
    stderr: `Error: A listener is already running at ${url} (process ${listener.pid}) (listener_running)\nStop it, or keep the events of this one in another directory with --directory DIR.\n`,
  });
  expect(await post(url, delivery(SECRET, { id: TRUE }))).toBe(200);
  await listener.sees('stdout', '500');
  for (const event of ['transaction.voided', 'buyer.created'])
    expect(await post(url, delivery(SECRET, { id: TRUE, event }))).toBe(200);
  await listener.sees('stdout', 'not_kept');
  listener.kill('SIGTERM');
  const { stdout, code, stderr } = await listener.done;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toMatchObject([
    { type: 'listening', url, pid: listener.pid },
    {
      type: 'event',
      id: FORGED,
      event: 'transaction.captured',
      verdict: 'missing',
      forward: null,
      body: { type: 'event' },
    },
    { type: 'event', id: TRUE, event: 'transaction.captured', verdict: 'ok', forward: { status: 500 } },
    {
      type: 'event',
      id: TRUE,
      event: 'transaction.voided',
      verdict: 'ok',
      forward: {
        url: null,
        state: 'not_kept',
        problem: 'another body came before under this delivery ID',
        status: null,
      },
    },
  ]);
  expect(lines[3]).not.toHaveProperty('body');
  const { stdout: stored } = await home.payctl([
    'webhooks',
    'list',
    '--event',
    'buyer.*',
    '--jq',
    '.items | length',
  ]);
  expect(stored).toBe('1\n');
});

it('shows in 80 columns when what happened to which record, and how it was forwarded or refused', async () => {
  const flags = ['--no-color', '--utc'];
  const { listener, url, state } = await listening(flags, { terminal: { columns: 80 } });
  state.status = 204;
  const record = '3f1c5a52-6f0e-4d55-9a3b-2b7a0c1d4e5f';
  expect(await post(url.trim(), delivery(SECRET, { event: 'transaction.captured', record }))).toBe(200);
  await listener.sees('stdout', '204');
  expect(await post(url.trim(), delivery('guessed', { event: 'transaction.captured', record }))).toBe(401);
  const printed = await listener.sees('stdout', '401');
  const [, ...lines] = printed.trimEnd().split('\n');
  const time = String.raw`\d\d-\d\d \d\d:\d\dZ`;
  expect(lines).toEqual([
    expect.stringMatching(/^TIME \(UTC\) +EVENT +RECORD +FORWARDED/),
    expect.stringMatching(new RegExp(`^${time} {2}transaction\\.captured +3f1c5a52  204 \\d+ ms`)),
    expect.stringMatching(new RegExp(`^${time} {2}transaction\\.captured +3f1c5a52  refused 401`)),
  ]);
  listener.kill('SIGINT');
  expect((await listener.done).stderr).toMatch(/\n2 events received\. 1 delivery succeeded\.\n$/);
});

it('asks before it sends events to another machine', async () => {
  const { home, listener, url, secret } = await listening();
  for (let index = 0; index < 2; index += 1) expect(await post(url, delivery(SECRET))).toBe(200);
  listener.kill('SIGTERM');
  expect((await listener.done).stderr).toMatch(/\n2 events received\. 0 deliveries succeeded\.\n$/);
  const to = ['--to', 'https://hooks.example/', '--secret', secret];
  const [id] = (await home.payctl(['webhooks', 'list', '--jq', '.items[].id'])).stdout.split('\n');
  for (const choice of [['--event', '*'], [String(id)]]) {
    expect(await home.payctl(['webhooks', 'replay', ...choice, ...to])).toMatchObject({
      code: 2,
      stderr:
        'Error: Nothing was sent: not on this machine: "https://hooks.example/" (not_confirmed)\n' +
        'To send it there without a question, add --yes\n',
    });
  }
});
