import { describe, expect, it } from 'vitest';
import sample from '../../../src/emulator/sample.json' with { type: 'json' };
import { type ImportedEmulator, importedForAll, startImported } from './imported-emulator.ts';
import { nestedAmounts, silentAmounts, textAmounts, withAmounts, withUpdate } from './sample-variants.ts';

async function authorized(emulator: ImportedEmulator, amount: unknown, more: object = {}): Promise<string> {
  const body = { amount, currency: 'EUR', intent: 'authorize', ...more };
  const made = await emulator.call('POST', '/transactions', { body });
  expect(made).toMatchObject({ status: 201, body: { amount } });
  return `/transactions/${String(made.body.id)}`;
}

function refusal(loc: readonly string[], msg: string): object {
  return { status: 422, body: { detail: [expect.objectContaining({ loc, msg })] } };
}

describe('payments whose amounts are decimal texts', () => {
  const started = importedForAll(textAmounts);

  it('are captured and refunded by them to the last cent', async () => {
    const emulator = started();
    const path = await authorized(emulator, '12.50');
    const post = (action: string, amount?: string) =>
      emulator.call('POST', `${path}/${action}`, { body: amount === undefined ? {} : { amount } });
    const now = async () => (await emulator.call('GET', path)).body;
    expect(await now()).toMatchObject({
      status: 'authorized',
      captured_amount: '0.00',
      refunded_amount: '0.00',
    });
    expect(await post('capture', '12.51')).toEqual(
      expect.objectContaining({
        status: 422,
        body: expect.objectContaining({
          detail: [
            {
              loc: ['body', 'amount'],
              msg: 'must be at most 12.50, which is what can still be captured',
              type: 'less_than_equal',
              input: '12.51',
              ctx: { le: '12.50' },
            },
          ],
        }),
      }),
    );
    expect(await post('capture', '2.5')).toMatchObject({ status: 200, body: { captured_amount: '2.50' } });
    expect(await post('capture', '10.01')).toMatchObject(
      refusal(['body', 'amount'], 'must be at most 10.00, which is what can still be captured'),
    );
    expect(await post('capture')).toMatchObject({ status: 200, body: { captured_amount: '12.50' } });
    expect(await post('void')).toMatchObject({ status: 400 });
    expect(await post('refunds', '0.3')).toMatchObject({
      status: 201,
      body: { amount: '0.3', currency: 'EUR' },
    });
    expect(await now()).toMatchObject({ status: 'partially_refunded', refunded_amount: '0.30' });
    expect(await post('refunds', '12.21')).toMatchObject(
      refusal(['body', 'amount'], 'must be at most 12.20, which is what can still be refunded'),
    );
    expect(await post('refunds')).toMatchObject({ status: 201, body: { amount: '12.20' } });
    expect(await now()).toMatchObject({
      status: 'refunded',
      captured_amount: '12.50',
      refunded_amount: '12.50',
    });
  });

  it('begin with amounts that fit their status', async () => {
    await using emulator = await startImported(textAmounts);
    const { body } = await emulator.call('GET', '/transactions?limit=100');
    for (const item of body.items as Record<string, string>[]) {
      const { status, amount, captured_amount: captured, refunded_amount: refunded } = item;
      expect(amount).toMatch(/^\d+\.\d{2}$/);
      expect([status, captured]).toEqual([status, /captured|refunded/.test(`${status}`) ? amount : '0.00']);
      const { body: list } = await emulator.call('GET', `/transactions/${item.id}/refunds`);
      const sum = (list.items as { amount: string }[]).reduce((total, one) => total + Number(one.amount), 0);
      expect([status, sum]).toEqual([status, Number(refunded)]);
    }
  });

  it('begin with amounts that fit their status, as objects, too', async () => {
    await using emulator = await startImported(nestedAmounts);
    const { body } = await emulator.call('GET', '/transactions?limit=100');
    for (const item of body.items as Record<string, unknown>[]) {
      const { status, captured_amount: captured } = item;
      const { value, currency_code: currency } = item.amount as Record<string, string>;
      expect([status, captured]).toEqual([status, /captured|refunded/.test(`${status}`) ? value : '0.00']);
      expect(item.currency).toBe(currency);
    }
  });

  it('are objects with a value and a currency', async () => {
    await using emulator = await startImported(nestedAmounts);
    const money = (value: string, currency = 'EUR') => ({ value, currency_code: currency });
    const path = await authorized(emulator, money('20.00'));
    const post = (action: string, amount?: object) =>
      emulator.call('POST', `${path}/${action}`, { body: amount ? { amount } : {} });
    expect(await post('capture', money('20.01'))).toMatchObject(
      refusal(['body', 'amount', 'value'], 'must be at most 20.00, which is what can still be captured'),
    );
    expect(await post('capture', money('1.00', 'USD'))).toMatchObject(
      refusal(['body', 'currency'], 'must be EUR, which is the currency of the payment'),
    );
    expect(await post('capture', money('15.00'))).toMatchObject({ body: { captured_amount: '15.00' } });
    expect(await post('refunds', money('15.01'))).toMatchObject({ status: 422 });
    expect(await post('refunds')).toMatchObject({ status: 201, body: { amount: money('15.00') } });
    const body = { amount: money('-1.00'), currency: 'EUR' };
    expect((await emulator.call('POST', '/transactions', { body })).status).toBeGreaterThanOrEqual(400);
  });
});

