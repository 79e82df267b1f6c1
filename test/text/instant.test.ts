import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readTime, TIME_EXAMPLES } from '../../src/text/instant.ts';
import { propertyRuns } from '../harness/property-runs.ts';

const NOW = Date.UTC(2026, 2, 29, 12, 30, 15, 250);
const utc = (text: string) => {
  const span = readTime(text, NOW);
  return span && [new Date(span.from).toISOString(), new Date(span.to).toISOString()];
};

let zone: string | undefined;
beforeEach(() => {
  zone = process.env.TZ;
  process.env.TZ = 'Europe/Berlin';
});
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

describe('a time as people write it', () => {
  it.each([
    ['now', '2026-03-29T12:30:15.250Z'],
    ['90s', '2026-03-29T12:28:45.250Z'],
    ['30m', '2026-03-29T12:00:15.250Z'],
    ['1h', '2026-03-29T11:30:15.250Z'],
    ['7d', '2026-03-22T12:30:15.250Z'],
    ['2w', '2026-03-15T12:30:15.250Z'],
    // Summer time began on this day.
    ['10:00', '2026-03-29T08:00:00.000Z'],
    ['1:05', '2026-03-29T00:05:00.000Z'],
    ['23:59:59', '2026-03-29T21:59:59.000Z'],
    ['2026-03-01T10:00', '2026-03-01T09:00:00.000Z'],
    ['2026-07-01 10:00', '2026-07-01T08:00:00.000Z'],
    ['2026-03-01T10:00:00Z', '2026-03-01T10:00:00.000Z'],
    ['2026-03-01t10:00:00.5z', '2026-03-01T10:00:00.500Z'],
    ['2026-03-01T10:00:00.123456+05:30', '2026-03-01T04:30:00.123Z'],
    ['2026-03-01T23:30:00-0200', '2026-03-02T01:30:00.000Z'],
    [' 1H ', '2026-03-29T11:30:15.250Z'],
  ])('%s is an instant', (text, expected) => {
    const end = new Date(Date.parse(expected) + 1).toISOString();
    expect(utc(text)).toEqual([expected, end]);
  });

  it.each([
    ['today', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
    ['yesterday', '2026-03-27T23:00:00.000Z', '2026-03-28T23:00:00.000Z'],
    ['2026-07-01', '2026-06-30T22:00:00.000Z', '2026-07-01T22:00:00.000Z'],
    ['2024-02-29', '2024-02-28T23:00:00.000Z', '2024-02-29T23:00:00.000Z'],
  ])('%s is a day of the local time zone', (text, from, to) => {
    expect(utc(text)).toEqual([from, to]);
  });

  it.each([
    '',
    'soon',
    '1',
    '1y',
    '-1h',
    '1.5h',
    '1234567d',
    '24:00',
    '10:60',
    '10',
    '2026-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-03-01T24:00:00Z',
    '2026-03-01T10:00:60Z',
    '2026-03-01T10:00:00+24:00',
    '2026-03-01T10',
    '01/03/2026',
    '0026-03',
  ])('%j is none', (text) => {
    expect(readTime(text, NOW)).toBeUndefined();
  });

  it('is read in every form that messages name', () => {
    for (const example of TIME_EXAMPLES.split(/, | or /)) {
      expect(readTime(example, NOW), example).toBeDefined();
    }
  });

  it('is a span of real times, whatever is typed', () => {
    const typed = fc.oneof(
      fc.string(),
      fc.stringMatching(/^\d{1,6}[smhdw]$|^\d{4}-\d\d-\d\d([T ]\d\d:\d\d)?$/),
    );
    fc.assert(
      fc.property(typed, (text) => {
        const span = readTime(text, NOW);
        if (!span) return;
        expect(Number.isFinite(new Date(span.from).getTime())).toBe(true);
        expect(span.to).toBeGreaterThan(span.from);
      }),
      propertyRuns(2000),
    );
  });

  it('reads back every instant that it could print', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true }), (date) => {
        expect(readTime(date.toISOString(), NOW)?.from).toBe(date.getTime());
      }),
    );
  });
});
