import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { readTime } from '../../src/text/instant.ts';
import { instantOf, momentIn, type TimeStyle, ZonedTimes, zoneName } from '../../src/text/zoned-times.ts';
import { inZone } from '../harness/in-zone.ts';
import { propertyRuns } from '../harness/property-runs.ts';

const WINTER = '2026-01-15T12:00:59.967123+00:00';
const SUMMER = '2026-07-15T14:00:59+02:00';

describe('times in the zone of the machine', () => {
  it.each([
    ['Europe/Berlin', '2026-01-15 13:00:59', ' (CET)', ' CET'],
    ['America/New_York', '2026-01-15 07:00:59', ' (EST)', ' EST'],
    ['Asia/Kolkata', '2026-01-15 17:30:59', ' (GMT+5:30)', ' GMT+5:30'],
    ['America/St_Johns', '2026-01-15 08:30:59', ' (GMT-3:30)', ' GMT-3:30'],
    ['UTC', '2026-01-15 12:00:59Z', ' (UTC)', 'Z'],
    ['No/Such_Zone', '2026-01-15 12:00:59Z', ' (UTC)', 'Z'],
  ])('say which one: %s', (zone, cell, heading, ending) => {
    inZone(zone);
    const times = new ZonedTimes('local');
    expect(times.heading()).toBe('');
    expect(times.cell(WINTER, 'second')).toBe(cell);
    expect(times.cell(WINTER, 'minute')).toBe(cell.replace(':59', ''));
    expect(times.heading()).toBe(heading);
    expect(times.named(WINTER)).toBe(`${cell.replace('Z', '')}.967123${ending}`);
  });

  it('have the names of two offsets above rows, each of which has one of them', () => {
    inZone('Europe/Berlin');
    const times = new ZonedTimes('local');
    expect([WINTER, SUMMER].map((time) => times.cell(time, 'minute'))).toEqual([
      '2026-01-15 13:00',
      '2026-07-15 14:00',
    ]);
    expect(times.heading()).toBe(' (CET/CEST)');
    expect(times.cell(WINTER, 'minute')).toBe('2026-01-15 13:00');
  });

  it('have the long name of the zone above rows of more offsets', () => {
    inZone('Europe/London');
    const times = new ZonedTimes('local');
    for (const time of [WINTER, SUMMER, '1943-07-01T10:00:00Z']) times.cell(time, 'minute');
    expect(times.heading()).toBe(' (Europe/London)');
    expect(times.cell('1943-07-01T10:00:00Z', 'minute')).toBe('1943-07-01 12:00');
  });

  it.each([
    ['Europe/Berlin', 'Mitteleurop\u00E4ische Sommerzeit', 'CEST'],
    ['Asia/Kolkata', 'Indische Normalzeit', 'GMT+5:30'],
    ['Etc/GMT-7', 'GMT+07:00', 'GMT+7'],
  ])('have the same name in every language: %s', (zone, name, short) => {
    inZone(zone);
    const text = vi.spyOn(Date.prototype, 'toString').mockReturnValue(`Wed Jul 15 2026 (${name})`);
    onTestFinished(() => text.mockRestore());
    expect(zoneName(Date.parse(SUMMER))).toBe(short);
  });

  it('carry what a heading does not say that was printed before', () => {
    inZone('Europe/Berlin');
    const times = new ZonedTimes('local');
    times.cell(WINTER, 'minute');
    expect(times.heading()).toBe(' (CET)');
    expect(times.cell(SUMMER, 'minute')).toBe('2026-07-15 14:00+02:00');
    expect(times.cell(WINTER, 'minute')).toBe('2026-01-15 13:00');
  });

  it('are in UTC where that is asked for', () => {
    inZone('Europe/Berlin');
    const times = new ZonedTimes('utc');
    expect(times.cell(SUMMER, 'second')).toBe('2026-07-15 12:00:59Z');
    expect(times.cell(SUMMER, 'day')).toBe('2026-07-15Z');
    expect(times.heading()).toBe(' (UTC)');
    expect(times.named(WINTER)).toBe('2026-01-15 12:00:59.967123Z');
  });

  it.each(['Wed, 15 Jul 2026 12:00:59 +0000', 'Wed, 15 Jul 2026 14:00:59 +0200', '15 Jul 2026 12:00:59 GMT'])(
    'are read as RFC 2822 writes them: %s',
    (text) => {
      inZone('Europe/Berlin');
      const times = new ZonedTimes('local');
      expect([times.cell(text, 'second'), times.named(text), instantOf(text)]).toEqual([
        ...['2026-07-15 14:00:59', '2026-07-15 14:00:59 CEST', Date.parse(SUMMER)],
      ]);
    },
  );

  it.each([
    '31 Feb 2026 10:00:00 +0000',
    '7 Xyz 2026 10:00:00 GMT',
    '2026-13-01T14:05:59Z',
    '2026-03-01',
    '2026-03-01T14:05:59',
    'tomorrow',
    '',
    '\u001B[2J',
  ])('are as they were sent where they are none: %j', (text) => {
    const times = new ZonedTimes('local');
    expect([times.cell(text, 'second'), times.named(text), times.heading()]).toEqual([text, text, '']);
  });

  it('are in sentences as RFC 3339 writes them where no terminal shows them', () => {
    inZone('Europe/Berlin');
    const at = Date.parse(SUMMER);
    expect(momentIn('sent', at)).toBe('2026-07-15T12:00:59Z');
    expect(momentIn('local', at)).toBe('2026-07-15 14:00:59 CEST');
    expect(momentIn('utc', at)).toBe('2026-07-15 12:00:59Z');
  });
});

