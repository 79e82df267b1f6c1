import { oncePerName } from '../memoize.ts';
import { type Facts, snake } from './names.ts';

/** When an event took or will take place, by the name of the member with its time; the first pattern that matches decides. */
type When = (facts: Facts) => number;

const DAY_MS = 24 * 3600 * 1000;
const MONTH_MS = 30 * DAY_MS;

/** First records have fixed times, and must not expire for years. */
const LONG_MS = 5 * 365 * DAY_MS;

const EXPIRY = /expir|(^|_)(until|valid_to)(_|$)/;

/** A random time after the creation of the record: between `from` and `to` days later, and never to come. */
const within = (from: number, to: number): When => {
  return ({ atMs, random, isFresh, untilMs = Number.POSITIVE_INFINITY }) =>
    isFresh ? atMs : Math.min(atMs + from * DAY_MS + random.below((to - from) * DAY_MS), untilMs);
};

const BY_NAME: readonly (readonly [RegExp, When])[] = [
  [/birth|(^|_)dob$/, ({ random }) => Date.UTC(1960, 0, 1) + random.below(40 * 365) * DAY_MS],
  [/creat/, ({ atMs }) => atMs],
  [
    /(^|_)(updat|modif)/,
    ({ atMs, isFresh, untilMs = Number.POSITIVE_INFINITY }) =>
      isFresh ? atMs : Math.min(atMs + DAY_MS, untilMs),
  ],
  [EXPIRY, ({ atMs, isFresh }) => atMs + (isFresh ? MONTH_MS : LONG_MS)],
  [
    /(^|_)(due|scheduled|ends?|next|renew\w*|expected|target|deadline|estimated)(_|$)/,
    ({ atMs }) => atMs + MONTH_MS,
  ],
  [/(^|_)(start|begin|began|open|initiat|sent|send|first)/, within(0, 0.5)],
  [/(^|_)(complet|finish|clos|end|cancel|last)/, within(0.5, 1)],
];

const whenOf = oncePerName(
  (name) => BY_NAME.find(([pattern]) => pattern.test(snake(name)))?.[1] ?? within(0, 1),
);

/** A plausible moment for a member of this name, in milliseconds since 1970. */
export function momentOf(name: string, facts: Facts): number {
  return whenOf(name)(facts);
}

/** The expiry time of an expired first record: a month after its creation. Undefined for any other text. */
export function expiredText(name: string, text: string): string | undefined {
  const ms = Date.parse(text);
  if (!EXPIRY.test(snake(name)) || Number.isNaN(ms)) return undefined;
  return new Date(ms - LONG_MS + MONTH_MS).toISOString().slice(0, text.length);
}

const DATE_NAME =
  /(_at|_time|_date|timestamp)$|^(date|time(?!_?zone))(_|$)|(^|_)(expiry|expiration|valid_(from|until|to)|birthday|dob|deadline)$/;

/** Whether a member of this name holds a date or a time. */
export const isDateName = oncePerName((name) => DATE_NAME.test(snake(name)));

/** The notations of dates and times to try against a pattern, the longest first. */
function formsOf(moment: number): readonly string[] {
  const iso = new Date(moment).toISOString();
  const [year, month, day] = [iso.slice(0, 4), iso.slice(5, 7), iso.slice(8, 10)];
  const [date, time] = [iso.slice(0, 10), iso.slice(11, 19)];
  return [
    ...[iso, `${date}T${time}Z`, `${date}T${time}+00:00`, `${date}T${time}+0000`, `${date}T${time}`],
    ...[`${date} ${time}`, date, `${date}Z`, `${year}/${month}/${day}`, `${month}/${day}/${year}`],
    ...[`${day}.${month}.${year}`, `${day}-${month}-${year}`, `${year}-${month}`, `${month}/${year}`],
    ...[`${month}/${year.slice(2)}`, `${year}${month}${day}`, `${month}${year.slice(2)}`, time, `${time}Z`],
    ...[time.slice(0, 5), year, month, String(Math.floor(moment / 1000))],
  ];
}

/** How many of the first notations only a pattern for dates can match. */
const SURE_FORMS = 8;

/**
 * A date for a string with a pattern, in the first notation that matches, if the name indicates a date or if nothing but a date
 * can match.
 */
export function dateThatFits(
  name: string,
  facts: Facts,
  fits: (text: string) => boolean,
): string | undefined {
  const forms = formsOf(momentOf(name, facts));
  if (isDateName(name)) return forms.find(fits);
  const isOther = (form: string) => [form.replaceAll(/\d/g, 'a'), form.replaceAll(/\D/g, '')].some(fits);
  return forms.slice(0, SURE_FORMS).find((form) => fits(form) && !isOther(form));
}

const TIMESTAMP_NAME =
  /(^|_)(created|updated|modified|expires|expiry|timestamp|date)$|_at$|(creat|updat|modif|expir|start|end|captur|cancel)\w*_time$/;

const isTimestampName = oncePerName((name) => TIMESTAMP_NAME.test(snake(name)));

/** A moment as a number within limits: seconds since 1970, or milliseconds if the limits require them; undefined for other names. */
export function timestampOf(
  name: string,
  facts: Facts,
  { low, high }: { readonly low: number; readonly high: number },
): number | undefined {
  if (!isTimestampName(name)) return undefined;
  const ms = momentOf(name, facts);
  return [Math.floor(ms / 1000), ms].find((moment) => moment >= low && moment <= high);
}
