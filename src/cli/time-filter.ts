import { custom } from '@oclif/core/flags';
import { UsageError } from '../errors.ts';
import { formatCell, valueAt } from '../output/columns.ts';
import { momentOf, quote } from '../text/format.ts';
import { readTime, TIME_EXAMPLES, type TimeSpan } from '../text/instant.ts';
import { FlagError } from './flags/types.ts';
import type { Selection } from './list-pages.ts';

/** A flag for a time, which stays as it was typed: what it means depends on the clock of the service. */
const timeFlag = custom<string>({
  helpValue: 'TIME',
  helpGroup: 'FILTER',
  parse: async (input, _context, { name }) => {
    if (readTime(input, Date.now())) return input;
    throw new FlagError(`--${name} must be a time, not ${quote(input)}`, `Use ${TIME_EXAMPLES}.`);
  },
});

/** `--since` and `--until`, for a list whose items have a time. */
export function timeFlags() {
  return {
    since: timeFlag({ summary: 'Only entries at or after this time, such as 1h, today, 10:00 or a date.' }),
    until: timeFlag({ summary: 'Only entries up to this time; a date includes its whole day.' }),
  };
}

/** What `timeFlags` parse to. */
export type TimeFlagValues = { readonly since?: string | undefined; readonly until?: string | undefined };

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
 * the span, the list is over; as soon as one is newer than the one before, all of it is looked at.
 * @throws UsageError `empty_time_span` where the span ends before it begins
 */
export function selectByTime(list: TimedList): TimeSelection {
  timeSpanOf(list.flags, Date.now());
  return new TimeSelection(list);
}

class TimeSelection implements Selection {
  readonly #list: TimedList;
  readonly #times = { oldest: Number.POSITIVE_INFINITY, newest: Number.NEGATIVE_INFINITY };
  /** Known once there is an answer of the service, whose clock counts. */
  #span: OpenTimeSpan | undefined;
  #looked = 0;
  #matched = 0;
  #previous = Number.POSITIVE_INFINITY;
  #isNewestFirst = true;

  constructor(list: TimedList) {
    this.#list = list;
  }

  keeps(items: readonly unknown[], now: number): readonly boolean[] {
    const span = this.#span ?? timeSpanOf(this.#list.flags, now);
    this.#span = span;
    const kept = items.map((item) => this.#isWithin(item, span) && (this.#list.test?.(item) ?? true));
    this.#looked += items.length;
    this.#matched += kept.filter(Boolean).length;
    return kept;
  }

  #isWithin(item: unknown, { from, to }: OpenTimeSpan): boolean {
    const at = Date.parse(formatCell(valueAt(item, this.#list.path)));
    if (Number.isNaN(at)) return from === undefined && to === undefined;
    this.#isNewestFirst &&= at <= this.#previous;
    this.#previous = at;
    this.#times.oldest = Math.min(this.#times.oldest, at);
    this.#times.newest = Math.max(this.#times.newest, at);
    return (from === undefined || at >= from) && (to === undefined || at < to);
  }

  isOver(): boolean {
    const from = this.#span?.from;
    return this.#isNewestFirst && from !== undefined && this.#previous < from;
  }

  summary(shown: number): string {
    const { noun, flags } = this.#list;
    const { oldest, newest } = this.#times;
    const between =
      oldest <= newest ? ` between ${momentOf(new Date(oldest))} and ${momentOf(new Date(newest))}` : '';
    const some = shown < this.#matched ? `; ${shown} are shown` : '';
    const from = this.#span?.from;
    const order =
      this.#isNewestFirst || from === undefined
        ? []
        : ['They do not come newest first, so payctl does not stop at --since.'];
    return [
      `${this.#matched} of ${this.#looked} ${noun}${between} match${some}.`,
      ...meaningOf(flags, { from, to: this.#span?.to }),
      ...order,
    ].join(' ');
  }
}

/** The milliseconds since 1970 from which and before which items are meant. */
export type OpenTimeSpan = { readonly from: number | undefined; readonly to: number | undefined };

/**
 * The span of time that the flags mean at this time, in milliseconds since 1970.
 * @throws UsageError `empty_time_span` where it ends before it begins
 */
export function timeSpanOf({ since, until }: TimeFlagValues, now: number): OpenTimeSpan {
  const read = (text: string | undefined): TimeSpan | undefined =>
    text === undefined ? undefined : readTime(text, now);
  const span = { from: read(since)?.from, to: read(until)?.to };
  if (span.from === undefined || span.to === undefined || span.from < span.to) return span;
  throw new UsageError('empty_time_span', `--since ${since} is later than --until ${until}`);
}

/** Says which instants the flags became, one sentence each. */
export function meaningOf(flags: TimeFlagValues, { from, to }: OpenTimeSpan): string[] {
  return [...meaning('since', flags.since, from), ...meaning('until', flags.until, to)];
}

function meaning(flag: string, typed: string | undefined, at: number | undefined): string[] {
  return typed === undefined || at === undefined ? [] : [`--${flag} ${typed} is ${momentOf(new Date(at))}.`];
}
