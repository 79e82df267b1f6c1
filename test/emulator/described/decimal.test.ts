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
} from '../../../src/emulator/described/decimal.ts';
import { parseKeepingNumbers } from '../../../src/json/exact.ts';

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

  it('is not held by a double where it has more digits', () => {
    const safe = ['9007199254740991', '0.3', '12.500000000000000000', '1234567890123.45', '0'];
    const unsafe = ['9007199254740992', '12345678901234.56', '0.1234567890123456', `1${'0'.repeat(1000)}`];
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
