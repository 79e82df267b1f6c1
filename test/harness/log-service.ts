import type { ServerResponse } from 'node:http';
import { createRandom, type Random } from '../../src/text/random.ts';
import type { Handler } from './http-server.ts';

/** How a log grows, and how the service that keeps it behaves. Times are in milliseconds, shares from 0 to 1. */
export type LogPlan = {
  readonly seed: number;
  /**
   * `whole`: one response has everything. `cut`: the newest `pageSize` without a cursor. `keyset`: cursors name an entry.
   * `offset`: cursors count from the top, so that pages shift while entries are written and deleted.
   */
  readonly paging: 'whole' | 'cut' | 'keyset' | 'offset';
  /** Whether the list is sorted by when entries were written, or by their stamps. */
  readonly order: 'written' | 'time';
  readonly pageSize: number;
  /** Mean time between two writes. */
  readonly everyMs: number;
  /** Share of the writes that are bursts, and the most entries of a burst; all of one have the same millisecond. */
  readonly bursts: number;
  readonly burstSize: number;
  /** Share of the entries that are stamped up to `lateMs` before they are written. */
  readonly late: number;
  readonly lateMs: number;
  /** By how much the clocks of the machines that stamp entries differ. */
  readonly skewMs: number;
  /** Share of the entries that have no ID; those of one millisecond have the same text. */
  readonly withoutId: number;
  /** Share of the entries that are deleted within a minute. */
  readonly deleted: number;
  /** Share of the first pages that come from a copy, and by how much it is behind. */
  readonly behind: number;
  readonly behindMs: number;
  /** Share of the requests that fail: 500, 503, 429 with Retry-After, a cut connection, an unreadable body. */
  readonly failing: number;
  /** Share of the requests with a cursor that are refused (400, 422), so that the walk has to begin again. */
  readonly stale: number;
  /** Share of the pages that are sent empty, with a new cursor to the same place. */
  readonly empty: number;
};

/** A calm service: entries arrive one by one, in order, and everything works. */
export const CALM_LOG: LogPlan = {
  seed: 1,
  paging: 'keyset',
  order: 'time',
  pageSize: 20,
  everyMs: 500,
  bursts: 0,
  burstSize: 50,
  late: 0,
  lateMs: 20_000,
  skewMs: 0,
  withoutId: 0,
  deleted: 0,
  behind: 0,
  behindMs: 10_000,
  failing: 0,
  stale: 0,
  empty: 0,
};

/** An entry of the log. Two entries without ID can have the same text. */
export type LogEntry = {
  readonly id: string | undefined;
  readonly item: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** The time that it bears. */
  readonly stamp: number;
  readonly writtenAt: number;
  readonly deletedAt: number;
  readonly sequence: number;
};

/** What the service does with one request. */
export type LogResponse =
  | { readonly kind: 'page'; readonly entries: readonly LogEntry[]; readonly nextCursor: string | undefined }
  | { readonly kind: 'refused'; readonly status: number; readonly retryAfter: string | undefined }
  | { readonly kind: 'cut' }
  | { readonly kind: 'unreadable' };

/** A span of time of which a follower said that entries may be missing; an end that is null is not known. */
export type NamedGap = { readonly from: number | null; readonly to: number | null };

/** What a follower did. */
export type Followed = {
  /** The texts of the entries that it printed. */
  readonly printed: readonly string[];
  readonly gaps: readonly NamedGap[];
  /** Entries that were written in between have to be printed. What was written before may be. */
  readonly from: number;
  readonly to: number;
};

/** What was wrong with that. */
export type Verdict = {
  readonly repeated: readonly string[];
  /** Printed, but never written. */
  readonly invented: readonly string[];
  /** Sent to the follower, or listed for long enough, but not printed, and in no span that was named. */
  readonly lost: readonly LogEntry[];
};

/** An entry that is listed for less than this may be missed by a follower with cursors that was not sent it. */
const SEEN_WITHIN = 180_000;

