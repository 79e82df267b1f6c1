import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkValue, timeMeant } from '../../../src/cli/flags/parameter-values.ts';
import { FlagError } from '../../../src/cli/flags/types.ts';
import { type TimeStyle, ZonedTimes } from '../../../src/text/zoned-times.ts';
import { inZone } from '../../harness/in-zone.ts';
import { propertyRuns } from '../../harness/property-runs.ts';

function refusalOf(what: string, text: string, format: string) {
  try {
    checkValue(what, text, { type: 'string', format });
  } catch (error) {
    if (error instanceof FlagError) return { message: error.message.split('\n')[0], hint: error.hint };
    throw error;
  }
  return undefined;
}

describe('checkValue', () => {
  it.each(['date', 'date-time'])('gives examples that its flag accepts: %s', async (format) => {
    const { hint = '' } = refusalOf('--due', 'soon', format) ?? {};
    const examples = /^Use (.*)\.$/.exec(hint)?.[1]?.split(/, | or /) ?? [];
    expect(examples.length).toBeGreaterThan(3);
    for (const example of examples) {
      const meant = await timeMeant('due', example, { type: 'string', format });
      expect(refusalOf('--due', meant, format), example).toBeUndefined();
    }
  });

  it('gives a date no example with a time of day', () => {
    expect(refusalOf('--due', 'soon', 'date')).toEqual({
      message: '--due must be a date such as 2026-03-01, not "soon"',
      hint: 'Use 7d, today, yesterday or 2026-03-01.',
    });
  });

  it('gives no examples for the argument of a path, which is sent as it is', () => {
    expect(refusalOf('DUE', 'soon', 'date')).toEqual({
      message: 'DUE must be a date such as 2026-03-01, not "soon"',
      hint: undefined,
    });
  });
});

describe('a time that a table showed', () => {
  it.each(['Europe/Berlin', 'America/Havana', 'Asia/Kathmandu'])(
    'is sent so that its row is found: %s',
    async (zone) => {
      inZone(zone);
      const changes = fc.constantFrom(
        Date.UTC(2026, 2, 29, 1),
        Date.UTC(2026, 9, 25, 1),
        Date.UTC(2026, 10, 1, 5),
      );
      const away = fc.integer({ min: -7_200_000, max: 7_200_000 });
      const micros = fc.integer({ min: 0, max: 999 }).map((count) => String(count).padStart(3, '0'));
      const styles = fc.constantFrom<TimeStyle>('local', 'utc', 'sent');
      await fc.assert(
        fc.asyncProperty(changes, away, micros, styles, async (change, distance, digits, style) => {
          const sent = new Date(change + distance).toISOString().replace('Z', `${digits}Z`);
          const times = new ZonedTimes(style);
          const shown = [times.cell(sent, 'day'), times.cell(sent, 'minute'), times.cell(sent, 'second')];
          for (const text of [...shown, times.named(sent)]) {
            const parameter = { type: 'string', format: 'date-time' } as const;
            const inMicroseconds = (time: string) => time.replace(/(\.\d{3})Z$/, '$1000Z');
            const from = inMicroseconds(await timeMeant('created-at-gte', text, parameter));
            const to = inMicroseconds(await timeMeant('created-at-lte', text, parameter));
            expect([from <= sent, sent <= to], `${text}: ${from} to ${to}`).toEqual([true, true]);
          }
        }),
        propertyRuns(1000),
      );
    },
  );
});
