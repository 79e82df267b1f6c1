import { describe, expect, it } from 'vitest';
import {
  alignCurrency,
  begin,
  expireBefore,
  firstAmounts,
  inDecimals,
  settle,
} from '../../../../src/emulator/imported/money/new-payment.ts';
import { NOTHING_KNOWN } from '../../../../src/emulator/imported/money/payment.ts';
import { counted, schemaOf, status, uncounted } from './payment-schemas.ts';

describe('a settled payment', () => {
  it.each([
    ['authorized', 0, 0],
    ['partially_captured', 500, 0],
    ['captured', 1001, 0],
    ['partially_refunded', 1001, 500],
    ['refunded', 1001, 1001],
    ['voided', 0, 0],
  ])('that is %s has captured %d and refunded %d', (word, captured, refunded) => {
    expect(settle({ status: word, amount: 1001 }, counted)).toEqual({
      status: word,
      amount: 1001,
      captured_amount: captured,
      refunded_amount: refunded,
    });
  });

  it('has no amounts where it has none of its own', () => {
    expect(settle({ status: 'captured' }, counted)).toEqual({ status: 'captured' });
    expect(settle({ status: 'captured', amount: 5 }, uncounted)).toEqual({ status: 'captured', amount: 5 });
  });

  const time = { type: 'string' };
  const AT = '2026-01-01T00:00:00Z';
  const timed = (more: object = {}) =>
    schemaOf({ status, amount: {}, captured_at: time, voided_at: { type: ['string', 'null'] } }, more);

  it('has no times of other statuses: null where the schema allows it, else none', () => {
    const record = { status: 'authorized', amount: 5, authorized_at: AT, captured_at: AT, voided_at: AT };
    expect(settle(record, timed())).toEqual({
      status: 'authorized',
      amount: 5,
      authorized_at: AT,
      voided_at: null,
    });
    expect(settle(record, timed({ required: ['captured_at'] }))).toMatchObject({ captured_at: AT });
  });

  it('has no times of other statuses in members of any notation', () => {
    const schema = schemaOf({ status, amount: {}, capturedAt: time, voidedAt: time });
    const record = { status: 'captured', capturedAt: AT, voidedAt: AT };
    expect(settle(record, schema)).toEqual({ status: 'captured', capturedAt: AT });
  });

  it('keeps what is no time', () => {
    for (const record of [
      { status: 'authorized', captured_at: null },
      { status: 'authorized', voided_at: 5 },
    ])
      expect(settle(record, timed())).toEqual(record);
  });

  it.each(['captured', 'refunded', 'partially_refunded'])(
    'keeps the time of its capture while it is %s',
    (word) => {
      const record = { status: word, captured_at: AT, voided_at: AT };
      expect(settle(record, timed())).toEqual({ status: word, captured_at: AT, voided_at: null });
    },
  );
});

describe('the first amounts of a payment', () => {
  it('are a quarter that was refunded, where nothing else says them', () => {
    expect(firstAmounts({ status: 'captured', amount: 1000 }, uncounted)).toEqual({
      captured: 1000,
      refunded: 250,
    });
  });

  it.each([
    ['that has members for them', { status: 'captured', amount: 1000 }, counted],
    [
      'that has a member for one of them',
      { status: 'captured', amount: 1000 },
      schemaOf({ status, amount: {}, refunded_amount: {} }),
    ],
    [
      'that has a member for the other',
      { status: 'captured', amount: 1000 },
      schemaOf({ status, amount: {}, captured_amount: {} }),
    ],
    ['that is not captured', { status: 'authorized', amount: 1000 }, uncounted],
    ['without an amount', { status: 'captured' }, uncounted],
  ])('are not known for one %s', (_, record, schema) => {
    expect(firstAmounts(record, schema)).toEqual(NOTHING_KNOWN);
  });
});