/** A service that keeps a log: the ground truth to compare followers with. Deterministic by its seed and the times it is given. */
export class LogService {
  readonly #plan: LogPlan;
  readonly #writes: Random;
  readonly #requests: Random;
  /** In the order in which they are written. */
  readonly #written: LogEntry[] = [];
  /** Sorted as the list is, oldest first. */
  readonly #listed: LogEntry[] = [];
  readonly #sent = new Set<LogEntry>();
  #nextWriteAt: number;
  #requestCount = 0;

  /** `startsAt` is when the first entry is written, in milliseconds since 1970. */
  constructor(plan: LogPlan, startsAt: number) {
    this.#plan = plan;
    this.#writes = createRandom(plan.seed, 'writes');
    this.#requests = createRandom(plan.seed, 'requests');
    this.#nextWriteAt = startsAt;
  }

  /** Everything that has been written, in that order. */
  get written(): readonly LogEntry[] {
    return this.#written;
  }

  get requestCount(): number {
    return this.#requestCount;
  }

  /** Responds to a request for the newest entries, or for those that a cursor leads to, at the time `now`. */
  respond(cursor: string | undefined, now: number): LogResponse {
    this.#requestCount += 1;
    this.writeUntil(now);
    const { failing, stale, empty, behind, behindMs } = this.#plan;
    if (this.#requests.chance(failing)) return this.#failure();
    if (cursor !== undefined && this.#requests.chance(stale)) {
      return { kind: 'refused', status: this.#requests.pick([400, 422]), retryAfter: undefined };
    }
    const [place = ''] = (cursor ?? '').split('@');
    if (this.#hasCursors && this.#requests.chance(empty)) {
      return { kind: 'page', entries: [], nextCursor: `${place}@${this.#requestCount}` };
    }
    const isBehind = cursor === undefined && this.#requests.chance(behind);
    return this.#page(place, isBehind ? now - this.#requests.below(behindMs + 1) : now);
  }

  /** Writes and deletes all that is due. `respond` does so, too. */
  writeUntil(now: number): void {
    while (this.#nextWriteAt <= now) {
      const { bursts, burstSize, everyMs } = this.#plan;
      const count = this.#writes.chance(bursts) ? 1 + this.#writes.below(burstSize) : 1;
      for (let left = count; left > 0; left -= 1) this.#write(this.#nextWriteAt);
      this.#nextWriteAt += 1 + this.#writes.below(2 * everyMs);
    }
  }

  /** Compares what a follower did with what it could see. */
  judge({ printed, gaps, from, to }: Followed): Verdict {
    const copies = countOf(this.#written.map(({ text }) => text));
    const shown = countOf(printed);
    const required = this.#written.filter((entry) => {
      const { writtenAt, deletedAt } = entry;
      const isOfTime = writtenAt >= from && writtenAt <= to;
      const wasSeen = this.#sent.has(entry) || (this.#hasCursors && deletedAt - writtenAt > SEEN_WITHIN);
      return isOfTime && wasSeen && !isInGap(entry, gaps);
    });
    const left = new Map(shown);
    const lost = required.filter(({ text }) => {
      const count = left.get(text) ?? 0;
      left.set(text, count - 1);
      return count <= 0;
    });
    return {
      repeated: [...shown].flatMap(([text, count]) => (count > (copies.get(text) ?? count) ? [text] : [])),
      invented: [...shown.keys()].filter((text) => !copies.has(text)),
      lost,
    };
  }

  get #hasCursors(): boolean {
    return this.#plan.paging === 'keyset' || this.#plan.paging === 'offset';
  }

