/** Writes a moment as the service does: ISO 8601 with milliseconds and the offset `+00:00`. */
export function timestamp(moment: Date): string {
  return `${inUtc(moment.getTime())}+00:00`;
}

/** Writes a moment, in milliseconds since 1970, as `Date` does. @throws RangeError for a moment outside the range of `Date` */
export function isoText(milliseconds: number): string {
  return `${inUtc(milliseconds)}Z`;
}

const digits = (length: number) =>
  Array.from({ length: 10 ** length }, (_, number) => String(number).padStart(length, '0'));
const [two, three] = [digits(2), digits(3)];

/** The texts of days up to the `T`, by the number of days since 1970. */
const days = new Map<number, string>();
const mostDays = 10_000;

/** The moment without an offset. `Date` takes three times as long to format it. */
function inUtc(milliseconds: number): string {
  const moment = Math.trunc(milliseconds);
  const number = Math.floor(moment / dayMs);
  let day = days.get(number);
  if (day === undefined) {
    day = new Date(number * dayMs).toISOString().slice(0, -'00:00:00.000Z'.length);
    if (days.size < mostDays) days.set(number, day);
  }
  const rest = moment - number * dayMs;
  const seconds = Math.floor(rest / 1000);
  const minutes = Math.floor(seconds / 60);
  return `${day}${two[Math.floor(minutes / 60)]}:${two[minutes % 60]}:${two[seconds % 60]}.${three[rest % 1000]}`;
}

/** One day in milliseconds. */
export const dayMs = 24 * 3600 * 1000;

/** The seeded past ends at this time of its last day, in UTC. */
const endOfPastMs = 9 * 3600 * 1000;

/** The moment, in milliseconds since 1970, at which the seeded past ends whose last day is `day` (`2025-12-01`). */
export function seedEndOf(day: string): number {
  return Date.parse(day) + endOfPastMs;
}

/** The newest day whose seeded past is over at a moment: no record is from the future. */
export function lastSeedDay(now: Date): string {
  return isoText(now.getTime() - endOfPastMs).slice(0, 'YYYY-MM-DD'.length);
}

/** The days on which the seeded past can end, for a hint. */
export const SEED_DAYS = 'Use a date from 2000-01-01 to 2099-12-31, such as 2026-03-01.';

/** Whether a text is one of these days. */
export function isSeedDay(text: string): boolean {
  return /^20\d\d-\d\d-\d\d$/.test(text) && isoText(Date.parse(text)).startsWith(text);
}
