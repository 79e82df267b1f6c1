import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compare,
  type Decimal,
  decimalOf,
  isSafe,
  minus,
  numberOf,
  part,
  plus,
  textOf,
  trimmed,
  ZERO,
} from '../../src/json/decimal.ts';
import { parseKeepingNumbers } from '../../src/json/exact.ts';

function decimal(value: unknown): Decimal {
  const found = decimalOf(value);
  if (!found) throw new TypeError(`${String(value)} is no decimal`);
  return found;
}

describe('a decimal', () => {
  it.each([
    ['12.50', '12.50'],
    ['-0.05', '-0.05'],
    ['.5', '0.5'],
    ['7.', '7'],
    ['007', '7'],
    [12.5, '12.5'],
    [1e21, '1000000000000000000000'],
    [1e-7, '0.0000001'],
    [0, '0'],
    [parseKeepingNumbers('{"a":1.10}').a, '1.10'],
    [parseKeepingNumbers('{"a":1.5e2}').a, '150'],
  ])('is read from %j', (value, text) => {
    expect(textOf(decimal(value))).toBe(text);
  });

  it.each(['', ' 1', '1e3', '+1', '1,5', 'abc', '--1', '.', null, undefined, true, {}, [], Number.NaN])(
    'is not read from %j',
    (value) => {
      expect(decimalOf(value)).toBeUndefined();
    },
  );

  it('is read from an integer that a double cannot hold', () => {
    expect(textOf(decimal(2n ** 60n))).toBe('1152921504606846976');
    expect(textOf(decimal(-(2n ** 60n)))).toBe('-1152921504606846976');
  });

  it('has whole units where an exponent moves its point beyond its digits', () => {
    expect(decimalOf(parseKeepingNumbers('{"a":1.5e2}').a)).toEqual({ units: 150n, places: 0 });
    expect(decimalOf(parseKeepingNumbers('{"a":-2E+1}').a)).toEqual({ units: -20n, places: 0 });
    expect(decimalOf('-12.50')).toEqual({ units: -1250n, places: 2 });
  });

  it('is cut where it is longer than any amount, so that no text makes it expensive', () => {
    expect(decimalOf(`0.${'7'.repeat(1000)}`)).toEqual({ units: BigInt('7'.repeat(399)), places: 399 });
    expect(decimalOf(`${'7'.repeat(400)}`)).toEqual({ units: BigInt('7'.repeat(400)), places: 0 });
    expect(textOf(decimal('7'.repeat(1000)))).toBe('7'.repeat(400) + '0'.repeat(400));
    const smallest = decimal(parseKeepingNumbers('{"a":1e-999999999}').a);
    expect(smallest).toEqual({ units: 1n, places: 400 });
  });

  it('loses the zeros at the end of its decimals, and no others', () => {
    expect(trimmed(decimal('12.500'))).toEqual({ units: 125n, places: 1 });
    expect(trimmed(decimal('12.00'))).toEqual({ units: 12n, places: 0 });
    expect(trimmed(decimal('1200'))).toEqual({ units: 1200n, places: 0 });
    expect(trimmed(decimal('0.05'))).toEqual({ units: 5n, places: 2 });
    expect(trimmed(decimal('0.00'))).toEqual(ZERO);
    expect(trimmed(decimal('-1.10'))).toEqual({ units: -11n, places: 1 });
  });

  it('is less than, equal to or more than another, whatever their decimals', () => {
    expect(compare(decimal('1.0'), decimal(1))).toBe(0);
    expect(compare(decimal('0.99'), decimal(1))).toBeLessThan(0);
    expect(compare(decimal(1), decimal('0.99'))).toBeGreaterThan(0);
    expect(compare(decimal('-0.01'), ZERO)).toBeLessThan(0);
  });

  it('is not held by a double where it has more digits', () => {
    const safe = [
      '9007199254740991',
      '-9007199254740991',
      '0.123456789012345',
      '-1.25',
      '0.3',
      '12.500000000000000000',
      '1234567890123.45',
      '0',
    ];
    const unsafe = [
      '9007199254740992',
      '-9007199254740992',
      '12345678901234.56',
      '0.1234567890123456',
      `1${'0'.repeat(1000)}`,
    ];
    expect(safe.map((text) => isSafe(decimal(text)))).toEqual(safe.map(() => true));
    expect(unsafe.map((text) => isSafe(decimal(text)))).toEqual(unsafe.map(() => false));
    const extremes = ['1e400', '1e-400', '1e999999999', '-1e999999999'].map(
      (text) => parseKeepingNumbers(`{"a":${text}}`).a,
    );
    expect(extremes.map((value) => isSafe(decimal(value)))).toEqual([false, false, false, false]);
  });

  it('is added, compared and divided without rounding', () => {
    expect(textOf(plus(decimal('0.1'), decimal('0.20')))).toBe('0.30');
    expect(textOf(minus(decimal(1), decimal('1.25')))).toBe('-0.25');
    expect(textOf(part(decimal('12.55'), 2))).toBe('6.27');
    expect(textOf(decimal(5), 2)).toBe('5.00');
    expect(textOf(decimal('0.5'), 2)).toBe('0.50');
    expect(textOf(decimal('1.234'), 2)).toBe('1.234');
    expect(textOf(ZERO, 2)).toBe('0.00');
    const cents = fc.integer({ min: -1e12, max: 1e12 });
    fc.assert(
      fc.property(cents, cents, (one, other) => {
        const [a, b] = [decimal(one / 100), decimal((other / 100).toFixed(2))];
        expect(numberOf(plus(a, b))).toBe((one + other) / 100);
        expect(Math.sign(compare(a, b))).toBe(Math.sign(one - other));
      }),
    );
  });
});
