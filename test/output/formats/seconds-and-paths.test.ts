import { describe, expect, it } from 'vitest';
import { layOutColumns } from '../../../src/output/formats/column-layout.ts';
import { secondsTime } from '../../../src/text/format.ts';

describe('secondsTime', () => {
  it.each([
    ['2026-03-01T14:05:59.123+00:00', 'Mar  1 14:05:59Z'],
    ['2026-12-31T23:30:00-02:00', 'Jan  1 01:30:00Z'],
    ['2026-13-01T14:05:59Z', '2026-13-01T14:05:59Z'],
    ['tomorrow', 'tomorrow'],
  ])('shows %j as %j', (text, shown) => {
    expect(secondsTime(text)).toBe(shown);
  });
});

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