describe('the currency of a first record', () => {
  const schema = schemaOf({ amount: {}, currency: { type: 'string', maxLength: 3 } });

  it.each([
    [{ amount: { value: 1, currency: 'USD' }, currency: 'EUR' }, 'USD'],
    [{ amount: { value: 1, currency: 'DOLLAR' }, currency: 'EUR' }, 'EUR'],
    [{ amount: { value: 1 }, currency: 'EUR' }, 'EUR'],
    [{ amount: 1, currency: 'EUR' }, 'EUR'],
    [{ amount: { value: 1, currency: 'USD' } }, undefined],
  ])('of %j is that of its amount', (record, expected) => {
    expect(alignCurrency(record, schema)).toEqual(expected ? { ...record, currency: expected } : record);
  });

  it('is not looked for where no member is an amount', () => {
    const record = { undefined: { currency: 'USD' }, currency: 'EUR' };
    expect(alignCurrency(record, schemaOf({ currency: {} }))).toBe(record);
  });
});

describe('the decimals of a first amount', () => {
  const schema = schemaOf({ amount: { type: 'string' }, currency: {} });

  it.each([
    ['12.50', 'JPY', '13'],
    ['0.20', 'JPY', '1'],
    ['12.40', 'KWD', '12.000'],
    ['12.50', 'EUR', '12.50'],
    ['12.500', 'EUR', '12.500'],
    ['12.50', 'XYZ', '12.50'],
    ['12', 'KWD', '12'],
    ['abc', 'JPY', 'abc'],
    ['12.50', undefined, '12.50'],
  ])('of %s %s are those of its currency: %s', (amount, currency, expected) => {
    expect(inDecimals({ amount, currency }, schema)).toEqual({ amount: expected, currency });
  });
});

describe('an expired first record', () => {
  const schema = schemaOf({
    status: { enum: ['active', 'expired'] },
    expires_at: { type: 'string' },
    created_at: { type: 'string' },
    ends: {},
  });
  const record = { expires_at: '2035-01-01T00:00:00Z', created_at: '2026-01-01T00:00:00Z', ends: 5 };

  it('has expired', () => {
    const { expires_at: expires, ...others } = expireBefore({ ...record, status: 'expired' }, schema);
    expect(others).toEqual({ created_at: record.created_at, ends: 5, status: 'expired' });
    expect(String(expires) < record.expires_at).toBe(true);
  });

  it('is the only one whose times are changed', () => {
    const active = { ...record, status: 'active' };
    expect(expireBefore(active, schema)).toBe(active);
  });
});

describe('a new payment', () => {
  const started = { status: 'processing', amount: 1000 };

  it.each([
    [{ intent: 'capture' }, 'captured', 1000],
    [{ capture: true }, 'captured', 1000],
    [{ intent: 'authorize' }, 'authorized', 0],
    [{ capture: false }, 'authorized', 0],
    [{}, 'processing', 0],
    [{ intent: 'sale', capture: 'true' }, 'processing', 0],
  ])('begins as %j says: %s', (body, word, captured) => {
    expect(begin(started, body, counted)).toEqual({
      ...started,
      status: word,
      captured_amount: captured,
      refunded_amount: 0,
    });
  });

  it('has the status of its body, and the amounts that follow from it', () => {
    const record = { ...started, status: 'captured' };
    expect(begin(record, { status: 'captured', intent: 'authorize' }, counted)).toMatchObject({
      status: 'captured',
      captured_amount: 1000,
    });
  });

  it.each([{ captured_amount: 5 }, { refunded_amount: 5 }])('keeps the amounts of its body: %j', (body) => {
    const record = { ...started, ...body };
    expect(begin(record, { ...body, intent: 'capture' }, counted)).toBe(record);
  });

  it('is left as it is without an amount, and settled without a status', () => {
    expect(begin({ status: 'processing' }, { intent: 'capture' }, counted)).toEqual({ status: 'processing' });
    const plain = schemaOf({ amount: {}, captured_amount: {} });
    expect(begin({ amount: 5 }, { intent: 'capture' }, plain)).toEqual({ amount: 5, captured_amount: 0 });
  });
});
