/** A span of time in milliseconds since 1970: from `from` on, up to but without `to`. An instant is one millisecond. */
export type TimeSpan = { readonly from: number; readonly to: number };

/** What `readTime` reads, for messages. */
export const TIME_EXAMPLES = '1h, 7d, today, yesterday, 10:00, 2026-03-01 or 2026-03-01T10:00:00Z';

const UNITS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/**
 * Reads a time as people write it: how long ago (`90s`, `30m`, `1h`, `7d`, `2w`), `now`, `today`, `yesterday`, a time of today
 * (`10:00`, `10:00:30`), a date, or a date with a time (RFC 3339; without an offset it is local). Days are whole days of the
 * local time zone. `now` is in milliseconds since 1970. Gives undefined for anything else.
 */
export function readTime(text: string, now: number): TimeSpan | undefined {
  const word = text.trim().toLowerCase();
  return readWord(word, now) ?? readAgo(word, now) ?? readClock(word, now) ?? readDate(word);
}

function readWord(word: string, now: number): TimeSpan | undefined {
  const today = new Date(now);
  const day = (offset: number) =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() + offset).getTime();
  if (word === 'now') return instant(now);
  if (word === 'today') return { from: day(0), to: day(1) };
  return word === 'yesterday' ? { from: day(-1), to: day(0) } : undefined;
}

function readAgo(word: string, now: number): TimeSpan | undefined {
  const [, count, unit = ''] = /^(\d{1,6})([smhdw])$/.exec(word) ?? [];
  return count === undefined ? undefined : instant(now - Number(count) * (UNITS[unit] ?? 0));
}

function readClock(word: string, now: number): TimeSpan | undefined {
  const [, hour, minute = '', second = '0'] = /^(\d{1,2}):(\d\d)(?::(\d\d))?$/.exec(word) ?? [];
  if (hour === undefined) return undefined;
  const today = new Date(now);
  const date = [today.getFullYear(), today.getMonth() + 1, today.getDate()] as const;
  return momentOf(date, [Number(hour), Number(minute), Number(second), 0], undefined);
}

const DATE_TIME =
  /^(\d{4})-(\d\d)-(\d\d)(?:[t ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(z|[+-]\d\d:?\d\d)?)?$/;

function readDate(word: string): TimeSpan | undefined {
  const parts = DATE_TIME.exec(word);
  if (!parts) return undefined;
  const [, year, month, day, hour, minute, second = '0', fraction = '0', offset] = parts;
  const date = [Number(year), Number(month), Number(day)] as const;
  if (hour !== undefined) {
    const milliseconds = Number(fraction.padEnd(3, '0').slice(0, 3));
    return momentOf(date, [Number(hour), Number(minute), Number(second), milliseconds], offset);
  }
  const start = momentOf(date, [0, 0, 0, 0], undefined);
  return start && { from: start.from, to: new Date(date[0], date[1] - 1, date[2] + 1).getTime() };
}

type Numbers = readonly [number, number, number];

/** The moment of a date and a time of day that exist; without an offset, of the local time zone. */
function momentOf(
  [year, month, day]: Numbers,
  [hour, minute, second, millisecond]: readonly [...Numbers, number],
  offset: string | undefined,
): TimeSpan | undefined {
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const inUtc = new Date(Date.UTC(year, month - 1, day, hour, minute, second, millisecond));
  const isReal = inUtc.getUTCFullYear() === year && inUtc.getUTCMonth() === month - 1;
  if (!isReal || inUtc.getUTCDate() !== day) return undefined;
  if (offset === undefined) {
    return instant(new Date(year, month - 1, day, hour, minute, second, millisecond).getTime());
  }
  const [, sign, hours = '', minutes = ''] = /^([+-])(\d\d):?(\d\d)$/.exec(offset) ?? [];
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const ahead = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return instant(inUtc.getTime() - (sign === '-' ? -ahead : ahead));
}

function instant(at: number): TimeSpan {
  return { from: at, to: at + 1 };
}
