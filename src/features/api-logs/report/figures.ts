/** How long a response took: `12 ms`, `2.4 s`. */
export function tookText(milliseconds: number): string {
  return Math.abs(milliseconds) < 1000 ? `${milliseconds} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

/** A time in UTC, to the minute: `2026-03-01 14:05 UTC`. */
export function clock(instant: string): string {
  return `${minuteOf(instant)} UTC`;
}

/** The same without its time zone, and without the time of day where the steps are days. */
export function minuteOf(instant: string, stepSeconds = 60): string {
  const [day = '', time = ''] = instant.split('T');
  return stepSeconds >= 86_400 ? day : `${day} ${time.slice(0, 5)}`;
}

/** A whole number with commas between thousands. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** A share from 0 to 1: `31%`, `0.4%`. */
export function percent(share: number): string {
  const points = share * 100;
  return `${points > 0 && points < 10 ? points.toFixed(1).replace(/\.0$/, '') : Math.round(points)}%`;
}

/** A step in words, as in `each bar is an hour`. */
const STEP_WORDS: Readonly<Record<number, string>> = {
  60: 'a minute',
  300: '5 minutes',
  900: '15 minutes',
  3600: 'an hour',
  21600: '6 hours',
  86400: 'a day',
};

/** The length of a step in words: `an hour`, `10 days`. */
export function stepInWords(seconds: number): string {
  return STEP_WORDS[seconds] ?? `${seconds / 86_400} days`;
}
