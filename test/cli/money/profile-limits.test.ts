import { describe, expect, it } from 'vitest';
import { readLimits } from '../../../src/cli/money/profile-limits.ts';

describe('readLimits', () => {
  it('reads currencies and amounts as they are written', () => {
    expect(readLimits(['EUR=500.00', 'JPY=60000', ' BHD=0.001 ', 'USD=0'], '--max-amount')).toEqual({
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
    expect(() => readLimits([text], '--max-amount')).toThrow(
      `--max-amount must be a currency and an amount in its major unit, not ${JSON.stringify(text)}`,
    );
  });

  it('says how a currency is written, and refuses one that is given twice', () => {
    expect(() => readLimits(['eur=5'], '--max-amount')).toThrow(
      '"eur=5", which writes the currency as eur instead of EUR',
    );
    expect(() => readLimits(['JPY=5.00'], '--max-amount')).toThrow(
      '"JPY=5.00", which has 2 decimals, and JPY has none',
    );
    expect(() => readLimits(['EUR=-5'], '--max-amount')).toThrow('"EUR=-5", which is negative');
    expect(() => readLimits(['EUR=5', 'EUR=6'], '--max-amount')).toThrow(
      '--max-amount gives the limit of EUR twice',
    );
  });

  it('names the flag that was used', () => {
    expect(() => readLimits(['EUR=5', 'EUR=6'], '--max-total')).toThrow(
      '--max-total gives the limit of EUR twice',
    );
    expect(() => readLimits(['EUR'], '--max-total')).toThrow(
      expect.objectContaining({
        problem: '--max-total must be a currency and an amount in its major unit, not "EUR"',
        hint: 'For example: --max-total EUR=500.00. To remove all limits: --unset max-total',
      }),
    );
  });
});
