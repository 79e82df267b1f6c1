import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayWidth, fitToWidth, headOf } from '../../src/output/width.ts';
import { growthOf } from '../harness/growth.ts';

describe('displayWidth', () => {
  it.each([
    ['Ada', 3],
    ['José', 4],
    ['Jose\u0301', 4],
    ['山田', 4],
    ['ｱ', 1],
    ['Ａ', 2],
    ['한국', 4],
    ['👩‍👩‍👧', 2],
    ['👍🏽', 2],
    ['❤️', 2],
    ['1️⃣', 2],
    ['🇬🇧', 2],
    ['สวัสดี', 4],
    ['', 0],
    ['␛', 1],
  ])('of %j is %i', (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });
});

describe('fitToWidth', () => {
  it.each([
    ['Lovelace', 8, 'Lovelace'],
    ['Lovelace', 7, 'Lovela…'],
    ['Lovelace', 1, '…'],
    ['Lovelace', 0, ''],
    ['山田太郎', 8, '山田太郎'],
    ['山田太郎', 7, '山田太…'],
    ['山田太郎', 6, '山田…'],
    ['👩‍👩‍👧👩‍👩‍👧', 3, '👩‍👩‍👧…'],
    ['e\u0301e\u0301e\u0301', 2, 'e\u0301…'],
  ])('cuts %j to %i columns as %j', (text, width, fitted) => {
    expect(fitToWidth(text, width).text).toBe(fitted);
  });

  it('cuts with full stops where the terminal has no ellipsis', () => {
    expect(fitToWidth('Lovelace', 6, '...')).toEqual({ text: 'Lov...', width: 6 });
  });

  it('never exceeds the width, and reports the width that it has', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 0, max: 30 }), (text, width) => {
        const fitted = fitToWidth(text, width);
        expect(fitted.width).toBeLessThanOrEqual(width);
        expect(fitted.width).toBe(displayWidth(fitted.text));
        if (displayWidth(text) <= width) expect(fitted.text).toBe(text);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each(['x', '山', 'e\u0301', '👩‍👩‍👧', '\u0301'])(
    'cuts a text of %j at once, however long it is',
    async (unit) => {
      const texts = new Map([100_000, 800_000].map((size) => [size, unit.repeat(size / unit.length)]));
      const fitted = fitToWidth(texts.get(800_000) ?? '', 40);
      expect(fitted.text.length).toBeLessThan(1_000);
      expect(fitted.text.endsWith('…')).toBe(true);
      expect(await growthOf((size) => fitToWidth(texts.get(size) ?? '', 40), 100_000)).toBeLessThan(4);
    },
  );
});

describe('headOf', () => {
  it('does not part a surrogate pair', () => {
    expect(headOf('a😀b', 2)).toBe('a');
    expect(headOf('a😀b', 3)).toBe('a😀');
    expect(headOf('ab', 9)).toBe('ab');
  });
});
