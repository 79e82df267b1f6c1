import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayWidth, fitToWidth, headOf, isWide, wrapWords } from '../../src/output/width.ts';
import { growthOf } from '../harness/growth.ts';
import { propertyRuns } from '../harness/property-runs.ts';

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
      propertyRuns(1_000),
    );
  });

  it.each(['x', '山', 'e\u0301', '👩‍👩‍👧', '\u0301'])(
    'cuts a text of %j at once, however long it is',
    async (unit) => {
      const texts = new Map([100_000, 800_000].map((size) => [size, unit.repeat(size / unit.length)]));
      const fitted = fitToWidth(texts.get(800_000) ?? '', 40);
      expect(fitted.text.length).toBeLessThan(1_000);
      expect(fitted.text.endsWith('…')).toBe(true);
      expect(await growthOf((size) => fitToWidth(texts.get(size) ?? '', 40), 100_000, 4)).toBeLessThan(4);
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

describe('isWide', () => {
  it.each([
    [0x10ff, false],
    [0x1100, true],
    [0x115f, true],
    [0x1160, false],
    [0x2328, false],
    [0x2329, true],
    [0x232a, true],
    [0x232b, false],
    [0x4e00, true],
    [0xff01, true],
    [0xff60, true],
    [0xff61, false],
    [0x3fffd, true],
    [0x3fffe, false],
    [0x10ffff, false],
    [0x41, false],
  ])('of U+%i is %s', (codePoint, wide) => {
    expect(isWide(codePoint)).toBe(wide);
  });
});

describe('wrapWords', () => {
  it.each([
    ['one two three', 13, ['one two three']],
    ['one two three', 12, ['one two', 'three']],
    ['one two three', 7, ['one two', 'three']],
    ['one two three', 6, ['one', 'two', 'three']],
    ['a-word-that-is-too-long b', 4, ['a-word-that-is-too-long', 'b']],
    ['山田 太郎', 9, ['山田 太郎']],
    ['山田 太郎', 8, ['山田', '太郎']],
    ['山田 太郎', 5, ['山田', '太郎']],
    ['', 5, ['']],
    ['word', 4, ['word']],
    ['a  b', 2, ['a ', 'b']],
  ])('breaks %j into lines of at most %i columns', (text, available, lines) => {
    expect(wrapWords(text, available)).toEqual(lines);
  });

  it('loses nothing but the spaces where it breaks, and breaks only where it must', () => {
    const word = fc.string({ unit: fc.constantFrom('a', '山', '-'), minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 30 }),
        (words, width) => {
          const lines = wrapWords(words.join(' '), width);
          expect(lines.join(' ')).toBe(words.join(' '));
          for (const [at, line] of lines.entries()) {
            if (line.includes(' ')) expect(displayWidth(line)).toBeLessThanOrEqual(width);
            const next = lines[at + 1]?.split(' ')[0];
            if (next !== undefined)
              expect(displayWidth(line) + 1 + displayWidth(next)).toBeGreaterThan(width);
          }
        },
      ),
    );
  });
});

describe('a surrogate pair at the end of a head', () => {
  it.each(['\u{10000}', '\u{10FFFF}', '😀'])('%j is left out whole or kept whole', (pair) => {
    expect(headOf(`a${pair}`, 2)).toBe('a');
    expect(headOf(`a${pair}`, 3)).toBe(`a${pair}`);
    expect(headOf('\uE000b', 1)).toBe('\uE000');
    expect(headOf('\uD7FFb', 1)).toBe('\uD7FF');
  });
});
