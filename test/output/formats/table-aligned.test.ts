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

  it('makes every line as wide as its columns say, for any sanitised text', { tags: 'slow' }, () => {
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

  it('takes time in proportion to the rows', { tags: 'slow' }, async () => {
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

describe('a table of all columns', () => {
  const wide: AlignedTableOptions = {
    ...options,
    columns: [
      { header: 'TIME', path: 'time', format: 'seconds' },
      { header: 'PATH', path: 'path', format: 'path', minWidth: 16, yields: true },
      { header: 'HOST', path: 'host' },
      { header: 'ZONE', path: 'zone' },
      { header: 'NOTE', path: 'note' },
      { header: 'ID', path: 'id', shortens: true },
    ],
    wraps: true,
  };
  const row = (id: string, note: string) => [
    `2025-12-01 05:31:5${note.length % 10}Z`,
    `/buyers/b8829f5c-6d01-4770-9eac-b771748ca60a/${note === '' ? 'gift-cards' : 'shipping-details'}`,
    'one.example.com',
    '',
    note,
    id,
  ];
  const ids = ['5041a892-fb00-4846-8360-690c9631e63e', '604102e1-38c6-4f37-8da9-3ed60c3c46a5'] as const;

  it('goes on in further lines, with whole IDs, and leaves out only what has no value in any row', () => {
    const rows = [row(ids[0], 'the first note of all'), row(ids[1], '')];
    const { text, layout } = renderAlignedTable(rows, { ...wide, width: 72 });
    expect(text.split('\n')).toEqual([
      'TIME                  PATH              HOST             NOTE',
      '  ID',
      '2025-12-01 05:31:51Z  /buyers/b8829f5c  one.example.com  the first note',
      '                      -6d01-4770-9eac-                   of all',
      '                      b771748ca60a/',
      '                      shipping-details',
      '  5041a892-fb00-4846-8360-690c9631e63e',
      '2025-12-01 05:31:50Z  /buyers/b8829f5c  one.example.com',
      '                      -6d01-4770-9eac-',
      '                      b771748ca60a/',
      '                      gift-cards',
      '  604102e1-38c6-4f37-8da9-3ed60c3c46a5',
      '',
    ]);
    expect(layout.leftOut.map(({ header }) => header)).toEqual(['ZONE']);
  });

  it('has one line a row, and all columns, where there is room', () => {
    const { text, layout } = renderAlignedTable([row(ids[0], 'note'), row(ids[1], 'note')], {
      ...wide,
      width: 170,
    });
    expect(text.split('\n')[2]?.split(/ {2,}/)).toEqual(row(ids[1], 'note').filter(Boolean));
    expect(layout.leftOut).toEqual([]);
  });

  it('loses no character of any sanitised text, and never exceeds the terminal', { tags: 'slow' }, () => {
    const cell = fc.string({ unit: 'grapheme', maxLength: 60 }).map((text) => sanitizeText(text).trim());
    fc.assert(
      fc.property(
        fc.array(cell, { minLength: 2, maxLength: 6 }),
        fc.integer({ min: 4, max: 60 }),
        (cells, width) => {
          const columns = cells.map((_, at) => ({ header: '', path: `c${at}` }));
          const { text } = renderAlignedTable([cells], {
            ...wide,
            columns,
            header: false,
            width,
            keepAll: false,
          });
          const plain = (some: string) => [...some.replaceAll(' ', '')].toSorted().join('');
          expect(plain(text.replaceAll('\n', ''))).toBe(plain(cells.join('')));
          for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(width);
        },
      ),
    );
  });
});

describe('a column without a cell', () => {
  const columns = [
    { header: 'NAME', path: 'name', priority: 1 },
    { header: 'PHONE', path: 'phone', priority: 9 },
    { header: 'ID', path: 'id', priority: 1 },
  ];
  const rows = [['Ada Lovelace', '', '8a1b2c3d-4e5f-6071-8293-000000000001']];
  const headersIn = (width: number, changes: Partial<AlignedTableOptions> = {}) =>
    renderAlignedTable(rows, { ...options, columns, width, ...changes })
      .text.split('\n')[0]
      ?.split(/ +/);

  it('is left out first, but only where the terminal is too narrow and no later rows may have one', () => {
    expect(headersIn(60)).toEqual(['NAME', 'PHONE', 'ID']);
    expect(headersIn(56)).toEqual(['NAME', 'ID']);
    expect(headersIn(56, { hasLaterRows: true })).toEqual(['NAME', 'PHONE', 'ID']);
    expect(headersIn(56, { keepAll: true })).toEqual(['NAME', 'PHONE', 'ID']);
  });
});

describe('a column that says the same in each row', () => {
  const columns = [
    { header: 'STATUS', path: 'status', dropsFirstIfSame: true, priority: 10 },
    { header: 'CODE', path: 'code', priority: 5 },
    { header: 'ID', path: 'id', priority: 9 },
  ];
  const rows = [
    ['401', 'token_expired', '8a1b2c3d-4e5f-6071-8293-000000000001'],
    ['401', 'key_unknown', '8a1b2c3d-4e5f-6071-8293-000000000002'],
  ];
  const headersIn = (width: number, changes: Partial<AlignedTableOptions> = {}, some = rows) =>
    renderAlignedTable(some, { ...options, columns, width, ...changes })
      .text.split('\n')[0]
      ?.split(/ +/);

  it('is left out first where the terminal is too narrow, unless it is one row or others follow', () => {
    expect(headersIn(59)).toEqual(['STATUS', 'CODE', 'ID']);
    expect(headersIn(55)).toEqual(['CODE', 'ID']);
    expect(headersIn(55, { hasLaterRows: true })).toEqual(['STATUS', 'ID']);
    expect(headersIn(55, {}, rows.slice(1))).toEqual(['STATUS', 'ID']);
    expect(headersIn(55, { keepAll: true })).toEqual(['STATUS', 'CODE', 'ID']);
    expect(headersIn(55, { wraps: true })).toContain('STATUS');
  });
});

describe('texts of a narrow table', () => {
  const columns = [
    {
      header: 'PATH',
      path: 'path',
      format: 'path' as const,
      minWidth: 12,
      goodWidth: 30,
      yields: true,
      priority: 10,
    },
    { header: 'WHY', path: 'why', minWidth: 20, goodWidth: 60, priority: 10 },
    { header: 'CHANGE', path: 'change', wraps: true, priority: 10 },
  ];
  const shownIn = (width: number, cells: readonly string[]) =>
    renderAlignedTable([cells], { ...options, columns: columns.slice(0, cells.length), width, header: false })
      .text;

  it('are cut from the one that yields first, in the middle of its path', () => {
    const cells = ['/payment-service-definitions/acme/sessions', 'w'.repeat(50)];
    expect(shownIn(100, cells)).toBe(`/payment-service-definitions/acme/sessions  ${'w'.repeat(50)}\n`);
    expect(shownIn(72, cells)).toBe(`/payment-s…/sessions  ${'w'.repeat(50)}\n`);
    expect(shownIn(40, cells)).toBe(`/pa…/sessio…  ${'w'.repeat(25)}…\n`);
  });

  it('are wrapped in a column that asks for it', () => {
    expect(shownIn(44, ['/a', 'short', 'the response of 200 no longer has the field total'])).toBe(
      ['/a  short  the response of 200 no longer has', '           the field total', ''].join('\n'),
    );
  });
});
