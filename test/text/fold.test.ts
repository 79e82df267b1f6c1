import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldText } from '../../src/text/fold.ts';

describe('foldText', () => {
  it.each([
    ['José', 'JOSE'],
    ['Jose\u0301', 'josé'],
    ['İstanbul', 'istanbul'],
    ['Łódź'.slice(1), 'ODZ'],
    ['ＡＢＣ', 'abc'],
    ['Соломія', 'СОЛОМІЯ'],
    ['Ünal Çelik', 'unal celik'],
  ])('takes %s for %s', (one, other) => {
    expect(foldText(one)).toBe(foldText(other));
  });

  it.each([
    ['ś', 'š', true],
    ['o', 'ø', false],
    ['か', 'き', false],
    ['', ' ', false],
  ])('takes %s for %s: %s', (one, other, isSame) => {
    expect(foldText(one) === foldText(other)).toBe(isSame);
  });

  it('gives the same for what it gave', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(foldText(foldText(text))).toBe(foldText(text));
      }),
    );
  });
});
