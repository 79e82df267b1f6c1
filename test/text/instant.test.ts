import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { TIME_EXAMPLES } from '../../src/cli/flags/types.ts';
import { readTime } from '../../src/text/instant.ts';
import { inZone } from '../harness/in-zone.ts';
import { propertyRuns } from '../harness/property-runs.ts';

const NOW = Date.UTC(2026, 2, 29, 12, 30, 15, 250);
const utc = (text: string) => {
  const span = readTime(text, NOW, '--since');
  return span && [new Date(span.from).toISOString(), new Date(span.to).toISOString()];
};

const isSkipped = (text: string) => /-03-(2[5-9]|3[01])[T ]02:/.test(text);

beforeEach(() => inZone('Europe/Berlin'));

describe('a time as people write it', () => {
  it.each([
    ['now', '2026-03-29T12:30:15.250Z'],
    ['90s', '2026-03-29T12:28:45.250Z'],
    ['30m', '2026-03-29T12:00:15.250Z'],
    ['1h', '2026-03-29T11:30:15.250Z'],
    ['2h30m', '2026-03-29T10:00:15.250Z'],
    ['7d', '2026-03-22T12:30:15.250Z'],
    ['1w1d', '2026-03-21T12:30:15.250Z'],
    ['2w', '2026-03-15T12:30:15.250Z'],
    [' 1H ', '2026-03-29T11:30:15.250Z'],
    ['2026-03-01T10:00:00.123456+05:30', '2026-03-01T04:30:00.123Z'],
    ['2026-03-01 10:00:00.123 GMT+5:30', '2026-03-01T04:30:00.123Z'],
  ])('%s is an instant', (text, expected) => {
    const end = new Date(Date.parse(expected) + 1).toISOString();
    expect(utc(text)).toEqual([expected, end]);
  });

  it.each([
    // Summer time began on this day.
    ['10:00', '2026-03-29T08:00:00.000Z', 60_000],
    ['10am', '2026-03-29T08:00:00.000Z', 60_000],
    ['12 AM', '2026-03-28T23:00:00.000Z', 60_000],
    ['12:05pm', '2026-03-29T10:05:00.000Z', 60_000],
    ['1:05', '2026-03-29T00:05:00.000Z', 60_000],
    ['10:00Z', '2026-03-29T10:00:00.000Z', 60_000],
    ['today 1:05', '2026-03-29T00:05:00.000Z', 60_000],
    ['yesterday 10:00', '2026-03-28T09:00:00.000Z', 60_000],
    ['yesterday 10pm', '2026-03-28T21:00:00.000Z', 60_000],
    ['23:59:59', '2026-03-29T21:59:59.000Z', 1000],
    ['2026-03-01T10:00', '2026-03-01T09:00:00.000Z', 60_000],
    ['2026-07-01 10:00', '2026-07-01T08:00:00.000Z', 60_000],
    // Tables leave out the year of a time of the last months.
    ['03-01 10:00', '2026-03-01T09:00:00.000Z', 60_000],
    ['03-29 10:00Z', '2026-03-29T10:00:00.000Z', 60_000],
    ['12-01 10:00Z', '2025-12-01T10:00:00.000Z', 60_000],
    ['12-01', '2025-11-30T23:00:00.000Z', 86_400_000],
    ['2026-07-01 10:00 CEST', '2026-07-01T08:00:00.000Z', 60_000],
    ['2026-07-01 10:00 UTC', '2026-07-01T10:00:00.000Z', 60_000],
    ['2026-03-01T10:00:00Z', '2026-03-01T10:00:00.000Z', 1000],
    ['2026-03-01t10:00:00.5z', '2026-03-01T10:00:00.500Z', 100],
    ['2026-03-01T23:30:00-0200', '2026-03-02T01:30:00.000Z', 1000],
  ])('%s is as long as what it does not say', (text, expected, length) => {
    expect(utc(text)).toEqual([expected, new Date(Date.parse(expected) + length).toISOString()]);
  });

  it.each(['2026-03-29T02:30', '02:30', '2026-03-29 02:30 CET', '2026-03-29 02:30 cest'])(
    'is refused where clocks skip it, with the times before and after: %s',
    (text) => {
      expect(() => readTime(text, NOW, '--since')).toThrow(
        expect.objectContaining({
          code: 'bad_flag',
          message: `--since must be a time that the clocks of this time zone show, not ${JSON.stringify(text)}`,
          hint: 'Use "2026-03-29 01:30:00 CET" or "2026-03-29 03:30:00 CEST".',
        }),
      );
      expect(utc('2026-03-29 01:30:00 CET')).toEqual([
        '2026-03-29T00:30:00.000Z',
        '2026-03-29T00:30:01.000Z',
      ]);
      expect(utc('2026-03-29 03:30:00 CEST')).toEqual([
        '2026-03-29T01:30:00.000Z',
        '2026-03-29T01:30:01.000Z',
      ]);
    },
  );

  it('is a day from its first instant on where clocks skip midnight', () => {
    inZone('Africa/Cairo');
    expect(utc('2026-04-24')).toEqual(['2026-04-23T22:00:00.000Z', '2026-04-24T21:00:00.000Z']);
  });

  it('begins with the earlier and ends with the later instant where clocks go back, unless the zone is named', () => {
    expect(utc('2026-10-25 02:30')).toEqual(['2026-10-25T00:30:00.000Z', '2026-10-25T01:31:00.000Z']);
    expect(utc('2026-10-25 02:30 CEST')).toEqual(['2026-10-25T00:30:00.000Z', '2026-10-25T00:31:00.000Z']);
    expect(utc('2026-10-25 02:30 CET')).toEqual(['2026-10-25T01:30:00.000Z', '2026-10-25T01:31:00.000Z']);
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
    '13pm',
    '0am',
    '30m2h',
    '1h1h',
    'yesterday 10',
    'yesterday10:00',
    'tomorrow 10:00',
    '10:00 EST',
    '02:30 PST',
    '10:00 CEST.',
    '2026-01-01 10:00 CEST',
    '2026-03-01T10:00:00+5',
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
    expect(readTime(text, NOW, '--since')).toBeUndefined();
  });

  it('is read in every form that messages name', () => {
    for (const example of TIME_EXAMPLES.split(/, | or /)) {
      expect(readTime(example, NOW, '--since'), example).toBeDefined();
    }
  });

  it('is a span of real times, whatever is typed', () => {
    const typed = fc.oneof(
      fc.string(),
      fc.stringMatching(/^\d{1,6}[smhdw]$|^\d{4}-\d\d-\d\d([T ]\d\d:\d\d)?$/),
    );
    fc.assert(
      fc.property(typed, (text) => {
        const span = isSkipped(text) ? undefined : readTime(text, NOW, '--since');
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
        expect(readTime(date.toISOString(), NOW, '--since')?.from).toBe(date.getTime());
      }),
    );
  });
});
