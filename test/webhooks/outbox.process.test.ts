import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openDatabase } from '../../src/files/database.ts';
import { Outbox } from '../../src/webhooks/outbox.ts';
import type { Outcome, Sender } from '../../src/webhooks/sender.ts';
import {
  addSend,
  deleteSends,
  OUTBOX_INDEXES,
  OUTBOX_TABLES,
  recordAttempt,
  sendAgain,
} from '../../src/webhooks/sends.ts';
import { propertyRuns } from '../harness/property-runs.ts';
import { folderForTest } from '../harness/temporary-folder.ts';

let count = 0;

function openTables(folder: string) {
  count += 1;
  const path = join(folder, `${count}.sqlite`);
  const open = () => openDatabase(path, { timeout: 1_000, settings: 'PRAGMA synchronous = OFF' });
  const database = open();
  for (const sql of [...OUTBOX_TABLES, ...OUTBOX_INDEXES]) database.execute(sql);
  return { database, open };
}

/** A receiver that follows a script: what it does with the next requests, and everything at its end. */
function receiverWith(script: ('take' | 'refuse' | 'none' | 'hang')[]) {
  const taken: { readonly url: string; readonly id: string }[] = [];
  const sender: Sender = {
    async post({ url, headers }, signal): Promise<Outcome> {
      const next = script.shift() ?? 'take';
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
      if (next === 'hang') {
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        signal.throwIfAborted();
      }
      if (next === 'none')
        return { status: undefined, problem: 'the connection was refused', milliseconds: 1 };
      if (next === 'refuse') return { status: 500, problem: undefined, milliseconds: 1 };
      taken.push({ url, id: headers.id ?? '' });
      return { status: 200, problem: undefined, milliseconds: 1 };
    },
    async close() {},
  };
  return { sender, taken };
}

