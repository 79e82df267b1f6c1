import { follow } from '../../../src/cli/tail/follow.ts';
import type { NewEntry, Printed } from '../../../src/cli/tail/marks.ts';
import type { TailPage } from '../../../src/cli/tail/walk.ts';
import { ApiError, ConnectionError, ResponseError } from '../../../src/client/errors.ts';
import { createRandom } from '../../../src/text/random.ts';
import {
  type LogEntry,
  type LogPlan,
  type LogResponse,
  LogService,
  type NamedGap,
  type Verdict,
} from '../../harness/log-service.ts';

/** How a log is followed. Times are in milliseconds. */
export type Run = {
  readonly log: LogPlan;
  readonly lastsMs: number;
  readonly intervalMs: number;
  /** How often the follower is killed, at some moment, and begins again. */
  readonly kills: number;
  /** What the next one knows: the ID to resume after, or all that was printed. */
  readonly resume: 'id' | 'file';
};

export type Outcome = {
  readonly verdict: Verdict;
  /** Of the past that the first response left out, what was printed nevertheless. */
  readonly unasked: readonly LogEntry[];
  readonly printed: readonly NewEntry[];
  readonly gaps: readonly NamedGap[];
  readonly written: readonly LogEntry[];
  readonly failures: number;
  readonly polls: number;
  /** When each request was sent. */
  readonly requests: readonly number[];
};

const START = Date.UTC(2030, 0, 1);
const PAST_MS = 120_000;

/** Follows a simulated log in virtual time, and judges what came of it. */
export async function followLog(run: Run): Promise<Outcome> {
  const { log, lastsMs, kills, intervalMs, resume } = run;
  const service = new LogService(log, START - PAST_MS);
  const random = createRandom(log.seed, 'follower');
  const printed: NewEntry[] = [];
  const gaps: NamedGap[] = [];
  const requests: number[] = [];
  const news = new Set<string | undefined>();
  let beganAt: number | undefined;
  let now = START;
  let from: number | undefined;
  let resumeAfter: NewEntry | undefined;
  let failures = 0;
  let polls = 0;
  const end = START + lastsMs;
  const killedAt = Array.from({ length: kills }, () => START + random.below(lastsMs)).sort((a, b) => a - b);

  const session = async (killAt: number, after: Printed | undefined): Promise<boolean> => {
    let hasAnswered = false;
    let hasSlept = false;
    let hasListed = false;
    let hasFailed = false;
    const events = follow({
      fetch: async (cursor) => {
        now += 1 + random.below(40);
        requests.push(now);
        if (cursor === undefined) polls += 1;
        let response = service.respond(cursor, now);
        // A run whose first request fails for good has not begun.
        while (!hasAnswered && response.kind !== 'page') response = service.respond(cursor, now);
        hasAnswered = true;
        return pageOf(response, now);
      },
      sleep: async (milliseconds) => {
        now += milliseconds;
        // Only the wait between two polls has the first look behind before it.
        if (milliseconds !== intervalMs || !hasListed || hasFailed) return;
        hasSlept = true;
        from ??= now;
      },
      now: () => now,
      random: () => random.below(1000) / 1000,
      intervalMs,
      forMs: Math.max(0, end - now),
      after,
      isEnough: () => true,
      maxRetries: 1000,
      timeoutMs: 600_000,
    });
    for await (const event of events) {
      if (event.kind === 'failure') failures += 1;
      if (event.kind === 'response') hasListed = true;
      hasFailed = event.kind === 'failure';
      if (event.kind === 'recovery' || event.kind === 'failure') continue;
      const { gap } = event;
      if (gap) gaps.push({ from: gap.from ?? null, to: gap.to ?? null });
      if (event.kind === 'late-gap') continue;
      // Who is killed before the first look behind leaves more to look through than the next one does.
      const isKilled = hasSlept && now >= killAt;
      const { entries } = event;
      const shown = isKilled ? entries.slice(0, random.below(entries.length + 1)) : entries;
      printed.push(...shown);
      if (event.isPast) beganAt ??= now;
      else for (const { id } of shown) news.add(id);
      resumeAfter = shown.findLast(({ id, isBehind }) => id !== undefined && !isBehind) ?? resumeAfter;
      if (isKilled) return true;
    }
    return false;
  };
  for (const at of [...killedAt, Number.POSITIVE_INFINITY]) {
    const wasKilled = await session(at, afterOf(resume, printed, resumeAfter));
    if (!wasKilled) break;
    // Who has printed nothing has no place to resume at.
    if (!afterOf(resume, printed, resumeAfter)) from = undefined;
    now += random.below(90_000);
  }
  const to = end - log.behindMs;
  const texts = printed.map(({ text }) => text);
  const verdict = service.judge({ printed: texts, gaps, from: from ?? now, to });
  // A copy of the service that is behind leaves out what was written just before, and lists what was deleted.
  const isPast = ({ writtenAt, deletedAt }: LogEntry) =>
    writtenAt < (beganAt ?? now) - log.behindMs && deletedAt === Number.POSITIVE_INFINITY;
  const unasked = service.written.filter((entry) => entry.id && news.has(entry.id) && isPast(entry));
  return { verdict, unasked, printed, gaps, written: service.written, failures, polls, requests };
}

function afterOf(
  resume: Run['resume'],
  printed: readonly NewEntry[],
  last: NewEntry | undefined,
): Printed | undefined {
  if (resume === 'id') return last && { items: [last], since: undefined };
  return printed.length > 0 ? { items: printed, since: printed[0]?.time } : undefined;
}

const request = { method: 'GET', path: '/api-logs', origin: 'https://api.example.com' };

function pageOf(response: LogResponse, now: number): TailPage {
  const fields = { request, attempts: 1 };
  if (response.kind === 'cut') {
    throw new ConnectionError('connection_lost', 'lost', { ...fields, outcomeUnknown: false });
  }
  if (response.kind === 'unreadable') {
    throw new ResponseError('unreadable_response', 'no JSON', { ...fields, status: 200 });
  }
  if (response.kind === 'refused') {
    const { status, retryAfter } = response;
    throw new ApiError('refused', 'refused', { ...fields, status, retryAfter });
  }
  const items = response.entries.map(({ id, stamp, item, text }) => ({ id, time: stamp, item, text }));
  // The header Date has whole seconds.
  return { items, nextCursor: response.nextCursor, at: Math.floor(now / 1000) * 1000 };
}
