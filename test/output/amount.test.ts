import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountAt, amountInBothUnits, amountText, currencyOf, isAmountIn } from '../../src/output/amount.ts';

describe('amountAt', () => {
  const item = {
    amount: 100,
    currency: 'EUR',
    count: 3,
    lines: [{ unit_amount: 500 }, { unit_amount: 500, currency: 'JPY' }, { unit_amount: 7, currency: null }],
    'a.amount': 9,
  };

  it.each([
    ['amount', '1.00 EUR'],
    ['lines.0.unit_amount', '5.00 EUR'],
    ['lines.1.unit_amount', '500 JPY'],
    ['lines.2.unit_amount', '0.07 EUR'],
    ['a.amount', '0.09 EUR'],
    ['count', undefined],
    ['lines', undefined],
    ['lines.9.unit_amount', undefined],
    ['', undefined],
  ])('finds the currency beside the amount at %s, or above it', (path, text) => {
    expect(amountAt(item, path)).toBe(text);
  });

  it('leaves an amount without a currency as it is', () => {
    expect(amountAt({ amount: 100 }, 'amount')).toBeUndefined();
  });
});

describe('amountText', () => {
  it.each([
    [13470, 'GBP', '134.70 GBP'],
    [28473, 'JPY', '28473 JPY'],
    [28473, 'HUF', '284.73 HUF'],
    [1234567, 'KWD', '1234.567 KWD'],
    [12345, 'CLF', '1.2345 CLF'],
    [100, 'AFN', '1.00 AFN'],
    [5, 'EUR', '0.05 EUR'],
    [0, 'USD', '0.00 USD'],
    [-5, 'EUR', '-0.05 EUR'],
    [-12345, 'USD', '-123.45 USD'],
    [12345678901234567890n, 'EUR', '123456789012345678.90 EUR'],
  ])('writes %s %s in major units', (value, currency, text) => {
    expect(amountText(value, currency)).toBe(text);
  });

  it('says of a currency without a known unit that it does not know it', () => {
    expect(amountText(1234, 'ZZZ')).toBe('1234 ZZZ (unit unknown)');
    expect(amountText(1234, 'XAU')).toBe('1234 XAU (unit unknown)');
    expect(amountText(1234, 'constructor')).toBe('1234 constructor (unit unknown)');
  });

  it.each([
    [1.5, 'EUR'],
    ['100', 'EUR'],
    [null, 'EUR'],
    [2 ** 60, 'EUR'],
    [100, null],
    [100, ''],
  ])('leaves %s %s alone', (value, currency) => {
    expect(amountText(value, currency)).toBeUndefined();
  });

  it('loses no digit', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.constantFrom('EUR', 'JPY', 'KWD', 'CLF'), (value, currency) => {
        const digits = (amountText(value, currency) ?? '').replace(/[. A-Z]/g, '');
        expect(BigInt(digits)).toBe(value);
      }),
    );
  });
});

describe('amountInBothUnits', () => {
  it.each([
    [500, 'EUR', '500 (5.00 EUR)'],
    [500, 'JPY', '500 (500 JPY)'],
    [-5, 'eur', '-5 (-0.05 EUR)'],
    [500, 'ZZZ', '500 ZZZ (unit unknown)'],
    [500, undefined, undefined],
    ['500', 'EUR', undefined],
  ])('writes %s %s in both units', (value, currency, text) => {
    expect(amountInBothUnits(value, currency)).toBe(text);
  });
});

describe('the currency of an amount', () => {
  it.each([
    ['beside it', [{ currency: 'USD' }, { currency: 'EUR' }], 'amount', 'EUR'],
    ['above it', [{ currency: 'USD' }, [], { amount: 5 }], 'amount', 'USD'],
    ['by other names', [{ currencyCode: 'EUR' }], 'value', 'EUR'],
    ['its own before that of the object', [{ currency: 'USD', fee_currency: 'EUR' }], 'fee_amount', 'EUR'],
    ['not that of another amount', [{ fee_currency: 'EUR' }], 'amount', undefined],
    ['not one that is empty', [{ currency: 'USD' }, { currency: '' }], 'amount', 'USD'],
    ['nowhere', [{ country: 'DE' }], 'amount', undefined],
  ])('is %s', (_, holders, name, currency) => {
    expect(currencyOf(holders, name)).toBe(currency);
  });

  it('makes `value` an amount', () => {
    expect(isAmountIn({ value: 5, currency_code: 'EUR' }, 'value')).toBe(true);
    expect(isAmountIn({ value: 5 }, 'value', 'amount')).toBe(true);
    expect(isAmountIn({ value: 5 }, 'value', 'metadata')).toBe(false);
  });
});
