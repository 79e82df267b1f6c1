import { beforeAll, describe, expect, it } from 'vitest';
import { faultsOf } from '../../contract/schema-validator.ts';
import { emulatorForAll } from '../test-emulator.ts';

const test = emulatorForAll({ buyers: 30 });
let buyer = '';
let foreigner = '';

beforeAll(async () => {
  const first = (account: string) =>
    String(
      test.emulator.database.prepare('SELECT id FROM buyers WHERE merchant_account_id = ?').get(account)?.id,
    );
  [buyer, foreigner] = [first('default'), first('outlet')];
});

const create = (body: unknown, options: { to?: string; headers?: Record<string, string> } = {}) =>
  test.send(`/buyers/${options.to ?? buyer}/shipping-details`, {
    method: 'POST',
    scopes: ['buyers.write'],
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: options.headers ?? {},
  });

const stored = () =>
  test.emulator.database.prepare('SELECT id, buyer_id, document FROM shipping_details').all();

const full = {
  first_name: 'Zoé',
  last_name: 'Größler',
  email_address: 'zoe@example.com',
  phone_number: '+33639980001',
  address: {
    city: 'Paris',
    country: 'FR',
    postal_code: '75001',
    state: null,
    state_code: 'FR-75C',
    house_number_or_name: '1',
    line1: '1 rue A',
    line2: null,
    organization: 'A & B',
  },
};

describe('POST /buyers/{buyer_id}/shipping-details', () => {
  it('answers 201 with the shipping detail as it is stored', async () => {
    const { status, body } = await create(full);
    expect(status).toBe(201);
    expect(faultsOf('ShippingDetail', body)).toEqual([]);
    const id = expect.stringMatching(/^[0-9a-f-]{36}$/);
    const { state: _, line2: __, ...address } = full.address;
    expect(body).toEqual({ type: 'shipping-details', id, buyer_id: buyer, ...full, address });
    const row = stored().find((found) => found.id === body.id);
    expect([row?.buyer_id, JSON.parse(String(row?.document))]).toEqual([buyer, body]);
  });

  it('takes a body without any field, and leaves out each', async () => {
    const { status, body } = await create({});
    expect([status, body]).toEqual([201, { type: 'shipping-details', id: body.id, buyer_id: buyer }]);
  });

  it('leaves out what the contract does not name, and lets nothing replace its own', async () => {
    const address = { city: 'Oslo', floor: 3 };
    const { status, body } = await create({ id: 'mine', type: 'x', buyer_id: 'y', floor: [3], address });
    expect([status, body]).toEqual([
      201,
      { type: 'shipping-details', id: body.id, buyer_id: buyer, address: { city: 'Oslo' } },
    ]);
    expect(body.id).not.toBe('mine');
    expect(JSON.parse(String(stored().find(({ id }) => id === body.id)?.document))).toEqual(body);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', '', 'application/jsonx'])(
    'refuses a body of the media type %j with 400',
    async (type) => {
      const { status, body } = await create(full, { headers: { 'content-type': type } });
      const message = 'must be application/json';
      expect([status, body.details]).toEqual([
        400,
        [{ type: 'value_error.content_type', pointer: '/content-type', message, location: 'header' }],
      ]);
    },
  );

  it('takes a body of JSON with a charset', async () => {
    const headers = { 'content-type': 'Application/JSON; charset=utf-8' };
    expect((await create({}, { headers })).status).toBe(201);
  });

  it('answers 404 for a buyer who is unknown or of another merchant account', async () => {
    const outlet = { 'x-service-merchant-account-id': 'outlet' };
    expect((await create(full, { to: 'nobody' })).status).toBe(404);
    expect((await create(full, { to: foreigner })).status).toBe(404);
    expect((await create(full, { headers: outlet })).status).toBe(404);
    expect((await create(full, { to: foreigner, headers: outlet })).status).toBe(201);
  });

  it.each([
    [
      { first_name: 'x'.repeat(256) },
      '/first_name',
      'any_str.max_length',
      'must have at most 255 characters',
    ],
    [
      { email_address: 'x'.repeat(321) },
      '/email_address',
      'any_str.max_length',
      'must have at most 320 characters',
    ],
    [
      { address: { city: 'x'.repeat(101) } },
      '/address/city',
      'any_str.max_length',
      'must have at most 100 characters',
    ],
    [
      { address: { postal_code: 'x'.repeat(51) } },
      '/address/postal_code',
      'any_str.max_length',
      'must have at most 50 characters',
    ],
    [
      { address: { line2: 'x'.repeat(256) } },
      '/address/line2',
      'any_str.max_length',
      'must have at most 255 characters',
    ],
    [{ address: { country: 'FRA' } }, '/address/country', 'str.regex', 'must match ^[A-Z]{2}$'],
    [
      { address: { state_code: 'Paris' } },
      '/address/state_code',
      'str.regex',
      'must match ^[A-Z]{2}-[A-Z0-9]{1,3}$',
    ],
  ])('refuses %j with 400 and its pointer, and stores nothing', async (body, pointer, type, message) => {
    const before = stored().length;
    const { status, body: error } = await create(body);
    expect(status).toBe(400);
    expect(error).toEqual({
      type: 'error',
      code: 'bad_request',
      status: 400,
      message: 'Generic error',
      details: [{ type: `value_error.${type}`, pointer, message, location: 'body' }],
    });
    expect(stored()).toHaveLength(before);
  });

  it.each([
    ['', 'value_error.missing', 'the body is missing'],
    ['{"a":', 'value_error.jsondecode', 'must be valid JSON'],
    ['[]', 'type_error.object', 'must be an object'],
  ])('refuses the body %j with 400', async (body, type, message) => {
    const { status, body: error } = await create(body);
    expect([status, error.details]).toEqual([400, [{ type, pointer: '', message, location: 'body' }]]);
  });

  it('lists at most 50 problems', async () => {
    const address = Object.fromEntries(Array.from({ length: 80 }, (_, n) => [`x${n}`, n]));
    expect((await create({ address })).status).toBe(201);
    const items = Array.from({ length: 80 }, () => 1);
    const { body } = await test.send('/checkout/sessions/c5000000-0000-4000-8000-000000000001', {
      method: 'PUT',
      scopes: ['checkout-sessions.write'],
      body: JSON.stringify({ cart_items: items }),
    });
    expect(body.details).toHaveLength(50);
  });
});
