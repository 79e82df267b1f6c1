import { custom } from '@oclif/core/flags';
import { UsageError } from '../../errors.ts';
import { formatCell, valueAt } from '../../output/columns.ts';
import { countEntries, quote } from '../../text/format.ts';
import { readTime, type TimeSpan } from '../../text/instant.ts';
import { momentIn, type TimeStyle } from '../../text/zoned-times.ts';
import type { Selection } from '../show/list-pages.ts';
import { FlagError, type FlagValues, TIME_EXAMPLES } from './types.ts';

/** A flag for a time, which stays as it was typed: what it means depends on the clock of the service. */
export const timeFlag = custom<string>({
  helpValue: 'TIME',
  helpGroup: 'FILTER',
  parse: async (input, _context, { name }) => {
    if (readTime(input, Date.now(), `--${name}`)) return input;
    throw new FlagError(`--${name} must be a time, not ${quote(input)}`, `Use ${TIME_EXAMPLES}.`);
  },
});

/** `--since` and `--until`, for a list whose items have a time. */
export function timeFlags() {
  return {
    since: timeFlag({
      summary: 'Only entries from this local time on: 1h, today, 10:00, a date, or as in a table.',
    }),
    until: timeFlag({ summary: 'Only entries up to this local time; a date includes its whole day.' }),
  };
}

/** What `timeFlags` parse to. */
export type TimeFlagValues = FlagValues<typeof timeFlags>;

type TimedList = {
  /** The dotted path of the time of an item. */
  readonly path: string;
  /** What the items are called, in the plural. */
  readonly noun: string;
  readonly flags: TimeFlagValues;
  /** What else an item must be; anything by default. */
  readonly test?: ((item: unknown) => boolean) | undefined;
};

/**
 * Selects the items of a span of time. An item without a time is in none. Once items that came newest first are older than
 * the span, the list is over; a list that is out of order is looked at to its end.
 * @throws UsageError `empty_time_span` where the span ends before it begins
 */
export function selectByTime(list: TimedList): TimeSelection {
  return new TimeSelection(new TimedItems(list));
}

class TimeSelection implements Selection {
  readonly #items: TimedItems;
  readonly #order = new ListOrder();
  #from: number | undefined;

  constructor(items: TimedItems) {
    this.#items = items;
  }

  keeps(items: readonly unknown[], now: number): readonly boolean[] {
    this.#from = this.#items.begin(now).from;
    for (const item of items) this.#order.add(this.#items.timeOf(item));
    return this.#items.keeps(items);
  }

  isOver(): boolean {
    return this.#order.isBefore(this.#from);
  }

  summary(shown: number, style: TimeStyle): string {
    return [this.#items.summary(style, shown), ...this.#order.notes(this.#from)].join(' ');
  }
}

/** Services log concurrent requests out of order. An entry may be this much newer than an earlier one, in milliseconds. */
const DISORDER_MS = 60_000;

/** Whether a list comes newest first, and how far back it has been read. Times are in milliseconds since 1970. */
export class ListOrder {
  #first: number | undefined;
  #last = Number.POSITIVE_INFINITY;
  #oldest = Number.POSITIVE_INFINITY;
  #isNewestFirst = true;

  /** Adds the time of the next item; undefined where it has none. */
  add(at: number | undefined): void {
    if (at === undefined) return;
    this.#isNewestFirst &&= at <= this.#oldest + DISORDER_MS;
    this.#oldest = Math.min(this.#oldest, at);
    this.#first ??= at;
    this.#last = at;
  }

