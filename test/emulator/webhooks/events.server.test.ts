import { describe, expect, it } from 'vitest';
import sample from '../../../src/emulator/sample.json' with { type: 'json' };
import { MOST_EVENTS, recordEvent } from '../../../src/emulator/webhooks/record-event.ts';
import { replaceSubscriptions } from '../../../src/emulator/webhooks/subscribe.ts';
import { startImported } from '../imported/imported-emulator.ts';
import { startTestEmulator, type TestEmulator, temporaryDirectory } from '../test-emulator.ts';
import { namesOf, recordedEvents } from './recorded.ts';

const URL_OF_RECEIVER = 'http://127.0.0.1:3000/hooks';
const DETAILS = { first_name: 'Ada', last_name: 'Lovelace', email_address: 'ada@example.com' };

/** Leaves only one subscription in each merchant account. */
function subscribe({ emulator: { database } }: Pick<TestEmulator, 'emulator'>): void {
  database.execute('DELETE FROM webhook_subscriptions');
  replaceSubscriptions(database, [{ url: URL_OF_RECEIVER, secret: 's' }]);
}

async function createDetail(emulator: TestEmulator, account = 'default') {
  const scopes = ['buyers.read', 'buyers.write'];
  const headers = { 'x-service-merchant-account-id': account };
  const { items } = (await emulator.send('/buyers?limit=1', { headers })).body as { items: { id: string }[] };
  const path = `/buyers/${items[0]?.id}/shipping-details`;
  const options = { method: 'POST', scopes, headers, body: JSON.stringify(DETAILS) };
  return { path, ...(await emulator.send(path, options)) };
}

describe('the event of a change of the contract', () => {
  it('has the record as the service sends it, unmasked, and the request that made it', async () => {
    await using emulator = await startTestEmulator({ buyers: 20 });
    subscribe(emulator);
    const { path, status, body, headers } = await createDetail(emulator);
    expect(status).toBe(201);
    const [event, ...others] = recordedEvents(emulator);
    expect(others).toEqual([]);
    expect(JSON.parse(event?.body ?? '')).toEqual({
      type: 'event',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      merchant_account_id: 'default',
      target: { ...body, ...DETAILS },
      event: 'shipping-details.created',
    });
    expect(event?.sends).toEqual([`pending ${URL_OF_RECEIVER}`]);
    expect(event?.request).toBe(`${headers.get('x-request-id')} POST ${path} payctl/test`);
  });

  it('is made for a checkout session, with all members after the change', async () => {
    await using emulator = await startTestEmulator({ buyers: 20 });
    subscribe(emulator);
    const path = '/checkout/sessions/c5000000-0000-4000-8000-000000000001';
    const options = { method: 'PUT', scopes: ['checkout-sessions.write'], body: '{"metadata":{"a":"b"}}' };
    const { body } = await emulator.send(path, options);
    const [event] = recordedEvents(emulator);
    expect(event?.event).toBe('checkout-session.updated');
    expect(JSON.parse(event?.body ?? '').target).toEqual(body);
    expect(body.metadata).toEqual({ a: 'b' });
  });

  it('is for the active subscriptions of its merchant account, and is not sent to other addresses', async () => {
    await using emulator = await startTestEmulator({ buyers: 20 });
    const { database } = emulator.emulator;
    database.execute(
      "UPDATE webhook_subscriptions SET document = json_set(document, '$.active', json('false'))",
    );
    await createDetail(emulator);
    expect(recordedEvents(emulator)).toEqual([]);
    database.execute(`UPDATE webhook_subscriptions SET document = json_set(document, '$.active', json('true'))
      WHERE merchant_account_id = 'outlet'`);
    database.keys.clear();
    await createDetail(emulator);
    expect(recordedEvents(emulator)).toEqual([]);
    await createDetail(emulator, 'outlet');
    expect(recordedEvents(emulator)).toMatchObject([
      { account: 'outlet', sends: ['not_sent https://outlet.example.net/webhooks/payments'] },
    ]);
    const sent = database.prepare('SELECT problem, next_ms FROM webhook_sends').all();
    expect(sent).toEqual([{ problem: 'the emulator delivers to loopback addresses only', next_ms: null }]);
  });

  it('is named by the API log of its request, where that fails after the change', async () => {
    const faults = [{ method: 'POST', path: '/buyers/*/shipping-details', status: 502, perform: true }];
    await using emulator = await startTestEmulator({ buyers: 20, faults });
    subscribe(emulator);
    const { status, headers } = await createDetail(emulator);
    expect(status).toBe(502);
    const id = headers.get('x-request-id');
    const { body } = await emulator.send('/api-logs', { scopes: ['api-logs.read'] });
    expect((body.items as { id: string }[])[0]?.id).toBe(id);
    expect(recordedEvents(emulator)[0]?.request).toContain(`${id} POST`);
  });
});

