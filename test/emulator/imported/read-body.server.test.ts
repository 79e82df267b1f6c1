import { describe, expect, it } from 'vitest';
import sample from '../../../src/emulator/sample.json' with { type: 'json' };
import { startImported } from './imported-emulator.ts';

const derived = { captured_amount: 7, refunded_amount: 9, created_at: '2001-01-01T00:00:00Z' };

const amount = { type: 'integer' };
const moment = { type: 'string', format: 'date-time' };
const order = {
  type: 'object',
  required: ['id', 'status', 'amount', 'captured_amount', 'refunded_amount', 'created_at'],
  properties: {
    id: { type: 'string', format: 'uuid' },
    status: { enum: ['open', 'captured', 'refunded'] },
    amount,
    captured_amount: amount,
    refunded_amount: amount,
    note: { type: 'string' },
    created_at: moment,
  },
};

/** A service that makes and changes orders with a body of this schema. */
function orders(request: unknown): unknown {
  const content = (schema: unknown) => ({ content: { 'application/json': { schema } } });
  const record = { description: 'The order.', ...content({ $ref: '#/components/schemas/Order' }) };
  const requestBody = content(request);
  const id = { name: 'order_id', in: 'path', required: true, schema: { type: 'string' } };
  return {
    openapi: '3.1.0',
    info: { title: 'Orders', version: '1' },
    paths: {
      '/orders': { post: { operationId: 'add', requestBody, responses: { 201: record } } },
      '/orders/{order_id}': {
        parameters: [id],
        get: { operationId: 'read', responses: { 200: record } },
        put: { operationId: 'change', requestBody, responses: { 200: record } },
      },
    },
    components: { schemas: { Order: order } },
  };
}

describe('the body of a new record', () => {
  it('sets what its schema names, and nothing that the emulator derives', async () => {
    await using emulator = await startImported(sample);
    const made = await emulator.call('POST', '/transactions', {
      body: { amount: 1000, currency: 'EUR', intent: 'authorize', status: 'refunded', ...derived },
    });
    const first = { status: 'authorized', amount: 1000, captured_amount: 0, refunded_amount: 0 };
    expect(made).toMatchObject({ status: 201, body: first });
    expect(made.body.created_at).not.toBe(derived.created_at);
    const path = `/transactions/${String(made.body.id)}`;
    const captured = await emulator.call('POST', `${path}/capture`, {
      body: { amount: 600, status: 'voided', currency: 'USD', ...derived },
    });
    const second = { status: 'captured', currency: 'EUR', captured_amount: 600, refunded_amount: 0 };
    expect(captured).toMatchObject({ status: 200, body: second });
    const refund = await emulator.call('POST', `${path}/refunds`, {
      body: { amount: 100, reason: 'Broken', status: 'failed', currency: 'USD' },
    });
    expect(refund.body).toMatchObject({
      status: 'succeeded',
      amount: 100,
      reason: 'Broken',
      currency: 'EUR',
    });
    const report = await emulator.call('POST', '/reports', { body: { name: 'All', status: 'failed' } });
    expect(report.body).toMatchObject({ name: 'All', status: 'pending' });
    const changed = await emulator.call('PUT', `/reports/${String(report.body.id)}`, {
      body: { name: 'Some', status: 'failed' },
    });
    expect(changed.body).toMatchObject({ name: 'Some', status: 'pending' });
  });

  it('has amounts that follow from its status where it is a record as it is read', async () => {
    await using emulator = await startImported(orders({ $ref: '#/components/schemas/Order' }));
    const body = {
      ...derived,
      id: '11111111-1111-4111-8111-111111111111',
      status: 'captured',
      amount: 50,
      note: 'Mine',
    };
    const made = await emulator.call('POST', '/orders', { body });
    const expected = {
      status: 'captured',
      amount: 50,
      captured_amount: 50,
      refunded_amount: 0,
      note: 'Mine',
    };
    expect(made).toMatchObject({ status: 201, body: { id: body.id, ...expected } });
    const path = `/orders/${body.id}`;
    const changed = await emulator.call('PUT', path, {
      body: { ...body, amount: 60, note: 'Yours', captured_amount: 1 },
    });
    expect(changed.body).toEqual({ ...made.body, amount: 60, note: 'Yours' });
  });

  it.each([
    ['that names no member', { type: 'object' }],
    ['that allows any member', { properties: { amount }, additionalProperties: true }],
    ['that allows members by pattern', { properties: { amount }, patternProperties: { '^n': {} } }],
  ])('sets all that the emulator does not derive, where it has a schema %s', async (_, schema) => {
    await using emulator = await startImported(orders(schema));
    const made = await emulator.call('POST', '/orders', {
      body: { amount: 50, note: 'Mine', status: 'captured', ...derived },
    });
    const expected = { amount: 50, note: 'Mine', status: 'open', captured_amount: 0, refunded_amount: 0 };
    expect(made.body).toMatchObject(expected);
  });

  it('sets even these where a schema of its own names them', async () => {
    const schema = {
      allOf: [{ properties: { amount, captured_amount: amount } }],
      dependentSchemas: { amount: { properties: { note: { type: 'string' }, status: { type: 'string' } } } },
    };
    await using emulator = await startImported(orders(schema));
    const body = { amount: 50, captured_amount: 20, note: 'Mine', status: 'captured' };
    const made = await emulator.call('POST', '/orders', { body: { ...body, refunded_amount: 9 } });
    expect(made.body).toMatchObject({ ...body, refunded_amount: 0 });
  });
});

