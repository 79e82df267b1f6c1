import { describe, expect, it } from 'vitest';
import { amountsOf, unitsBySchema } from '../../../src/cli/money/amounts.ts';
import { parseKeepingNumbers } from '../../../src/json/exact.ts';

describe('amountsOf', () => {
  it('lists every amount with its path, its smallest units and its currency', () => {
    const body = parseKeepingNumbers(`{
      "amount": 500, "currency": "eur", "reference": 12,
      "lines": [{ "unit_amount": 9007199254740993, "quantity": 2 }, { "price": 7, "currency_code": "JPY" }],
      "shipping": { "amount": { "value": "12.30", "currency": "BHD" } },
      "total": null
    }`);
    expect(amountsOf(body).map(({ path, value, holders, ...others }) => others)).toEqual([
      { pointer: '/amount', minor: 500n, currency: 'EUR' },
      { pointer: '/lines/0/unit_amount', minor: 9007199254740993n, currency: 'EUR' },
      { pointer: '/lines/1/price', minor: 7n, currency: 'JPY' },
      { pointer: '/shipping/amount/value', minor: 12300n, currency: 'BHD' },
      { pointer: '/total', minor: undefined, currency: 'EUR' },
    ]);
  });

  it('takes the currency of the record where the body names none', () => {
    expect(amountsOf({ amount: 500 }, { currency: 'SEK' })).toMatchObject([
      { pointer: '/amount', path: ['amount'], value: 500, minor: 500n, currency: 'SEK' },
    ]);
    expect(amountsOf({ amount: 500, currency: 'EUR' }, { currency: 'SEK' })).toMatchObject([
      { currency: 'EUR' },
    ]);
  });

  it.each([
    ['a whole number without a currency', { amount: 500 }, 500n, undefined],
    ['a decimal without a currency', { amount: 5.5 }, undefined, undefined],
    ['a decimal of a currency', { amount: 5.5, currency: 'EUR' }, 550n, 'EUR'],
    ['too many decimals', { amount: '5.000', currency: 'EUR' }, undefined, 'EUR'],
    ['a text of digits, which is in the major unit', { amount: '5', currency: 'EUR' }, 500n, 'EUR'],
    ['a text that is not converted', { amount: '5.00EUR', currency: 'EUR' }, undefined, 'EUR'],
    ['a currency that ISO 4217 does not have', { amount: 5, currency: 'BTC' }, 5n, 'BTC'],
    ['what is no number', { amount: null, currency: 'EUR' }, undefined, 'EUR'],
  ])('gives %s', (_, body, minor, currency) => {
    expect(amountsOf(body)).toMatchObject([{ pointer: '/amount', minor, currency }]);
  });

  it('lets the caller say which numbers are in the major unit', () => {
    const body = { amount: 5, fee_amount: 5, currency: 'EUR' };
    const isMajor = ([name]: readonly string[]) => name === 'amount';
    expect(amountsOf(body, { isMajor }).map(({ minor }) => minor)).toEqual([500n, 5n]);
  });

  it('takes each element of a list for an amount', () => {
    const found = amountsOf({ amount: [500, '6.00'], amount_currency: 'EUR', tags: [7] });
    expect(found.map(({ pointer, minor, currency }) => [pointer, minor, currency])).toEqual([
      ['/amount/0', 500n, 'EUR'],
      ['/amount/1', 600n, 'EUR'],
    ]);
  });

  it.each([
    ['integer', 5, 5n],
    ['number', 5, 500n],
    ['string', '5', 500n],
    [['integer', 'null'], '5', 5n],
    [['integer', 'string'], '5', 5n],
    [['integer', 'number'], 5, 500n],
    [undefined, 5, 5n],
    [undefined, '5', 500n],
  ])('knows the unit by the schema %j of %j', (type, amount, minor) => {
    const element = { type: 'object', properties: { amount: type === undefined ? {} : { type } } };
    const schema = { type: 'object', properties: { lines: { type: 'array', items: element } } };
    const body = { currency: 'EUR', lines: [{ amount }] };
    expect(amountsOf(body, { isMajor: unitsBySchema(schema, body) })).toMatchObject([{ minor }]);
  });

  it.each([[null], [[]], ['5.00'], [5], [{ count: 5 }], [{ amounts: [5] }]])('finds none in %j', (body) => {
    expect(amountsOf(body)).toEqual([]);
  });

  it('does not fail on a record that is nested without end', () => {
    const deep: unknown = JSON.parse(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`);
    expect(amountsOf(deep)).toEqual([]);
  });
});