  /** Whether no later item can be of this time or after it. */
  isBefore(from: number | undefined): boolean {
    if (!this.#isNewestFirst || from === undefined || this.#first === undefined) return false;
    // A short span of a list with the oldest first looks like disorder, but rises.
    return this.#last <= this.#first && this.#oldest < from - DISORDER_MS;
  }

  /** Says why a list that begins at this time was read to its end. */
  notes(from: number | undefined): readonly string[] {
    if (this.#isNewestFirst || from === undefined) return [];
    return ['They are not sorted newest first, so payctl does not stop at --since.'];
  }
}

/** What was looked at. */
export class Looked {
  /** Items, and those of them that were kept. */
  count = 0;
  kept = 0;
  /** Items without a time. */
  timeless = 0;
  /** The times of the oldest and of the newest item, in milliseconds since 1970; infinite where none has a time. */
  oldest = Number.POSITIVE_INFINITY;
  newest = Number.NEGATIVE_INFINITY;

  /** Counts items of these times, and which of them are kept. */
  add(times: readonly (number | undefined)[], kept: readonly boolean[]): void {
    for (const at of times) {
      if (at === undefined) {
        this.timeless += 1;
        continue;
      }
      if (at < this.oldest) this.oldest = at;
      if (at > this.newest) this.newest = at;
    }
    this.count += times.length;
    this.kept += kept.filter(Boolean).length;
  }
}

/** Filters items that have a time, and counts them. */
export class TimedItems {
  readonly #list: TimedList;
  readonly #looked = new Looked();
  /** Known once there is a response of the service, whose clock counts. */
  #span: OpenTimeSpan | undefined;

  /** @throws UsageError `empty_time_span` where the span ends before it begins */
  constructor(list: TimedList) {
    this.#list = list;
    timeSpanOf(list.flags, Date.now());
  }

  /** Fixes what --since and --until mean; `now` is the time of the first response, and later calls change nothing. */
  begin(now: number): OpenTimeSpan {
    this.#span ??= timeSpanOf(this.#list.flags, now);
    return this.#span;
  }

  /** The time of an item, in milliseconds since 1970; undefined where it has none. */
  timeOf(item: unknown): number | undefined {
    const at = Date.parse(formatCell(valueAt(item, this.#list.path)));
    return Number.isNaN(at) ? undefined : at;
  }

  /** Decides for each item whether it is kept. */
  select(items: readonly unknown[]): readonly boolean[] {
    const span = this.begin(Date.now());
    const { test = () => true } = this.#list;
    return items.map((item) => isWithin(this.timeOf(item), span) && test(item));
  }

  /** Does the same with items that are looked at, and counts them. */
  keeps(items: readonly unknown[]): readonly boolean[] {
    const kept = this.select(items);
    this.#looked.add(
      items.map((item) => this.timeOf(item)),
      kept,
    );
    return kept;
  }

  /** Says how many items were looked at, and of what time in this style; `shown` of those that match are shown. */
  summary(style: TimeStyle, shown = this.#looked.kept): string {
    const { noun, flags, test } = this.#list;
    const { count, kept } = this.#looked;
    const some = shown < kept ? `; ${shown} ${shown === 1 ? 'is' : 'are'} shown` : '';
    const between = betweenText(this.#looked, style);
    const isFiltered = test !== undefined || flags.since !== undefined || flags.until !== undefined;
    return [
      isFiltered
        ? `${kept} of ${count} ${noun}${between} match${some}.`
        : `${countEntries(count)}${between}.`,
      ...meaningOf(flags, this.begin(Date.now()), style),
    ].join(' ');
  }
}

/** ` between T1 and T2`, of milliseconds since 1970, or ` at T`; empty where no item has a time. */
export function betweenText(
  { oldest, newest }: { readonly oldest: number; readonly newest: number },
  style: TimeStyle,
): string {
  if (oldest > newest) return '';
  const [from, to] = [momentIn(style, oldest), momentIn(style, newest)];
  return from === to ? ` at ${from}` : ` between ${from} and ${to}`;
}

/** The milliseconds since 1970 from which and before which items are meant. */
export type OpenTimeSpan = { readonly from: number | undefined; readonly to: number | undefined };

/** Whether a time is in the span; what has none is in no span that begins or ends. */
export function isWithin(at: number | undefined, { from, to }: OpenTimeSpan): boolean {
  if (at === undefined) return from === undefined && to === undefined;
  return (from === undefined || at >= from) && (to === undefined || at < to);
}

/**
 * The span of time that the flags mean at this time, in milliseconds since 1970.
 * @throws UsageError `empty_time_span` where it ends before it begins
 */
export function timeSpanOf({ since, until }: TimeFlagValues, now: number): OpenTimeSpan {
  const read = (text: string | undefined, flag: string): TimeSpan | undefined =>
    text === undefined ? undefined : readTime(text, now, flag);
  const span = { from: read(since, '--since')?.from, to: read(until, '--until')?.to };
  if (span.from === undefined || span.to === undefined || span.from < span.to) return span;
  throw new UsageError('empty_time_span', `--since ${since} is later than --until ${until}`, {
    hint: 'Give --since the earlier time.',
  });
}

/** Says which instants the flags became, one sentence each: the first and the last second that are meant. */
export function meaningOf(
  { since, until }: TimeFlagValues,
  { from, to }: OpenTimeSpan,
  style: TimeStyle,
): string[] {
  return [
    ...(from === undefined ? [] : [`--since ${since} is ${momentIn(style, from)}.`]),
    ...(to === undefined ? [] : [`--until ${until} is ${momentIn(style, to - 1)}.`]),
  ];
}
