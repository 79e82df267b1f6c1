import { describe, expect, it } from 'vitest';
import { ticksOf, topOf } from '../../../../src/features/api-logs/report/html-timeline.ts';

const axis = (from: string, step: number, count: number) => ({
  step_seconds: step,
  bars: Array.from({ length: count }, (_, index) => ({
    from: new Date(Date.parse(from) + index * step * 1000).toISOString(),
    count: 1,
    '4xx': 1,
    '5xx': 0,
  })),
});

describe('the ticks of an axis', () => {
  it.each([
    ['2026-03-01T09:58:00Z', 60, 8, ['2 10:00 2026-03-01', '7 10:05 2026-03-01']],
    [
      '2026-03-01T22:00:00Z',
      3600,
      4,
      ['0 22:00 2026-03-01', '1 23:00 2026-03-01', '2 00:00 2026-03-02', '3 01:00 2026-03-02'],
    ],
    ['2026-03-01T00:00:00Z', 21_600, 20, [0, 4, 8, 12, 16].map((at, day) => `${at}  2026-03-0${day + 1}`)],
    [
      '1970-01-01T00:00:00Z',
      864_000,
      40,
      ['0  1970-01-01', '10  1970-04-11', '20  1970-07-20', '30  1970-10-28'],
    ],
  ] as const)('from %s in %i bars of %i seconds are at round times', (from, step, count, expected) => {
    const ticks = ticksOf(axis(from, step, count)).map(({ at, time, day }) => `${at * count} ${time} ${day}`);
    expect(ticks).toEqual(expected);
  });

  it('are six at most, and one at least', () => {
    for (const step of [60, 300, 900, 3600, 21_600, 86_400, 8_640_000]) {
      for (let count = 2; count <= 48; count += 1) {
        const { length } = ticksOf(axis('2026-03-01T09:59:00Z', step, count));
        expect(length, `${step} ${count}`).toBeGreaterThanOrEqual(1);
        expect(length, `${step} ${count}`).toBeLessThanOrEqual(6);
      }
    }
  });
});

describe('the top of a scale', () => {
  it.each([
    [0, 1],
    [1, 1],
    [2, 2],
    [3, 5],
    [14, 20],
    [50, 50],
    [51, 100],
    [1001, 2000],
  ])('of %i is %i', (most, top) => {
    expect(topOf(most)).toBe(top);
  });
});
