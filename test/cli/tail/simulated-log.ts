import { type FollowEvent, type FollowOptions, follow, type TailPage } from '../../../src/cli/tail/follow.ts';
import { ApiError, ConnectionError, ResponseError } from '../../../src/client/errors.ts';
import { createRandom, type Random } from '../../../src/emulator/seed/random.ts';
import { AbortedError } from '../../../src/errors.ts';

/** A service whose log grows in virtual time, and how it answers. */
export type Simulation = {
  readonly seed: number;
  /** Entries that are written while the log is followed. */
  readonly count: number;
  /** Entries that are there before. */
  readonly past: number;
  /**
   * `whole`: everything in one answer. `cut`: the newest 50 and no cursor. `keyset`: pages of 50. `offset`: pages of 50 whose
   * cursors count from the top, so that pages repeat entries while new ones come.
   */
  readonly paging: 'whole' | 'cut' | 'keyset' | 'offset';
  /** Whether the list is in the order in which entries were written, or in that of their times. */
  readonly order: 'written' | 'time';
  /** Milliseconds by which times may differ from when an entry was written: late ones, and clocks that differ. */
  readonly late: number;
  readonly skew: number;
  /** Share of requests that fail. */
  readonly failing: number;
  /** Share of answers but the first that come from a copy of the log which lacks the newest entries. */
  readonly behind: number;
  /** Share of answers after which the follower is killed and begins again after the entry it printed last. */
  readonly killed: number;
  /** Share of the gaps between writes in which many entries come at once, in the same millisecond. */
  readonly bursts: number;
  readonly mostAtOnce: number;
};

export const PAGE = 50;
const START = Date.UTC(2030, 0, 1);

type Written = {
  readonly id: string;
  readonly at: number;
  readonly stamp: number;
  readonly sequence: number;
};

/** What the follower did, beside what there was. */
export type Outcome = {
  readonly written: readonly string[];
  readonly printed: readonly string[];
  readonly late: ReadonlySet<string>;
  /** Entries that are marked as late and are not stamped earlier than one of an earlier answer, or the other way round. */
  readonly misjudged: readonly string[];
  /** For each answer: how many entries were written since the previous one, and whether a gap was named. */
  readonly answers: readonly { readonly fresh: number; readonly lost: number; readonly isGap: boolean }[];
  readonly failures: number;
};

/** Follows a simulated log to its end. */
export async function simulate(simulation: Simulation): Promise<Outcome> {
  const run = new Run(simulation);
  let after: string | undefined;
  while (!(await run.session(after))) after = run.lastPrinted;
  return run.outcome();
}

