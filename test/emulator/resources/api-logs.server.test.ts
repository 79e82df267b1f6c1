import { expect, it } from 'vitest';
import { apiLogCapacity, recordApiLog } from '../../../src/emulator/resources/api-logs.ts';
import { faultsOf } from '../../contract/schema-validator.ts';
import { apiLogs, startTestEmulator, type TestEmulator } from '../test-emulator.ts';

const now = new Date('2030-05-05T10:00:00.000Z');

it('keeps each 4xx with its request and the very error that was sent, and no success', async () => {
  await using test = await startTestEmulator({ buyers: 3, now: () => now });
  const { body } = await test.send('/buyers?limit=5', { scopes: [] });
  await test.send('/nothing', { method: 'POST' });
  await test.send('/buyers', {
    scopes: [],
    headers: { authorization: `Bearer ${await test.token(['buyers.read'], { now })}` },
  });
  expect(apiLogs(test).flatMap((log) => faultsOf('ApiLog', log))).toEqual([]);
  expect(apiLogs(test)).toEqual([
    {
      type: 'api-log',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      request_method: 'GET',
      request_url: `${test.emulator.baseUrl}/buyers?limit=5`,
      request_received_at: '2030-05-05T10:00:00.000+00:00',
      response_status_code: 401,
      response_body: body,
      response_sent_at: '2030-05-05T10:00:00.000+00:00',
    },
    expect.objectContaining({ request_method: 'POST', response_status_code: 404 }),
  ]);
});

it('holds no token, even one that came in the URL', async () => {
  await using test = await startTestEmulator({ buyers: 3 });
  const token = await test.token(['roles.read']);
  await test.send(`/buyers?access_token=${token}&x=1`, { scopes: ['roles.read'] });
  const text = JSON.stringify(apiLogs(test));
  for (const part of token.split('.')) expect(text).not.toContain(part);
  expect(text).toContain('/buyers?access_token=********&x=1');
});

const list = (test: TestEmulator, headers: Record<string, string> = {}) =>
  test.send('/api-logs', { scopes: ['api-logs.read'], headers });

it('shows the newest 100 first, those of the seed below those of its own, and the others by cursor', async () => {
  await using test = await startTestEmulator({ buyers: 3 });
  const whole = (await list(test)).body;
  expect(Object.keys(whole)).toEqual(['items']);
  const seeded = whole.items as Record<string, unknown>[];
  expect(seeded.length).toBeGreaterThan(40);
  const times = seeded.map((log) => Date.parse(String(log.request_received_at)));
  expect(times.toSorted((a, b) => b - a)).toEqual(times);
  for (let n = 1; n <= 90; n += 1) await test.send(`/nothing/${n}`);
  const { status, body } = await list(test);
  const items = body.items as Record<string, unknown>[];
  expect([status, body.limit, body.previous_cursor, items.length]).toEqual([200, 100, null, 100]);
  expect(items[0]?.request_url).toBe(`${test.emulator.baseUrl}/nothing/90`);
  expect(items.slice(90)).toEqual(seeded.slice(0, 10));
  const rest = await test.send(`/api-logs?cursor=${String(body.next_cursor)}`, { scopes: ['api-logs.read'] });
  expect(rest.body).toMatchObject({ items: seeded.slice(10), next_cursor: null });
  const back = await test.send(`/api-logs?cursor=${String(rest.body.previous_cursor)}`, {
    scopes: ['api-logs.read'],
  });
  expect(back.body.items).toEqual(items);
  expect((await test.send('/api-logs?cursor=x', { scopes: ['api-logs.read'] })).body).toMatchObject({
    status: 400,
    details: [{ pointer: '/cursor' }],
  });
});

it('shows a log in the merchant account that the request named, in `default` for an unknown one', async () => {
  await using test = await startTestEmulator({ buyers: 3 });
  const headers = (account: string) => ({ 'x-service-merchant-account-id': account });
  await test.send('/buyers?limit=0&of=outlet', { headers: headers('outlet') });
  await test.send('/buyers?of=nobody', { headers: headers('nobody') });
  const newest = async (account: string) => {
    const { body } = await list(test, headers(account));
    return String((body.items as Record<string, unknown>[])[0]?.request_url).split('of=')[1];
  };
  expect([await newest('outlet'), await newest('default')]).toEqual(['outlet', 'nobody']);
});

it('keeps the body of a 422 as it was sent', async () => {
  await using test = await startTestEmulator({ buyers: 3 });
  const { body } = await test.send('/buyers?limit=ten');
  const [log] = (await list(test)).body.items as Record<string, unknown>[];
  expect(log).toMatchObject({ response_status_code: 422, response_body: body });
});

it('keeps a few kilobytes of each, whatever was sent', async () => {
  await using test = await startTestEmulator({ buyers: 3 });
  const long = 'x'.repeat(1_000_000);
  const create = (body: string) =>
    test.send('/payment-service-definitions/lumen-wallet/sessions', {
      method: 'POST',
      scopes: ['transactions.write'],
      body,
    });
  for (const body of [JSON.stringify([long]), JSON.stringify(long), JSON.stringify([{ a: [long] }])]) {
    expect((await create(body)).status).toBe(422);
  }
  await test.send(`/${'y'.repeat(10_000)}`);
  await test.send(`/buyers?limit=${'1'.repeat(5000)}x`);
  const logs = apiLogs(test);
  expect(logs).toHaveLength(5);
  for (const log of logs) {
    expect(JSON.stringify(log).length).toBeLessThan(5000);
    expect(faultsOf('ApiLog', log)).toEqual([]);
  }
  expect(logs[0]?.response_body).toMatchObject({
    detail: [{ loc: ['body'], msg: 'must be an object', input: `["${'x'.repeat(298)}…` }],
  });
  expect(String(logs[3]?.request_url)).toHaveLength(2001);
});

it('keeps the newest 10,000 logs', async () => {
  await using test = await startTestEmulator({ buyers: 0 });
  const { database } = test.emulator;
  const exchange = { method: 'GET', receivedAt: now, sentAt: now, status: 404, body: '{}' };
  database.inTransaction(() => {
    for (let n = 1; n <= apiLogCapacity + 5; n += 1) recordApiLog(database, { ...exchange, url: `/${n}` });
  });
  const logs = apiLogs(test);
  expect([logs.length, logs[0]?.request_url, logs.at(-1)?.request_url]).toEqual([10_000, '/6', '/10005']);
});