describe('a body that has the record in a member', () => {
  const text = { type: 'string' };
  const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });
  const answer = (schema: unknown) => ({ description: 'ok', ...json(schema) });

  /** Contacts, which are in a member of each body, or in a list of one there. */
  function contacts(required: readonly string[], isList: boolean): unknown {
    const contact = { type: 'object', required, properties: { id: { ...text, readOnly: true }, name: text } };
    const member = isList ? { contacts: { type: 'array', items: contact } } : { contact };
    const body = { type: 'object', properties: { ...member, notify: { type: 'boolean' } } };
    const whole = { type: 'object', properties: member };
    const id = { name: 'id', in: 'path', required: true, schema: text };
    return {
      openapi: '3.0.3',
      info: { title: 'Contacts', version: '1' },
      paths: {
        '/contacts': {
          post: { requestBody: json(body), responses: { 201: answer(whole) } },
        },
        '/contacts/{id}': {
          parameters: [id],
          get: { responses: { 200: answer(whole) } },
          put: { requestBody: json(body), responses: { 200: answer(whole) } },
        },
      },
    };
  }

  it.each([
    [false, {}, '/contact/name'],
    [false, { notify: true }, '/contact/name'],
    [false, { name: 'Ada' }, '/contact/name'],
    [true, {}, '/contacts/0/name'],
  ])(
    'is refused if a new record requires a member and there is none (in a list: %j): %j',
    async (isList, body, pointer) => {
      await using emulator = await startImported(contacts(['name'], isList));
      const refused = await emulator.call('POST', '/contacts', { body });
      const missing = { pointer, message: 'is required', location: 'body' };
      expect(refused).toMatchObject({ status: 400, body: { details: [missing] } });
    },
  );

  it('may lack a record that requires nothing, and the record of a change', async () => {
    await using open = await startImported(contacts([], false));
    expect((await open.call('POST', '/contacts', { body: {} })).status).toBe(201);
    await using strict = await startImported(contacts(['name'], false));
    const made = await strict.call('POST', '/contacts', { body: { contact: { name: 'Ada' } } });
    const { id } = (made.body as { contact: { id: string } }).contact;
    const changed = await strict.call('PUT', `/contacts/${id}`, { body: { notify: true } });
    expect(changed).toMatchObject({ status: 200, body: { contact: { id, name: 'Ada' } } });
  });
});
