import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { planReplay, sendReplays } from '../../../src/features/webhooks/replay.ts';
import { EventStore } from '../../../src/features/webhooks/store.ts';
import { Outbox } from '../../../src/webhooks/outbox.ts';
import type { Outcome, Posting, Sender } from '../../../src/webhooks/sender.ts';
import { headerNames, type Verdict } from '../../../src/webhooks/signature.ts';
import { folderForTest } from '../../harness/temporary-folder.ts';

const HOOK = 'http://localhost:3000/hooks';
const scheme = { names: headerNames('x-service-'), secrets: [], toleranceMs: 1000 };

/** A store with events of two records, in turns, and a receiver that takes a moment for each. */
async function open(statuses: number[] = []) {
  const directory = join(folderForTest(), 'webhooks');
  const store = EventStore.open(directory);
  onTestFinished(() => store.close());
  const running = new Map<string, number>();
  const seen: { most: number; ids: string[]; signed: string[] } = { most: 0, ids: [], signed: [] };
  const sender: Sender = {
    async post({ body, headers }: Posting): Promise<Outcome> {
      const { record, id } = JSON.parse(Buffer.from(body).toString());
      const now = (running.get(record) ?? 0) + 1;
      running.set(record, now);
      seen.most = Math.max(seen.most, now);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running.set(record, now - 1);
      seen.ids.push(id);
      if (headers['x-service-signature'] !== undefined) seen.signed.push(id);
      return { status: statuses.shift() ?? 200, problem: undefined, milliseconds: 5 };
    },
    async close() {},
  };
  const outbox = new Outbox(store.database, {
    sender,
    postingOf: (send) => ({ url: send.url, headers: {}, ...store.content(send.event) }) as Posting,
  });
  onTestFinished(() => outbox.close());
  const add = async (id: string, record: string, verdict: Verdict = 'ok', urls = [HOOK]) => {
    const facts = { event: 'buyer.updated', eventId: id, targetType: 'buyer', targetId: record };
    const body = Buffer.from(JSON.stringify({ id, record }));
    const rest = { verdict, reason: '', receivedMs: 1, headers: {}, timestamp: '1' };
    await store.add({ ...rest, deliveryId: id, facts, body }, urls);
  };
  return { store, sender, outbox, seen, add };
}

type Opened = Awaited<ReturnType<typeof open>>;

async function replay({ store, sender }: Opened, { failed = false, isListening = true } = {}) {
  const choice = { urls: undefined, failed, scheme, includesUnverified: false };
  const plan = planReplay(store, store.list({ failed }), choice);
  const signal = new AbortController().signal;
  const outcomes: string[] = [];
  await sendReplays(plan.replays, {
    ...{ store, sender, signal, signing: undefined, isListening: () => isListening },
    onSent: async ({ deliveryId }, _url, { status }) => void outcomes.push(`${deliveryId} ${status}`),
  });
  return outcomes;
}

const statesOf = ({ store }: Opened) =>
  store.list({}).map(({ deliveryId, row }) => `${deliveryId} ${store.forwards(row)[0]?.state}`);

it('sends one event of a record at a time, also while a listener forwards others of it', async () => {
  const opened = await open();
  const { outbox, seen, add } = opened;
  for (let index = 0; index < 10; index += 1) await add(`e${index}`, `r${index % 2}`);
  outbox.wake();
  await expect.poll(() => seen.ids.length).toBeGreaterThan(1);
  const replayed = replay(opened);
  for (let index = 10; index < 16; index += 1) {
    await add(`e${index}`, `r${index % 2}`);
    outbox.wake();
  }
  await replayed;
  await expect.poll(() => statesOf(opened).filter((state) => state.endsWith('delivered')).length).toBe(16);
  expect(seen.most).toBe(1);
  expect(new Set(seen.ids).size).toBe(16);
}, 20_000);

it('signs no event again that was forged or old', async () => {
  const opened = await open();
  for (const verdict of ['ok', 'wrong', 'missing', 'old'] as const)
    await opened.add(verdict, verdict, verdict);
  const { store, sender, seen } = opened;
  const signing = { ...scheme, secrets: ['secret'] };
  const choice = { urls: undefined, failed: false, scheme: signing, includesUnverified: true };
  const { replays } = planReplay(store, store.list({}), choice);
  const signal = new AbortController().signal;
  await sendReplays(replays, {
    store,
    sender,
    signal,
    signing,
    isListening: () => false,
    onSent: async () => {},
  });
  expect(seen.ids.toSorted()).toEqual(['missing', 'ok', 'old', 'wrong']);
  expect(seen.signed).toEqual(['ok']);
});

it('does not wait for a listener that is not there', async () => {
  const opened = await open();
  await opened.add('e1', 'r1');
  await opened.add('e2', 'r1');
  expect(await replay(opened, { isListening: false })).toEqual(['e1 200', 'e2 200']);
  expect(statesOf(opened)).toEqual(['e1 delivered', 'e2 delivered']);
});

it.each([true, false])(
  'sends one event of a record at a time in two replays, with a listener: %s',
  async (isListening) => {
    const opened = await open();
    for (let index = 0; index < 6; index += 1) await opened.add(`e${index}`, 'r');
    if (isListening) opened.outbox.wake();
    await Promise.all([replay(opened, { isListening }), replay(opened, { isListening })]);
    expect(opened.seen.most).toBe(1);
    expect(statesOf(opened).every((state) => state.endsWith('delivered'))).toBe(true);
    expect(opened.store.pending()).toEqual(new Map());
  },
  20_000,
);

it('leaves what a receiver refused to the listener, or as it was', async () => {
  const opened = await open([200, 500, 500, 200]);
  const { outbox, add, store } = opened;
  await add('e1', 'r1');
  outbox.wake();
  await expect.poll(() => statesOf(opened)).toEqual(['e1 delivered']);
  expect(await replay(opened)).toEqual(['e1 500']);
  expect(statesOf(opened)).toEqual(['e1 delivered']);
  await add('e2', 'r1');
  outbox.wake();
  await expect.poll(() => store.forwards(2)[0]?.attempts.length).toBe(1);
  expect(await replay(opened, { failed: true })).toEqual(['e2 200']);
  expect(statesOf(opened)).toEqual(['e1 delivered', 'e2 delivered']);
  expect(store.pending()).toEqual(new Map());
});

it('sends with --failed only what the list calls failed, not what waits and was replayed meanwhile', async () => {
  const { store, add } = await open();
  await add('e1', 'r1', 'ok', ['http://localhost:1/', HOOK, 'http://localhost:2/', 'http://localhost:3/']);
  const { database } = store;
  database.execute("UPDATE webhook_sends SET state = 'failed', attempts = 6 WHERE row = 1");
  database.execute('INSERT INTO webhook_attempts VALUES (2, 1, 500, NULL, 1)');
  database.execute('UPDATE webhook_sends SET attempts = 1 WHERE row = 3');
  database.execute("UPDATE webhook_sends SET state = 'not_sent' WHERE row = 4");
  const choice = { urls: undefined, failed: true, scheme, includesUnverified: false };
  const { replays } = planReplay(store, store.list({ failed: true }), choice);
  expect(replays.flatMap(({ receivers }) => receivers.map(({ url }) => url))).toEqual([
    'http://localhost:1/',
    'http://localhost:2/',
  ]);
});
