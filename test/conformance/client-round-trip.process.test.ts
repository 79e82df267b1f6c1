import { afterAll, beforeAll, expect, it } from 'vitest';
import { PROBE_IDS } from '../../src/cli/routing/catalog/probes.ts';
import { type Client, createClient } from '../../src/client/client.ts';
import type { PagedResource, PageQuery } from '../../src/client/page.ts';
import { responseOf } from '../../src/client/response.ts';
import { operations } from '../../src/contract/generated/operations.ts';
import { seededSessionId } from '../../src/emulator/seed/checkout-sessions.ts';
import { startTestEmulator, type TestEmulator } from '../emulator/test-emulator.ts';
import { conforming, verdictsOn } from './both-validators.ts';
import { describedAnswer, type Endpoint, endpointOf, endpoints } from './description.ts';

type Sent = {
  readonly method: string;
  readonly path: string;
  readonly headers: object;
  readonly body: string | undefined;
};

let test: TestEmulator;
let client: Client;
let buyerId = '';
const sent: Sent[] = [];

beforeAll(async () => {
  test = await startTestEmulator({ buyers: 300 });
  client = createClient({
    baseUrl: test.emulator.baseUrl,
    token: ({ scopes }) => test.token(scopes),
    merchantAccount: 'default',
    maxRetries: 0,
    hooks: {
      onRequest: ({ request: { method, path }, headers, body }) =>
        void sent.push({ method, path, headers, body }),
    },
  });
  buyerId = (await client.buyers.list({ external_identifier: 'buyer-000100' })).items[0]?.id ?? '';
});
afterAll(async () => {
  await client.close();
  await test[Symbol.asyncDispose]();
});

/** The calls of every method of the client, by the operation that each is made for. */
const calls: readonly (readonly [operation: string, call: () => Promise<object>])[] = [
  ...PROBE_IDS.map((id) => [id, () => client.lists[id].list()] as const),
  ['listBuyers', () => client.buyers.list({ limit: 3, search: 'a & b=?#/é😀' }, { revealPii: true })],
  ['listPaymentMethods', () => client.paymentMethods.list({ buyer_id: buyerId, limit: 100 })],
  ['listPaymentMethods', () => client.paymentMethods.list({ status: 'succeeded' }, { revealPii: true })],
  ['listPaymentMethods', () => client.paymentMethods.list({ buyer_external_identifier: 'buyer-000100' })],
  ['listPaymentMethods', () => client.paymentMethods.list({ external_identifier: 'none' })],
  ['listAuditLogs', () => client.auditLogs.list({ action: 'created', resource_type: 'buyer', user_id: 'x' })],
  ['listRoles', () => client.roles.list({ limit: 2 })],
  ['listWebhookSubscriptions', () => client.webhookSubscriptions.list({ limit: 1 })],
  ['listGiftCards', () => client.buyers.giftCards.list({ buyer_external_identifier: 'buyer-000249' })],
  ['listGiftCards', () => client.buyers.giftCards.list({ buyer_id: buyerId })],
  ['createShippingDetail', () => client.buyers.shippingDetails.create(buyerId, {})],
  [
    'createShippingDetail',
    () => client.buyers.shippingDetails.create(buyerId, { first_name: 'Zoé', address: { country: 'FR' } }),
  ],
  ['getCheckoutSession', () => client.checkoutSessions.get(seededSessionId(3))],
  ['updateCheckoutSession', () => client.checkoutSessions.update(seededSessionId(3), {})],
  [
    'updateCheckoutSession',
    () => client.checkoutSessions.update(seededSessionId(3), { metadata: { a: 1 }, airline: null }),
  ],
  [
    'createPaymentServiceSession',
    () => client.paymentServiceDefinitions.sessions.create('lumen-wallet', { domain: 'shop.example.com' }),
  ],
  [
    'createPaymentServiceSession',
    () => client.paymentServiceDefinitions.sessions.create('quarry-vouchers', {}),
  ],
];

async function expectConformingAnswer(endpoint: Endpoint, document: object): Promise<void> {
  const reply = responseOf(document);
  const { pointer } = describedAnswer(endpoint, endpoint.successStatus);
  expect(reply?.status).toBe(endpoint.successStatus);
  expect(JSON.parse(reply?.text ?? '')).toEqual(document);
  expect(await verdictsOn(pointer, document)).toEqual(conforming);
}

/** Compares each parameter and the body of a request with the description, which must name them all. */
async function expectConformingRequest(
  endpoint: Endpoint,
  { method, path, headers, body }: Sent,
): Promise<void> {
  const url = new URL(path, 'http://service');
  const segments = url.pathname.split('/');
  const template = endpoint.path.split('/');
  const inPath = template.flatMap((part, at) =>
    part.startsWith('{') ? [['path', part.slice(1, -1), decodeURIComponent(segments[at] ?? '')]] : [],
  );
  const inQuery = [...url.searchParams].map(([name, value]) => ['query', name, value]);
  const account = Object.entries(headers).filter(([name]) => name.startsWith('x-'));
  expect(method).toBe(endpoint.method);
  expect(segments.map((part, at) => (template[at]?.startsWith('{') ? template[at] : part))).toEqual(template);
  for (const [place, name, value] of [...inPath, ...inQuery, ...account.map((pair) => ['header', ...pair])]) {
    const parameter = endpoint.parameters.find((known) => known.in === place && known.name === name);
    const isList = 'explode' in (parameter ?? {});
    const read = name === 'limit' ? Number(value) : isList ? [value] : value;
    expect(parameter?.schemaPointer, `${place} ${name}`).toBeDefined();
    expect(await verdictsOn(parameter?.schemaPointer ?? '', read), name).toEqual(conforming);
  }
  expect(body === undefined).toBe(endpoint.bodyPointer === undefined);
  if (endpoint.bodyPointer === undefined) return;
  expect(await verdictsOn(endpoint.bodyPointer, JSON.parse(body ?? ''))).toEqual(conforming);
}

it.each(calls)('%s succeeds, and its request and document conform', async (operation, call) => {
  sent.length = 0;
  const document = await call();
  const endpoint = endpointOf(operation);
  await expectConformingAnswer(endpoint, document);
  expect(sent).toHaveLength(1);
  for (const request of sent) await expectConformingRequest(endpoint, request);
});

it('has a call for every endpoint of the description', () => {
  expect(new Set(calls.map(([operation]) => operation))).toEqual(new Set(endpoints.map(({ id }) => id)));
});

it.each(PROBE_IDS.filter((id) => operations[id].paginated))(
  '%s conforms on its first and last page, and its items are those of the pages',
  async (operation) => {
    const list: PagedResource<{ readonly id: string }, PageQuery> = client.lists[operation];
    const items: string[] = [];
    for await (const { id } of list.items()) items.push(id);
    sent.length = 0;
    const endpoint = endpointOf(operation);
    const ids: string[] = [];
    for await (const page of list.pages({ limit: Math.min(100, Math.ceil(items.length / 3)) })) {
      const isEdge = ids.length === 0 || page.next_cursor == null;
      if (isEdge) await expectConformingAnswer(endpoint, page);
      ids.push(...page.items.map(({ id }) => id));
    }
    expect(sent.length).toBeGreaterThan(2);
    for (const request of sent) await expectConformingRequest(endpoint, request);
    expect([ids, new Set(ids).size]).toEqual([items, items.length]);
  },
);
