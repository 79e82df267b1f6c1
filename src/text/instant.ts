import { UsageError } from '../errors.ts';
import { quote } from './format.ts';
import { momentIn, wallTime, zoneName } from './zoned-times.ts';

/** A span of time in milliseconds since 1970: from `from` on, up to but without `to`. */
export type TimeSpan = { readonly from: number; readonly to: number };

const UNITS = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 } as const;

/**
 * Reads a time as people write it, or as payctl shows it: how long ago (`90s`, `1h`, `2h30m`, `7d`), `now`, a day (`today`, `yesterday`,
 * `2026-03-01`, `03-01` of the last twelve months), a time of today (`10:00`, `10:00:30`, `10am`), or a day with a time. Without a zone (`Z`, `+01:00`, `UTC`, or the name that the
 * local one has then) it is local. Gives the whole day, minute or second that is meant, also where a fraction was cut; and of a time that
 * the clocks show twice, the span from the first to the second. `now` is in milliseconds since 1970; `flag` is what the error names. Gives
 * undefined for anything else.
 * @throws UsageError `bad_flag` for a time of day that the clocks skip
 */
export function readTime(text: string, now: number, flag: string): TimeSpan | undefined {
  const word = text.trim().toLowerCase();
  if (word === 'now') return { from: now, to: now + 1 };
  return (
    readAgo(word, now) ??
    readMoment(word, now, `${flag} must be a time that the clocks of this time zone show, not ${quote(text)}`)
  );
}

function readAgo(word: string, now: number): TimeSpan | undefined {
  const counts = /^(?:(\d{1,6})w)?(?:(\d{1,6})d)?(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,6})s)?$/.exec(word);
  if (!counts || word === '') return undefined;
  const ago = Object.values(UNITS).reduce((sum, unit, at) => sum + Number(counts[at + 1] ?? 0) * unit, 0);
  return { from: now - ago, to: now - ago + 1 };
}

const DAY = /^(today|yesterday|(?:\d{4}-)?\d\d-\d\d)(z)?$/;
const DAY_AND_TIME = /^(?:(today|yesterday|(?:\d{4}-)?\d\d-\d\d)[t ])?(.+)$/;
const CLOCK = /^(\d{1,2})(?::(\d\d)(?::(\d\d)(?:\.(\d+))?)?)?(?: ?([ap])m)?(?: ?(z|[+-]\d.*|[a-z].*))?$/;

/** `refusal`: the message for a time that the clocks skip. */
function readMoment(word: string, now: number, refusal: string): TimeSpan | undefined {
  const [, wholeDay, dayZone] = DAY.exec(word) ?? [];
  if (wholeDay !== undefined) return readDay(wholeDay, now, dayZone ? { offset: 0 } : { name: undefined });
  const [, day = 'today', time = ''] = DAY_AND_TIME.exec(word) ?? [];
  const [, hour, minute, second, fraction, half, zoneText] = CLOCK.exec(time) ?? [];
  // A number alone is no time of day, and RFC 3339 has two digits.
  if (hour === undefined || (minute === undefined && half === undefined)) return undefined;
  const zone = readZone(zoneText);
  const date = zone && dateOf(day, now, zone);
  const milliseconds = Number((fraction ?? '').padEnd(3, '0').slice(0, 3));
  const clock = [hourOf(Number(hour), half), Number(minute ?? 0), Number(second ?? 0), milliseconds] as const;
  const wall = date && wallOf(date, clock);
  if (wall === undefined || !zone) return undefined;
  const [first, last] = instantsOf(wall, zone);
  if (first === undefined || last === undefined) return undefined;
  const skipped = 'offset' in zone ? 0 : wallTime(first) - wall;
  if (skipped > 0) {
    const [before, after] = [first - skipped, first].map((at) => quote(momentIn('local', at)));
    throw new UsageError('bad_flag', refusal, { hint: `Use ${before} or ${after}.` });
  }
  return { from: first, to: last + lengthOf(second, fraction) };
}

/** How long the time lasts that was written, in milliseconds: what is shown may have more digits than that. */
function lengthOf(second: string | undefined, fraction: string | undefined): number {
  if (second === undefined) return UNITS.m;
  return fraction === undefined ? UNITS.s : 10 ** Math.max(0, 3 - fraction.length);
}