const DAY = 86_400_000;
/** Clocks that go back and forth by an hour, half an hour and a day, at midnight, and none. */
const ZONES = [
  'Europe/Berlin',
  'Europe/London',
  'America/New_York',
  'Australia/Lord_Howe',
  'America/Havana',
  'Africa/Casablanca',
  'Asia/Kathmandu',
  'America/Santiago',
  'Pacific/Apia',
  'UTC',
];

/** Instants of 1970 to 2100, half of them within hours of a change of clocks. */
const instants = fc.oneof(
  fc.integer({ min: 0, max: Date.UTC(2100, 0) }),
  fc
    .tuple(
      fc.constantFrom(
        '2026-03-29T01:00:00Z',
        '2026-10-25T01:00:00Z',
        '2026-03-08T07:00:00Z',
        '2026-11-01T06:00:00Z',
        '2026-11-01T05:00:00Z',
        '2026-04-04T15:00:00Z',
        '2026-09-05T04:00:00Z',
        '2011-12-30T10:00:00Z',
      ),
      fc.integer({ min: -7_200_000, max: 7_200_000 }),
    )
    .map(([change, away]) => Date.parse(change) + away),
);

describe('what is shown of a time', () => {
  it.each(ZONES)('is read as a span that contains it, in %s', { tags: 'slow' }, (zone) => {
    inZone(zone);
    const styles = fc.constantFrom<TimeStyle>('local', 'utc', 'sent');
    const digits = fc.integer({ min: 0, max: 999_999 });
    fc.assert(
      fc.property(instants, instants, styles, digits, (at, other, style, micros) => {
        const sent = new Date(at).toISOString().replace('Z', `${String(micros).padStart(6, '0')}+00:00`);
        const times = new ZonedTimes(style);
        // What is printed below a heading that another time has decided.
        times.cell(new Date(other).toISOString(), 'minute');
        const shown = [
          ...(['day', 'minute', 'second'] as const).map((precision) => times.cell(sent, precision)),
          times.named(sent),
          momentIn(style, at),
        ];
        times.heading();
        shown.push(times.cell(sent, 'minute'));
        for (const text of shown) {
          const span = readTime(text, Date.UTC(2050, 0), '--since');
          expect(span?.from, text).toBeLessThanOrEqual(at);
          expect(span?.to, text).toBeGreaterThan(at);
          expect((span?.to ?? 0) - (span?.from ?? 0), text).toBeLessThanOrEqual(1.05 * DAY);
        }
      }),
      propertyRuns(1000),
    );
  });
});
