import { describe, expect, it } from 'vitest';
import { type ImportedEmulator, startImported } from './imported-emulator.ts';

const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const text = { type: 'string' };
const header = { name: 'x-shop-merchant-account-id', in: 'header', schema: text };
const currency = { enum: ['EUR', 'JPY', 'KWD'] };
const STATUSES = [
  'requires_capture',
  'partially_captured',
  'captured',
  'voided',
  'partially_refunded',
  'refunded',
];

/** Payments, their captures, and refunds that name their payment in the body. */
function shop(amount: object, statuses: readonly string[] = STATUSES): unknown {
  const parameters = [header, { name: 'payment_id', in: 'path', required: true, schema: text }];
  const made = (name: string) => ({ responses: { 201: { description: 'ok', ...json(ref(name)) } } });
  const shown = (schema: object) => ({ responses: { 200: { description: 'ok', ...json(schema) } } });
  const list = (name: string) => shown({ type: 'array', items: ref(name) });
  const body = (properties: object) => ({ requestBody: json({ type: 'object', properties }) });
  return {
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1' },
    paths: {
      '/payments': {
        parameters: [header],
        get: list('Payment'),
        post: { ...body({ amount, currency }), ...made('Payment') },
      },
      '/payments/{payment_id}': {
        parameters,
        get: shown(ref('Payment')),
        delete: { responses: { 204: { description: 'gone' } } },
      },
      '/payments/{payment_id}/captures': {
        parameters,
        get: list('Capture'),
        post: { ...body({ amount }), ...made('Capture') },
      },
      '/refunds': {
        parameters: [header],
        get: list('Refund'),
        post: { ...body({ amount, payment_id: text }), ...made('Refund') },
      },
      '/refunds/{refund_id}': {
        parameters: [header, { name: 'refund_id', in: 'path', required: true, schema: text }],
        delete: { responses: { 204: { description: 'gone' } } },
      },
    },
    components: {
      schemas: {
        Payment: {
          type: 'object',
          required: ['id', 'amount', 'currency', 'status', 'captured_amount', 'refunded_amount'],
          properties: {
            id: text,
            amount,
            currency,
            status: { enum: statuses },
            captured_amount: amount,
            refunded_amount: amount,
          },
        },
        Capture: {
          type: 'object',
          required: ['id', 'amount'],
          properties: { id: text, amount, payment_id: text },
        },
        Refund: {
          type: 'object',
          required: ['id', 'amount', 'payment_id'],
          properties: { id: text, amount, currency, payment_id: text },
        },
      },
    },
  };
}

const decimal = { type: 'string', pattern: '^\\d{1,12}(\\.\\d{1,3})?$' };

async function made(emulator: ImportedEmulator, body: object): Promise<Record<string, unknown>> {
  const answer = await emulator.call('POST', '/payments', { body });
  expect(answer).toMatchObject({ status: 201, body });
  return answer.body;
}

