import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { readOperation } from '../../../src/descriptions/read-store.ts';
import { LARGE_MERCHANT_HEADER, largeDescription } from '../../descriptions/large-description.ts';
import { importedForAll, startImported } from './imported-emulator.ts';

const body = { amount: 5, currency: 'EUR', display_name: 'Nuno Faria' };
const startedLarge = importedForAll(largeDescription());

it("payctl's own contract answers on its own paths, and shows what the description adds there", async () => {
  const emulator = startedLarge();
  const before = await emulator.call('GET', '/buyers?limit=1');
  expect(before.body.items).toMatchObject([{ type: 'buyer' }]);
  const made = await emulator.call('POST', '/buyers', { body });
  expect(made).toMatchObject({ status: 201, body });
  const listed = await emulator.call('GET', '/buyers?limit=1');
  expect(listed.body.items).toMatchObject([{ type: 'buyer', id: made.body.id, display_name: 'Nuno Faria' }]);
  const path = `/buyers/${String(made.body.id)}`;
  expect((await emulator.call('GET', path)).body).toEqual(made.body);
  expect(await emulator.call('DELETE', path)).toMatchObject({ status: 204 });
  expect(await emulator.call('GET', path)).toMatchObject({ status: 404 });
  expect((await emulator.call('GET', '/buyers?limit=1')).body.items).toEqual(before.body.items);
});

it('a buyer of the contract is found and deleted by the operations of the description', async () => {
  const emulator = startedLarge();
  const { body: page } = await emulator.call('GET', '/buyers?limit=1');
  const [buyer] = page.items as { id: string }[];
  const path = `/buyers/${buyer?.id}`;
  expect(await emulator.call('GET', path)).toMatchObject({ status: 200, body: { id: buyer?.id } });
  expect(await emulator.call('GET', path, { headers: { [LARGE_MERCHANT_HEADER]: 'outlet' } })).toMatchObject({
    status: 404,
  });
  expect(await emulator.call('DELETE', path)).toMatchObject({ status: 204 });
  expect(await emulator.call('GET', path)).toMatchObject({ status: 404 });
});

it('a deleted buyer takes its payment methods and gift cards along', async () => {
  const emulator = startedLarge();
  const all = async (path: string) => (await emulator.call('GET', path)).body.items as { id: string }[];
  let [id, cards]: [string, { id: string }[]] = ['', []];
  for (const method of (await all('/payment-methods?limit=100')) as {
    id: string;
    buyer?: { id: string };
  }[]) {
    if (method.buyer) id = method.buyer.id;
    cards = await all(`/buyers/gift-cards?buyer_id=${id}`);
    if (cards.length > 0) break;
  }
  const methods = await all(`/payment-methods?buyer_id=${id}`);
  expect(methods.length * cards.length).toBeGreaterThan(0);
  const before = [...(await all('/payment-methods?limit=100')), ...(await all('/buyers/gift-cards'))];
  expect(await emulator.call('DELETE', `/buyers/${id}`)).toMatchObject({ status: 204 });
  const after = [...(await all('/payment-methods?limit=100')), ...(await all('/buyers/gift-cards'))];
  const gone = new Set([...methods, ...cards].map((record) => record.id));
  expect(after).toEqual(before.filter((record) => !gone.has(record.id)));
});

it('the first records are the same for the same seed, and others for another', async () => {
  const read = async (seed: number) => {
    await using emulator = await startImported(largeDescription(), { seed });
    // In another order, too.
    if (seed === 2) await emulator.call('GET', '/plans');
    const [invoices, plans] = [await emulator.call('GET', '/invoices'), await emulator.call('GET', '/plans')];
    return JSON.stringify([invoices.body.items, plans.body.items]);
  };
  const second = await read(2);
  expect(await read(2)).toBe(second);
  expect(await read(3)).not.toBe(second);
});

it('records are kept between runs', async () => {
  await using first = await startImported(largeDescription());
  const made = await first.call('POST', '/plans', { body: { amount: 1, currency: 'EUR' } });
  await first.emulator.close();
  const { startTestEmulator } = await import('../test-emulator.ts');
  await using second = await startTestEmulator({ description: async () => first.folder }, first.directory);
  const found = await second.send(`/plans/${String(made.body.id)}`, { scopes: ['plans.read'] });
  expect(found).toMatchObject({ status: 200, body: made.body });
});

