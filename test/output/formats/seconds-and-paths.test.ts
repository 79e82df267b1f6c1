import { describe, expect, it } from 'vitest';
import { layOutColumns } from '../../../src/output/formats/column-layout.ts';
import { renderAlignedTable } from '../../../src/output/formats/table.ts';
import { plainColors } from '../../../src/output/terminal.ts';
import { readTime } from '../../../src/text/instant.ts';

describe('a column that is only for cells that differ', () => {
  const measure = (isVaried: boolean) => ({
    column: { header: 'HOST', path: 'host', onlyIfVaried: true },
    contentWidth: 4,
    headerWidth: 4,
    isVaried,
  });
  const shown = (isVaried: boolean, keepAll = false) =>
    layOutColumns([measure(isVaried)], { width: 80, gap: 2, keepAll });

  it('is neither shown nor reported as left out where they are the same, unless everything is shown', () => {
    expect(shown(false)).toEqual({ shown: [], leftOut: [] });
    expect(shown(true).shown).toEqual([{ index: 0, width: 4 }]);
    expect(shown(false, true).shown).toEqual([{ index: 0, width: 4 }]);
  });
});

describe('short forms', () => {
  const columns = [
    { header: 'TIME', path: 'time', format: 'seconds' as const, priority: 10 },
    { header: 'PATH', path: 'path', format: 'path' as const, minWidth: 16, priority: 10 },
    { header: 'CODE', path: 'code', minWidth: 10, priority: 6 },
    { header: 'ID', path: 'id', shortens: true, priority: 8 },
  ];
  const options = { columns, header: false, colors: plainColors, keepAll: false, ellipsis: '\u2026' };
  const row = (id: string, at: number) => [
    `2025-12-01 05:31:5${at}Z`,
    `/buyers/b88${at}\u2026/shipping-details`,
    at === 0 ? 'bad_request' : 'not_found',
    id,
  ];
  const rows = ['5041a892-fb00-4846-8360-690c9631e63e', '604102e1-38c6-4f37-8da9-3ed60c3c46a5'].map(row);
  const shownIn = (width: number, changes = {}) =>
    renderAlignedTable(rows, { ...options, width, ...changes }).text.split('\n')[0];

  it('of times have the year only where a reader may take the day for another one', () => {
    const time = (at: number) => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')}Z`;
    const cells = [1, 179, 181, 400].map((days) => time(Date.now() - days * 86_400_000));
    const { text } = renderAlignedTable(
      cells.map((cell) => [cell]),
      { ...options, columns: columns.slice(0, 1), width: 17 },
    );
    const lines = cells.map((cell, at) => cell.slice(at < 2 ? 5 : 0, 16));
    expect(text).toBe(lines.map((line) => `${line}Z\n`).join(''));
    for (const line of lines) {
      const { from = 0 } = readTime(`${line}Z`, Date.now(), '--since') ?? {};
      expect(time(from)).toContain(line);
    }
  });

  it('are those of IDs before a column is left out', () => {
    expect(shownIn(103)).toBe(
      '2025-12-01 05:31:50Z  /buyers/b880\u2026/shipping-details  bad_request  5041a892-fb00-4846-8360-690c9631e63e',
    );
    expect(shownIn(87)).toBe(
      '2025-12-01 05:31:50Z  /buyers/b880\u2026/shipping-details  bad_request  5041a892',
    );
  });

  it('are those of times before one that is essential', () => {
    expect(shownIn(48)).toBe('2025-12-01 05:31:50Z  /bu\u2026/shipping-d\u2026  5041a892');
    expect(shownIn(45)).toBe('2025-12-01 05:31Z  /bu\u2026/shipping-d\u2026  5041a892');
    expect(shownIn(44)).toBe('2025-12-01 05:31:50Z  /buyers/\u2026/shipping-de\u2026');
  });

  it('are none of columns that were named', () => {
    expect(shownIn(48, { keepAll: true })).toBe(
      '2025-12-01 05:31:50Z  /bu\u2026/shipping-d\u2026  bad_reque\u2026  5041a892-fb00-4846-8360-690c9631e63e',
    );
  });

  it('are as long as IDs need to differ, now and in the rows that follow', () => {
    const alike = ['019364f0-aaaa-7000-8000-000000000000', '019364f0-aabb-7000-8000-000000000000'].map(row);
    const { text, idLengths } = renderAlignedTable(alike, { ...options, width: 80 });
    expect(text).toMatch(/ 019364f0-aaa\n.* 019364f0-aab\n$/);
    expect(idLengths).toEqual([undefined, undefined, undefined, 12]);
    expect(renderAlignedTable(rows, { ...options, width: 80, idLengths }).text).toMatch(/ 5041a892-fb0\n/);
  });

  it('are not made of IDs that are no UUIDs, whose beginnings commands do not take', () => {
    for (const ids of [['x'.repeat(30), 'y'.repeat(30)], ['\u5c71'.repeat(20)]]) {
      const { layout } = renderAlignedTable(ids.map(row), { ...options, width: 60 });
      expect(layout.leftOut.map(({ header }) => header)).toEqual(['CODE', 'ID']);
    }
  });
});
