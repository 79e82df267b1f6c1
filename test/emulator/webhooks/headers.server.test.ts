import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { deliveryHeaders } from '../../../src/emulator/webhooks/headers.ts';
import { findReceiver } from '../../../src/emulator/webhooks/receivers.ts';
import { startTestEmulator } from '../test-emulator.ts';

const body = Buffer.from('{"type":"event"}');

it.each([
  ['one secret', { secret: 'new' }, ['new'], undefined],
  [
    'the old secret beside the new one, while it is rotated',
    { secret: 'new', previous_secret: 'old', rotating: true },
    ['new', 'old'],
    undefined,
  ],
  ['no old secret otherwise', { secret: 'new', previous_secret: 'old', rotating: false }, ['new'], undefined],
  [
    'basic authentication',
    { secret: 's', authentication: { kind: 'basic', username: 'ada', password: 'p:w' } },
    ['s'],
    'Basic YWRhOnA6dw==',
  ],
  [
    'no masked password',
    { secret: 's', authentication: { kind: 'basic', username: 'ada', password: '*****' } },
    ['s'],
    undefined,
  ],
  [
    'the user name and the password of a URL',
    { secret: 's', url: 'http://ada:p%3Aw@127.0.0.1/' },
    ['s'],
    'Basic YWRhOnA6dw==',
  ],
  ['a bearer token', { secret: 's', authentication: { kind: 'bearer', token: 't' } }, ['s'], 'Bearer t'],
])('a delivery is sent with %s', async (_, members, secrets, authorization) => {
  await using emulator = await startTestEmulator({ buyers: 3 });
  const { database } = emulator.emulator;
  const document = JSON.stringify({ id: 'sub', active: true, url: 'http://127.0.0.1/', ...members });
  database.prepare("INSERT INTO webhook_subscriptions VALUES ('sub', 'default', 0, ?)").run(document);
  const receiver = findReceiver(database, 'sub');
  if (!receiver) throw new Error('there is no receiver');
  expect(receiver.url).toBe('http://127.0.0.1/');
  const signing = { deliveryId: 'D', event: 'buyer.created', nowMs: 1_700_000_000_999 };
  const signatures = secrets.map((secret) =>
    createHmac('sha256', secret).update(`1700000000.${body}`).digest('hex'),
  );
  expect(deliveryHeaders(body, receiver, { ...signing, prefix: 'x-acme-' })).toEqual({
    'content-type': 'application/json',
    'user-agent': 'payctl-emulator',
    'x-acme-event': 'buyer.created',
    'x-acme-delivery': 'D',
    'x-acme-timestamp': '1700000000',
    'x-acme-signature': signatures.join(','),
    ...(authorization !== undefined && { authorization }),
  });
});
