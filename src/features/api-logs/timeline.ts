/** Counts over time in few numbers: the width of a bucket doubles when there would be more than `MOST` of them. */
export class Timeline {
  /** In milliseconds. */
  #width = 1;
  #first = 0;
  #counts: number[] = [];

  /** Counts an instant, in milliseconds since 1970. */
  add(at: number): void {
    if (this.#counts.length === 0) {
      this.#first = Math.floor(at / this.#width);
      this.#counts = [1];
      return;
    }
    let bucket = Math.floor(at / this.#width);
    while (this.#spanWith(bucket) > MOST) {
      this.#double();
      bucket = Math.floor(at / this.#width);
    }
    while (bucket < this.#first) {
      this.#counts.unshift(0);
      this.#first -= 1;
    }
    while (bucket >= this.#first + this.#counts.length) this.#counts.push(0);
    this.#counts[bucket - this.#first] = (this.#counts[bucket - this.#first] ?? 0) + 1;
  }

  /** The counts in so many columns of equal width between two instants, both included. */
  columns(from: number, to: number, count: number): readonly number[] {
    const columns = Array.from({ length: count }, () => 0);
    const span = Math.max(1, to - from + 1);
    for (const [index, value] of this.#counts.entries()) {
      const middle = (this.#first + index + 0.5) * this.#width;
      const part = (Math.min(Math.max(middle, from), to) - from) / span;
      const column = Math.min(Math.floor(part * count), count - 1);
      columns[column] = (columns[column] ?? 0) + value;
    }
    return columns;
  }

  #spanWith(bucket: number): number {
    const last = this.#first + this.#counts.length - 1;
    return Math.max(bucket, last) - Math.min(bucket, this.#first) + 1;
  }

  #double(): void {
    const first = Math.floor(this.#first / 2);
    const counts: number[] = [];
    for (const [index, value] of this.#counts.entries()) {
      const bucket = Math.floor((this.#first + index) / 2) - first;
      counts[bucket] = (counts[bucket] ?? 0) + value;
    }
    this.#first = first;
    this.#width *= 2;
    this.#counts = counts;
  }
}

const MOST = 256;

const BARS = ['\u2581', '\u2582', '\u2583', '\u2584', '\u2585', '\u2586', '\u2587', '\u2588'];

/** Draws counts as a line of bars; nothing is a space, and the largest count a full bar. */
export function sparkline(counts: readonly number[]): string {
  const most = Math.max(...counts, 1);
  return counts
    .map((count) => (count === 0 ? ' ' : (BARS[Math.ceil((count / most) * BARS.length) - 1] ?? '')))
    .join('');
}
