import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { minorUnits, readMoney, waysToWrite } from '../../../src/cli/money/minor-units.ts';
import { amountText } from '../../../src/output/amount.ts';

/** ISO 4217's exponents of some currencies of each kind. */
const EXPONENTS = { JPY: 0, KRW: 0, ISK: 0, EUR: 2, HUF: 2, USD: 2, BHD: 3, KWD: 3, CLF: 4, UYW: 4 };
const currencies = fc.constantFrom(...(Object.entries(EXPONENTS) as [string, number][]));
const forms = fc.constantFrom(
  (number: string, code: string) => `${number}${code}`,
  (number: string, code: string) => `${number} ${code}`,
  (number: string, code: string) => `${code}${number}`,
  (number: string, code: string) => `${code} ${number}`,
);

describe('readMoney', () => {
  it.each([
    ['5.00EUR', 500n, 'EUR'],
    ['5.00 EUR', 500n, 'EUR'],
    ['EUR 5.00', 500n, 'EUR'],
    ['5EUR', 500n, 'EUR'],
    ['5.5EUR', 550n, 'EUR'],
    ['0EUR', 0n, 'EUR'],
    ['-0.05EUR', -5n, 'EUR'],
    ['500JPY', 500n, 'JPY'],
    ['1.234BHD', 1234n, 'BHD'],
    ['90071992547409.93EUR', 9007199254740993n, 'EUR'],
    [`${'9'.repeat(30)}JPY`, BigInt('9'.repeat(30)), 'JPY'],
  ])('reads %s', (text, minor, currency) => {
    expect(readMoney(text)).toEqual({ minor, currency });
  });

  it.each([
    ['5.00', 'has no currency'],
    ['EUR', 'has no currency'],
    ['5.00 EUR ', 'has no currency'],
    ['5.00  EUR', 'has no currency'],
    ['5.00EUR EUR', 'has no currency'],
    ['1e2EUR', 'has no currency'],
    ['5.00eur', 'writes the currency as eur instead of EUR'],
    ['5.00ZZZ', 'has a currency code that is not in ISO 4217, or that has no minor unit'],
    ['5.00XAU', 'has a currency code that is not in ISO 4217, or that has no minor unit'],
    ['5.000EUR', 'has 3 decimals, and EUR has 2'],
    ['5.0JPY', 'has 1 decimal, and JPY has none'],
    ['-0.00EUR', 'is a negative zero'],
    ['1,000.00EUR', 'has a comma or a thousands separator; use a decimal point and no thousands separators'],
    ['1.000.00EUR', 'has a comma or a thousands separator; use a decimal point and no thousands separators'],
    ['5,00EUR', 'has a comma or a thousands separator; use a decimal point and no thousands separators'],
    ['.5EUR', 'is not a number in digits, such as 5.00'],
    ['5.EUR', 'is not a number in digits, such as 5.00'],
    ['05EUR', 'is not a number in digits, such as 5.00'],
    ['+5EUR', 'is not a number in digits, such as 5.00'],
    ['٥EUR', 'is not a number in digits, such as 5.00'],
    [`${'9'.repeat(31)}EUR`, 'has more than 30 characters'],
  ])('refuses %j', (text, problem) => {
    const isBare = problem === 'has no currency';
    expect(readMoney(text)).toEqual({ problem, ...(isBare && { isBare }) });
  });

  it('is exact for any digits, currency and form', () => {
    const digits = fc.stringMatching(/^(?:0|[1-9]\d{0,17})$/);
    const fractions = fc.stringMatching(/^\d{0,6}$/);
    fc.assert(
      fc.property(
        currencies,
        digits,
        fractions,
        fc.boolean(),
        forms,
        ([code, exponent], whole, rest, isNegative, form) => {
          const fraction = rest === '' ? '' : `.${rest}`;
          const number = `${isNegative ? '-' : ''}${whole}${fraction}`;
          const read = readMoney(form(number, code));
          const isZero = !/[1-9]/.test(number);
          if (rest.length > exponent || (isNegative && isZero)) {
            expect(read).toHaveProperty('problem');
            return;
          }
          if (!('minor' in read)) throw new Error(read.problem);
          // The same fraction: minor / 10^exponent = digits / 10^decimals.
          const written = BigInt(`${whole}${rest}`) * (isNegative ? -1n : 1n);
          expect(read.minor * 10n ** BigInt(rest.length)).toBe(written * 10n ** BigInt(exponent));
        },
      ),
    );
  });

  it('reads back what is shown of any amount', () => {
    fc.assert(
      fc.property(currencies, fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), ([currency], minor) => {
        const shown = amountText(minor, currency) ?? '';
        expect(readMoney(shown)).toEqual({ minor, currency });
        expect(readMoney(shown.replace(' ', ''))).toEqual({ minor, currency });
      }),
    );
  });

  it('never takes a text without digits and a code in capital letters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const read = readMoney(text);
        if ('minor' in read) expect(text).toMatch(/^(?:-?[\d.]+ ?[A-Z]{3}|[A-Z]{3} ?-?[\d.]+)$/);
      }),
    );
  });
});

describe('the ways to write an amount', () => {
  it.each([
    ['25.00', undefined, 'For example, 25.00 EUR is 2500 or 25.00EUR.'],
    ['25.00', 'kwd', 'For 25.000 KWD, use 25000 or 25.000KWD.'],
    ['25.00kwd', 'EUR', 'For 25.000 KWD, use 25000 or 25.000KWD.'],
    ['25.00', 'JPY', 'For example, 5 JPY is 5 or 5JPY.'],
    ['5e2', 'EUR', 'For example, 5.00 EUR is 500 or 5.00EUR.'],
    ['12.345', 'EUR', 'For example, 5.00 EUR is 500 or 5.00EUR.'],
    ['1,000.00EUR', undefined, 'For example, 5.00 EUR is 500 or 5.00EUR.'],
    ['+500', undefined, 'For example, 5.00 EUR is 500 or 5.00EUR.'],
    ['00500', 'JPY', 'For example, 5 JPY is 5 or 5JPY.'],
    ['x', 'ZZZ', 'For example, 5.00 EUR is 500 or 5.00EUR.'],
  ])('of %s %s', (text, currency, hint) => {
    expect(waysToWrite(text, currency, (minor, major) => `${minor} or ${major}`)).toBe(hint);
  });
});

describe('minorUnits', () => {
  it('takes a number apart from its currency', () => {
    expect(minorUnits('500.00', 'EUR')).toBe(50000n);
    expect(minorUnits('5', '')).toHaveProperty('problem');
  });
});
