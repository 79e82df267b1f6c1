import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { EventStore, type ReceivedEvent, StoreFull } from '../../../src/features/webhooks/store.ts';
import { thrownBy } from '../../config/config-directory.ts';
import { folderForTest } from '../../harness/temporary-folder.ts';

const HOOK = 'http://localhost:3000/hooks';
const MIB = 1024 * 1024;

function open(...most: [bytes?: number, unverified?: { events: number; bytes: number }]): {
  readonly store: EventStore;
  readonly directory: string;
} {
  const directory = join(folderForTest(), 'webhooks');
  const store = EventStore.open(directory, ...most);
  onTestFinished(() => store.close());
  return { store, directory };
}

function received(given: Partial<ReceivedEvent> & { readonly text?: string } = {}): ReceivedEvent {
  const { text = '{}', ...rest } = given;
  return {
    ...{ verdict: 'ok', reason: '', receivedMs: 1_000, deliveryId: 'a', timestamp: '1' },
    facts: { event: 'buyer.created', targetType: 'buyer', targetId: 'b1' },
    headers: { 'x-service-delivery': 'a' },
    body: Buffer.from(text),
    ...rest,
  };
}

describe('the store of received events', () => {
  it('is for its owner alone', async () => {
    const { store, directory } = open();
    await store.add(received(), []);
    const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
    expect(mode(directory)).toBe('700');
    for (const name of ['', '-wal', '-shm'])
      expect(mode(join(directory, `events.sqlite${name}`))).toBe('600');
  });

  it('says why it cannot be in a directory, and which flag chooses another one', () => {
    const file = join(folderForTest(), 'file');
    writeFileSync(file, '');
    expect(thrownBy(() => EventStore.open(file))).toMatchObject({
      code: 'profiles_unwritable',
      message: `${file} cannot be written: something else has this name`,
      hint: 'Make it writable, or set --directory to another directory.',
    });
    expect(thrownBy(() => EventStore.openExisting(file))).toMatchObject({
      code: 'event_store_unusable',
      message: `${join(file, 'events.sqlite')} cannot be used: part of the path is not a directory`,
    });
    expect(EventStore.openExisting(join(file, '..', 'none'))).toBeUndefined();
  });

  it('stores an accepted event once, and never again under another delivery ID', async () => {
    const { store } = open();
    const first = await store.add(received(), [HOOK]);
    expect(first).toMatchObject({ isRepeated: false, forwards: [{ url: HOOK, isWaiting: false }] });
    const again = { isRepeated: true, hasOtherBody: false, row: first.row, forwards: [], deleted: 0 };
    expect(await store.add(received({ text: '{"other":1}', timestamp: '2' }), [HOOK])).toEqual({
      ...again,
      hasOtherBody: true,
    });
    expect(await store.add(received({ deliveryId: 'recorded' }), [HOOK])).toEqual(again);
    expect(await store.add(received({ verdict: 'unchecked' }), [HOOK])).toEqual(again);
    expect(store.pending()).toEqual(new Map([[HOOK, 1]]));
    const next = await store.add(received({ deliveryId: 'b', text: '{"n":2}' }), [HOOK]);
    expect(next.forwards).toEqual([{ url: HOOK, isWaiting: true }]);
  });

  it('knows an event that has an ID, whatever its delivery ID and whenever it was signed', async () => {
    const { store } = open();
    const facts = { eventId: 'e1', targetType: 'buyer', targetId: 'b1' };
    const first = await store.add(received({ facts, text: '{"id":"e1"}' }), [HOOK]);
    const recorded = received({ facts, text: '{"id":"e1"}', timestamp: '31', deliveryId: 'recorded' });
    expect(await store.add(recorded, [HOOK])).toMatchObject({
      isRepeated: true,
      row: first.row,
      forwards: [],
    });
    const withoutId = (timestamp: string, deliveryId: string) =>
      received({ timestamp, deliveryId, text: '{"ping":1}' });
    expect(await store.add(withoutId('1', 'p1'), [])).toMatchObject({ isRepeated: false });
    expect(await store.add(withoutId('1', 'p2'), [])).toMatchObject({ isRepeated: true });
    expect(await store.add(withoutId('2', 'p3'), [])).toMatchObject({ isRepeated: false });
  });

  it.each(['wrong', 'missing', 'old', 'unchecked'] as const)(
    'does not let an event whose signature is %s take the place of the true one',
    async (verdict) => {
      const { store } = open();
      await store.add(received({ verdict, text: '{"forged":1}' }), []);
      expect(await store.add(received(), [HOOK])).toMatchObject({ isRepeated: false });
      expect(store.find('a').map((event) => event.verdict)).toEqual(['ok', verdict]);
    },
  );

  it('finds no event by an empty ID, such as that of a variable that is not set', async () => {
    const { store } = open();
    await store.add(received(), []);
    expect(store.find('')).toEqual([]);
  });

  it('keeps a limited number and size of events without a correct signature, the newest ones', async () => {
    const most = { events: 20, bytes: 8_000 };
    const { store } = open(undefined, most);
    await store.add(received({ deliveryId: 'true' }), []);
    const body = Buffer.alloc(most.bytes / 8);
    for (let index = 0; index < 10; index += 1)
      await store.add(received({ verdict: 'wrong', deliveryId: `big${index}`, body }), []);
    expect(store.list({ verdicts: ['wrong'] }).map(({ deliveryId }) => deliveryId)).toEqual(
      Array.from({ length: 8 }, (_, index) => `big${index + 2}`),
    );
    const adding = Array.from({ length: most.events + 5 }, (_, index) =>
      store.add(received({ verdict: 'missing', deliveryId: `small${index}` }), [HOOK]),
    );
    await Promise.all(adding);
    expect(store.count({ verdicts: ['wrong', 'missing', 'old'] })).toBe(most.events);
    expect(store.count({ verdicts: ['ok'] })).toBe(1);
    expect(store.pending()).toEqual(new Map([[HOOK, most.events]]));
  });

  it('deletes old events, those that wait for another URL only when they are twice as old, and none that waits for one of this run', async () => {
    const { store } = open();
    const ids = () => store.list({}).map(({ deliveryId }) => deliveryId);
    for (const [index, receivedMs] of [100, 1_500, 2_500].entries()) {
      const text = `{"n":${index}}`;
      await store.add(received({ deliveryId: `done${index}`, receivedMs, text }), []);
      await store.add(received({ deliveryId: `waits${index}`, receivedMs, text: `[${text}]` }), [HOOK]);
    }
    expect(await store.deleteBefore(2_000, 1_000, [HOOK])).toBe(2);
    expect(await store.deleteBefore(2_000, 1_000, [])).toBe(1);
    expect(await store.deleteBefore(2_000, 1_000, [])).toBe(0);
    expect(ids()).toEqual(['waits1', 'done2', 'waits2']);
    // The next one of the record is due now.
    const due = store.database
      .prepare('SELECT delivery_id FROM webhook_sends WHERE next_ms IS NOT NULL')
      .all();
    expect(due.map(({ delivery_id }) => delivery_id)).toEqual(['waits1']);
  });

  it('deletes the oldest events where there is no room, but none that is still to be forwarded or was given up', async () => {
    const { store, directory } = open(MIB);
    const finish = (deliveryId: string, state: string) =>
      store.database.execute(
        `UPDATE webhook_sends SET state = '${state}', next_ms = NULL WHERE delivery_id = '${deliveryId}'`,
      );
    const add = (id: string, urls: readonly string[], verdict: 'ok' | 'unchecked' = 'unchecked') =>
      store.add(received({ deliveryId: id, verdict, text: `{"${id}":"${'x'.repeat(MIB / 8)}"}` }), urls);
    for (const id of ['waits', 'failed', 'taken1', 'taken2']) await add(id, [HOOK]);
    for (const id of ['failed', 'taken1', 'taken2']) finish(id, id.replace(/taken./, 'delivered'));
    expect((await add('seen', [])).deleted).toBe(0);
    let deleted = 0;
    for (let index = 0; index < 20; index += 1) ({ deleted = 0 } = await add(`more${index}`, [], 'ok'));
    expect(deleted).toBe(1);
    const ids = store.list({}).map(({ deliveryId }) => deliveryId);
    expect(ids.slice(0, 3)).toEqual(['waits', 'failed', 'more14']);
    expect(ids.at(-1)).toBe('more19');
    expect(statSync(join(directory, 'events.sqlite')).size).toBeLessThan(1.3 * MIB);
  });

  it('refuses events where no stored one may go, and knows again those that it has', async () => {
    const { store } = open(MIB);
    let now = 1_000;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    onTestFinished(() => {
      vi.restoreAllMocks();
    });
    const add = (id: string) =>
      store.add(received({ deliveryId: id, verdict: 'unchecked', body: Buffer.alloc(MIB / 4) }), [HOOK]);
    for (const id of ['a', 'b', 'c', 'd']) await add(id);
    await expect(add('e')).rejects.toThrow(StoreFull);
    await expect(add('f')).rejects.toThrow(StoreFull);
    expect(await add('a')).toMatchObject({ isRepeated: true });
    expect(store.pending()).toEqual(new Map([[HOOK, 4]]));
    store.database.execute("UPDATE webhook_sends SET state = 'delivered', next_ms = NULL");
    // It is looked at again a second later.
    now += 999;
    await expect(add('g')).rejects.toThrow(StoreFull);
    now += 1;
    expect(await add('g')).toMatchObject({ deleted: 1 });
    expect(store.list({}).map(({ deliveryId }) => deliveryId)).toEqual(['b', 'c', 'd', 'g']);
  });

  it('says why it cannot be used', () => {
    const folder = folderForTest();
    mkdirSync(join(folder, 'text'));
    writeFileSync(join(folder, 'text/events.sqlite'), 'this is a text and no database, '.repeat(40));
    expect(() => EventStore.open(join(folder, 'text'))).toThrow(
      /events\.sqlite cannot be used: .*not a database/,
    );
    const newer = EventStore.open(join(folder, 'newer'));
    newer.database.execute('PRAGMA user_version = 9');
    newer.close();
    expect(() => EventStore.open(join(folder, 'newer'))).toThrow(
      expect.objectContaining({ code: 'newer_version' }),
    );
  });
});
