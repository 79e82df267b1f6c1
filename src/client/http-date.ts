const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const MONTH = `(?<month>${MONTHS.join('|')})`;
const TIME = '(?<hour>[01]\\d|2[0-3]):(?<minute>[0-5]\\d):(?<second>[0-5]\\d|60)';

/**
 * The three formats of RFC 9110, 5.6.7; a server sends the first one, as JavaScript writes it, and a recipient has to read all of them.
 */
const formats = () =>
  [
    `(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?<day>\\d\\d) ${MONTH} (?<year>\\d{4}) ${TIME} GMT`,
    `(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?<day>\\d\\d)-${MONTH}-(?<year>\\d\\d) ${TIME} GMT`,
    `(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ${MONTH} (?<day>[ \\d]\\d) ${TIME} (?<year>\\d{4})`,
  ].map((source) => new RegExp(`^${source}$`));

/**
 * Milliseconds since 1970 of a date as HTTP writes it; undefined for anything else, also for a date that the calendar does
 * not have. `now`, in milliseconds, decides the century of a year of two digits.
 */
export function parseHttpDate(text: string, now: number): number | undefined {
  const time = Date.parse(text);
  if (!Number.isNaN(time) && new Date(time).toUTCString() === text) return time;
  for (const format of formats()) {
    const parts = format.exec(text)?.groups;
    if (parts) return momentOf(parts, now);
  }
  return undefined;
}

function momentOf(parts: Readonly<Record<string, string>>, now: number): number | undefined {
  const { day, month = '', year = '', hour, minute, second } = parts;
  const monthIndex = MONTHS.indexOf(month);
  const at = (fullYear: number) =>
    Date.UTC(fullYear, monthIndex, Number(day), Number(hour), Number(minute), Number(second));
  const moment = at(year.length === 2 ? fullYearOf(Number(year), now) : Number(year));
  return new Date(at(2000)).getUTCMonth() === monthIndex && Number(day) > 0 ? moment : undefined;
}

/** A year of two digits is never more than 50 years in the future. */
function fullYearOf(year: number, now: number): number {
  const thisYear = new Date(now).getUTCFullYear();
  const inThisCentury = thisYear - (thisYear % 100) + year;
  return inThisCentury > thisYear + 50 ? inThisCentury - 100 : inThisCentury;
}
