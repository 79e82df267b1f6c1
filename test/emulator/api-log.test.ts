import { expect, it } from 'vitest';
import { recordApiLog } from '../../src/emulator/api-log.ts';
import { apiLogCapacity } from '../../src/emulator/schema.ts';
import { faultsOf } from '../contract/schema-validator.ts';
import { apiLogs, startTestEmulator } from './test-emulator.ts';

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
  expect(text).toContain('/buyers?access_token=TOKEN&x=1');
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
