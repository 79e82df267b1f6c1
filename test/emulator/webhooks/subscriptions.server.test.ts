import { describe, expect, it } from 'vitest';
import sample from '../../../src/emulator/sample.json' with { type: 'json' };
import { findDeliveries, listDeliveries } from '../../../src/emulator/webhooks/kept-deliveries.ts';
import { whyNotSent } from '../../../src/emulator/webhooks/loopback.ts';
import { activeReceivers, wants } from '../../../src/emulator/webhooks/receivers.ts';
import { parseSubscribed, replaceSubscriptions } from '../../../src/emulator/webhooks/subscribe.ts';
import { openDatabase } from '../../../src/files/database.ts';
import { startImported } from '../imported/imported-emulator.ts';
import { startTestEmulator } from '../test-emulator.ts';
import { recordedEvents } from './recorded.ts';

describe('the addresses that the emulator delivers to', () => {
  it.each([
    'http://127.0.0.1:3000/hooks',
    'http://127.1/',
    'https://127.255.255.254/',
    'http://[::1]:3000/',
    'http://LOCALHOST/',
    'http://shop.localhost:3000/',
    'http://0x7f000001/',
  ])('are those of this machine: %s', (url) => {
    expect(whyNotSent(url)).toBeUndefined();
  });

  it.each([
    'http://127.0.0.1.example.com/',
    'http://localhost.example.com/',
    'http://example.com/?http://127.0.0.1',
    'http://127.0.0.1@example.com/',
    'http://128.0.0.1/',
    'http://0.0.0.0/',
    'http://[::ffff:8.8.8.8]/',
    'http://notlocalhost/',
    'http://localhost./',
  ])('are no others: %s', (url) => {
    expect(whyNotSent(url)).toBe('the emulator delivers to loopback addresses only');
  });

  it.each(['', 'hooks', 'file:///etc/passwd', 'ftp://127.0.0.1/'])('have http or https: "%s"', (url) => {
    expect(whyNotSent(url)).toBe('the URL of the subscription is not an http or https URL');
  });
});

describe('--subscribe', () => {
  it.each([
    ['http://127.0.0.1:3000/hooks', 'http://127.0.0.1:3000/hooks', undefined],
    ['http://127.0.0.1:3000/hooks=s3cr3t==', 'http://127.0.0.1:3000/hooks', 's3cr3t=='],
    ['http://127.0.0.1:3000/hooks?a=b', 'http://127.0.0.1:3000/hooks?a=b', undefined],
    ['http://127.0.0.1:3000/hooks?a=b=@s.txt', 'http://127.0.0.1:3000/hooks?a=b', undefined, 's.txt'],
  ])('reads %s', (text, url, secret, file?: string) => {
    expect(parseSubscribed(text)).toEqual({ url, secret, file });
  });

  it.each([
    ['https://127.0.0.1/hooks', 'The URL of --subscribe is not an http URL: "https://127.0.0.1/hooks"'],
    ['3000', 'The URL of --subscribe is not an http URL: "3000"'],
    [
      'http://example.com/=s3cr3t',
      'The URL of --subscribe is not a loopback address, the only kind that the emulator delivers to: "http://example.com/"',
    ],
    ['http://127.0.0.1/=', 'The URL of --subscribe has an empty secret: "http://127.0.0.1/"'],
    ['http://u:p@127.0.0.1/', 'The URL of --subscribe has credentials: "127.0.0.1"'],
  ])('refuses %s', (text, message) => {
    expect(() => parseSubscribed(text)).toThrow(message);
  });

  it('keeps the ID and the made secret of a URL, and removes those that a start does not name', async () => {
    await using emulator = await startTestEmulator({ buyers: 20 });
    const { database } = emulator.emulator;
    const [first, second] = ['http://127.0.0.1:3000/a', 'http://127.0.0.1:3000/b'];
    const made = () =>
      ['default', 'outlet'].map((account) =>
        activeReceivers(database, account)
          .filter(({ url }) => url.startsWith('http://127.'))
          .map(({ id, url, secrets }) => ({ id, url, secret: secrets.join() })),
      );
    replaceSubscriptions(database, [{ url: first, secret: undefined }]);
    const [ofDefault, ofOutlet] = made();
    expect(ofDefault).toMatchObject([{ url: first, secret: expect.stringMatching(/^\w{40}$/) }]);
    expect(ofOutlet).toMatchObject([{ url: first, secret: ofDefault?.[0]?.secret }]);
    expect(ofOutlet?.[0]?.id).not.toBe(ofDefault?.[0]?.id);
    replaceSubscriptions(database, [
      { url: first, secret: undefined },
      { url: second, secret: 'given' },
    ]);
    expect(made()[0]).toEqual([ofDefault?.[0], expect.objectContaining({ url: second, secret: 'given' })]);
    replaceSubscriptions(database, [{ url: second, secret: 'given' }]);
    expect(made().map((list) => list.map(({ url }) => url))).toEqual([[second], [second]]);
  });
});

