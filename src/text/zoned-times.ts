/** How times are shown: as they were sent, in the zone of the machine, or in UTC. */
export type TimeStyle = 'sent' | 'local' | 'utc';

/** How much of a time is shown: its day, its minute, its second, or all that was sent. */
export type TimePrecision = 'day' | 'minute' | 'second' | 'exact';

const DATE_TIME = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d(?::\d\d(\.\d{1,9})?\d*)?(?:[Zz]|[+-]\d\d:?\d\d)$/;

/** A time of RFC 2822, such as `Tue, 24 Nov 2026 10:00:00 +0000`, up to its zone. */
const MAIL_TIME =
  /^(?:[A-Z][a-z]{2}, )?(\d{1,2}) [A-Z][a-z]{2} \d{4} \d\d:\d\d(?::\d\d)?(?= (?:[+-]\d{4}|GMT|UTC?)$)/;

/** The time that a service writes, by RFC 3339 or RFC 2822, in milliseconds since 1970; undefined for any other text. */
export function instantOf(text: string): number | undefined {
  if (text.length > LONGEST) return undefined;
  const [wall, day] = DATE_TIME.test(text) ? [] : (MAIL_TIME.exec(text) ?? ['']);
  // JavaScript takes the 31st of a shorter month for a day of the next one.
  const isDay = wall === undefined || new Date(`${wall} GMT`).getUTCDate() === Number(day);
  const at = isDay ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

/**
 * Shows the times of one table or document: `2026-03-01 14:05:59`, in UTC with a `Z`. It remembers their offsets, so that a heading can
 * name their zone. `readTime` reads whatever is shown, and the span that it gives contains the time that was sent.
 */
export class ZonedTimes {
  readonly #style: TimeStyle;
  /** The names of the offsets of the times so far, by the offset in milliseconds. */
  readonly #names = new Map<number, string>();
  /** An offset may have had other names: those by its month, too. */
  readonly #namesInMonths = new Map<string, string>();
  /** Whether the heading that was printed covers an offset; before it, each one is. */
  #covers: (offset: number) => boolean = () => true;

  constructor(style: TimeStyle) {
    this.#style = style;
  }

  /** A time that `instantOf` reads as a cell shows it; any other text as it is. One that the heading does not cover has its offset. */
  cell(text: string, precision: Exclude<TimePrecision, 'exact'>): string {
    const time = this.#read(text, precision);
    if (!time) return text;
    if (precision === 'day') return this.#style === 'utc' ? `${time.text}Z` : time.text;
    const name = this.#nameOnce(this.#names, time.offset, time.at);
    if (name === 'UTC') return `${time.text}Z`;
    return this.#covers(time.offset) ? time.text : time.text + offsetText(time.offset);
  }

  /** The same with its zone after it: `2026-03-01 14:05:59 CET`. */
  named(text: string, precision: TimePrecision = 'exact'): string {
    const time = this.#read(text, precision);
    if (!time) return text;
    const name = this.#nameOnce(this.#namesInMonths, `${time.text.slice(0, 7)} ${time.offset}`, time.at);
    return name === 'UTC' ? `${time.text}Z` : `${time.text} ${name}`;
  }

  /**
   * What a heading says after the name of the column: the zone of the cells so far, ` (CET)`, or ` (CET/CEST)` where each has one of
   * two offsets; the long name of the zone where there are more, and nothing where there are no times. Cells to come carry what it
   * does not say.
   */
  heading(): string {
    const offsets = [...this.#names.keys()].sort((one, other) => one - other);
    if (offsets.length === 0) return '';
    if (offsets.length > MOST_OFFSETS) return ` (${new Intl.DateTimeFormat().resolvedOptions().timeZone})`;
    this.#covers = (offset) => offsets.includes(offset);
    return ` (${offsets.map((offset) => this.#names.get(offset)).join('/')})`;
  }

  /** The name of the zone at an instant; looking one up takes most of a millisecond. */
  #nameOnce<Key>(names: Map<Key, string>, key: Key, at: number): string {
    const name = names.get(key) ?? (this.#style === 'utc' ? 'UTC' : zoneName(at));
    names.set(key, name);
    return name;
  }

  #read(text: string, precision: TimePrecision) {
    const style = this.#style;
    const at = style === 'sent' ? undefined : instantOf(text);
    if (at === undefined) return undefined;
    const wall = style === 'utc' ? at : wallTime(at);
    const iso = new Date(wall).toISOString();
    if (iso.length !== 24) return undefined;
    const offset = wall - at;
    const fraction = precision === 'exact' ? (DATE_TIME.exec(text)?.[1] ?? '') : '';
    return { text: iso.slice(0, LENGTHS[precision]).replace('T', ' ') + fraction, offset, at };
  }
}

/** No time is longer, in characters. */
const LONGEST = 64;
/** More offsets than those of summer and winter are in pages of decades. */
const MOST_OFFSETS = 2;
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

/** The zones that people know by a short name, by the English one that JavaScript has for them. */
const SHORT_NAMES: ReadonlyMap<string, string> = new Map([
  ['Coordinated Universal Time', 'UTC'],
  ['Greenwich Mean Time', 'GMT'],
  ['British Summer Time', 'BST'],
  ...summerAndWinter('Western European', 'WET', 'WEST'),
  ...summerAndWinter('Central European', 'CET', 'CEST'),
  ...summerAndWinter('Eastern European', 'EET', 'EEST'),
  ...summerAndWinter('Eastern', 'EST', 'EDT'),
  ...summerAndWinter('Central', 'CST', 'CDT'),
  ...summerAndWinter('Mountain', 'MST', 'MDT'),
  ...summerAndWinter('Pacific', 'PST', 'PDT'),
  ...summerAndWinter('Alaska', 'AKST', 'AKDT'),
  ...summerAndWinter('Hawaii-Aleutian', 'HST', 'HDT'),
  ...summerAndWinter('Atlantic', 'AST', 'ADT'),
  ...summerAndWinter('New Zealand', 'NZST', 'NZDT'),
  ...summerAndWinter('Australian Eastern', 'AEST', 'AEDT'),
  ...summerAndWinter('Australian Central', 'ACST', 'ACDT'),
  ...summerAndWinter('Australian Western', 'AWST', 'AWDT'),
]);

function summerAndWinter(
  zone: string,
  winter: string,
  summer: string,
): readonly (readonly [string, string])[] {
  const names = [`${zone} Daylight Time`, `${zone} Summer Time`];
  return [[`${zone} Standard Time`, winter] as const, ...names.map((name) => [name, summer] as const)];
}

/**
 * The short name of the zone of the machine at an instant: `CET`, `EST`, or `GMT+5:30` where it has none. `Intl` is used where the
 * language of the machine is not English: it takes as long to load as a tenth of a run.
 */
export function zoneName(at: number): string {
  const [, long = ''] = /\((.*)\)$/.exec(new Date(at).toString()) ?? [];
  const isEnglish = /^[ -~]+$/.test(long) && long.endsWith(' Time');
  const known = SHORT_NAMES.get(isEnglish ? long : englishName(long, at));
  const offset = wallTime(at) - at;
  // British Standard Time, of 1970, has the name of Greenwich Mean Time.
  if (known !== undefined && (offset === 0 || known !== 'GMT')) return known;
  // Node takes a zone that it does not know for UTC.
  if (offset === 0) return 'UTC';
  return `GMT${offsetText(offset).replace(/^(.)0/, '$1').replace(/:00$/, '')}`;
}

/** The name in English; of an offset alone, which has none, as it is. */
function englishName(long: string, at: number): string {
  if (/^GMT[+-]/.test(long)) return long;
  const parts = new Intl.DateTimeFormat('en-GB', { timeZoneName: 'long' }).formatToParts(at);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

/** `+01:00`, of milliseconds; with its seconds where it has any, as offsets had before 1972. */
function offsetText(offset: number): string {
  const iso = new Date(Math.abs(offset)).toISOString().slice(11, 19).replace(/:00$/, '');
  return `${offset < 0 ? '-' : '+'}${iso}`;
}
