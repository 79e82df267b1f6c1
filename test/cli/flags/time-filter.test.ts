import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { selectByTime, type TimeFlagValues } from '../../../src/cli/flags/time-filter.ts';

const NOW = Date.parse('2026-03-10T12:00:00Z');
const at = (...times: string[]) => times.map((time) => ({ timestamp: time }));

function select(flags: TimeFlagValues, test?: (item: unknown) => boolean) {
  return selectByTime({ path: 'timestamp', noun: 'entries', flags, test });
}

describe('a selection by time', () => {
  it('holds the items of the span, its beginning included', () => {
    const selection = select({ since: '2026-03-10T10:00:00Z', until: '2026-03-10T11:00:00Z' });
    const items = at(
      '2026-03-10T11:00:01Z',
      '2026-03-10T11:00:00.999Z',
      '2026-03-10T12:30:00+02:00',
      '2026-03-10T10:00:00Z',
      '2026-03-10T09:59:59.999Z',
    );
    expect(selection.keeps(items, NOW)).toEqual([false, true, true, true, false]);
    expect(selection.summary?.(3, 'sent')).toBe(
      '3 of 5 entries between 2026-03-10T09:59:59Z and 2026-03-10T11:00:01Z match. --since 2026-03-10T10:00:00Z is 2026-03-10T10:00:00Z. --until 2026-03-10T11:00:00Z is 2026-03-10T11:00:00Z.',
    );
  });

  it('counts from the clock of the service, and says which instant that is', () => {
    const selection = select({ since: '1h' });
    expect(selection.keeps(at('2026-03-10T11:00:00Z', '2026-03-10T10:59:59Z'), NOW)).toEqual([true, false]);
    expect(selection.keeps(at('2026-03-10T11:30:00Z'), NOW + 3_600_000)).toEqual([true]);
    expect(selection.summary?.(2, 'sent')).toContain('--since 1h is 2026-03-10T11:00:00Z.');
  });

  it('is over once items that came newest first are a minute older than the span', () => {
    const selection = select({ since: '1h' });
    expect(selection.isOver?.()).toBe(false);
    selection.keeps(at('2026-03-10T11:30:00Z', '2026-03-10T11:30:00Z', '2026-03-10T11:00:00Z'), NOW);
    expect(selection.isOver?.()).toBe(false);
    selection.keeps(at('2026-03-10T10:59:00Z'), NOW);
    expect(selection.isOver?.()).toBe(false);
    selection.keeps(at('2026-03-10T10:58:59.999Z'), NOW);
    expect(selection.isOver?.()).toBe(true);
    expect(selection.summary?.(3, 'sent')).not.toContain('newest first');
  });

  it('keeps items that are up to a minute out of order, and is still over', () => {
    const selection = select({ since: '1h' });
    const items = at('2026-03-10T11:30:00Z', '2026-03-10T11:30:00.040Z', '2026-03-10T10:59:10Z');
    expect(selection.keeps(items, NOW)).toEqual([true, true, false]);
    expect(selection.isOver?.()).toBe(false);
    const late = at('2026-03-10T11:00:10Z', '2026-03-10T10:58:00Z', '2026-03-10T10:59:00Z');
    expect(selection.keeps(late, NOW)).toEqual([true, false, false]);
    expect(selection.isOver?.()).toBe(true);
    expect(selection.summary?.(3, 'sent')).not.toContain('newest first');
  });

  it('goes on, and says so, where an item is more than a minute newer than one before', () => {
    const selection = select({ since: '1h' });
    selection.keeps(at('2026-03-10T11:30:00Z', '2026-03-10T11:30:50Z', '2026-03-10T11:31:00.001Z'), NOW);
    selection.keeps(at('2026-03-10T09:00:00Z'), NOW);
    expect(selection.isOver?.()).toBe(false);
    selection.keeps(at('2026-03-10T08:00:00Z'), NOW);
    expect(selection.isOver?.()).toBe(false);
    expect(selection.summary?.(2, 'sent')).toMatch(
      / They are not sorted newest first, so payctl does not stop at --since\.$/,
    );
  });

  it('goes on where items rise by less than a minute, as in a list with the oldest first', () => {
    const selection = select({ since: '1h' });
    selection.keeps(at('2026-03-10T09:00:00Z', '2026-03-10T09:00:20Z', '2026-03-10T09:00:50Z'), NOW);
    expect(selection.isOver?.()).toBe(false);
    expect(selection.keeps(at('2026-03-10T11:30:00Z'), NOW)).toEqual([true]);
    expect(selection.isOver?.()).toBe(false);
  });

  it('never ends early without --since', () => {
    const selection = select({ until: '1h' }, () => true);
    selection.keeps(at('2026-03-10T11:30:00Z', '2020-01-01T00:00:00Z'), NOW);
    expect(selection.isOver?.()).toBe(false);
  });

  it('leaves out what has no time, and no item for that where no time is asked for', () => {
    const odd = [null, 7, {}, { timestamp: 'soon' }, { timestamp: null }];
    expect(select({ since: '1h' }).keeps(odd, NOW)).toEqual(odd.map(() => false));
    expect(select({}, () => true).keeps(odd, NOW)).toEqual(odd.map(() => true));
    const selection = select({ since: '1h' });
    selection.keeps([], NOW);
    expect(selection.summary?.(0, 'sent')).toBe('0 of 0 entries match. --since 1h is 2026-03-10T11:00:00Z.');
  });

  it('says how many of the matches are shown', () => {
    const selection = select({}, (item) => (item as { n: number }).n === 1);
    selection.keeps([{ n: 1 }, { n: 1 }, { n: 2 }], NOW);
    expect(selection.summary?.(1, 'sent')).toBe('2 of 3 entries match; 1 is shown.');
  });

  it('refuses a span that ends before it begins', () => {
    expect(() => select({ since: 'today', until: 'yesterday' })).toThrow(
      expect.objectContaining({ code: 'empty_time_span' }),
    );
    expect(() => select({ since: 'today', until: 'today' })).not.toThrow();
  });

  it('keeps what a plain comparison keeps, and ends only when nothing is left to keep', () => {
    const entry = fc.record({
      time: fc.integer({ min: NOW - 7_200_000, max: NOW }),
      delay: fc.integer({ min: 0, max: 60_000 }),
    });
    const written = ({ time, delay }: { time: number; delay: number }) => time + delay;
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 30 }), fc.boolean(), (all, sorted) => {
        const listed = sorted ? all.toSorted((first, second) => written(second) - written(first)) : all;
        const ordered = listed.map(({ time }) => time);
        const selection = select({ since: '1h' });
        for (const [index, time] of ordered.entries()) {
          const [kept] = selection.keeps(at(new Date(time).toISOString()), NOW);
          expect(kept).toBe(time >= NOW - 3_600_000);
          if (sorted && selection.isOver?.())
            expect(ordered.slice(index + 1).every((rest) => rest < NOW - 3_600_000)).toBe(true);
        }
      }),
    );
  });
});