/** The paths of collections of the contract, and those where it lists them; some records of the contract need more than these have. */
const COLLECTIONS = [
  ['/buyers', '/buyers'],
  ['/payment-methods', '/payment-methods'],
  ['/gift-cards', undefined],
  ['/roles', '/roles'],
  ['/digital-wallets', '/digital-wallets'],
  ['/webhook-subscriptions', '/webhook-subscriptions'],
  ['/checkout/sessions', undefined],
  ['/payment-service-definitions', undefined],
] as const;

const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });
const thing = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'string' }, name: { type: 'string' }, external_identifier: { type: 'string' } },
};
const wanted = { ...thing, required: ['name'] };
const header = { name: LARGE_MERCHANT_HEADER, in: 'header', schema: { type: 'string' } };
const things = {
  openapi: '3.0.3',
  info: { title: 'Things', version: '1' },
  paths: Object.fromEntries(
    COLLECTIONS.flatMap(([path]) => {
      const id = { name: 'thing_id', in: 'path', required: true, schema: { type: 'string' } };
      const one = {
        responses: { 200: { description: 'ok', ...json({ $ref: '#/components/schemas/Thing' }) } },
      };
      const made = { 201: { description: 'ok', ...json({ $ref: '#/components/schemas/Thing' }) } };
      const item = {
        get: one,
        patch: { requestBody: json({ ...thing, required: [] }), ...one },
        delete: { responses: { 204: { description: 'gone' } } },
      };
      return [
        [path, { parameters: [header], post: { requestBody: json(wanted), responses: made } }],
        [`${path}/{thing_id}`, { parameters: [header, id], ...item }],
      ];
    }),
  ),
  components: { schemas: { Thing: thing } },
};

describe("records on payctl's own paths", () => {
  const started = importedForAll(things);

  it.each(COLLECTIONS)('%s are made, shown, changed and deleted whatever they hold', async (path, listed) => {
    const emulator = started();
    const outlet = { [LARGE_MERCHANT_HEADER]: 'outlet' };
    for (const body of [{ name: 'One' }, { id: 'mine', name: 'Two', external_identifier: 'two' }]) {
      const made = await emulator.call('POST', path, { body });
      expect(made).toMatchObject({ status: 201, body });
      const item = `${path}/${String(made.body.id)}`;
      const change = { name: 'Changed' };
      expect((await emulator.call('GET', item)).body).toMatchObject(body);
      expect(await emulator.call('PATCH', item, { body: change })).toMatchObject({
        status: 200,
        body: change,
      });
      expect((await emulator.call('GET', item)).body).toMatchObject(change);
      const ids = async () =>
        ((await emulator.call('GET', String(listed))).body.items as { id: string }[]).map(({ id }) => id);
      if (listed !== undefined) expect(await ids()).toContain(made.body.id);
      expect(await emulator.call('POST', path, { body: { id: made.body.id, name: 'Again' } })).toMatchObject({
        status: 409,
      });
      const elsewhere = { body: { id: made.body.id, name: 'Elsewhere' }, headers: outlet };
      if (path === '/buyers')
        expect(await emulator.call('POST', path, elsewhere)).toMatchObject({ status: 201 });
      expect(await emulator.call('DELETE', item)).toMatchObject({ status: 204 });
      expect(await emulator.call('GET', item)).toMatchObject({ status: 404 });
      if (listed !== undefined) expect(await ids()).not.toContain(made.body.id);
    }
  });

  it('refuse an id that a record of the contract has', async () => {
    await using emulator = await startImported(things);
    for (const [path, listed] of COLLECTIONS) {
      const [first] = listed ? ((await emulator.call('GET', listed)).body.items as { id: string }[]) : [];
      if (!first) continue;
      const taken = await emulator.call('POST', path, { body: { id: first.id, name: 'Taken' } });
      expect([path, taken.status]).toEqual([path, 409]);
    }
  });

  it('stay where they are in lists when they are changed', async () => {
    await using emulator = await startImported(things);
    const before = (await emulator.call('GET', '/buyers?limit=3')).body.items as Record<string, unknown>[];
    await emulator.call('PATCH', `/buyers/${before[1]?.id}`, { body: { external_identifier: 'changed' } });
    const after = (await emulator.call('GET', '/buyers?limit=3')).body.items as Record<string, unknown>[];
    const updated = { external_identifier: 'changed', updated_at: expect.any(String) };
    expect(after).toEqual([before[0], { ...before[1], ...updated }, before[2]]);
  });
});