function hourOf(hour: number, half: string | undefined): number {
  if (half === undefined) return hour;
  return hour < 1 || hour > 12 ? Number.NaN : (hour % 12) + (half === 'p' ? 12 : 0);
}

type Numbers = readonly [number, number, number];

/** Where a time is meant: an offset from UTC in milliseconds, or the local zone, perhaps by one of its names. */
type Zone = { readonly offset: number } | { readonly name: string | undefined };

const OFFSET = /^(?:utc|gmt)?(?:([+-])(\d{1,2})(?::?(\d\d)(?::(\d\d))?)?)?$/;

function readZone(text: string | undefined): Zone | undefined {
  if (text === undefined) return { name: undefined };
  if (text === 'z') return { offset: 0 };
  const [isOffset, sign, hours = '0', minutes = '0', seconds = '0'] = OFFSET.exec(text) ?? [];
  if (isOffset === undefined) return /^[a-z]+$/.test(text) ? { name: text } : undefined;
  // RFC 3339 has an offset of four digits; only after GMT may it be shorter.
  if (/^[+-]/.test(text) && !/^[+-]\d\d:?\d\d/.test(text)) return undefined;
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  const ahead = Number(hours) * UNITS.h + Number(minutes) * UNITS.m + Number(seconds) * UNITS.s;
  return { offset: sign === '-' ? -ahead : ahead };
}

function readDay(day: string, now: number, zone: Zone): TimeSpan | undefined {
  const wall = wallOf(dateOf(day, now, zone), [0, 0, 0, 0]);
  if (wall === undefined) return undefined;
  // The clocks need not show midnight.
  const [from = wall] = instantsOf(wall, zone);
  const [to = wall] = instantsOf(wall + UNITS.d, zone);
  return { from, to };
}

/** The year, month and day that are meant, in the zone. */
function dateOf(day: string, now: number, zone: Zone): Numbers {
  const wall = 'offset' in zone ? now + zone.offset : wallTime(now);
  const today = new Date(wall - (day === 'yesterday' ? UNITS.d : 0));
  if (/^\d/.test(day)) {
    const [date = 0, month = 0, year] = day.split('-').map(Number).toReversed();
    const isAhead = month * 100 + date > today.getUTCMonth() * 100 + 100 + today.getUTCDate();
    return [year ?? today.getUTCFullYear() - (isAhead ? 1 : 0), month, date];
  }
  return [today.getUTCFullYear(), today.getUTCMonth() + 1, today.getUTCDate()];
}

/** A date and a time of day as the instant at which the clocks of UTC show them; undefined where they do not exist. */
function wallOf(
  [year, month, day]: Numbers,
  [hour, minute, second, millisecond]: readonly [...Numbers, number],
): number | undefined {
  if (!(hour <= 23 && minute <= 59 && second <= 59)) return undefined;
  const wall = new Date(0);
  wall.setUTCFullYear(year, month - 1, day);
  if (wall.getUTCFullYear() !== year || wall.getUTCMonth() !== month - 1) return undefined;
  return wall.getUTCDate() === day ? wall.setUTCHours(hour, minute, second, millisecond) : undefined;
}

/**
 * The first and the last instant at which clocks of the zone show this; they differ in the hour that follows when clocks go back. What
 * clocks skip when they go forward is the time that they would have shown. Empty where the zone has not that name then.
 */
function instantsOf(wall: number, zone: Zone): readonly number[] {
  if ('offset' in zone) return [wall - zone.offset, wall - zone.offset];
  const offsetNear = (at: number) => wallTime(at) - at;
  const [before, after] = [offsetNear(wall - UNITS.d), offsetNear(wall + UNITS.d)];
  const possible = [wall - before, wall - after].filter((at) => wallTime(at) === wall);
  const hasName = (at: number) => zone.name === undefined || zoneName(at).toLowerCase() === zone.name;
  if (possible.length === 0)
    return [wall - before, wall - after].some(hasName) ? [wall - before, wall - before] : [];
  const named = possible.filter(hasName);
  return named.length === 0 ? [] : [Math.min(...named), Math.max(...named)];
}