it.each([
  [undefined, 'a.b', true],
  [['*'], 'a.b', true],
  [['transaction.*'], 'transaction.captured', true],
  [['payment_link.created'], 'payment-link.created', true],
  [['transaction.*', 'refund.created'], 'refund.updated', false],
  [['*.created'], 'refund.created', true],
  [['a*a'], 'a', false],
  [['refund'], 'refund.created', false],
])('a subscription to %j gets %s: %s', (events, event, isWanted) => {
  const database = openDatabase(':memory:', { timeout: 0, settings: '' });
  expect(wants(database, { events }, event)).toBe(isWanted);
  database.close();
});

/** The sample with subscriptions of its own. */
function withEndpoints(): unknown {
  const copy = structuredClone(sample) as unknown as {
    paths: Record<string, unknown>;
    components: { schemas: Record<string, unknown> };
  };
  const schema = { $ref: '#/components/schemas/WebhookEndpoint' };
  const content = { 'application/json': { schema } };
  const answer = (status: number) => ({ [status]: { description: 'D', content } });
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
  copy.paths['/webhook_endpoints'] = {
    post: { operationId: 'createEndpoint', requestBody: { content }, responses: answer(201) },
  };
  copy.paths['/webhook_endpoints/{id}'] = {
    parameters: [id],
    get: { operationId: 'getEndpoint', responses: answer(200) },
    put: { operationId: 'updateEndpoint', requestBody: { content }, responses: answer(200) },
    delete: { operationId: 'deleteEndpoint', responses: { 204: { description: 'D' } } },
  };
  copy.components.schemas.WebhookEndpoint = {
    type: 'object',
    required: ['url'],
    properties: {
      id: { type: 'string', readOnly: true },
      url: { type: 'string' },
      status: { type: 'string', enum: ['enabled', 'disabled'] },
      enabled_events: { type: 'array', items: { type: 'string' } },
      signing_secret: { type: 'string', writeOnly: true },
    },
  };
  return copy;
}

it('the subscriptions of an imported description take effect when they are created, changed and deleted', async () => {
  await using emulator = await startImported(withEndpoints());
  const { call } = emulator;
  const { database } = emulator.emulator;
  database.execute('DELETE FROM webhook_subscriptions');
  const url = 'http://127.0.0.1:3000/hooks';
  const payment = { body: { amount: 1000, currency: 'EUR' } };
  const pay = () => call('POST', '/transactions', payment);
  const sent = () => recordedEvents(emulator).map(({ event, sends }) => [event, ...sends].join(' '));
  const body = { url, enabled_events: ['transaction.*', '*.created'], signing_secret: 'abc' };
  await pay();
  const { status, body: made } = await call('POST', '/webhook_endpoints', { body });
  expect(status).toBe(201);
  const path = `/webhook_endpoints/${made.id}`;
  await pay();
  expect(sent()).toEqual([`webhook-endpoint.created pending ${url}`, `transaction.created pending ${url}`]);
  expect(activeReceivers(database, 'default')).toMatchObject([{ url, secrets: ['abc'], id: made.id }]);
  await call('PUT', path, { body: { url: `${url}/2`, enabled_events: ['transaction.*'] } });
  await pay();
  expect(sent().slice(2)).toEqual([`transaction.created pending ${url}/2`]);
  expect(activeReceivers(database, 'default')).toMatchObject([{ secrets: ['abc'] }]);
  await call('PUT', path, { body: { url, status: 'disabled' } });
  await pay();
  expect(sent()).toHaveLength(3);
  await call('PUT', path, { body: { url, status: 'enabled' } });
  await call('DELETE', path);
  await pay();
  expect(sent()).toHaveLength(3);
});

it.each(['ada:k9s@127.0.0.1:1', 'k9s@127.0.0.1:1', 'ada:k9s@hooks.example'])(
  'no delivery to http://%s shows the credentials of the URL',
  async (host) => {
    const tried: string[] = [];
    await using emulator = await startImported(withEndpoints(), {
      deliveries: { onAttempt: ({ send }) => void tried.push(send.url) },
    });
    const { call, directory } = emulator;
    emulator.emulator.database.execute('DELETE FROM webhook_subscriptions');
    const body = { url: `http://${host}/hooks`, enabled_events: ['transaction.*'], signing_secret: 'abc' };
    await call('POST', '/webhook_endpoints', { body });
    await call('POST', '/transactions', { body: { amount: 1000, currency: 'EUR' } });
    const isSent = host.includes('127.0.0.1');
    await expect.poll(() => tried.length).toBe(isSent ? 1 : 0);
    const { items } = listDeliveries(directory, {}, 10);
    expect(items.map(({ url, state }) => [url, state])).toEqual([
      [`http://${host.replace(/.*@/, '')}/hooks`, isSent ? 'pending' : 'not_sent'],
    ]);
    const [found] = findDeliveries(directory, String(items[0]?.id), 'x-service-');
    // It is the member by whose name the command masks it.
    const shown = JSON.stringify(found, (name, value) => (name === 'authorization' ? '' : value));
    expect(shown + tried.join()).not.toContain('k9s');
    expect(shown).not.toContain(Buffer.from('ada:k9s').toString('base64'));
  },
);
