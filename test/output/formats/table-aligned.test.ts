import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AlignedTableOptions, renderAlignedTable } from '../../../src/output/formats/table.ts';
import { sanitizeText } from '../../../src/output/sanitize.ts';
import { loadColors, plainColors } from '../../../src/output/terminal.ts';
import { displayWidth } from '../../../src/output/width.ts';
import { growthOf, LINEAR } from '../../harness/growth.ts';
import { buyerColumns } from '../sample-buyers.ts';

const options: AlignedTableOptions = {
  columns: [
    { header: 'ID', path: 'id' },
    { header: 'NAME', path: 'display_name' },
    { header: 'BALANCE', path: 'balance', format: 'number' },
    { header: 'CURRENCY', path: 'currency' },
  ],
  width: 80,
  header: true,
  colors: plainColors,
  keepAll: false,
  ellipsis: '…',
};

describe('renderAlignedTable', () => {
  it('aligns text left and numbers right, without trailing space', () => {
    const rows = [
      ['g1', 'Ada', '5', 'GBP'],
      ['g22', 'Grace Hopper', '12000', ''],
    ];
    expect(renderAlignedTable(rows, options).text).toBe(
      [
        'ID   NAME          BALANCE  CURRENCY',
        'g1   Ada                 5  GBP',
        'g22  Grace Hopper    12000',
        '',
      ].join('\n'),
    );
  });

  it('has no header when none is wanted', () => {
    expect(renderAlignedTable([['g1', 'Ada', '5', 'GBP']], { ...options, header: false }).text).toBe(
      'g1  Ada  5  GBP\n',
    );
  });

  it('writes the header bold where there is colour, at the same places', async () => {
    const rows = [['g1', 'Ada Lovelace', '5', 'GBP']];
    const colored = renderAlignedTable(rows, { ...options, colors: await loadColors(true) }).text;
    expect(colored.split('\n')[0]).toBe(
      '\u001B[1mID\u001B[22m  \u001B[1mNAME\u001B[22m          \u001B[1mBALANCE\u001B[22m  \u001B[1mCURRENCY\u001B[22m',
    );
  });

  it('aligns wide characters, emoji and combining marks by what a terminal shows', () => {
    const rows = [
      ['a', '山田太郎', '1', 'x'],
      ['b', '👩‍👩‍👧 Jose\u0301', '2', 'x'],
      ['c', 'สวัสดี', '3', 'x'],
    ];
    expect(renderAlignedTable(rows, { ...options, header: false }).text).toBe(
      ['a  山田太郎  1  x', 'b  👩‍👩‍👧 Jose\u0301   2  x', 'c  สวัสดี      3  x', ''].join('\n'),
    );
  });

  it('does not take text for its own stand-ins', () => {
    const rows = [['\uE000', '\uE000 \uE000', '1', 'x']];
    expect(renderAlignedTable(rows, { ...options, header: false }).text).toBe(
      '\uE000  \uE000 \uE000  1  x\n',
    );
  });

  const hostile = [
    '8a1b2c3d-4e5f-6071-8293-000000000001',
    'N'.repeat(300),
    'e'.repeat(120),
    `${'m'.repeat(60)}@example.com`,
    '2026-03-01 14:05Z',
  ];
  it.each([
    [80, ['created_at']],
    [120, []],
    [160, []],
  ])('fits %i columns and keeps the id whole', (width, leftOut) => {
    const { text, layout } = renderAlignedTable([hostile], { ...options, columns: buyerColumns, width });
    const lines = text.trimEnd().split('\n');
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
    expect(lines[1]).toContain('8a1b2c3d-4e5f-6071-8293-000000000001');
    expect(layout.leftOut.map((column) => column.path)).toEqual(leftOut);
  });

  it('makes every line as wide as its columns say, for any sanitised text', () => {
    const cell = fc.string({ unit: 'grapheme' }).map(sanitizeText);
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 5 }), (rows) => {
        const marked = rows.map(([first, second]) => [first, second, '|']);
        const columns = ['a', 'b', 'end'].map((path) => ({ header: path, path }));
        const { text } = renderAlignedTable(marked, { ...options, columns, header: false, width: 60 });
        const lines = text.split('\n').slice(0, -1);
        expect(lines.length).toBe(rows.length);
        expect(new Set(lines.map((line) => displayWidth(line))).size).toBe(1);
      }),
    );
  });

  it('takes time in proportion to the rows', async () => {
    const rows = Array.from({ length: 4_000 }, (_, index) => [
      `id-${index}`,
      index % 2 ? 'Ada' : '山田太郎',
      String(index),
      'GBP',
    ]);
    const growth = await growthOf((count) => renderAlignedTable(rows.slice(0, count), options), 500);
    expect(growth).toBeLessThan(LINEAR);
  });
});
