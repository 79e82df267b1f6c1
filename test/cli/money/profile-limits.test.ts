import { describe, expect, it } from 'vitest';
import { readLimits } from '../../../src/cli/money/profile-limits.ts';

describe('readLimits', () => {
  it('reads currencies and amounts as they are written', () => {
    expect(readLimits(['EUR=500.00', 'JPY=60000', ' BHD=0.001 ', 'USD=0'])).toEqual({
      EUR: '500.00',
      JPY: '60000',
      BHD: '0.001',
      USD: '0',
    });
  });

  it.each([
    ['EUR'],
    ['EUR='],
    ['=5'],
    ['5.00EUR'],
    ['EUR=5.001'],
    ['JPY=1.0'],
    ['EUR=-1'],
    ['EUR=1e3'],
    ['EUR=1,000.00'],
    ['EUR=0x10'],
    ['EUR=5=6'],
    ['ABC=5'],
    ['XAU=5'],
    ['__proto__=5'],
  ])('refuses %j', (text) => {
    expect(() => readLimits([text])).toThrow(
      `--max-amount must be a currency and an amount in its major unit, not ${JSON.stringify(text)}`,
    );
  });

  it('says how a currency is written, and refuses one that is given twice', () => {
    expect(() => readLimits(['eur=5'])).toThrow('"eur=5", which writes the currency as eur instead of EUR');
    expect(() => readLimits(['JPY=5.00'])).toThrow('"JPY=5.00", which has 2 decimals, and JPY has none');
    expect(() => readLimits(['EUR=-5'])).toThrow('"EUR=-5", which is negative');
    expect(() => readLimits(['EUR=5', 'EUR=6'])).toThrow('--max-amount gives the limit of EUR twice');
  });
});
