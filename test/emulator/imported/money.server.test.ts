import { describe, expect, it } from 'vitest';
import sample from '../../../src/emulator/sample.json' with { type: 'json' };
import { apiLogs } from '../test-emulator.ts';
import { type ImportedEmulator, importedForAll, startImported } from './imported-emulator.ts';

const eur = { amount: 1000, currency: 'EUR' };

async function authorized(emulator: ImportedEmulator, body: object = eur): Promise<string> {
  const { body: made } = await emulator.call('POST', '/transactions', {
    body: { ...body, intent: 'authorize' },
  });
  expect(made).toMatchObject({ status: 'authorized', captured_amount: 0, refunded_amount: 0 });
  return `/transactions/${String(made.id)}`;
}

describe('payments of a description', () => {
  const started = importedForAll(sample);

  it('are captured in whole, or in parts up to their amount', async () => {
    const emulator = started();
    const whole = await authorized(emulator);
    const captured = { status: 'captured', captured_amount: 1000, captured_at: expect.any(String) };
    expect(await emulator.call('POST', `${whole}/capture`)).toMatchObject({ status: 200, body: captured });
    expect(await emulator.call('GET', whole)).toMatchObject({ body: captured });
    const part = await authorized(emulator);
    const capture = (amount: number) => emulator.call('POST', `${part}/capture`, { body: { amount } });
    expect(await capture(1001)).toEqual(
      expect.objectContaining({
        status: 422,
        body: expect.objectContaining({
          detail: [
            {
              loc: ['body', 'amount'],
              msg: 'must be at most 1000, which is what can still be captured',
              type: 'less_than_equal',
              input: 1001,
              ctx: { le: 1000 },
            },
          ],
        }),
      }),
    );
    expect(await capture(400)).toMatchObject({ status: 200, body: { captured_amount: 400 } });
    expect(await capture(601)).toMatchObject({ status: 422 });
    expect(await capture(600)).toMatchObject({ status: 200, body: { captured_amount: 1000 } });
    expect(await capture(1)).toMatchObject({
      status: 400,
      body: { message: 'The record cannot be captured, because it is captured' },
    });
  });

  it.each(['1e2', '100.0', '1E+2'])('are captured by an amount that is written %s', async (amount) => {
    const emulator = started();
    const post = (path: string, body: string) => emulator.send(path, { method: 'POST', scopes: ['*'], body });
    const made = await post('/transactions', '{"amount":1e4,"currency":"EUR","intent":"authorize"}');
    expect(made.body).toMatchObject({ amount: 10_000, captured_amount: 0 });
    const path = `/transactions/${String(made.body.id)}`;
    const captured = await post(`${path}/capture`, `{"amount":${amount}}`);
    expect(captured.body).toMatchObject({ captured_amount: 100 });
    expect(await post(`${path}/refunds`, '{"amount":101.0}')).toMatchObject({ status: 422 });
    expect(await post(`${path}/refunds`, '{"amount":1.0e1}')).toMatchObject({ status: 201 });
    expect(await emulator.call('GET', path)).toMatchObject({ body: { refunded_amount: 10 } });
  });

  /** The sample, whose amounts may be any number. */
  const anyNumber = JSON.parse(JSON.stringify(sample), (key, value: unknown) => {
    if (key === 'minimum' || key === 'maximum') return undefined;
    return key === 'type' && value === 'integer' ? 'number' : value;
  });
  const startedWithAny = importedForAll(anyNumber);

  it('are captured and refunded by decimal amounts to the last one', async () => {
    const emulator = startedWithAny();
    const path = await authorized(emulator, { amount: 0.3, currency: 'EUR' });
    const post = async (action: string, amount: number) =>
      (await emulator.call('POST', `${path}/${action}`, { body: { amount } })).status;
    expect([await post('capture', 0.1), await post('capture', 0.2)]).toEqual([200, 200]);
    expect([await post('refunds', 0.1), await post('refunds', 0.2)]).toEqual([201, 201]);
    expect(await emulator.call('GET', path)).toMatchObject({
      body: { status: 'refunded', captured_amount: 0.3, refunded_amount: 0.3 },
    });
  });

  it('are captured at once where the intent says so', async () => {
    const emulator = started();
    const made = await emulator.call('POST', '/transactions', { body: { ...eur, intent: 'capture' } });
    expect(made.body).toMatchObject({ status: 'captured', captured_amount: 1000 });
  });

  it('are refunded up to what was captured, and the refunds are in their list', async () => {
    const emulator = started();
    const path = await authorized(emulator);
    const refund = (body: object) => emulator.call('POST', `${path}/refunds`, { body });
    expect(await refund({ amount: 1 })).toMatchObject({ status: 422 });
    await emulator.call('POST', `${path}/capture`, { body: { amount: 700 } });
    const first = await refund({ amount: 300, reason: 'Broken' });
    expect(first).toMatchObject({
      status: 201,
      body: { amount: 300, reason: 'Broken', transaction_id: path.split('/').at(-1), currency: 'EUR' },
    });
    expect(await emulator.call('GET', path)).toMatchObject({
      body: { status: 'partially_refunded', refunded_amount: 300 },
    });
    expect(await refund({ amount: 401 })).toMatchObject({ status: 422 });
    const second = await refund({});
    expect(second.body).toMatchObject({ amount: 400 });
    expect(await refund({})).toMatchObject({ status: 422 });
    const list = await emulator.call('GET', `${path}/refunds`);
    expect(list.body.items).toEqual([second.body, first.body]);
    expect((await emulator.call('GET', `/refunds/${String(first.body.id)}`)).body).toEqual(first.body);
    expect(await emulator.call('GET', path)).toMatchObject({
      body: { status: 'refunded', refunded_amount: 700 },
    });
  });

  it('are voided, but not after a capture', async () => {
    const emulator = started();
    const voided = await authorized(emulator);
    expect(await emulator.call('POST', `${voided}/void`)).toMatchObject({
      status: 200,
      body: { status: 'voided' },
    });
    expect(await emulator.call('POST', `${voided}/capture`)).toMatchObject({
      status: 400,
      body: { message: 'The record cannot be captured, because it is voided' },
    });
    const captured = await authorized(emulator);
    await emulator.call('POST', `${captured}/capture`);
    expect(await emulator.call('POST', `${captured}/void`)).toMatchObject({
      status: 400,
      body: { code: 'bad_request', message: 'The record cannot be voided, because it was captured' },
    });
  });

  it('begin with amounts that fit their status, and refer to buyers that exist', async () => {
    await using emulator = await startImported(sample);
    const { body } = await emulator.call('GET', '/transactions?limit=100');
    const items = body.items as Record<string, number | string | null>[];
    expect(items).toHaveLength(30);
    for (const item of items) {
      const { status, amount, captured_amount: captured, refunded_amount: refunded, buyer_id: buyer } = item;
      const isCaptured = /captured|refunded/.test(String(status));
      expect([status, captured]).toEqual([status, isCaptured ? amount : 0]);
      const { body: list } = await emulator.call('GET', `/transactions/${item.id}/refunds`);
      const sum = (list.items as { amount: number }[]).reduce((total, one) => total + one.amount, 0);
      expect([status, sum]).toEqual([status, refunded]);
      if (buyer === null || buyer === undefined) continue;
      const sql = 'SELECT merchant_account_id AS account FROM buyers WHERE id = ?';
      expect(emulator.emulator.database.prepare(sql).get(buyer)).toEqual({ account: 'default' });
    }
  });

  it('set the status that an action is named after', async () => {
    const emulator = started();
    const { body: link } = await emulator.call('POST', '/payment-links', { body: eur });
    expect(link).toMatchObject({ status: 'active', amount: 1000 });
    const expired = await emulator.call('POST', `/payment-links/${String(link.id)}/expire`);
    expect(expired).toMatchObject({ status: 200, body: { ...link, status: 'expired' } });
  });
});

