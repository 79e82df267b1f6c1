import { describe, expect, it } from 'vitest';
import { importedForAll } from './imported-emulator.ts';

const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });
const shown = (name: string, schema: object) => ({
  responses: { 200: { description: 'ok', ...json({ type: 'object', properties: { [name]: schema } }) } },
});
const text = { type: 'string' };
const readOnly = { type: 'string', readOnly: true };

/** Payments, and refunds that name their payment, whose amounts have a suffix. */
function shop(suffix: string, amount: object) {
  const payment = {
    type: 'object',
    properties: {
      id: readOnly,
      status: readOnly,
      currency: text,
      [`amount_${suffix}`]: amount,
      [`total_${suffix}`]: { ...amount, readOnly: true },
      [`refunded_${suffix}`]: { ...amount, readOnly: true },
    },
  };
  const refund = {
    type: 'object',
    required: ['id', `amount_${suffix}`],
    properties: { id: readOnly, payment_id: text, [`amount_${suffix}`]: amount },
  };
  const body = (names: object) => ({ requestBody: json({ type: 'object', properties: names }) });
  const inPath = (name: string) => [{ name, in: 'path', required: true, schema: text }];
  return {
    openapi: '3.0.0',
    info: { title: 'Shop', version: '1' },
    paths: {
      '/v2/payments': {
        get: shown('payments', { type: 'array', items: payment }),
        post: { ...body({ [`amount_${suffix}`]: amount }), ...shown('payment', payment) },
      },
      '/v2/payments/{payment_id}': {
        get: { parameters: inPath('payment_id'), ...shown('payment', payment) },
      },
      '/v2/refunds': {
        get: shown('refunds', { type: 'array', items: refund }),
        post: {
          ...body({ payment_id: text, [`amount_${suffix}`]: amount }),
          ...shown('refund', refund),
        },
      },
      '/v2/refunds/{refund_id}': {
        get: { parameters: inPath('refund_id'), ...shown('refund', refund) },
      },
    },
  };
}

const integer = { type: 'integer' };
const object = { type: 'object', properties: { amount: integer, currency: text } };

describe.each([
  ['money', object, (amount: number) => ({ amount, currency: 'USD' })],
  ['minor', integer, (amount: number) => amount],
  ['in_cents', integer, (amount: number) => amount],
] as const)('payments whose amounts end with _%s', (suffix, schema, write) => {
  const started = importedForAll(shop(suffix, schema));
  const name = `amount_${suffix}`;

  it('are refunded up to their amount, and say how much was', async () => {
    const { call } = started();
    const { body: made } = await call('POST', '/v2/payments', { body: { [name]: write(1000) } });
    const { id, ...payment } = made.payment as { id: string };
    // The currency that the emulator makes up is that of the amount.
    if (suffix === 'money') expect(payment).toMatchObject({ currency: 'USD' });
    const refund = async (amount: number) =>
      await call('POST', '/v2/refunds', { body: { payment_id: id, [name]: write(amount) } });
    expect(await refund(4000)).toMatchObject({ status: 422 });
    expect(await refund(400)).toMatchObject({ status: 200 });
    const { body: after } = await call('GET', `/v2/payments/${id}`);
    expect(after).toMatchObject({ payment: { [`refunded_${suffix}`]: write(400) } });
    expect(await refund(601)).toMatchObject({ status: 422 });
    expect(await refund(600)).toMatchObject({ status: 200 });
  });
});

describe('a payment whose amount is a transaction_amount and whose refunds are below {id}', () => {
  const id = { type: 'integer' };
  const amount = { type: 'number' };
  const json = (schema: object) => ({ description: '', content: { 'application/json': { schema } } });
  const record = (properties: object) => ({ type: 'object', properties: { id, ...properties } });
  const payment = record({ transaction_amount: amount, transaction_amount_refunded: amount });
  const refund = record({ payment_id: id, amount });
  const named = (...names: string[]) =>
    names.map((name) => ({ name, in: 'path', required: true, schema: id }));
  const started = importedForAll({
    openapi: '3.1.0',
    info: { title: 'Payments', version: '1' },
    paths: {
      '/payments': { post: { requestBody: json(payment), responses: { 201: json(payment) } } },
      '/payments/{id}': { parameters: named('id'), get: { responses: { 200: json(payment) } } },
      '/payments/{id}/refunds': {
        parameters: named('id'),
        post: { requestBody: json(refund), responses: { 201: json(refund) } },
        get: { responses: { 200: json({ type: 'array', items: refund }) } },
      },
      '/payments/{id}/refunds/{refund_id}': {
        parameters: named('id', 'refund_id'),
        get: { responses: { 200: json(refund) } },
      },
    },
  });

  it('is refunded no more than it is, by records with IDs of their own', async () => {
    const emulator = started();
    const { body: made } = await emulator.call('POST', '/payments', { body: { transaction_amount: 20 } });
    const path = `/payments/${made.id}`;
    const { status, body } = await emulator.call('POST', `${path}/refunds`, { body: { amount: 5 } });
    expect({ status, body }).toMatchObject({ status: 201, body: { amount: 5, payment_id: made.id } });
    expect(body.id).not.toBe(made.id);
    expect(await emulator.call('GET', `${path}/refunds/${body.id}`)).toMatchObject({ status: 200, body });
    expect(await emulator.call('POST', `${path}/refunds`, { body: { amount: 16 } })).toMatchObject({
      status: 422,
    });
    expect(await emulator.call('GET', path)).toMatchObject({ body: { transaction_amount_refunded: 5 } });
  });
});
