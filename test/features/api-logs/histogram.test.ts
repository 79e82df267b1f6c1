import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Histogram } from '../../../src/features/api-logs/histogram.ts';
import { sparkline } from '../../../src/features/api-logs/show-summary.ts';

const timelineOf = () =>
  new Histogram(
    Array.from({ length: 54 }, (_, power) => 2 ** power),
    256,
  );

describe('a timeline', () => {
  it('counts in columns between two instants', () => {
    const timeline = timelineOf();
    const minute = 60_000;
    for (const at of [0, 10, 10.5 * minute, 29 * minute, 29.5 * minute]) timeline.add(at);
    expect(timeline.columns(0, 30 * minute - 1, 3)).toEqual([2, 1, 2]);
    expect(timeline.columns(0, 30 * minute - 1, 1)).toEqual([5]);
  });

  it('has no holes where instants come regularly, in a minute as in a month', () => {
    for (const step of [1, 1000, 20_000, 3_600_000]) {
      const timeline = timelineOf();
      for (let index = 0; index < 720; index += 1) timeline.add(1_750_000_000_000 + index * step);
      const columns = timeline.columns(1_750_000_000_000, 1_750_000_000_000 + 719 * step, 16);
      expect(Math.min(...columns)).toBeGreaterThan(35);
      expect(Math.max(...columns)).toBeLessThan(55);
    }
  });

  it('loses no instant, wherever it is', () => {
    const instant = fc.oneof(
      fc.integer({ min: 0, max: 10_000_000 }),
      fc.integer({ min: -8_640_000_000_000_000, max: 8_640_000_000_000_000 }),
    );
    fc.assert(
      fc.property(
        fc.array(instant, { minLength: 1, maxLength: 50 }),
        fc.integer({ min: 1, max: 20 }),
        (instants, count) => {
          const timeline = timelineOf();
          for (const at of instants) timeline.add(at);
          const columns = timeline.columns(Math.min(...instants), Math.max(...instants), count);
          expect(columns).toHaveLength(count);
          expect(columns.reduce((sum, value) => sum + value, 0)).toBe(instants.length);
        },
      ),
    );
  });
});

describe('a sparkline', () => {
  it('is as high as its counts', () => {
    expect(sparkline([0, 1, 4, 8])).toBe(' \u2581\u2584\u2588');
    expect(sparkline([0, 0])).toBe('  ');
    expect(sparkline([])).toBe('');
  });
});
