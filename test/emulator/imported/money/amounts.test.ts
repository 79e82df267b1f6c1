import { describe, expect, it } from 'vitest';
import {
  amountAt,
  amountNames,
  currencyIn,
  inNotation,
  requestedAt,
  requestedIn,
  setAmount,
} from '../../../../src/emulator/imported/money/amounts.ts';
import { type Decimal, decimalOf, textOf } from '../../../../src/json/decimal.ts';
import { exact, schemaOf } from './payment-schemas.ts';

const decimal = (value: unknown) => decimalOf(value) as Decimal;

describe('the amounts of a record', () => {
  it.each([
    [
      ['amount', 'captured_amount', 'refunded_amount'],
      { amount: 'amount', captured: 'captured_amount', refunded: 'refunded_amount' },
    ],
    [
      ['totalAmount', 'amountCaptured', 'amountRefunded'],
      { amount: 'totalAmount', captured: 'amountCaptured', refunded: 'amountRefunded' },
    ],
    [
      ['total_amount', 'amount', 'amount_captured', 'captured_amount', 'amount_refunded', 'refunded_amount'],
      { amount: 'amount', captured: 'captured_amount', refunded: 'refunded_amount' },
    ],
    [
      ['tip_money', 'total_money', 'amount_money', 'approved_money', 'refunded_money'],
      { amount: 'amount_money', captured: undefined, refunded: 'refunded_money' },
    ],
    [['price', 'capture'], { amount: undefined, captured: undefined, refunded: undefined }],
  ])('are in the members that are named like amounts: %j', (names, expected) => {
    expect(amountNames(schemaOf(Object.fromEntries(names.map((name) => [name, {}]))))).toEqual(expected);
  });

  it.each([
    [5, '5'],
    ['1.50', '1.50'],
    [exact('1.50'), '1.50'],
    [{ value: '1.50', currency: 'EUR' }, '1.50'],
    [{ amount: 3 }, '3'],
    [{ value: 'abc', amount: 3 }, '3'],
    [{ value: 1, amount: 3 }, '1'],
    [{ units: 1 }, undefined],
    ['abc', undefined],
    [null, undefined],
    [undefined, undefined],
    [true, undefined],
  ])('are read from %j', (value, text) => {
    const found = amountAt({ amount: value }, 'amount');
    expect(found && textOf(found)).toBe(text);
  });

  it('are not read from a member without a name', () => {
    expect(amountAt({ undefined: 5 }, undefined)).toBeUndefined();
    expect(requestedAt({ undefined: 5 }, undefined)).toBeUndefined();
    expect(requestedAt({ amount: null }, 'amount')).toBeUndefined();
    expect(requestedAt({}, 'amount')).toBeUndefined();
  });
});

describe('the amount that a body names', () => {
  it.each([
    [{ amount: 5 }, '', ['body', 'amount'], 5],
    [{ total_amount: 1, amount: 5 }, 'capture', ['body', 'amount'], 5],
    [{ amount: null, totalAmount: 7 }, '', ['body', 'totalAmount'], 7],
    [{ amount: undefined, total_amount: 7 }, '', ['body', 'total_amount'], 7],
    [{ capture_amount: 5 }, 'capture', ['body', 'capture_amount'], 5],
    [{ amountToRefund: '5.00' }, 'refund', ['body', 'amountToRefund'], '5.00'],
    [{ amount: { value: '5', currency: 'EUR' } }, '', ['body', 'amount', 'value'], '5'],
    [{ amount: { value: null, amount: 6 } }, '', ['body', 'amount', 'amount'], 6],
    [{ amount: { value: undefined, amount: 6 } }, '', ['body', 'amount', 'amount'], 6],
    [{ amount: 'abc' }, '', ['body', 'amount'], 'abc'],
    [{ amount: exact('1.50') }, '', ['body', 'amount'], exact('1.50')],
    [{ amount: false }, '', ['body', 'amount'], false],
  ])('of %j for %j is at %j', (body, verb, loc, given) => {
    expect(requestedIn(body, verb)).toEqual({ loc, given });
  });

  it.each([
    [{}, 'capture'],
    [{ amount: null }, 'capture'],
    [{ refund_amount: 5 }, 'capture'],
    [{ amount_to_refund: 5 }, ''],
    [{ amount: { currency: 'EUR' } }, ''],
    [{ amount: { value: null } }, ''],
  ])('is none in %j for %j', (body, verb) => {
    expect(requestedIn(body, verb)).toBeUndefined();
  });
});