  #write(writtenAt: number): void {
    const { late, lateMs, skewMs, withoutId, deleted, order } = this.#plan;
    const random = this.#writes;
    const lateness = random.chance(late) ? random.below(lateMs + 1) : 0;
    const stamp = writtenAt - lateness + (skewMs > 0 ? random.below(2 * skewMs) - skewMs : 0);
    const sequence = this.#written.length;
    const id = random.chance(withoutId) ? undefined : `log-${sequence}`;
    const time = new Date(stamp).toISOString();
    const item = {
      type: 'api-log',
      ...(id === undefined ? {} : { id }),
      ...{ timestamp: time, request_received_at: time, response_sent_at: time, response_status_code: 404 },
    };
    const deletedAt = random.chance(deleted) ? writtenAt + random.below(60_000) : Number.POSITIVE_INFINITY;
    const entry = { id, item, text: JSON.stringify(item), stamp, writtenAt, deletedAt, sequence };
    this.#written.push(entry);
    const isAfter = (other: LogEntry | undefined) =>
      other !== undefined && order === 'time' && other.stamp > stamp;
    let place = this.#listed.length;
    while (isAfter(this.#listed[place - 1])) place -= 1;
    this.#listed.splice(place, 0, entry);
  }

  /** The page that begins at a place of the list, as it was at the time `seenAt`. */
  #page(place: string, seenAt: number): LogResponse {
    const { paging, pageSize } = this.#plan;
    const wanted = paging === 'whole' ? Number.POSITIVE_INFINITY : pageSize;
    const [kind, number = '0', stamp = '0'] = place.split('.');
    const below = kind === 'entry' ? { sequence: Number(number), stamp: Number(stamp) } : undefined;
    let skipped = kind === 'offset' ? Number(number) : 0;
    const entries: LogEntry[] = [];
    let hasMore = false;
    for (let index = this.#listed.length - 1; index >= 0 && !hasMore; index -= 1) {
      const entry = this.#listed[index];
      if (!entry || entry.writtenAt > seenAt || entry.deletedAt <= seenAt) continue;
      if (below && !this.#isBelow(entry, below)) continue;
      if (skipped > 0) skipped -= 1;
      else if (entries.length < wanted) entries.push(entry);
      else hasMore = true;
    }
    for (const entry of entries) this.#sent.add(entry);
    const last = entries.at(-1);
    if (!hasMore || !last || !this.#hasCursors) return { kind: 'page', entries, nextCursor: undefined };
    const count = (kind === 'offset' ? Number(number) : 0) + entries.length;
    const nextCursor = paging === 'offset' ? `offset.${count}` : `entry.${last.sequence}.${last.stamp}`;
    return { kind: 'page', entries, nextCursor };
  }

  #isBelow(entry: LogEntry, mark: Pick<LogEntry, 'sequence' | 'stamp'>): boolean {
    if (this.#plan.order === 'written' || entry.stamp === mark.stamp) return entry.sequence < mark.sequence;
    return entry.stamp < mark.stamp;
  }

  #failure(): LogResponse {
    return this.#requests.pick<readonly [LogResponse, ...LogResponse[]]>([
      { kind: 'refused', status: 500, retryAfter: undefined },
      { kind: 'refused', status: 503, retryAfter: undefined },
      { kind: 'refused', status: 429, retryAfter: '3' },
      { kind: 'cut' },
      { kind: 'unreadable' },
    ]);
  }
}

function countOf(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

function isInGap({ stamp }: LogEntry, gaps: readonly NamedGap[]): boolean {
  return gaps.some(({ from, to }) => (from === null || stamp >= from) && (to === null || stamp <= to));
}

/** Serves a log by HTTP at any path, for `startServer`. `now` is the clock of the service. */
export function logHandler(service: LogService, now: () => number = Date.now): Handler {
  return ({ url }, response) => {
    const cursor = new URL(url, 'http://localhost').searchParams.get('cursor') ?? undefined;
    const at = now();
    response.setHeader('date', new Date(at).toUTCString());
    response.setHeader('content-type', 'application/json');
    send(service.respond(cursor, at), response);
  };
}

function send(answer: LogResponse, response: ServerResponse): void {
  if (answer.kind === 'cut') {
    response.writeHead(200, { 'content-length': 1000 }).write('{"items":[');
    response.destroy();
  } else if (answer.kind === 'unreadable') response.end('<html>');
  else if (answer.kind === 'refused') {
    const { status, retryAfter } = answer;
    if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
    const error = { type: 'error', code: `code_${status}`, status, message: `status ${status}`, details: [] };
    response.writeHead(status).end(JSON.stringify(error));
  } else {
    const items = answer.entries.map(({ text }) => text).join(',');
    response.end(`{"items":[${items}],"next_cursor":${JSON.stringify(answer.nextCursor ?? null)}}`);
  }
}