class Run {
  readonly #simulation: Simulation;
  readonly #random: Random;
  readonly #log: readonly Written[];
  readonly #printed: string[] = [];
  readonly #late = new Set<string>();
  readonly #misjudged: string[] = [];
  #latest = Number.NEGATIVE_INFINITY;
  readonly #answers: { fresh: number; lost: number; isGap: boolean }[] = [];
  #failures = 0;
  #now = START;
  /** How many entries had been written when the previous answer was complete. */
  #known: number;
  readonly #seen = new Set<string>();
  /** How many entries there were when the first page of the last answer was read. */
  #returned = 0;
  #written = 0;
  #hasAnswered = false;
  #listed: readonly Written[] = [];

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
    this.#random = createRandom(simulation.seed);
    this.#log = this.#write();
    this.#known = simulation.past;
  }

  get lastPrinted(): string | undefined {
    return this.#printed.at(-1);
  }

  outcome(): Outcome {
    return {
      written: this.#log.slice(this.#simulation.past).map(({ id }) => id),
      printed: this.#printed,
      late: this.#late,
      misjudged: this.#misjudged,
      answers: this.#answers,
      failures: this.#failures,
    };
  }

  /** Follows until the log is complete, or the follower is killed; true for the former. */
  async session(after: string | undefined): Promise<boolean> {
    this.#hasAnswered = false;
    this.#latest = Number.NEGATIVE_INFINITY;
    for await (const event of follow(this.#options(after))) {
      if (event.kind === 'failure') this.#failures += 1;
      if (event.kind !== 'answer') continue;
      this.#hasAnswered = true;
      const isKilled = this.#take(event);
      if (isKilled) return false;
      if (this.#known === this.#log.length) return true;
    }
    return true;
  }

  /** Prints what an answer brought, or a part of it where the follower is killed; true if it was. */
  #take({ entries, gap, isPast }: FollowEvent & { readonly kind: 'answer' }): boolean {
    const { count, killed, past } = this.#simulation;
    for (const { id = '', time = 0, isLate } of entries) {
      if (isLate !== time < this.#latest) this.#misjudged.push(id);
    }
    this.#latest = entries.reduce((latest, { time = 0 }) => Math.max(latest, time), this.#latest);
    const known = this.#returned;
    if (!isPast) {
      const fresh = known - this.#known;
      const lost = this.#log.slice(this.#known, known).filter(({ id }) => !this.#seen.has(id)).length;
      this.#answers.push({ fresh, lost, isGap: gap !== undefined });
    }
    this.#known = known;
    const wanted = isPast ? entries.filter(({ id }) => Number(id) >= past) : entries;
    const mayBeKilled = this.#printed.length > 0 && this.#printed.length < count;
    const isKilled = mayBeKilled && wanted.length > 0 && this.#random.chance(killed);
    const shown = isKilled ? wanted.slice(0, 1 + this.#random.below(wanted.length)) : wanted;
    // What a killed follower had not printed comes again, or is lost to the one that follows.
    for (const { id = '' } of wanted.slice(shown.length)) this.#seen.delete(id);
    this.#known -= wanted.length - shown.length;
    for (const { id = '', isLate } of shown) {
      this.#printed.push(id);
      if (isLate) this.#late.add(id);
    }
    return isKilled;
  }

  #options(after: string | undefined): FollowOptions {
    return {
      fetch: async (cursor) => this.#fetch(cursor),
      sleep: async (milliseconds) => {
        if (!(milliseconds >= 0)) throw new AbortedError();
        this.#now += milliseconds;
      },
      now: () => this.#now,
      random: () => this.#random.below(1000) / 1000,
      intervalMs: 1000,
      maxRetries: 1000,
      after,
      isEnough: () => true,
    };
  }

  #fetch(cursor: string | undefined): TailPage {
    this.#now += 1 + this.#random.below(40);
    // The first answer says where the log begins.
    if (this.#hasAnswered && this.#random.chance(this.#simulation.failing)) throw this.#failure();
    const isBehind =
      this.#hasAnswered && cursor === undefined && this.#random.chance(this.#simulation.behind);
    const list = this.#list(isBehind ? Math.min(this.#written, this.#random.below(10)) : 0);
    if (cursor === undefined) this.#returned = list.length;
    const start = this.#startOf(cursor, list);
    const { paging } = this.#simulation;
    const end = paging === 'whole' ? list.length : start + PAGE;
    const page = list.slice(start, end);
    for (const { id } of page) this.#seen.add(id);
    const last = page.at(-1);
    const hasMore = end < list.length && paging !== 'cut' && last !== undefined;
    return {
      items: page.map(itemOf),
      nextCursor: hasMore ? (paging === 'offset' ? String(end) : last.id) : undefined,
      at: Math.floor(this.#now / 1000) * 1000,
    };
  }

  #startOf(cursor: string | undefined, list: readonly Written[]): number {
    if (cursor === undefined) return 0;
    return this.#simulation.paging === 'offset'
      ? Number(cursor)
      : list.findIndex(({ id }) => id === cursor) + 1;
  }

  /** How many entries have been written by now. */
  #countWritten(): number {
    while ((this.#log[this.#written]?.at ?? Number.POSITIVE_INFINITY) <= this.#now) this.#written += 1;
    return this.#written;
  }

  /** The log as the service lists it, without so many of the newest entries. */
  #list(behind: number): readonly Written[] {
    const count = this.#countWritten() - behind;
    if (this.#listed.length === count) return this.#listed;
    const key = this.#simulation.order === 'written' ? 'sequence' : 'stamp';
    const list = this.#log.slice(0, count).reverse();
    this.#listed =
      key === 'sequence' ? list : list.sort((a, b) => b[key] - a[key] || b.sequence - a.sequence);
    return this.#listed;
  }

  #failure(): Error {
    const request = { method: 'GET', path: '/api-logs', origin: 'https://api.example.com' };
    const fields = { request, attempts: 1 };
    return this.#random.pick([
      new ApiError('too_many_requests', 'slow down', { ...fields, status: 429, retryAfter: '3' }),
      new ApiError('server_error', 'failed', { ...fields, status: 503 }),
      new ConnectionError('connection_lost', 'lost', { ...fields, outcomeUnknown: false }),
      new ResponseError('unreadable_response', 'no JSON', { ...fields, status: 200 }),
    ]);
  }

  #write(): readonly Written[] {
    const { count, past, late, skew, bursts, mostAtOnce } = this.#simulation;
    const random = this.#random;
    const log: Written[] = [];
    let at = START + 1000;
    while (log.length < past + count) {
      const isBurst = random.chance(bursts);
      const many = isBurst ? 1 + random.below(mostAtOnce) : 1;
      at += random.below(isBurst ? 3000 : 400);
      for (let n = 0; n < many && log.length < past + count; n += 1) {
        const sequence = log.length;
        const isPast = sequence < past;
        const writtenAt = isPast ? START - (past - sequence) * 1000 : at;
        const lateness = !isPast && random.chance(0.1) ? random.below(late + 1) : 0;
        const stamp = writtenAt - lateness + (skew > 0 ? random.below(2 * skew) - skew : 0);
        log.push({ id: String(sequence), at: writtenAt, stamp, sequence });
        if (isPast) at = START + 1000;
      }
    }
    return log;
  }
}

function itemOf({ id, stamp }: Written) {
  const item = { type: 'api-log', id, response_sent_at: new Date(stamp).toISOString() };
  return { id, time: stamp, item, text: JSON.stringify(item) };
}