describe('new payments of a description', () => {
  const started = importedForAll(withAmounts(() => ({ type: 'number' })));

  it.each([
    ['12345678901234567890', 'must be at most 9007199254740991', 'less_than_equal', { le: 9007199254740991 }],
    ['1e400', 'must be at most 9007199254740991', 'less_than_equal', { le: 9007199254740991 }],
    ['0.12345678901234567', 'must have at most 15 digits', 'decimal_max_digits', { max_digits: 15 }],
    ['-5', 'must be greater than 0', 'greater_than', { gt: 0 }],
    ['0', 'must be greater than 0', 'greater_than', { gt: 0 }],
  ])('are not of %s', async (amount, msg, type, ctx) => {
    const emulator = started();
    const body = `{"amount":${amount},"currency":"EUR"}`;
    const made = await emulator.send('/transactions', { method: 'POST', scopes: ['*'], body });
    expect(made.status).toBe(422);
    expect(made.body).toMatchObject({ detail: [{ loc: ['body', 'amount'], msg, type, ctx }] });
  });

  it('may be of zero where the description says so, never of less', async () => {
    await using emulator = await startImported(withAmounts(() => ({ type: 'integer', minimum: 0 })));
    const make = (amount: number) =>
      emulator.call('POST', '/transactions', { body: { amount, currency: 'EUR' } });
    expect(await make(0)).toMatchObject({ status: 201, body: { amount: 0 } });
    expect(await make(-1)).toMatchObject({ status: 400 });
  });

  it('keep every digit where nothing captures or refunds them', async () => {
    const emulator = started();
    const body = '{"amount":12345678901234567890.10,"currency":"EUR"}';
    const request = { method: 'POST', scopes: ['*'], body };
    const token = await emulator.token(['*']);
    const made = await emulator.send('/payment-links', request);
    const response = await fetch(`${emulator.emulator.baseUrl}/payment-links/${String(made.body.id)}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await response.text()).toContain('"amount":12345678901234567890.10,');
  });
});

describe('long numbers', () => {
  const DIGITS = '12345678901234567890.10';

  /** A list of links that shows less of each, links that a buyer has, and the only settings. */
  const document = (() => {
    const copy = structuredClone(withAmounts(() => ({ type: 'number' }))) as typeof sample;
    const { schemas } = copy.components as unknown as { schemas: Record<string, { properties: object }> };
    const { amount, id } = { ...(schemas.PaymentLink?.properties as Record<string, unknown>) };
    schemas.Short = { type: 'object', additionalProperties: false, properties: { id, amount } } as never;
    const paths = copy.paths as unknown as Record<string, Record<string, unknown>>;
    const answer = (schema: object) => ({
      responses: { 200: { description: '', content: { 'application/json': { schema } } } },
    });
    const items = { type: 'array', items: { $ref: '#/components/schemas/Short' } };
    paths['/payment-links'] = {
      ...paths['/payment-links'],
      get: { operationId: 'list_links', ...answer({ type: 'object', properties: { items } }) },
    };
    const settings = { type: 'object', properties: { amount, name: { type: 'string' } } };
    const put = {
      requestBody: { content: { 'application/json': { schema: settings } } },
      ...answer(settings),
    };
    paths['/settings'] = { get: answer(settings), put };
    return copy;
  })();

  it('keep their digits in lists that show less, and in the only document of a path', async () => {
    await using emulator = await startImported(document);
    const token = await emulator.token(['*']);
    const send = async (method: string, path: string, body?: string) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const response = await fetch(emulator.emulator.baseUrl + path, {
        method,
        headers,
        ...(body && { body }),
      });
      return response.text();
    };
    await send('POST', '/payment-links', `{"amount":${DIGITS},"currency":"EUR"}`);
    expect(await send('GET', '/payment-links')).toContain(`"amount":${DIGITS}`);
    await send('PUT', '/settings', `{"amount":${DIGITS}}`);
    expect(await send('PUT', '/settings', '{"name":"x"}')).toContain(`"amount":${DIGITS}`);
    expect(await send('GET', '/settings')).toContain(`"amount":${DIGITS}`);
  });
});

const integer = { type: 'integer' };
const status = { type: 'string' };
const all = {
  amount: integer,
  currency: status,
  status,
  captured_amount: integer,
  refunded_amount: integer,
  external_identifier: status,
};

describe.each(['put', 'patch'])('%s of a payment', (method) => {
  const started = importedForAll(withUpdate(sample, all, method));
  const start = async (captured = 400, refunded = 0) => {
    const emulator = started();
    const path = await authorized(emulator, 1000);
    if (captured > 0) await emulator.call('POST', `${path}/capture`, { body: { amount: captured } });
    if (refunded > 0) await emulator.call('POST', `${path}/refunds`, { body: { amount: refunded } });
    const before = (await emulator.call('GET', path)).body;
    const change = (body: object) => emulator.call(method.toUpperCase(), path, { body });
    return { emulator, path, before, change };
  };

  it.each([
    [{ amount: 399 }, ['body', 'amount'], 'must be at least 400, the amount that was already captured'],
    [{ status: 'voided' }, ['body', 'status'], 'cannot be voided, because it was captured'],
  ])('refuses %j after a capture and a refund', async (body, loc, msg) => {
    const { emulator, path, before, change } = await start(400, 100);
    expect(await change(body)).toMatchObject(refusal(loc, msg));
    expect((await emulator.call('GET', path)).body).toEqual(before);
  });

  it('takes what contradicts nothing', async () => {
    const { before, change } = await start(400);
    const body = { amount: 400, external_identifier: 'x', currency: 'EUR', captured_amount: 400 };
    expect(await change(body)).toMatchObject({
      status: 200,
      body: { ...before, ...body, updated_at: expect.any(String) },
    });
  });

  it('captures what it says is captured, but nothing that was voided', async () => {
    const { emulator, path, change } = await start(0);
    expect(await change({ status: 'refunded' })).toMatchObject(
      refusal(['body', 'status'], 'cannot be refunded, because nothing was captured'),
    );
    const captured = { status: 'captured', captured_amount: 1000, refunded_amount: 0 };
    expect(await change({ status: 'captured' })).toMatchObject({ status: 200, body: captured });
    const other = await authorized(emulator, 5);
    await emulator.call('POST', `${other}/void`);
    expect(await emulator.call(method.toUpperCase(), other, { body: { status: 'captured' } })).toMatchObject(
      refusal(['body', 'status'], 'cannot be captured, because it is voided'),
    );
    expect(path).not.toBe(other);
  });
});

describe('the money of a payment', () => {
  it('is captured once, however many requests come at once', async () => {
    await using emulator = await startImported(sample);
    const path = await authorized(emulator, 100);
    const capture = () => emulator.call('POST', `${path}/capture`, { body: { amount: 60 } });
    const statuses = (await Promise.all([capture(), capture(), capture()])).map((one) => one.status);
    expect(statuses.toSorted()).toEqual([200, 422, 422]);
    const refund = () => emulator.call('POST', `${path}/refunds`, { body: { amount: 40 } });
    const refunds = (await Promise.all([refund(), refund()])).map((one) => one.status);
    expect(refunds.toSorted()).toEqual([201, 422]);
    expect((await emulator.call('GET', path)).body).toMatchObject({
      captured_amount: 60,
      refunded_amount: 40,
    });
  });

  it.each([
    ['sample', sample],
    ['schemas that say nothing of it', silentAmounts],
  ])('is neither captured nor refunded after a void: %s', async (_name, document) => {
    await using emulator = await startImported(document);
    const path = await authorized(emulator, 100);
    expect(await emulator.call('POST', `${path}/void`)).toMatchObject({ status: 200 });
    expect(await emulator.call('POST', `${path}/capture`)).toMatchObject({ status: 400 });
    expect(await emulator.call('POST', `${path}/void`)).toMatchObject({ status: 400 });
    expect(await emulator.call('POST', `${path}/refunds`, { body: { amount: 1 } })).toMatchObject(
      refusal(['body', 'amount'], 'must be at most 0, which is what can still be refunded'),
    );
    expect(await emulator.call('POST', `${path}/refunds`, { body: {} })).toMatchObject({ status: 422 });
  });

  it('is counted where no schema says what was captured', async () => {
    await using emulator = await startImported(withUpdate(silentAmounts, all));
    const path = await authorized(emulator, 100);
    const post = async (action: string, amount: number) =>
      (await emulator.call('POST', `${path}/${action}`, { body: { amount } })).status;
    expect([await post('capture', 60), await post('capture', 41), await post('refunds', 61)]).toEqual([
      200, 422, 422,
    ]);
    expect([await post('refunds', 20), await post('void', 1)]).toEqual([201, 400]);
    expect(await emulator.call('PUT', path, { body: { amount: 59 } })).toMatchObject(
      refusal(['body', 'amount'], 'must be at least 60, the amount that was already captured'),
    );
    expect(await emulator.call('PUT', path, { body: { amount: 60 } })).toMatchObject({ status: 200 });
    expect([await post('capture', 1), await post('refunds', 40)]).toEqual([400, 201]);
  });

  it('is not changed by the update of a refund, or in another currency', async () => {
    const copy = structuredClone(sample);
    const path = copy.paths['/refunds/{refund_id}'] as unknown as Record<string, unknown>;
    const { responses } = copy.paths['/refunds/{refund_id}'].get;
    const properties = { amount: integer, reason: status, transaction_id: status, currency: status };
    const content = { 'application/json': { schema: { type: 'object', properties } } };
    path.put = { operationId: 'update_refund', requestBody: { content }, responses };
    copy.components.schemas.RefundCreate.properties = { ...properties } as never;
    await using emulator = await startImported(copy);
    const payment = await authorized(emulator, 100);
    await emulator.call('POST', `${payment}/capture`);
    const refund = (body: object) => emulator.call('POST', `${payment}/refunds`, { body });
    expect(await refund({ amount: 5, currency: 'USD' })).toMatchObject(
      refusal(['body', 'currency'], 'must be EUR, which is the currency of the payment'),
    );
    const { body: made } = await refund({ amount: 5, currency: 'eur' });
    expect(made).toMatchObject({ amount: 5, currency: 'EUR' });
    const change = (body: object) => emulator.call('PUT', `/refunds/${String(made.id)}`, { body });
    expect(await change({ amount: 6 })).toMatchObject(
      refusal(['body', 'amount'], 'cannot be changed, because it was refunded'),
    );
    expect(await change({ currency: 'USD' })).toMatchObject({ status: 422 });
    expect(await change({ amount: 5, reason: 'Broken', transaction_id: made.id })).toMatchObject({
      status: 200,
      body: { ...made, reason: 'Broken' },
    });
  });

  it.each(['refunds', 'partial-refund', 'refund-transaction'])(
    'is refunded by %s, which has no list',
    async (word) => {
      const copy = JSON.parse(
        JSON.stringify(sample).replaceAll('/{transaction_id}/refunds', `/{transaction_id}/${word}`),
      ) as typeof sample;
      const path = `/transactions/{transaction_id}/${word}`;
      const paths = copy.paths as unknown as Record<string, { get?: unknown } | undefined>;
      delete paths[path]?.get;
      for (const name of Object.keys(paths).filter((name) => name.startsWith('/refunds'))) delete paths[name];
      await using emulator = await startImported(copy);
      const payment = await authorized(emulator, 100);
      await emulator.call('POST', `${payment}/capture`);
      const refund = (amount: number) => emulator.call('POST', `${payment}/${word}`, { body: { amount } });
      expect((await refund(60)).status).toBe(201);
      expect((await refund(41)).status).toBe(422);
      expect((await emulator.call('GET', payment)).body).toMatchObject({ refunded_amount: 60 });
    },
  );

  it('is refunded by a refund whose body names the payment', async () => {
    const copy = structuredClone(sample);
    const paths = copy.paths as unknown as Record<string, Record<string, unknown>>;
    const nested = copy.paths['/transactions/{transaction_id}/refunds'] as unknown as { post: unknown };
    const { post } = nested;
    delete paths['/transactions/{transaction_id}/refunds'];
    paths['/refunds'] = { ...paths['/refunds'], post };
    copy.components.schemas.RefundCreate.properties = { amount: integer, transaction_id: status } as never;
    await using emulator = await startImported(copy);
    const payment = await authorized(emulator, 100);
    const refund = (amount: number) =>
      emulator.call('POST', '/refunds', { body: { amount, transaction_id: payment.split('/').at(-1) } });
    expect((await refund(1)).status).toBe(422);
    await emulator.call('POST', `${payment}/capture`);
    expect(await refund(70)).toMatchObject({ status: 201, body: { amount: 70 } });
    expect((await refund(31)).status).toBe(422);
    expect((await emulator.call('GET', payment)).body).toMatchObject({ refunded_amount: 70 });
  });
});