describe('amounts of a payment', () => {
  it.each([
    ['JPY', '1000', '0', '400', '400', '600'],
    ['KWD', '10.500', '0.000', '3.125', '3.125', '7.375'],
    ['EUR', '10.50', '0.00', '3.1', '3.10', '7.40'],
  ])('are written as its own amount: %s %s', async (currency, amount, none, part, captured, rest) => {
    await using emulator = await startImported(shop(decimal));
    const { id, ...payment } = await made(emulator, { amount, currency });
    const nothing = { status: 'requires_capture', captured_amount: none, refunded_amount: none };
    expect(payment).toEqual({ amount, currency, ...nothing });
    const path = `/payments/${String(id)}`;
    const capture = (body: object) => emulator.call('POST', `${path}/captures`, { body });
    expect(await capture({ amount: part })).toMatchObject({ body: { amount: part } });
    const partly = { status: 'partially_captured', captured_amount: captured, refunded_amount: none };
    expect((await emulator.call('GET', path)).body).toMatchObject(partly);
    expect(await capture({})).toMatchObject({ body: { amount: rest } });
    const wholly = { status: 'captured', captured_amount: amount };
    expect((await emulator.call('GET', path)).body).toMatchObject(wholly);
    const refund = await emulator.call('POST', '/refunds', { body: { payment_id: id } });
    expect(refund.body).toMatchObject({ amount, currency });
    const back = { status: 'refunded', captured_amount: amount, refunded_amount: amount };
    expect((await emulator.call('GET', path)).body).toMatchObject(back);
  });

  it('are in its currency, also where they are objects and nothing was captured', async () => {
    const money = {
      type: 'object',
      required: ['value', 'currency'],
      properties: { value: { type: 'integer', minimum: 0 }, currency: text },
    };
    await using emulator = await startImported(shop(money));
    const payment = await made(emulator, { amount: { value: 1000, currency: 'JPY' }, currency: 'JPY' });
    const none = { value: 0, currency: 'JPY' };
    expect(payment).toMatchObject({ captured_amount: none, refunded_amount: none });
  });

  it('have the decimals of their currency in first records', async () => {
    await using emulator = await startImported(shop(decimal));
    const first = (await emulator.call('GET', '/payments')).body as unknown as Record<string, string>[];
    const decimals = { EUR: /^\d+\.\d{2}$/, JPY: /^\d+$/, KWD: /^\d+\.\d{3}$/ };
    for (const { currency, amount, captured_amount, refunded_amount } of first) {
      for (const one of [amount, captured_amount, refunded_amount])
        expect(one).toMatch(decimals[currency as keyof typeof decimals]);
    }
    expect(new Set(first.map(({ currency }) => currency))).toEqual(new Set(['EUR', 'JPY', 'KWD']));
  });
});

describe('a payment that had to be captured', () => {
  const statuses = ['requires_payment_method', 'requires_capture', 'succeeded', 'canceled'];

  it('has succeeded when it was', async () => {
    await using emulator = await startImported(shop({ type: 'integer' }, statuses));
    const { id, status } = await made(emulator, { amount: 10, currency: 'EUR' });
    expect(status).toBe('requires_payment_method');
    await emulator.call('POST', `/payments/${String(id)}/captures`);
    const captured = { status: 'succeeded', captured_amount: 10 };
    expect((await emulator.call('GET', `/payments/${String(id)}`)).body).toMatchObject(captured);
    const first = (await emulator.call('GET', '/payments')).body as unknown as Record<string, unknown>[];
    for (const { status, amount, captured_amount } of first)
      expect([status, captured_amount]).toEqual([status, status === 'succeeded' ? amount : 0]);
    expect(first.some((one) => one.status === 'succeeded')).toBe(true);
  });
});

describe('a refund', () => {
  it('is of a payment that the merchant account has', async () => {
    await using emulator = await startImported(shop(decimal));
    const { id: gone } = await made(emulator, { amount: '5', currency: 'EUR' });
    await emulator.call('POST', `/payments/${String(gone)}/captures`);
    expect(await emulator.call('DELETE', `/payments/${String(gone)}`)).toMatchObject({ status: 204 });
    const { id: foreign } = await made(emulator, { amount: '5', currency: 'EUR' });
    await emulator.call('POST', `/payments/${String(foreign)}/captures`);
    const headers = { [header.name]: 'outlet' };
    const refunds = async () => (await emulator.call('GET', '/refunds', { headers })).body;
    const before = await refunds();
    for (const payment_id of [gone, foreign, 'unknown']) {
      expect(
        await emulator.call('POST', '/refunds', { body: { payment_id, amount: '1' }, headers }),
      ).toMatchObject({
        status: 422,
        body: {
          detail: [
            {
              loc: ['body', 'payment_id'],
              msg: 'must be the ID of a payment',
              type: 'payment_unknown',
              input: payment_id,
              ctx: {},
            },
          ],
        },
      });
    }
    expect(await refunds()).toEqual(before);
  });

  it('can be deleted after its payment', async () => {
    await using emulator = await startImported(shop(decimal));
    const { id: payment_id } = await made(emulator, { amount: '5', currency: 'EUR' });
    await emulator.call('POST', `/payments/${String(payment_id)}/captures`);
    const refund = await emulator.call('POST', '/refunds', { body: { payment_id, amount: '1' } });
    await emulator.call('DELETE', `/payments/${String(payment_id)}`);
    const path = `/refunds/${String(refund.body.id)}`;
    expect(await emulator.call('DELETE', path)).toMatchObject({ status: 204 });
    expect(await emulator.call('DELETE', path)).toMatchObject({ status: 404 });
  });
});
