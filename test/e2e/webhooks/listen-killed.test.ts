import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { startServer } from '../../harness/http-server.ts';
import type { Home } from '../../harness/run-payctl.ts';
import { freshHome } from '../../harness/run-payctl.ts';
import { accepts, type Delivery, delivery, post } from '../../harness/webhook.ts';

const SECRET = 'a secret of a subscription';
const RECORDS = 7;
/** A usual run has fewer than the promise is made for. */
const COUNT = process.env.PAYCTL_LONG_TESTS === '1' ? 10_000 : 300;

async function listen(home: Home, port: string, forward: string) {
  const words = ['webhooks', 'listen', '--port', port, '--secret', `@${join(home.path, 'secret')}`];
  const running = home.start([...words, '--forward', forward]);
  await running.sees('stdout', '\n');
  return running;
}

/** Sends until it is acknowledged, as a service does. */
async function deliver(url: string, sent: Delivery): Promise<void> {
  for (;;) {
    const status = await post(url, sent).catch(() => undefined);
    if (status === 200) return;
    await wait(20);
  }
}

/** A machine that does other work at the same time takes minutes for 10,000. */
const LIMIT_MS = 300_000;

/** What was signed correctly, changed in six ways, with the reason that its sender is told. */
function tampered(one: Delivery): readonly (readonly [Delivery, reason: string])[] {
  const { id, body, headers } = one;
  const signature = String(headers['x-service-signature']);
  const withHeaders = (changes: Record<string, string>) => ({ ...one, headers: { ...headers, ...changes } });
  const other = 'the secret is different, or the body or the timestamp was changed';
  const later = String(Number(headers['x-service-timestamp']) + 1);
  return [
    [delivery('a guess', { id, body }), other],
    [{ ...one, body: body.replace('captured', 'refunded') }, other],
    [withHeaders({ 'x-service-timestamp': later }), other],
    [delivery(undefined, { id, body }), 'there is no signature'],
    [delivery(SECRET, { id, body, agoSeconds: 420 }), 'it was signed 7 minutes ago'],
    [
      withHeaders({ 'x-service-signature': signature.slice(0, 32) }),
      'no signature consists of 64 lower-case hexadecimal digits',
    ],
  ];
}

it('loses nothing and keeps the order where it is killed and its receiver is down; every event can be replayed, and none that was tampered with is taken', async () => {
  const home = freshHome();
  writeFileSync(join(home.path, 'secret'), SECRET, { mode: 0o600 });
  let isDown = false;
  const taken: { readonly id: string; readonly record: string; readonly isAccepted: boolean }[] = [];
  const receiver = await startServer(({ headers, bytes }, response) => {
    if (isDown) return void response.destroy();
    const { target } = JSON.parse(bytes.toString());
    const id = String(headers['x-service-delivery']);
    taken.push({ id, record: target.id, isAccepted: accepts(SECRET, headers, bytes) });
    response.end();
  });
  onTestFinished(() => receiver.close());
  const forward = `${receiver.origin}/hooks`;
  let listener = await listen(home, '0', forward);
  const url = (await listener.sees('stdout', '\n')).split('\n')[0] ?? '';
  const { port } = new URL(url);

  const sent = Array.from({ length: COUNT }, (_, index) =>
    delivery(SECRET, { record: `tx-${index % RECORDS}` }),
  );
  let acknowledged = 0;
  // Those of one record are sent one after the other, so that they have an order to keep.
  const sending = Promise.all(
    Array.from({ length: RECORDS }, async (_, record) => {
      for (let index = record; index < COUNT; index += RECORDS) {
        await deliver(url, sent[index] as Delivery);
        acknowledged += 1;
      }
    }),
  );
  const kills = [0.13, 0.37, 0.63].map((part) => Math.round(part * COUNT));
  for (const [index, count] of kills.entries()) {
    await expect.poll(() => acknowledged, { interval: 1, timeout: LIMIT_MS }).toBeGreaterThanOrEqual(count);
    isDown = index === 1;
    listener.kill('SIGKILL');
    await listener.done;
    listener = await listen(home, port, forward);
    await wait(100);
    isDown = false;
  }
  await sending;
  const ids = new Set(sent.map(({ id }) => id));
  await expect.poll(() => new Set(taken.map(({ id }) => id)).size, { timeout: LIMIT_MS }).toBe(COUNT);
  for (const [{ body, headers }, reason] of tampered(delivery(SECRET))) {
    const response = await fetch(url, { method: 'POST', body, headers });
    expect([response.status, await response.json()]).toEqual([401, { message: reason }]);
  }
  listener.kill('SIGTERM');
  const { code, stderr } = await listener.done;

  expect(code, stderr).toBe(0);
  expect(taken.filter(({ id, isAccepted }) => !isAccepted || !ids.has(id))).toEqual([]);
  // Only what was under way when the listener was killed may be repeated: at most eight at a time.
  expect(taken.length - COUNT).toBeLessThanOrEqual(kills.length * 8);
  for (let record = 0; record < RECORDS; record += 1) {
    const name = `tx-${record}`;
    const came = [...new Set(taken.filter((one) => one.record === name).map(({ id }) => id))];
    const meant = sent.filter((_, index) => index % RECORDS === record).map(({ id }) => id);
    expect(came).toEqual(meant);
  }
  const first = taken.length;
  const replay = ['webhooks', 'replay', '--verdict', 'ok', '--secret', `@${join(home.path, 'secret')}`, '-q'];
  expect(await home.payctl([...replay, '-o', 'ndjson'])).toMatchObject({ stderr: '', code: 0 });
  const replayed = taken.slice(first);
  expect(replayed.filter(({ isAccepted }) => !isAccepted)).toEqual([]);
  expect(new Set(replayed.map(({ id }) => id))).toEqual(ids);
  expect(replayed).toHaveLength(COUNT);
  const { stdout } = await home.payctl([
    'webhooks',
    'list',
    '--all',
    '--verdict',
    'ok',
    '-o',
    'ndjson',
    '--columns',
    'id,forwards',
  ]);
  const listed = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(listed).toHaveLength(COUNT);
  expect(new Set(listed.map(({ forwards }) => forwards[0].state))).toEqual(new Set(['delivered']));
}, 600_000);
