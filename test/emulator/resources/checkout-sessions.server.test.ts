import { describe, expect, it } from 'vitest';
import { seededSessionId } from '../../../src/emulator/seed/checkout-sessions.ts';
import { faultsOf } from '../../contract/schema-validator.ts';
import { apiLogs, startTestEmulator, type TestEmulator, temporaryDirectory } from '../test-emulator.ts';

const outlet = { 'x-service-merchant-account-id': 'outlet' };

const read = (test: TestEmulator, number: number, headers: Record<string, string> = {}) =>
  test.send(`/checkout/sessions/${seededSessionId(number)}`, { scopes: ['checkout-sessions.read'], headers });

const update = (test: TestEmulator, number: number, body: unknown) =>
  test.send(`/checkout/sessions/${seededSessionId(number)}`, {
    method: 'PUT',
    scopes: ['checkout-sessions.write'],
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

describe('GET /checkout/sessions/{checkout_session_id}', () => {
  it('shows the seeded sessions: with a cart, with a flight, with and without a card', async () => {
    await using test = await startTestEmulator({ buyers: 0 });
    const sessions = await Promise.all([1, 2, 3, 4, 5, 6].map((number) => read(test, number)));
    for (const { status, body } of sessions) {
      expect([status, faultsOf('CheckoutSession', body)]).toEqual([200, []]);
      expect(Object.keys(body).slice(0, 4)).toEqual(['type', 'id', 'expires_at', 'cart_items']);
      expect(Object.values(body)).not.toContain(null);
    }
    expect(sessions.map(({ body }) => body.airline !== undefined)).toEqual([
      false,
      false,
      true,
      false,
      false,
      true,
    ]);
    expect(sessions.map(({ body }) => body.payment_method !== undefined)).toEqual([
      true,
      false,
      true,
      false,
      true,
      false,
    ]);
  });

  it('shows a seeded session for an hour from the start of the emulator, with every start anew', async () => {
    let now = new Date('2030-05-05T10:00:00.000Z');
    using directory = temporaryDirectory();
    for (const expiry of ['2030-05-05T11:00:00.000+00:00', '2030-05-05T12:00:00.000+00:00']) {
      await using test = await startTestEmulator({ buyers: 0, now: () => now }, directory.path);
      const session = async () =>
        read(test, 1, { authorization: `Bearer ${await test.token(['checkout-sessions.read'], { now })}` });
      expect(await session()).toMatchObject({ status: 200, body: { expires_at: expiry } });
      now = new Date(now.getTime() + 3600_000 - 1);
      expect((await session()).status).toBe(200);
      now = new Date(now.getTime() + 1);
      expect((await session()).status).toBe(404);
    }
  });

  it('answers 403 for a session that is locked, and changes nothing', async () => {
    await using test = await startTestEmulator({ buyers: 0 });
    const locked = { status: 403, body: { code: 'forbidden', message: 'The checkout session is locked' } };
    expect(await read(test, 10)).toMatchObject(locked);
    expect(await update(test, 10, { metadata: {} })).toMatchObject(locked);
    expect((await read(test, 10, outlet)).status).toBe(404);
  });

  it('answers 404 for an unknown session, one of another merchant account, and one that has expired', async () => {
    await using test = await startTestEmulator({ buyers: 0 });
    expect((await read(test, 99)).status).toBe(404);
    expect((await read(test, 7)).status).toBe(404);
    expect((await read(test, 7, outlet)).status).toBe(200);
    expect((await read(test, 1, outlet)).status).toBe(404);
    for (const number of [8, 9]) expect((await read(test, number)).status).toBe(404);
  });

  it('shows a session until the very moment of its expiry, an hour after its creation', async () => {
    let now = new Date('2025-11-30T09:59:59.999Z');
    await using test = await startTestEmulator({ buyers: 0, now: () => now });
    const session = async () => {
      const authorization = `Bearer ${await test.token(['checkout-sessions.read'], { now })}`;
      return read(test, 8, { authorization });
    };
    const { status, body } = await session();
    expect([status, body.expires_at]).toEqual([200, '2025-11-30T10:00:00.000+00:00']);
    now = new Date('2025-11-30T10:00:00.000Z');
    expect((await session()).status).toBe(404);
  });
});

describe('PUT /checkout/sessions/{checkout_session_id}', () => {
  it('replaces each given field whole, keeps the others, and stores the result', async () => {
    await using test = await startTestEmulator({ buyers: 0 });
    const before = (await read(test, 1)).body;
    const metadata = { order: 'new' };
    const { status, body } = await update(test, 1, { metadata });
    expect([status, body]).toEqual([200, { ...before, metadata }]);
    const cart_items = [{ name: 'Only one', quantity: 1, unit_amount: 100 }];
    const changed = await update(test, 1, { cart_items, airline: { booking_code: 'X' } });
    expect(changed.body).toEqual({ ...before, metadata, cart_items, airline: { booking_code: 'X' } });
    expect((await read(test, 1)).body).toEqual(changed.body);
  });

  it('changes nothing for an empty object, and clears what is null', async () => {
    await using test = await startTestEmulator({ buyers: 0 });
    const before = (await read(test, 3)).body;
    expect((await update(test, 3, {})).body).toEqual(before);
    const { body } = await update(test, 3, { cart_items: null, metadata: null, airline: null });
    const { cart_items: _, metadata: __, airline: ___, ...rest } = before;
    expect(body).toEqual(rest);
    expect((await read(test, 3)).body).toEqual(rest);
  });

  it('leaves out what the contract does not name, at any depth, and keeps what the service alone decides', async () => {
    await using test = await startTestEmulator({ buyers: 0 });
    const before = (await read(test, 1)).body;
    const { body } = await update(test, 1, {
      id: 'x',
      type: 'y',
      expires_at: '2000-01-01T00:00:00Z',
      payment_method: null,
      note: { deep: ['😀', '\u0000'] },
      cart_items: [{ name: 'Tea', colour: 'green', sku: null }],
      metadata: { free: { whatever: [null] } },
      airline: { legs: [{ flight_number: 'EX1', gate: 'B7' }], __proto__: { x: 1 } },
    });
    expect(body).toEqual({
      ...before,
      cart_items: [{ name: 'Tea' }],
      metadata: { free: { whatever: [null] } },
      airline: { legs: [{ flight_number: 'EX1' }] },
    });
  });

  it('keeps every number as it was written, through later updates too', async () => {
    await using test = await startTestEmulator({ buyers: 0 });
    await update(test, 1, '{"metadata":{"big":12345678901234567890,"fraction":1.10,"exponent":1e400}}');
    await update(test, 1, { airline: null });
    const token = await test.token(['checkout-sessions.read']);
    const response = await fetch(`${test.emulator.baseUrl}/checkout/sessions/${seededSessionId(1)}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await response.text()).toContain(
      '"metadata":{"big":12345678901234567890,"fraction":1.10,"exponent":1e400}',
    );
  });

  it('answers 404 for a session that it would not show', async () => {
    await using test = await startTestEmulator({ buyers: 0 });
    for (const number of [7, 8, 99]) expect((await update(test, number, {})).status).toBe(404);
  });

  it('answers 409 with the holder for an external identifier of another session of the account', async () => {
    await using test = await startTestEmulator({ buyers: 0 });
    const taken = 'order-1004-line-1';
    const { status, body } = await update(test, 1, { cart_items: [{ external_identifier: taken }] });
    expect([status, body]).toEqual([
      409,
      {
        type: 'error',
        code: 'duplicate_record',
        status: 409,
        message: `A record with the external_identifier '${taken}' already exists`,
        details: [],
        resource_id: seededSessionId(4),
      },
    ]);
    expect((await update(test, 4, { cart_items: null })).status).toBe(200);
    expect((await update(test, 1, { cart_items: [{ external_identifier: taken }] })).status).toBe(200);
  });

  it('answers 409 with the session itself for an external identifier twice in one cart, and stores nothing', async () => {
    await using test = await startTestEmulator({ buyers: 0 });
    const before = (await read(test, 2)).body;
    const item = { external_identifier: "it's" };
    const { status, body } = await update(test, 2, { metadata: { a: 1 }, cart_items: [item, {}, item] });
    expect([status, body.message, body.resource_id]).toEqual([
      409,
      "A record with the external_identifier 'it's' already exists",
      seededSessionId(2),
    ]);
    expect((await read(test, 2)).body).toEqual(before);
    expect(apiLogs(test).map((log) => log.response_body)).toEqual([body]);
  });

  it('takes an identifier that the session held before, one of another account, one that has expired, and nulls', async () => {
    await using test = await startTestEmulator({ buyers: 0 });
    for (const identifier of ['order-1001-line-1', 'order-1007-line-1', 'order-1008-line-1']) {
      const { status } = await update(test, 1, { cart_items: [{ external_identifier: identifier }] });
      expect([identifier, status]).toEqual([identifier, 200]);
    }
    const nulls = [{ external_identifier: null }, { external_identifier: null }, {}];
    expect((await update(test, 1, { cart_items: nulls })).status).toBe(200);
  });
});
