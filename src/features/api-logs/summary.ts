import type { Entry } from './entry.ts';
import { type Fingerprint, fingerprintOf, shapeOf } from './fingerprint.ts';
import { type Bar, Histogram } from './histogram.ts';
import type { LookedAt } from './looked-at.ts';

/** One group, as `summary -o json` shows it. */
export type Group = Fingerprint & {
  readonly count: number;
  /** Of the entries that were kept: from 0 to 1, rounded to four digits. */
  readonly share: number;
  readonly first_seen: string | null;
  readonly last_seen: string | null;
  readonly example_id: string | null;
};

/** The document of `summary -o json`. */
export type Summary = {
  readonly looked_at: number;
  readonly kept: number;
  /** The times of the oldest and of the newest entry that was looked at. */
  readonly from: string | null;
  readonly to: string | null;
  readonly histogram?: readonly Bar[];
  /** The largest first. */
  readonly groups: readonly Group[];
};

/** The lengths of histogram rows, in milliseconds. */
const HISTOGRAM_STEPS = { hour: 3_600_000, day: 86_400_000 } as const;

/** The steps of what is counted over time in a group, which columns are made of. */
const TREND_STEPS = Array.from({ length: 54 }, (_, power) => 2 ** power);
const MOST_TREND_STEPS = 256;

/** A group while it is counted; the same object for all of its entries. */
export type CountedGroup = { readonly count: number };

type Tally = Fingerprint & {
  count: number;
  message: string | null;
  first: number;
  last: number;
  exampleId: string | null;
  readonly timeline: Histogram;
};

/** Fingerprints that have groups of their own; the entries of later ones are one group, so that memory is bounded. */
export const MOST_GROUPS = 10_000;
/** How many messages get their own group if all else is the same; further ones, which may contain names, share one. */
const MOST_SHAPES = 50;
const UNTOLD = { type: null, message: null };
const OTHERS: Fingerprint = {
  status: null,
  code: '(others)',
  method: null,
  path: null,
  pointer: null,
  ...UNTOLD,
};

/** Instead of the messages of a group that has very many. */
const VARIED = '\u2026';

type Options = {
  readonly basePath?: string | undefined;
  readonly by?: keyof typeof HISTOGRAM_STEPS | undefined;
};

type Counted = {
  readonly summary: Summary;
  readonly counted: readonly CountedGroup[];
  readonly trends: readonly (readonly number[])[];
};

/** Counts entries by what they have in common. Memory grows with the number of groups alone. */
export class Summarizer {
  readonly #groups = new Map<string, Tally>();
  readonly #histogram: Histogram | undefined;
  /** The number of messages of groups that are otherwise the same. */
  readonly #shapes = new Map<string, number>();
  readonly #basePath: string;

  constructor({ basePath = '', by }: Options = {}) {
    this.#basePath = basePath;
    this.#histogram = by && new Histogram([HISTOGRAM_STEPS[by]]);
  }

  /** Counts one entry. Returns its group. */
  add(entry: Entry): CountedGroup {
    const fingerprint = fingerprintOf(entry, this.#basePath);
    const group = this.#groupOf(fingerprint);
    group.count += 1;
    if (group.message !== fingerprint.message) group.message = group.message && shapeOf(group.message);
    group.exampleId ??= entry.id ?? null;
    if (entry.at !== undefined) this.#addTime(group, entry.at, entry.status);
    return group;
  }

  #addTime(group: Tally, at: number, status: number | undefined): void {
    if (at < group.first) group.first = at;
    if (at > group.last) group.last = at;
    group.timeline.add(at);
    this.#histogram?.add(at, status);
  }

  /** The figures, and in the order of their groups: what `add` returned, and the counts over time in so many columns. */
  summary(looked: LookedAt, columns = 0): Counted {
    const tallies = [...this.#groups.values()].sort((a, b) => b.count - a.count || b.last - a.last);
    const trends = tallies.map(({ timeline }) =>
      looked.oldest > looked.newest ? [] : timeline.columns(looked.oldest, looked.newest, columns),
    );
    return {
      summary: {
        looked_at: looked.count,
        kept: looked.kept,
        from: instantText(looked.oldest),
        to: instantText(looked.newest),
        ...(this.#histogram && { histogram: this.#histogram.bars().bars }),
        groups: tallies.map((tally) => groupOf(tally, looked.kept)),
      },
      counted: tallies,
      trends,
    };
  }

  #groupOf(fingerprint: Fingerprint): Tally {
    const { message, ...rest } = fingerprint;
    const alike = Object.values(rest).join('\n');
    const shape = message && shapeOf(message);
    const known = this.#groups.get(`${alike}\n${shape}`);
    if (known) return known;
    const shapes = this.#shapes.get(alike) ?? 0;
    this.#shapes.set(alike, shapes + 1);
    const isVaried = shapes >= MOST_SHAPES;
    const key = isVaried ? `${alike}\n` : `${alike}\n${shape}`;
    const varied = isVaried ? this.#groups.get(key) : undefined;
    if (varied) return varied;
    const isOther = this.#groups.size >= MOST_GROUPS;
    const others = isOther ? this.#groups.get('') : undefined;
    if (others) return others;
    const group: Tally = {
      ...(isOther ? OTHERS : { ...fingerprint, ...(isVaried ? { message: VARIED } : {}) }),
      count: 0,
      first: Number.POSITIVE_INFINITY,
      last: Number.NEGATIVE_INFINITY,
      exampleId: null,
      timeline: new Histogram(TREND_STEPS, MOST_TREND_STEPS),
    };
    this.#groups.set(isOther ? '' : key, group);
    return group;
  }
}

function groupOf(tally: Tally, kept: number): Group {
  const { count, status, code, method, path, pointer, type, message, first, last, exampleId } = tally;
  return {
    count,
    share: Math.round((count / Math.max(1, kept)) * 10_000) / 10_000,
    status,
    code,
    method,
    path,
    pointer,
    type,
    message,
    first_seen: instantText(first),
    last_seen: instantText(last),
    example_id: exampleId,
  };
}

function instantText(at: number): string | null {
  return Number.isFinite(at) ? new Date(at).toISOString() : null;
}
