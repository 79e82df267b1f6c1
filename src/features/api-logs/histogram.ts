/** One bar of a histogram: what was counted from a time on, for one step. */
export type Bar = {
  readonly from: string;
  readonly count: number;
  readonly '4xx': number;
  readonly '5xx': number;
};

/** The bars of a histogram, all of the same length. */
export type Bars = {
  readonly step_seconds: number;
  readonly bars: readonly Bar[];
};

/** How many bars there may be before those without entries are left out. */
const MOST_BARS = 10_000;

type Counts = Map<number, number>;

/** Counts over time in steps that get longer, so that their number stays bounded as the time between first and last grows. */
export class Histogram {
  readonly #steps: readonly number[];
  readonly #most: number;
  #step = 0;
  #first = Number.POSITIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;
  /** By the numbers of steps since 1970: everything, what was refused, and what failed in the service. */
  #counts: readonly [all: Counts, client: Counts, server: Counts] = [new Map(), new Map(), new Map()];

  /** `steps` are lengths in milliseconds, each of which divides the next one, and `most` is the largest number of steps. */
  constructor(steps: readonly number[], most = Number.POSITIVE_INFINITY) {
    this.#steps = steps;
    this.#most = most;
  }

  /** Counts an entry of an instant, in milliseconds since 1970. */
  add(at: number, status = 0): void {
    let bucket = Math.floor(at / this.#length);
    this.#first = Math.min(this.#first, bucket);
    this.#last = Math.max(this.#last, bucket);
    while (this.#last - this.#first >= this.#most && this.#step < this.#steps.length - 1) this.#coarsen();
    bucket = Math.floor(at / this.#length);
    const [all, client, server] = this.#counts;
    increase(all, bucket, 1);
    if (status >= 400) increase(status >= 500 ? server : client, bucket, 1);
  }

  /** Every bar from the first to the last, or only those with entries where there would be very many. */
  bars(): Bars {
    const [all, client, server] = this.#counts;
    const count = this.#last - this.#first + 1;
    const isShort = count <= MOST_BARS;
    const buckets = isShort
      ? Array.from({ length: Math.max(0, count) }, (_, index) => this.#first + index)
      : [...all.keys()].sort((a, b) => a - b);
    const bars = buckets.map((bucket) => ({
      // The first step of all may begin before the first time that can be written.
      from: new Date(Math.max(bucket * this.#length, -8.64e15)).toISOString(),
      count: all.get(bucket) ?? 0,
      '4xx': client.get(bucket) ?? 0,
      '5xx': server.get(bucket) ?? 0,
    }));
    return { step_seconds: this.#length / 1000, bars };
  }

  /** The counts in so many columns of equal width between two instants, both included. */
  columns(from: number, to: number, count: number): readonly number[] {
    const columns = Array.from({ length: count }, () => 0);
    const span = Math.max(1, to - from + 1);
    for (const [bucket, value] of this.#counts[0]) {
      const middle = (bucket + 0.5) * this.#length;
      const part = (Math.min(Math.max(middle, from), to) - from) / span;
      const column = Math.min(Math.floor(part * count), count - 1);
      columns[column] = (columns[column] ?? 0) + value;
    }
    return columns;
  }

  get #length(): number {
    return this.#steps[this.#step] ?? 1;
  }

  #coarsen(): void {
    const before = this.#length;
    this.#step += 1;
    const ratio = this.#length / before;
    const [all, client, server] = this.#counts;
    this.#counts = [coarser(all, ratio), coarser(client, ratio), coarser(server, ratio)];
    this.#first = Math.floor(this.#first / ratio);
    this.#last = Math.floor(this.#last / ratio);
  }
}

function coarser(counts: Counts, ratio: number): Counts {
  const coarse: Counts = new Map();
  for (const [bucket, count] of counts) increase(coarse, Math.floor(bucket / ratio), count);
  return coarse;
}

function increase(counts: Counts, bucket: number, by: number): void {
  counts.set(bucket, (counts.get(bucket) ?? 0) + by);
}
