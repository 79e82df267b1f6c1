/** One bar of a histogram: what was counted from a time on, for one step. */
export type Bar = {
  readonly from: string;
  readonly count: number;
  readonly '4xx': number;
  readonly '5xx': number;
};

/** Counts over time in steps that people think in. */
export type Bars = {
  readonly step_seconds: number;
  readonly bars: readonly Bar[];
};

type Counts = [all: number, client: number, server: number];

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

/** The lengths of steps, in milliseconds; each divides the next one. The last covers all of time in a few steps. */
const STEPS: readonly number[] = [
  ...[1, 5, 15, 60, 360].map((minutes) => minutes * MINUTE),
  ...[0, 1, 2, 3, 4, 5, 6, 7, 8].map((zeros) => 10 ** zeros * DAY),
];

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

/** Counts entries over time. It has at most `most` steps: they get longer as the time between first and last grows. */
export class Histogram {
  readonly #most: number;
  #step = 0;
  #first = Number.POSITIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;
  #counts = new Map<number, Counts>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Counts an entry of an instant, in milliseconds since 1970. */
  add(at: number, status = 0): void {
    this.include(at);
    const isServer = status >= 500;
    this.#addTo(Math.floor(at / this.#length), [1, !isServer && status >= 400 ? 1 : 0, isServer ? 1 : 0]);
  }

  /** Makes an instant part of the time that the bars cover. */
  include(at: number): void {
    this.#extend(Math.floor(at / this.#length));
    while (this.#last - this.#first >= this.#most && this.#step < STEPS.length - 1) this.#coarsen();
  }

  /** Every bar from the first to the last; none where nothing was counted. */
  bars(): Bars {
    const length = this.#counts.size === 0 ? 0 : this.#last - this.#first + 1;
    const bars = Array.from({ length }, (_, index): Bar => {
      const [count, client, server] = this.#counts.get(this.#first + index) ?? [0, 0, 0];
      return { from: this.#startOf(this.#first + index), count, '4xx': client, '5xx': server };
    });
    return { step_seconds: this.#length / 1000, bars };
  }

  /** The first step of all may begin before the first time that can be written. */
  #startOf(bucket: number): string {
    return new Date(Math.max(bucket * this.#length, -8.64e15)).toISOString();
  }

  get #length(): number {
    return STEPS[this.#step] ?? DAY;
  }

  #extend(bucket: number): void {
    this.#first = Math.min(this.#first, bucket);
    this.#last = Math.max(this.#last, bucket);
  }

  #addTo(bucket: number, [all, client, server]: Counts): void {
    const counts = this.#counts.get(bucket);
    if (!counts) {
      this.#counts.set(bucket, [all, client, server]);
      return;
    }
    counts[0] += all;
    counts[1] += client;
    counts[2] += server;
  }

  #coarsen(): void {
    const before = this.#length;
    this.#step += 1;
    const ratio = this.#length / before;
    const counted = [...this.#counts];
    this.#counts = new Map();
    for (const [bucket, counts] of counted) this.#addTo(Math.floor(bucket / ratio), counts);
    this.#first = Math.floor(this.#first / ratio);
    this.#last = Math.floor(this.#last / ratio);
  }
}
