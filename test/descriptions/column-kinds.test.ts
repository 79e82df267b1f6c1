import { describe, expect, it } from 'vitest';
import { answer, document, imported, only } from './describe.ts';

/** The kinds of the columns of a list whose items have these members. */
async function kindsOf(properties: Record<string, unknown>) {
  const item = {
    type: 'object',
    properties: { id: { type: 'string' }, ...properties },
    required: Object.keys(properties),
  };
  const schema = { type: 'object', properties: { items: { type: 'array', items: item } } };
  const list = document({ '/things': { get: { operationId: 'list', responses: answer(schema) } } });
  return only(await imported(list)).columnKinds ?? {};
}

const CURRENCY = { type: 'string' };
const INTEGER = { type: 'integer' };

describe('the kinds of columns', () => {
  it.each([
    ['amount', INTEGER, 'amount'],
    ['total', INTEGER, 'amount'],
    ['subtotal', INTEGER, 'amount'],
    ['captured_amount', INTEGER, 'amount'],
    ['orderTotal', { type: ['integer', 'null'] }, 'amount'],
    ['amount_due', INTEGER, 'amount'],
    ['balance', INTEGER, 'amount'],
    ['total', { type: 'number' }, 'major-amount'],
    ['total', { type: 'string' }, undefined],
    ['amount_cents', { type: 'number' }, 'amount'],
    ['totals', INTEGER, undefined],
    ['count', INTEGER, undefined],
  ])('say of %s %j beside a currency: %s', async (name, schema, kind) => {
    expect((await kindsOf({ [name]: schema, currency: CURRENCY }))[name]).toBe(kind);
  });

  it('say of an amount beside the currency of a purchase that it is one', async () => {
    const members = { order_amount: INTEGER, captured_amount: INTEGER, purchase_currency: CURRENCY };
    expect(await kindsOf(members)).toEqual({ order_amount: 'amount', captured_amount: 'amount' });
  });

  it.each(['amount_cents', 'amount_in_cents', 'amount_minor'])(
    'say of %s beside amount_currency that it is one',
    async (name) => {
      expect(await kindsOf({ [name]: INTEGER, amount_currency: CURRENCY })).toEqual({ [name]: 'amount' });
    },
  );

  it('say nothing of an amount without a currency beside it', async () => {
    expect(await kindsOf({ total: INTEGER, amount: INTEGER })).toEqual({});
    expect(await kindsOf({ total: INTEGER, currency: { type: 'object' } })).toEqual({});
  });

  it.each([
    [{ value: { type: 'string' }, currency_code: CURRENCY }, { 'fee.value': 'major-amount' }],
    [{ value: { type: 'number' }, currency: CURRENCY }, { 'fee.value': 'major-amount' }],
    [{ amount: INTEGER, currency: CURRENCY }, { 'fee.amount': 'amount' }],
    [{ amount: INTEGER, currencyCode: CURRENCY, precision: INTEGER }, { 'fee.amount': 'amount' }],
    [{ amount: INTEGER }, {}],
    [{ value: { type: 'boolean' }, currency: CURRENCY }, {}],
    [{ value: { type: 'object' }, currency: CURRENCY }, {}],
    [{ value: INTEGER, currency: CURRENCY, a: INTEGER, b: INTEGER, c: INTEGER }, {}],
  ])('say of an object that it is money: %j', async (properties, kinds) => {
    expect(await kindsOf({ fee: { type: 'object', properties } })).toEqual(kinds);
  });

  it.each([
    ['created', { type: 'integer', format: 'unix-time' }, 'seconds'],
    ['due', { type: 'integer', format: 'unix-timestamp' }, 'seconds'],
    ['created', { type: 'integer', format: 'epoch-millis' }, 'milliseconds'],
    ['due', { ...INTEGER, description: 'Measured in seconds since the Unix epoch.' }, 'seconds'],
    ['due', { ...INTEGER, description: 'Unix timestamp in milliseconds.' }, 'milliseconds'],
    ['due', { ...INTEGER, description: 'Seconds since 1 January 1970.' }, 'seconds'],
    ['created', { type: 'integer', format: 'int64' }, 'seconds'],
    ['expires_at', { type: ['integer', 'null'], format: 'int64' }, 'seconds'],
    ['expiresAt', { type: 'integer', format: 'int64' }, 'seconds'],
    ['created', { type: 'string', format: 'date-time' }, 'time'],
    ['created', { type: 'string' }, 'time'],
    ['createdAt', { type: 'string' }, 'time'],
    ['due', { type: 'string', example: '2026-03-01T10:00:00.5+01:00' }, 'time'],
    ['due', { type: 'string', example: 'Tue, 24 Nov 2026 10:00:00 +0000' }, 'time'],
    ['due', { type: 'string', format: 'date-time-rfc-2822' }, 'time'],
    ['due', { type: 'string', example: 'tomorrow' }, undefined],
    ['due', { type: 'string', format: 'ppaas_date_time_v3' }, 'time'],
    ['created', { type: 'string', format: 'uuid' }, undefined],
    ['due', { type: 'string', format: 'date' }, undefined],
    ['created', INTEGER, 'seconds'],
    ['last_request_at', INTEGER, 'seconds'],
    ['lasting', INTEGER, undefined],
    ['lead_time', { type: 'integer', format: 'int64' }, undefined],
    ['size', { type: 'integer', format: 'int64' }, undefined],
    ['created', { type: 'number', format: 'unix-time' }, undefined],
  ])('say of %s %j: %s', async (name, schema, kind) => {
    expect((await kindsOf({ [name]: schema }))[name]).toBe(kind);
  });
});
