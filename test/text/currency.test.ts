import { describe, expect, it } from 'vitest';
import { currencyDecimals } from '../../src/text/currency.ts';

describe('the decimals of a currency', () => {
  it.each([
    ['GBP', 2],
    ['JPY', 0],
    // ICU has none for this one.
    ['HUF', 2],
    ['KWD', 3],
    ['CLF', 4],
    ['XAU', undefined],
    ['ZZZ', undefined],
    ['gbp', undefined],
    ['', undefined],
  ])('of %s are %s', (currency, decimals) => {
    expect(currencyDecimals(currency)).toBe(decimals);
  });
});
