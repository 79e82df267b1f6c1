import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatOf } from '../../../src/output/columns.ts';
import {
  type ColumnMeasure,
  type LayoutOptions,
  layOutColumns,
} from '../../../src/output/formats/column-layout.ts';

function measure(
  path: string,
  contentWidth: number,
  changes: Partial<ColumnMeasure['column']> = {},
): ColumnMeasure {
  const header = path.toUpperCase().slice(0, 6);
  return { column: { header, path, ...changes }, contentWidth, headerWidth: header.length };
}

const options: LayoutOptions = { width: 80, gap: 2, keepAll: false };
const widthsOf = (wishes: readonly ColumnMeasure[], changes: Partial<LayoutOptions> = {}) => {
  const layout = layOutColumns(wishes, { ...options, ...changes });
  return { widths: layout.shown.map(({ width }) => width), leftOut: layout.leftOut.map(({ path }) => path) };
};

describe('formatOf', () => {
  it.each([
    ['id', 'id'],
    ['buyer_id', 'id'],
    ['user.id', 'id'],
    ['created_at', 'time'],
    ['timestamp', 'time'],
    ['display_name', 'text'],
    ['identifier', 'text'],
  ])('takes %s for %s', (path, format) => {
    expect(formatOf({ header: '', path })).toBe(format);
  });

  it('prefers what the column declares', () => {
    expect(formatOf({ header: '', path: 'id', format: 'number' })).toBe('number');
  });
});

describe('layOutColumns', () => {
  it('gives every column its natural width where there is room', () => {
    expect(widthsOf([measure('id', 36), measure('name', 20)])).toEqual({ widths: [36, 20], leftOut: [] });
  });

  it('shrinks the longest text first and uses every column of the terminal', () => {
    expect(widthsOf([measure('id', 36), measure('name', 12), measure('mail', 60)])).toEqual({
      widths: [36, 12, 28],
      leftOut: [],
    });
  });

  it('shares what is short between long texts', () => {
    expect(widthsOf([measure('id', 36), measure('name', 50), measure('mail', 60)])).toEqual({
      widths: [36, 20, 20],
      leftOut: [],
    });
  });

  it('leaves out the column of the lowest priority rather than cut an id', () => {
    const wishes = [measure('id', 36), measure('buyer_id', 36, { priority: -1 }), measure('name', 30)];
    expect(widthsOf(wishes)).toEqual({ widths: [36, 30], leftOut: ['buyer_id'] });
  });

  it('leaves out the last of equal columns', () => {
    expect(widthsOf([measure('id', 36), measure('a_id', 36), measure('b_id', 36)])).toEqual({
      widths: [36, 36],
      leftOut: ['b_id'],
    });
  });

  it('does not cut text below its declared minimum', () => {
    const wishes = [measure('id', 36), measure('name', 60, { minWidth: 45, priority: 1 })];
    expect(widthsOf(wishes)).toEqual({ widths: [60], leftOut: ['id'] });
  });

  it('cuts the one column that remains', () => {
    expect(widthsOf([measure('id', 36), measure('name', 12)], { width: 20 })).toEqual({
      widths: [20],
      leftOut: ['name'],
    });
  });

  it('leaves none out when all have to stay, and lets ids reach beyond the edge', () => {
    const wishes = [measure('id', 36), measure('a_id', 36), measure('name', 40)];
    expect(widthsOf(wishes, { keepAll: true })).toEqual({ widths: [36, 36, 10], leftOut: [] });
  });

  it('never exceeds the terminal, and never cuts an id that could be kept by leaving others out', () => {
    const column = fc.record({
      id: fc.boolean(),
      natural: fc.integer({ min: 6, max: 60 }),
      priority: fc.integer({ min: 0, max: 3 }),
    });
    fc.assert(
      fc.property(
        fc.array(column, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 20, max: 160 }),
        (columns, width) => {
          const wishes = columns.map(({ id, natural, priority }, at) =>
            measure(id ? `c${at}_id` : `c${at}`, natural, { priority }),
          );
          const layout = layOutColumns(wishes, { width, gap: 2, keepAll: false });
          const total = layout.shown.reduce((sum, shown) => sum + shown.width, 2 * (layout.shown.length - 1));
          expect(total).toBeLessThanOrEqual(width);
          expect(layout.shown.length + layout.leftOut.length).toBe(wishes.length);
          if (layout.shown.length > 1) {
            for (const shown of layout.shown) {
              if (columns[shown.index]?.id) expect(shown.width).toBe(wishes[shown.index]?.contentWidth);
            }
          }
        },
      ),
    );
  });
});

describe('a good width', () => {
  const measures = [
    {
      column: { header: 'A', path: 'a', minWidth: 10, goodWidth: 30, priority: 10 },
      contentWidth: 60,
      headerWidth: 1,
    },
    { column: { header: 'ID', path: 'id', priority: 5 }, contentWidth: 36, headerWidth: 2 },
  ];
  const shownIn = (width: number) =>
    layOutColumns(measures, { width, gap: 2, keepAll: false }).shown.map(({ width: columns }) => columns);

  it('is kept by leaving out what is not essential', () => {
    expect(shownIn(68)).toEqual([30, 36]);
    expect(shownIn(67)).toEqual([60]);
  });

  it('gives way where nothing can be left out', () => {
    expect(shownIn(20)).toEqual([20]);
  });
});