it('sends each event at least once and in the order of its record, whatever fails and however often it is killed', async () => {
  const folder = folderForTest();
  const script = fc.array(fc.constantFrom('take', 'refuse', 'none', 'hang'), { maxLength: 12 });
  const events = fc.array(fc.record({ record: fc.nat({ max: 2 }), url: fc.nat({ max: 1 }) }), {
    minLength: 1,
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(
      events,
      script,
      fc.array(fc.nat({ max: 4 }), { maxLength: 3 }),
      async (added, does, kills) => {
        const { database: first, open } = openTables(folder);
        const { sender, taken } = receiverWith([...does]);
        const urls = added.map(({ url }) => `http://localhost/${url}`);
        const run = (database = first) =>
          new Outbox(database, {
            sender,
            postingOf: ({ url, deliveryId }) => ({ url, headers: { id: deliveryId }, body: Buffer.from('') }),
            retryFactor: 1e-7,
          });
        let database = first;
        let outbox = run(database);
        for (const [index, { record }] of added.entries()) {
          const send = {
            event: index,
            deliveryId: `d${index}`,
            url: urls[index] ?? '',
            record: String(record),
          };
          await database.inSharedTransaction(() => addSend(database, send));
          outbox.wake();
          if (!kills.includes(index)) continue;
          // What is under way counts as not made, as when the process is gone.
          await outbox.close();
          database.close();
          database = open();
          outbox = run(database);
        }
        const left = () =>
          database.prepare("SELECT count(*) AS count FROM webhook_sends WHERE state = 'pending'").get()
            ?.count;
        // A receiver that hangs keeps an attempt until the next process.
        while (left() !== 0) {
          await outbox.close();
          outbox = run(database);
          outbox.wake();
          for (let turn = 0; turn < 200 && left() !== 0; turn += 1)
            await new Promise((resolve) => setTimeout(resolve, 1));
        }
        await outbox.close();
        for (const [index, url] of urls.entries()) {
          // Six refusals give an event up; no script is that bad for one event unless all of it is.
          const state = database.prepare('SELECT state FROM webhook_sends WHERE event = ?').get(index)?.state;
          const came = taken.some((one) => one.id === `d${index}` && one.url === url);
          expect(came).toBe(state === 'delivered');
        }
        expect(taken.every(({ id, url }) => urls[Number(id.slice(1))] === url)).toBe(true);
        for (const [index, { record }] of added.entries()) {
          const firstOf = (at: number) => taken.findIndex(({ id }) => id === `d${at}`);
          const before = added.findIndex(
            (other, at) => at < index && other.record === record && urls[at] === urls[index],
          );
          if (before !== -1 && firstOf(index) !== -1 && firstOf(before) !== -1)
            expect(firstOf(before)).toBeLessThan(firstOf(index));
        }
        database.close();
      },
    ),
    propertyRuns(1_000),
  );
});

it('gives up after six attempts, and lets the next event of the record go', async () => {
  const { database } = openTables(folderForTest());
  const { sender, taken } = receiverWith(Array(6).fill('refuse'));
  const attempts: string[] = [];
  const outbox = new Outbox(database, {
    sender,
    postingOf: ({ url, deliveryId }) => ({ url, headers: { id: deliveryId }, body: Buffer.from('') }),
    onAttempt: ({ send, attempt, state }) => attempts.push(`${send.deliveryId} ${attempt} ${state}`),
    retryFactor: 1e-7,
  });
  for (const [event, deliveryId] of ['a', 'b'].entries())
    addSend(database, { event, deliveryId, url: 'http://localhost/', record: 'r' });
  outbox.wake();
  await expect.poll(() => attempts.length).toBe(7);
  await outbox.close();
  expect(attempts).toEqual([...[1, 2, 3, 4, 5].map((n) => `a ${n} pending`), 'a 6 failed', 'b 1 delivered']);
  expect(taken).toEqual([{ url: 'http://localhost/', id: 'b' }]);
  database.close();
});

it('sends what was to be sent later than any wait, as a clock has that was set back', async () => {
  const { database } = openTables(folderForTest());
  const { sender, taken } = receiverWith([]);
  const outbox = new Outbox(database, {
    sender,
    postingOf: ({ url, deliveryId }) => ({ url, headers: { id: deliveryId }, body: Buffer.from('') }),
  });
  const url = 'http://localhost/';
  const add = (deliveryId: string, record: string, aheadMs: number) => {
    const row = addSend(database, { event: 1, deliveryId, url, record });
    database.prepare('UPDATE webhook_sends SET next_ms = ? WHERE row = ?').run(Date.now() + aheadMs, row);
  };
  add('waits', 'r1', 7_000_000);
  add('from-tomorrow', 'r2', 86_400_000);
  outbox.wake();
  await expect.poll(() => taken).toEqual([{ url, id: 'from-tomorrow' }]);
  await outbox.close();
  database.close();
});

it('leaves what another process delivered, and sends the next event of a record that was deleted', () => {
  const { database } = openTables(folderForTest());
  const url = 'http://localhost/';
  const [one, two, three] = [1, 2, 3].map((event) => {
    const send = { event, deliveryId: `d${event}`, url, record: 'r' };
    return { ...send, row: addSend(database, send) };
  });
  if (!one || !two || !three) throw new Error('three sends');
  const states = () =>
    database
      .prepare('SELECT event, state, next_ms IS NOT NULL AS due FROM webhook_sends ORDER BY row')
      .all()
      .map(({ event, state, due }) => `${event} ${state} ${due}`);
  const outcome = (status: number) => ({ status, problem: undefined, milliseconds: 1 });
  expect(states()).toEqual(['1 pending 1', '2 pending 0', '3 pending 0']);
  recordAttempt(
    database,
    { send: one, outcome: outcome(200), attempt: 1, state: 'delivered', nextMs: undefined },
    0,
  );
  expect(states()).toEqual(['1 delivered 0', '2 pending 1', '3 pending 0']);
  recordAttempt(database, { send: one, outcome: outcome(500), attempt: 1, state: 'pending', nextMs: 5 }, 0);
  expect(states()).toEqual(['1 delivered 0', '2 pending 1', '3 pending 0']);
  deleteSends(database, 2);
  expect(states()).toEqual(['1 delivered 0', '3 pending 1']);
  sendAgain(database, one);
  deleteSends(database, 3);
  expect(states()).toEqual(['1 pending 1']);
  database.close();
});
