import { join } from 'node:path';
import { expect, it } from 'vitest';
import { EventStore } from '../../src/features/webhooks/store.ts';
import { freshDirectory } from '../config/config-directory.ts';
import { serve } from '../harness/serve.ts';
import { runInProcess } from './run-in-process.ts';

const BUYER = 'c127d095-5e35-4c7d-9be1-6425bf77a794';
const AT = Date.parse('2026-03-01T12:00:00Z');

const received = (deliveryId: string, receivedMs: number, targetId = BUYER) => ({
  verdict: 'ok' as const,
  reason: 'the signature is correct',
  receivedMs,
  deliveryId,
  facts: { event: 'buyer.updated', eventId: deliveryId, targetType: 'buyer', targetId },
  headers: {},
  body: Buffer.from(deliveryId),
  timestamp: '1',
});

it('api-logs get names the newest event about the record of its request', async () => {
  const directory = freshDirectory();
  const entry = {
    type: 'api-log',
    id: '5041a892-fb00-4846-8360-690c9631e63e',
    request_method: 'GET',
    request_url: `https://api.example.com/buyers/${BUYER}`,
    request_received_at: new Date(AT).toISOString(),
    response_status_code: 404,
    response_body: null,
  };
  const refused = { ...entry, id: 'a0b79021-843a-4e5f-b381-3897f837997e', request_method: 'PUT' };
  const server = await serve((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ items: [entry, refused], next_cursor: null }));
  });
  const env = { PAYCTL_CONFIG_DIR: directory, PAYCTL_BASE_URL: server.origin, PAYCTL_TOKEN: 'token' };
  const get = (...args: string[]) => runInProcess(['api-logs', 'get', entry.id, ...args], { env });
  expect((await get()).stderr).not.toContain('Event:');
  const store = EventStore.open(join(directory, 'data', 'webhooks'));
  await store.add(received('d-0', AT - 60_000), []);
  await store.add(received('d-1; rm', AT - 3_000), []);
  await store.add(received('d-2', AT + 1_000), []);
  await store.add(received('d-3', AT - 1_000, 'another-1'), []);
  store.close();
  const run = await get();
  expect(run.code).toBe(0);
  expect(run.stderr).toContain("\nEvent: buyer.updated, 3 seconds before: payctl webhooks get 'd-1; rm'\n");
  expect((await runInProcess(['api-logs', 'get', refused.id], { env })).stderr).toContain(
    "\nEvent: none, because the change was refused. Last event of this record: buyer.updated, 3 seconds before: payctl webhooks get 'd-1; rm'\n",
  );
  expect((await get('-o', 'json')).stdout).toBe(`${JSON.stringify(entry)}\n`);
});
