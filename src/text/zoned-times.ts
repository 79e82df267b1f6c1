/** How times are shown: as they were sent, in the zone of the machine, or in UTC. */
export type TimeStyle = 'sent' | 'local' | 'utc';

/** How much of a time is shown: its day, its minute, its second, or all that was sent. */
export type TimePrecision = 'day' | 'minute' | 'second' | 'exact';

const DATE_TIME = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d(?::\d\d(\.\d{1,9})?\d*)?(?:[Zz]|[+-]\d\d:?\d\d)$/;

/**
 * Shows the times of one table or document: `2026-03-01 14:05:59`, in UTC with a `Z`. It remembers their offsets, so that a heading can
 * name their zone. `readTime` reads whatever is shown, and the span that it gives contains the time that was sent.
 */
export class ZonedTimes {
  readonly #style: TimeStyle;
  /** The names of the offsets of the times so far, by the offset in milliseconds. */
  readonly #names = new Map<number, string>();
  readonly #namesInMonths = new Map<string, string>();
  /** The offset that the heading names, in milliseconds; null where it names a zone with all of its offsets. */
  #covered: number | null | undefined;

  constructor(style: TimeStyle) {
    this.#style = style;
  }

  /** A time of RFC 3339 as a cell shows it; any other text as it is. One that the heading does not cover has its offset. */
  cell(text: string, precision: Exclude<TimePrecision, 'exact'>): string {
    const time = this.#read(text, precision);
    if (!time) return text;
    if (precision === 'day') return this.#style === 'utc' ? `${time.text}Z` : time.text;
    const name = this.#nameOf(time);
    if (name === 'UTC') return `${time.text}Z`;
    return (this.#covered ?? time.offset) === time.offset ? time.text : time.text + offsetText(time.offset);
  }

  /** The same with its zone after it: `2026-03-01 14:05:59 CET`. */
  named(text: string, precision: TimePrecision = 'exact'): string {
    const time = this.#read(text, precision);
    if (!time) return text;
    const name = this.#nameInMonth(time);
    return name === 'UTC' ? `${time.text}Z` : `${time.text} ${name}`;
  }

  /**
   * What a heading says after the name of the column, such as ` (CET)`: the zone of the cells so far, by its long name where they have
   * several offsets; nothing where there are no times. Cells to come carry what it does not say.
   */
  heading(): string {
    const [first, second] = this.#names;
    if (!first) return '';
    this.#covered = second ? null : first[0];
    return ` (${second ? zoneOfMachine() : first[1]})`;
  }

  /** An offset may have had other names; they are not looked up again for each time, which takes most of a millisecond. */
  #nameInMonth({
    text,
    offset,
    at,
  }: {
    readonly text: string;
    readonly offset: number;
    readonly at: number;
  }): string {
    if (this.#style === 'utc') return 'UTC';
    const key = `${text.slice(0, 7)} ${offset}`;
    const name = this.#namesInMonths.get(key) ?? zoneName(at);
    this.#namesInMonths.set(key, name);
    return name;
  }

  #nameOf({ offset, at }: { readonly offset: number; readonly at: number }): string {
    const name = this.#names.get(offset) ?? (this.#style === 'utc' ? 'UTC' : zoneName(at));
    this.#names.set(offset, name);
    return name;
  }

  #read(text: string, precision: TimePrecision) {
    const style = this.#style;
    const match = style === 'sent' || text.length > LONGEST ? undefined : DATE_TIME.exec(text);
    const at = match ? Date.parse(text) : Number.NaN;
    if (Number.isNaN(at)) return undefined;
    const wall = style === 'utc' ? at : wallTime(at);
    const iso = new Date(wall).toISOString();
    if (iso.length !== 24) return undefined;
    const offset = wall - at;
    const fraction = precision === 'exact' ? (match?.[1] ?? '') : '';
    return { text: iso.slice(0, LENGTHS[precision]).replace('T', ' ') + fraction, offset, at };
  }
}

/** No time is longer, in characters. */
const LONGEST = 64;
const LENGTHS: Readonly<Record<TimePrecision, number>> = { day: 10, minute: 16, second: 19, exact: 19 };

/** An instant in a sentence, to the second: by its zone on a terminal, else as RFC 3339 writes it in UTC. In milliseconds since 1970. */
export function momentIn(style: TimeStyle, at: number): string {
  const text = `${new Date(at).toISOString().slice(0, -5)}Z`;
  return new ZonedTimes(style).named(text);
}

/** What the clocks of the machine show at an instant, as the instant at which those of UTC show the same; in milliseconds since 1970. */
export function wallTime(at: number): number {
  const local = new Date(at);
  const wall = new Date(0);
  wall.setUTCFullYear(local.getFullYear(), local.getMonth(), local.getDate());
  return wall.setUTCHours(local.getHours(), local.getMinutes(), local.getSeconds(), local.getMilliseconds());
}

/** English of several countries: each knows the short names of zones that it uses. */
const LOCALES = ['en-GB', 'en-US', 'en-AU'];

/** The short name of the zone of the machine at an instant: `CET`, `EST`, or `GMT+5:30` where it has none. */
export function zoneName(at: number): string {
  const names = LOCALES.values().map((locale) => {
    const parts = new Intl.DateTimeFormat(locale, { timeZoneName: 'short' }).formatToParts(at);
    return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  });
  const known: string[] = [];
  for (const name of names) {
    if (!/\d/.test(name)) return name;
    known.push(name);
  }
  // Node takes a zone that it does not know for UTC.
  return known.find((name) => !/^GMT[+-]0$/.test(name)) ?? 'UTC';
}

function zoneOfMachine(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** `+01:00`, of milliseconds; with its seconds where it has any, as offsets had before 1972. */
function offsetText(offset: number): string {
  const iso = new Date(Math.abs(offset)).toISOString().slice(11, 19).replace(/:00$/, '');
  return `${offset < 0 ? '-' : '+'}${iso}`;
}