/** A description of paths that payctl's own contract serves, with members that the contract does not name. */
function withMore(): unknown {
  const text = { type: 'string' };
  const more = {
    type: 'object',
    required: ['id', 'type', 'region', 'limits'],
    properties: {
      ...{ id: text, type: text, region: { type: 'string', enum: ['eu', 'us'] } },
      limits: { type: 'object', required: ['daily'], properties: { daily: { type: 'integer', minimum: 1 } } },
    },
  };
  const page = {
    type: 'object',
    required: ['items', 'next_cursor', 'generated_at'],
    properties: {
      items: { type: 'array', items: more },
      next_cursor: { type: ['string', 'null'] },
      generated_at: { type: 'string', format: 'date-time' },
    },
  };
  const list = (schema: unknown) => ({ get: { responses: { 200: { description: 'ok', ...json(schema) } } } });
  return {
    openapi: '3.1.0',
    info: { title: 'More', version: '1' },
    paths: Object.fromEntries(['/buyers', '/payment-methods', '/roles'].map((path) => [path, list(page)])),
  };
}

it("responses on payctl's own paths have what the description requires, and keep what the contract says", async () => {
  await using plain = await startImported(things);
  await using emulator = await startImported(withMore());
  for (const { path, id } of emulator.index.operations) {
    const operation = emulator.index.operations.find((one) => one.id === id);
    const schema = operation && readOperation(emulator.folder, operation).responseBodySchema;
    const { body } = await emulator.call('GET', `${path}?limit=3`);
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema as object);
    expect([path, validate(body), validate.errors]).toEqual([path, true, null]);
    const own = (await plain.call('GET', `${path}?limit=3`)).body;
    expect(body).toMatchObject({ ...own, next_cursor: expect.anything() });
    expect((await emulator.call('GET', `${path}?limit=3`)).body).toEqual(body);
  }
});

describe('a collection of a description', () => {
  const text = { type: 'string' };
  const json = (schema: object) => ({ description: '', content: { 'application/json': { schema } } });
  const record = { type: 'object', required: ['id', 'email'], properties: { id: text, email: text } };
  const list = { type: 'array', items: record };
  const query = [{ name: 'email', in: 'query', schema: text }];
  const started = importedForAll({
    openapi: '3.1.0',
    info: { title: 'Customers', version: '1' },
    paths: {
      '/customers': {
        post: {
          requestBody: json({ type: 'object', properties: { email: text } }),
          responses: { 201: json(record) },
        },
      },
      '/customers/{id}': { get: { responses: { 200: json(record) } } },
      '/customers/search': { get: { parameters: query, responses: { 200: json(list) } } },
    },
  });

  it('is searched by another path', async () => {
    const emulator = started();
    const { body: made } = await emulator.call('POST', '/customers', { body: { email: 'ada@example.com' } });
    const found = await emulator.call('GET', '/customers/search?email=ada@example.com');
    expect(found).toMatchObject({ status: 200, body: [made] });
  });

  it('may be named with a slash at the end, but not a record without an ID', async () => {
    const emulator = started();
    const made = await emulator.call('POST', '/customers/', { body: { email: 'grace@example.com' } });
    expect(made.status).toBe(201);
    expect(await emulator.call('GET', `/customers/${made.body.id}/`)).toMatchObject({ body: made.body });
    for (const path of ['/customers//', '/customers///', '//customers'])
      expect([path, (await emulator.call('POST', path, { body: {} })).status]).toEqual([path, 404]);
  });
});