describe('changes of a description', () => {
  it('are made once under an idempotency key', async () => {
    await using emulator = await startImported(sample);
    const headers = { 'idempotency-key': 'one' };
    const first = await emulator.call('POST', '/transactions', { body: eur, headers });
    const again = await emulator.call('POST', '/transactions', { body: eur, headers });
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    const other = await emulator.call('POST', '/transactions', { body: { ...eur, amount: 2 }, headers });
    expect(other).toMatchObject({ status: 409, body: { code: 'duplicate_record' } });
    const path = `/transactions/${String(first.body.id)}`;
    await emulator.call('POST', `${path}/capture`, { headers });
    const capture = await emulator.call('POST', `${path}/capture`, { headers });
    expect(capture).toMatchObject({ status: 200, body: { status: 'captured' } });
    const { body } = await emulator.call('GET', '/transactions?limit=100');
    expect(body.items).toHaveLength(31);
  });

  it('are in the audit log, with the subject of the token', async () => {
    await using emulator = await startImported(sample);
    const path = await authorized(emulator);
    await emulator.call('POST', `${path}/capture`);
    await emulator.call('POST', `${path}/capture`);
    const { body } = await emulator.call('GET', '/audit-logs?resource_type=transaction&limit=2');
    expect(body.items).toMatchObject([
      {
        action: 'captured',
        resource: { type: 'transaction', id: path.split('/').at(-1) },
        user: { id: 'payctl/test' },
      },
      { action: 'created' },
    ]);
  });

  it('are in the API logs where they fail', async () => {
    await using emulator = await startImported(sample);
    const path = await authorized(emulator);
    await emulator.call('POST', `${path}/refunds`, { body: { amount: 5 } });
    await emulator.call('GET', '/transactions/nothing');
    await emulator.call('DELETE', '/transactions');
    expect(apiLogs(emulator)).toMatchObject([
      { request_method: 'POST', response_status_code: 422 },
      { request_method: 'GET', response_status_code: 404 },
      { request_method: 'DELETE', response_status_code: 405 },
    ]);
  });

  it('fail as a fault plan says, before or after they are made', async () => {
    await using emulator = await startImported(sample, {
      faults: [{ path: '/transactions', method: 'POST', status: 503, count: 1 }],
    });
    expect(await emulator.call('POST', '/transactions', { body: eur })).toMatchObject({ status: 503 });
    expect(await emulator.call('POST', '/transactions', { body: eur })).toMatchObject({ status: 201 });
  });
});

describe('a payment whose statuses have no word for a capture', () => {
  it('is completed by it, once', async () => {
    const copy = structuredClone(sample);
    const { Transaction } = copy.components.schemas as unknown as Record<string, { properties: object }>;
    Object.assign(Transaction?.properties ?? {}, {
      status: { enum: ['CREATED', 'APPROVED', 'VOIDED', 'COMPLETED'] },
    });
    await using emulator = await startImported(copy);
    const made = await emulator.call('POST', '/transactions', { body: { amount: 10, currency: 'EUR' } });
    expect(made).toMatchObject({ status: 201, body: { status: 'CREATED' } });
    const path = `/transactions/${String(made.body.id)}/capture`;
    expect(await emulator.call('POST', path)).toMatchObject({
      status: 200,
      body: { status: 'COMPLETED', captured_amount: 10 },
    });
    expect((await emulator.call('POST', path)).status).toBe(400);
  });
});
