import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Histogram } from '../../../../src/features/api-logs/histogram.ts';
import { stepInWords } from '../../../../src/features/api-logs/report/figures.ts';
import { BAR_STEPS } from '../../../../src/features/api-logs/report/report.ts';

const at = (time: string) => Date.parse(`2026-03-01T${time}Z`);

describe('the histogram of a report', () => {
  it('has a bar for each step between the first and the last entry, also for those without any', () => {
    const histogram = new Histogram(BAR_STEPS, 10);
    histogram.add(at('10:02:59'), 404);
    histogram.add(at('10:00:00'), 500);
    histogram.add(at('10:00:30'));
    expect(histogram.bars()).toEqual({
      step_seconds: 60,
      bars: [
        { from: '2026-03-01T10:00:00.000Z', count: 2, '4xx': 0, '5xx': 1 },
        { from: '2026-03-01T10:01:00.000Z', count: 0, '4xx': 0, '5xx': 0 },
        { from: '2026-03-01T10:02:00.000Z', count: 1, '4xx': 1, '5xx': 0 },
      ],
    });
  });

  it('has nothing to show without entries', () => {
    expect(new Histogram(BAR_STEPS, 10).bars().bars).toEqual([]);
  });

  it('names its steps', () => {
    expect([60, 300, 3600, 86_400, 864_000].map(stepInWords)).toEqual([
      'a minute',
      '5 minutes',
      'an hour',
      'a day',
      '10 days',
    ]);
  });

  it('loses no entry and stays within its bars, whatever the times', () => {
    const times = fc.array(
      fc.oneof(
        fc.date({ noInvalidDate: true }),
        fc.date({ min: new Date(0), max: new Date(1e9), noInvalidDate: true }),
      ),
    );
    fc.assert(
      fc.property(times, fc.integer({ min: 10, max: 50 }), (dates, most) => {
        const histogram = new Histogram(BAR_STEPS, most);
        for (const date of dates) histogram.add(date.getTime(), 500);
        const { bars } = histogram.bars();
        expect(bars.length).toBeLessThanOrEqual(most);
        expect(bars.reduce((sum, { count }) => sum + count, 0)).toBe(dates.length);
      }),
    );
  });
});