it('data of an earlier version keeps its records, and has events from now on', async () => {
  using directory = temporaryDirectory();
  const path = '/checkout/sessions/c5000000-0000-4000-8000-000000000001';
  const change = (emulator: TestEmulator, value: string) =>
    emulator.send(path, {
      method: 'PUT',
      scopes: ['checkout-sessions.write'],
      body: JSON.stringify({ metadata: { value } }),
    });
  {
    await using emulator = await startTestEmulator({ buyers: 20 }, directory.path);
    await change(emulator, 'kept');
    for (const table of ['events', 'endpoints', 'sends', 'attempts'])
      emulator.emulator.database.execute(`DROP TABLE webhook_${table}`);
  }
  await using emulator = await startTestEmulator({}, directory.path);
  const { body } = await emulator.send(path, { scopes: ['checkout-sessions.read'] });
  expect(body.metadata).toEqual({ value: 'kept' });
  expect(recordedEvents(emulator)).toEqual([]);
  await change(emulator, 'new');
  expect(namesOf(recordedEvents(emulator))).toEqual(['checkout-session.updated']);
});

describe('the events of an imported description', () => {
  it('follow the audit log: one for each change, in order, none for what is refused or repeated', async () => {
    await using emulator = await startImported(sample);
    subscribe(emulator);
    const { call } = emulator;
    const payment = { amount: 1000, currency: 'EUR', intent: 'authorize' };
    const { body: made } = await call('POST', '/transactions', { body: payment });
    const path = `/transactions/${made.id}`;
    expect(await call('POST', `${path}/capture`, { body: { amount: 1001 } })).toMatchObject({ status: 422 });
    const { body: captured } = await call('POST', `${path}/capture`, { body: {} });
    const headers = { 'idempotency-key': 'k' };
    const refund = await call('POST', `${path}/refunds`, { body: { amount: 400 }, headers });
    const again = await call('POST', `${path}/refunds`, { body: { amount: 400 }, headers });
    expect(again.body).toEqual(refund.body);
    const { body: refunded } = await call('GET', path);
    const { body: link } = await call('POST', '/payment-links', { body: { amount: 5, currency: 'EUR' } });
    await call('POST', `/payment-links/${link.id}/expire`, { body: {} });
    const { body: expired } = await call('GET', `/payment-links/${link.id}`);
    await call('DELETE', `/payment-links/${link.id}`);
    const events = recordedEvents(emulator);
    expect(namesOf(events)).toEqual([
      'transaction.created',
      'transaction.captured',
      'transaction.refunded',
      'refund.created',
      'payment-link.created',
      'payment-link.expired',
      'payment-link.deleted',
    ]);
    const targets = events.map(({ body }) => JSON.parse(body).target);
    expect(targets).toEqual([made, captured, refunded, refund.body, link, expired, expired]);
  });

  it('are rolled back with their changes, and others of the same transaction are not', async () => {
    await using emulator = await startImported(sample);
    subscribe(emulator);
    const { database } = emulator.emulator;
    const context = {
      database,
      merchantAccount: 'default',
      subject: undefined,
      now: new Date('2026-03-01'),
      request: undefined,
    };
    const record = (id: string) =>
      recordEvent(context, {
        type: 'thing',
        id,
        past: 'made',
        document: `{"id":"${id}","n":9007199254740993,"d":1.50}`,
      });
    const results = await Promise.allSettled([
      database.inSharedTransaction(() => record('first')),
      database.inSharedTransaction(() => {
        record('second');
        throw new Error('refused');
      }),
      database.inSharedTransaction(() => record('third')),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const bodies = recordedEvents(emulator).map(({ body }) =>
      body.replace(/"id":"[0-9a-f-]{36}"/, '"id":"ID"'),
    );
    const body = (id: string) =>
      `{"type":"event","id":"ID","created_at":"2026-03-01T00:00:00.000Z","merchant_account_id":"default","target":{"type":"thing","id":"${id}","n":9007199254740993,"d":1.50},"event":"thing.made"}`;
    expect(bodies).toEqual([body('first'), body('third')]);
  });

  it('are the newest 10,000, and those that are still to be delivered', async () => {
    await using emulator = await startTestEmulator({ buyers: 20 });
    subscribe(emulator);
    const { database } = emulator.emulator;
    const context = {
      database,
      merchantAccount: 'default',
      subject: undefined,
      now: new Date(0),
      request: undefined,
    };
    const record = (events: number) => {
      for (let count = 0; count < events; count += 1)
        recordEvent(context, { type: 'thing', id: 'same', past: 'made', document: '{}' });
    };
    await database.inSharedTransaction(() => {
      record(MOST_EVENTS);
      database.execute("UPDATE webhook_sends SET state = 'delivered', next_ms = NULL WHERE event <= 400");
      record(500);
    });
    const count = (table: string) => Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n);
    expect([count('webhook_events'), count('webhook_sends')]).toEqual([MOST_EVENTS + 100, MOST_EVENTS + 100]);
  });
});
