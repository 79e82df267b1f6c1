import { detailsOf, type Entry } from './entry.ts';
import type { LookedAt } from './looked-at.ts';
import { templateOf } from './template.ts';
import { Timeline } from './timeline.ts';

/** What the entries of a group have in common; null where they have none. */
export type Fingerprint = {
  readonly status: number | null;
  readonly code: string | null;
  readonly method: string | null;
  /** The template of the path. */
  readonly path: string | null;
  /** The pointer of the first detail, with `*` for the index of an array. */
  readonly pointer: string | null;
};

/** One group, as `summary -o json` shows it. */
export type Group = Fingerprint & {
  readonly count: number;
  /** Of the entries that were kept: from 0 to 1, rounded to four digits. */
  readonly share: number;
  readonly first_seen: string | null;
  readonly last_seen: string | null;
  readonly example_id: string | null;
};

/** One hour or day. */
export type HistogramRow = {
  readonly from: string;
  readonly count: number;
  readonly '4xx': number;
  readonly '5xx': number;
};

/** The document of `summary -o json`. */
export type Summary = {
  readonly looked_at: number;
  readonly kept: number;
  /** The times of the oldest and of the newest entry that was looked at. */
  readonly from: string | null;
  readonly to: string | null;
  readonly histogram?: readonly HistogramRow[];
  /** The largest first. */
  readonly groups: readonly Group[];
};

/** The lengths of histogram rows, in milliseconds. */
export const HISTOGRAM_STEPS = { hour: 3_600_000, day: 86_400_000 } as const;

/** A group while it is counted; the same object for all of its entries. */
export type CountedGroup = { readonly count: number };

type Tally = Fingerprint & {
  count: number;
  first: number;
  last: number;
  exampleId: string | null;
  timeline: Timeline;
};

/** Fingerprints that have groups of their own; the entries of later ones are one group, so that memory is bounded. */
export const MOST_GROUPS = 10_000;
const OTHERS: Fingerprint = { status: null, code: '(others)', method: null, path: null, pointer: null };

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
  readonly #rows = new Map<number, [count: number, client: number, server: number]>();
  readonly #basePath: string;
  readonly #step: number | undefined;

  constructor({ basePath = '', by }: Options = {}) {
    this.#basePath = basePath;
    this.#step = by && HISTOGRAM_STEPS[by];
  }

  /** Counts one entry. Returns its group. */
  add(entry: Entry): CountedGroup {
    const fingerprint = fingerprintOf(entry, this.#basePath);
    const group = this.#groupOf(fingerprint);
    group.count += 1;
    group.exampleId ??= entry.id ?? null;
    if (entry.at !== undefined) this.#addTime(group, entry.at, entry.status);
    return group;
  }

  #addTime(group: Tally, at: number, status = 0): void {
    if (at < group.first) group.first = at;
    if (at > group.last) group.last = at;
    group.timeline.add(at);
    if (this.#step === undefined) return;
    const row = Math.floor(at / this.#step);
    const counts = this.#rows.get(row) ?? [0, 0, 0];
    counts[0] += 1;
    if (status >= 400 && status < 500) counts[1] += 1;
    if (status >= 500) counts[2] += 1;
    this.#rows.set(row, counts);
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
        ...(this.#step === undefined ? {} : { histogram: this.#histogram(this.#step) }),
        groups: tallies.map((tally) => groupOf(tally, looked.kept)),
      },
      counted: tallies,
      trends,
    };
  }

  #groupOf(fingerprint: Fingerprint): Tally {
    const { status, code, method, path, pointer } = fingerprint;
    const key = `${status}\n${code}\n${method}\n${path}\n${pointer}`;
    const known = this.#groups.get(key);
    if (known) return known;
    const isOther = this.#groups.size >= MOST_GROUPS;
    const others = isOther ? this.#groups.get('') : undefined;
    if (others) return others;
    const group: Tally = {
      ...(isOther ? OTHERS : fingerprint),
      count: 0,
      first: Number.POSITIVE_INFINITY,
      last: Number.NEGATIVE_INFINITY,
      exampleId: null,
      timeline: new Timeline(),
    };
    this.#groups.set(isOther ? '' : key, group);
    return group;
  }

  /** Every row from the first to the last with entries, also those without; only rows with entries where there are very many. */
  #histogram(step: number): HistogramRow[] {
    const known = [...this.#rows.keys()].sort((a, b) => a - b);
    const [first = 0, last = -1] = [known[0], known.at(-1)];
    const isShort = last - first < MOST_GROUPS;
    const rows = isShort ? Array.from({ length: last - first + 1 }, (_, index) => first + index) : known;
    return rows.map((row) => {
      const [count, client, server] = this.#rows.get(row) ?? [0, 0, 0];
      return { from: instantText(row * step) ?? '', count, '4xx': client, '5xx': server };
    });
  }
}

/** What tells the failures of different causes apart. */
export function fingerprintOf(entry: Entry, basePath = ''): Fingerprint {
  const { status = null, code = null, method = null, url } = entry;
  const pointer = detailsOf(entry).find((detail) => detail.pointer !== '')?.pointer;
  return {
    status,
    code: code && clip(code),
    method: method && clip(method),
    path: url === undefined ? null : clip(templateOf(url, basePath)),
    pointer: pointer === undefined ? null : clip(pointer).replace(/\/\d+(?=\/|$)/g, '/*'),
  };
}

/** Characters of one part of a fingerprint. */
const LONGEST = 300;

function clip(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST).toWellFormed()}\u2026` : text;
}

function groupOf(tally: Tally, kept: number): Group {
  const { count, status, code, method, path, pointer, first, last, exampleId } = tally;
  return {
    count,
    share: Math.round((count / Math.max(1, kept)) * 10_000) / 10_000,
    status,
    code,
    method,
    path,
    pointer,
    first_seen: instantText(first),
    last_seen: instantText(last),
    example_id: exampleId,
  };
}

function instantText(at: number): string | null {
  return Number.isFinite(at) ? new Date(at).toISOString() : null;
}