describe('the currency', () => {
  it.each([
    [{ currency: 'EUR' }, 'amount', 'EUR'],
    [{ currency_code: 'EUR' }, 'amount', 'EUR'],
    [{ currencyCode: 'EUR' }, undefined, 'EUR'],
    [{ currency_iso_code: 'EUR', fee_currency: 'USD' }, 'amount', 'EUR'],
    [{ amount: { currency: 'USD' } }, 'amount', 'USD'],
    [{ amount: { currency_code: 'USD' }, currency: 'EUR' }, 'amount', 'EUR'],
    [{ currency: 978, amount: { currencyCode: 'USD' } }, 'amount', 'USD'],
    [{ amount: { currency: 'USD' } }, undefined, undefined],
    [{ amount: { currency: 'USD' } }, 'total', undefined],
    [{ undefined: { currency: 'USD' } }, undefined, undefined],
    [{}, 'amount', undefined],
  ])('of %j is beside the amount in %j, or in it: %j', (record, amount, expected) => {
    expect(currencyIn(record, amount)).toBe(expected);
  });
});

describe('an amount', () => {
  const text = { type: 'string' };
  const number = { type: 'number' };
  const both = { type: ['string', 'number'] };

  it.each<readonly [string, unknown, unknown, unknown]>([
    ['12.5', number, '1.50', 12.5],
    ['12', { type: 'integer' }, '1.50', 12],
    ['12.5', text, '1.50', '12.50'],
    ['12.5', text, 5, '12.5'],
    ['12.5000', text, '1.0', '12.5'],
    ['12.5000', text, undefined, '12.5'],
    ['12.5', {}, '1.50', '12.50'],
    ['12.5', {}, 5, 12.5],
    ['12.5', {}, exact('1.50'), 12.5],
    ['12.5', both, '1', '12.5'],
    ['12.5', both, 1, 12.5],
    ['12.5', { type: ['string', 'integer'] }, 1, 12.5],
    ['12.5', text, { value: '1.00' }, '12.50'],
    ['12.5', {}, { value: '1.00' }, '12.50'],
    ['12.5', {}, { amount: 1 }, 12.5],
    ['12.5', text, exact('1.00'), '12.50'],
  ])('of %s is written by %j like %j: %j', (amount, schema, like, expected) => {
    const notation = { schema: schemaOf({ total: schema }), name: 'total', like };
    expect(inNotation(decimal(amount), notation)).toBe(expected);
  });

  it('has as many decimals as are asked for', () => {
    const notation = { schema: schemaOf({ total: text }), name: 'total', like: '1.5', least: 3 };
    expect(inNotation(decimal('12.5'), notation)).toBe('12.500');
  });

  it.each<readonly [object, unknown, unknown]>([
    [
      { value: text, currency: text },
      { value: '1.00', currency: 'EUR' },
      { value: '12.50', currency: 'EUR' },
    ],
    [
      { amount: number, currency: text },
      { amount: 1, currency: 'EUR' },
      { amount: 12.5, currency: 'EUR' },
    ],
    [{ value: text }, '1.00', { value: '12.5' }],
    [{ value: text, amount: text }, {}, { value: '12.5' }],
  ])('is set within an object of %j like %j', (properties, like, expected) => {
    const schema = schemaOf({ total: { type: 'object', properties } });
    expect(inNotation(decimal('12.5'), { schema, name: 'total', like })).toEqual(expected);
  });

  it('is set as itself where the schema has no object for it', () => {
    const schema = schemaOf({ total: { type: ['number', 'string'], properties: { value: {} } } });
    expect(inNotation(decimal('12.5'), { schema, name: 'total', like: 1 })).toBe(12.5);
    const empty = schemaOf({ total: { type: 'object', properties: { units: {} } } });
    expect(inNotation(decimal('12.5'), { schema: empty, name: 'total', like: 1 })).toBe(12.5);
  });
});

describe('setting an amount', () => {
  const cents = { type: 'string', pattern: '^\\d+\\.\\d{2}$' };
  const record = { amount: '5', note: 'x' };
  const schema = schemaOf({ amount: { type: 'string' }, captured_amount: cents, plain: { type: 'number' } });

  it('changes nothing without a name, without a value, and for a member that the schema has not', () => {
    const value = decimal(1);
    expect(setAmount(record, { name: undefined, value, schema })).toBe(record);
    expect(setAmount(record, { name: 'captured_amount', value: null, schema })).toBe(record);
    expect(setAmount(record, { name: 'other', value, schema })).toBe(record);
  });

  it('takes two decimals where the decimals of the amount do not fit', () => {
    const name = 'captured_amount';
    expect(setAmount(record, { name, value: decimal('1'), schema })).toEqual({
      ...record,
      captured_amount: '1.00',
    });
    expect(setAmount(record, { name, value: decimal('1.005'), schema })).toBe(record);
  });

  it('writes it like the amount of the record, if there is one', () => {
    const value = decimal('2');
    const free = schemaOf({ amount: {}, captured_amount: {} });
    const setIn = (amount: unknown) =>
      setAmount({ amount }, { name: 'captured_amount', value, schema: free }).captured_amount;
    expect([setIn('5.0'), setIn(5)]).toEqual(['2.0', 2]);
    const alone = schemaOf({ captured_amount: {}, undefined: {} });
    expect(setAmount({ undefined: '1.0' }, { name: 'captured_amount', value, schema: alone })).toEqual({
      undefined: '1.0',
      captured_amount: 2,
    });
  });
});
