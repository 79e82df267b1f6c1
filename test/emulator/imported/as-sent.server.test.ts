import { describe, expect, it } from 'vitest';
import { importedForAll } from './imported-emulator.ts';

const text = { type: 'string' };
const time = { type: 'string', format: 'date-time' };
const number = { type: 'integer' };
const object = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
});
const answer = (schema: object, status = 200) => ({
  responses: { [status]: { description: '', content: { 'application/json': { schema } } } },
});
const sent = (properties: object) => ({
  requestBody: { content: { 'application/json': { schema: object(properties) } } },
});

const line = object({ id: { type: 'string', format: 'uuid' }, name: text, added_at: time }, [
  'id',
  'name',
  'added_at',
]);
const order = object(
  {
    id: text,
    code: text,
    state: text,
    friendly_name: text,
    opened_at: time,
    lines: { type: 'array', items: line },
  },
  ['id'],
);
const parcel = object({ id: text, name: text }, ['id']);
const named = {
  parameters: [{ name: 'order', in: 'path', required: true, description: 'The ID or code.', schema: text }],
};

const emulator = importedForAll({
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1' },
  paths: {
    '/orders': {
      get: {
        parameters: ['FriendlyName', 'OpenedAt<', 'OpenedAt>', 'PageSize', 'PageToken'].map((name) => ({
          name,
          in: 'query',
          schema: text,
        })),
        ...answer(
          object({
            orders: { type: 'array', items: order },
            nextPageUri: { type: ['string', 'null'], format: 'uri' },
            itemsTotal: number,
            pagesTotal: number,
          }),
        ),
      },
      post: {
        ...sent({
          ...{
            idempotency_key: text,
            code: text,
            FriendlyName: text,
            OpenedAt: time,
            mode: text,
            state: text,
          },
          lines: { type: 'array', items: object({ name: text }) },
        }),
        ...answer(
          object({ id: text, mode: text, friendly_name: text, url: { ...text, format: 'uri' } }, [
            'id',
            'url',
          ]),
          201,
        ),
      },
    },
    '/parcels': {
      post: { ...sent({ merchantIdempotencyToken: text, name: text }), ...answer(parcel, 201) },
      get: answer({ type: 'array', items: parcel }),
    },
    '/crates': {
      post: {
        parameters: [
          { name: 'X-Request-Id', in: 'header', description: 'Makes the request idempotent.', schema: text },
        ],
        ...sent({ name: text }),
        ...answer(parcel, 201),
      },
      get: answer({ type: 'array', items: parcel }),
    },
    '/shipments': {
      post: {
        ...sent({ idempotency_key: text, shipment: object({ name: text }) }),
        ...answer(object({ shipment: parcel }), 201),
      },
      get: answer(object({ shipments: { type: 'array', items: parcel } })),
    },
    '/orders/by-code/{code}': {
      parameters: [{ name: 'code', in: 'path', required: true, schema: text }],
      get: answer(order),
      post: { ...sent({ FriendlyName: text }), ...answer(order) },
    },
    '/orders/{order}': {
      ...named,
      get: answer(order),
      post: { ...sent({ FriendlyName: text }), ...answer(order) },
    },
  },
});

const create = async (body: object) => {
  const made = await emulator().call('POST', '/orders', { body });
  expect(made.status).toBe(201);
  return made.body as { readonly id: string };
};
const get = async (id: string) => (await emulator().call('GET', `/orders/${id}`)).body;
const list = async (query = '') => {
  const { body } = await emulator().call('GET', `/orders${query}`);
  return body as {
    orders: { id: string }[];
    nextPageUri: string | null;
    itemsTotal: number;
    pagesTotal: number;
  };
};

describe('a record that a request creates', () => {
  it('has what was sent, also under names in another notation', async () => {
    const { id } = await create({ FriendlyName: 'First', state: 'open' });
    expect(await get(id)).toMatchObject({ friendly_name: 'First', state: 'open' });
    await emulator().call('POST', `/orders/${id}`, { body: { FriendlyName: 'Second' } });
    expect(await get(id)).toMatchObject({ friendly_name: 'Second', state: 'open' });
    expect((await list('?FriendlyName=Second')).orders).toEqual([await get(id)]);
  });

  it('has the elements of lists that were sent, with what the service adds to them', async () => {
    const { id } = await create({ lines: [{ name: 'Book' }, { name: 'Book' }] });
    const { lines } = (await get(id)) as { lines: { id: string }[] };
    expect(lines).toEqual(
      [1, 2].map(() => ({ id: expect.any(String), name: 'Book', added_at: expect.any(String) })),
    );
    expect(new Set(lines.map((one) => one.id)).size).toBe(2);
  });

  it('is shown with what was sent where the response is not the record', async () => {
    const made = await create({ mode: 'embedded', FriendlyName: 'Third' });
    expect(made).toMatchObject({ mode: 'embedded', friendly_name: 'Third', url: expect.any(String) });
    expect(await get(made.id)).not.toHaveProperty('mode');
  });

  it('is created once for a key in the body', async () => {
    const body = { idempotency_key: 'k1', FriendlyName: 'Once' };
    const first = await create(body);
    expect(await create(body)).toEqual(first);
    const other = await emulator().call('POST', '/orders', { body: { ...body, FriendlyName: 'Other' } });
    expect(other.status).toBe(409);
    expect((await create({ FriendlyName: 'Once' })).id).not.toBe(first.id);
  });

  it.each([
    ['of another name', '/parcels', { merchantIdempotencyToken: 'k1', name: 'Once' }],
    ['beside the record', '/shipments', { idempotency_key: 'k1', shipment: { name: 'Once' } }],
    ['in the header that its description calls one', '/crates', { name: 'Once' }],
  ])('is created once for a key %s', async (_, path, body) => {
    const send = () => emulator().call('POST', path, { body, headers: { 'x-request-id': 'k1' } });
    const first = await send();
    expect(first.status).toBe(201);
    expect((await send()).body).toEqual(first.body);
  });

  it('is found by another member that the description of the path names', async () => {
    const { id } = await create({ code: 'my-code' });
    expect(await get('my-code')).toMatchObject({ id, code: 'my-code' });
    const changed = await emulator().call('POST', '/orders/by-code/my-code', {
      body: { FriendlyName: 'Named' },
    });
    expect([changed.status, (await emulator().call('GET', '/orders/by-code/my-code')).body]).toEqual([
      200,
      await get(id),
    ]);
    expect(await get(id)).toMatchObject({ friendly_name: 'Named' });
    expect((await emulator().call('GET', '/orders/by-code/none')).status).toBe(404);
  });
});

describe('a list', () => {
  it('compares times by parameters whose names end with < and >', async () => {
    const { id } = await create({ OpenedAt: '2001-01-01T00:00:00Z' });
    const ids = async (query: string) => (await list(query)).orders.map((one) => one.id);
    expect(await ids('?OpenedAt%3C=2002-01-01')).toEqual([id]);
    expect(await ids('?OpenedAt%3E=2002-01-01')).not.toContain(id);
  });

  it('names the path of the next page in a URI, and says how much there is', async () => {
    const { nextPageUri, itemsTotal, pagesTotal } = await list('?PageSize=20');
    expect(nextPageUri).toMatch(/^\/orders\?PageSize=20&PageToken=/);
    expect(pagesTotal).toBe(Math.ceil(itemsTotal / 20));
    const { orders, nextPageUri: last } = await list(nextPageUri?.slice('/orders'.length));
    expect([orders.length, last]).toEqual([itemsTotal - 20, null]);
  });
});
