import { describe, expect, it } from 'vitest';
import { parseShownJson } from '../../src/json/exact.ts';
import { cellText, pathsOf, readableCell } from '../../src/output/columns.ts';

describe('readableCell', () => {
  it.each([
    ['a', 'a'],
    [null, ''],
    [undefined, ''],
    [0, '0'],
    [[], 'none'],
    [{}, 'none'],
    [['a', 'b'], 'a, b'],
    [[1, null, true], '1, , true'],
    [{ a: 1, b: null, c: 'x' }, 'a: 1, c: x'],
    [[{ mid: '1', scheme: 'visa' }, { mid: '2' }], 'mid: 1, scheme: visa; mid: 2'],
    [{ a: { b: 1, c: [] }, d: [] }, 'a: (b: 1, c: none), d: none'],
    [[[1]], '(1)'],
    [{ lines: [{ sku: 'a', tags: ['x', 'y'] }, { sku: 'b' }] }, 'lines: (sku: a, tags: (x, y); sku: b)'],
    [[[[[[[1]]]]]], '(((((\u2026)))))'],
  ])('writes %j as %j', (value, text) => {
    expect(readableCell(value)).toBe(text);
  });
});

describe('readableCell of exact numbers', () => {
  it('keeps them as they were written', () => {
    const value = parseShownJson('{"a":1.10,"b":[1e400,12345678901234567890]}') as Record<string, unknown>;
    expect([readableCell(value.a), readableCell(value.b)]).toEqual(['1.10', '1e400, 12345678901234567890']);
    expect(readableCell({ rate: value.a })).toBe('rate: 1.10');
  });
});

describe('a composed column', () => {
  const column = { header: 'X', path: 'a', parts: ['a', 'b'], cell: () => 'a and b' };

  it('shows its cell', () => {
    expect(cellText({}, column)).toBe('a and b');
    expect(cellText({ a: [] }, { header: 'A', path: 'a' })).toBe('none');
  });

  it('is for programs one path for each value, once', () => {
    const b = { header: 'B', path: 'b' };
    expect(pathsOf([column, b])).toEqual(['a', 'b']);
  });
});
