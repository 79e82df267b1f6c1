import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import type { Run } from '../../harness/follow-process.ts';
import { startServer } from '../../harness/http-server.ts';
import { CALM_LOG, LogService, logHandler, type NamedGap } from '../../harness/log-service.ts';
import { against } from '../paged-service.ts';
import { SIGNALS, type Soak, warningsOf } from './soak.ts';

/** A log that is late, out of order, behind and failing. Entries that nobody could see are no matter of this test. */
const PLAN = {
  ...CALM_LOG,
  pageSize: 50,
  everyMs: 60,
  bursts: 0.01,
  burstSize: 200,
  late: 0.05,
  lateMs: 3000,
  skewMs: 50,
  behind: 0.2,
  behindMs: 2000,
  failing: 0.1,
  stale: 0.05,
  empty: 0.02,
};

/** Requests after which a tail has listed the past and polled again: before that, nobody relies on it. */
const REQUESTS_OF_A_START = 8;

/** Each entry of a log is printed once, however often the tail is ended and resumed, or lies in a span that is named. */
export async function tails({ home, random, hasTime }: Soak): Promise<number> {
  const startedAt = Date.now();
  const log = new LogService({ ...PLAN, seed: random.below(1_000_000) }, startedAt - 60_000);
  const server = await startServer(logHandler(log));
  onTestFinished(() => server.close());
  const file = join(home.path, 'log.ndjson');
  writeFileSync(file, '');
  const printed: string[] = [];
  const gaps: NamedGap[] = [];
  const take = ({ stdout, stderr }: Run) => {
    // A killed run can leave a part of a line, which counts as not printed.
    const whole = stdout.slice(0, stdout.lastIndexOf('\n') + 1);
    appendFileSync(file, whole);
    printed.push(...whole.split('\n').slice(0, -1));
    for (const { code, from, to } of warningsOf(stderr)) {
      if (code === 'gap') gaps.push({ from: timeOf(from), to: timeOf(to) });
    }
  };
  const tail = ['api-logs', 'tail', '-o', 'ndjson', '--interval', '200ms', '--after', `@${file}`];
  let from: number | undefined;
  let count = 0;
  for (; hasTime(); count += 1) {
    const before = log.requestCount;
    const running = home.start([...tail, '--max-retries', '10'], { env: against(server) });
    // A tail whose first request fails for good has not begun.
    let hasEnded = false;
    const ended = running.done.finally(() => {
      hasEnded = true;
    });
    const hasBegun = () => hasEnded || log.requestCount - before > REQUESTS_OF_A_START;
    await expect.poll(hasBegun, { timeout: 60_000 }).toBe(true);
    if (!hasEnded) from ??= Date.now();
    await Promise.race([sleep(random.below(4_000)), ended]);
    running.kill(random.pick(SIGNALS));
    take(await ended);
  }
  const to = Date.now() - PLAN.behindMs;
  await sleep(PLAN.behindMs);
  // On a busy machine its time can be over before the service has responded.
  let code: number | null = 9;
  for (let tries = 0; code === 9 && tries < 5; tries += 1) {
    const words = [...tail, '--max-retries', '10', '--for', '3s'];
    const last = await home.payctl(words, { env: against(server) });
    take(last);
    code = last.code;
  }
  const { repeated, invented, lost } = log.judge({ printed, gaps, from: from ?? to, to });
  const numbers = { printed: printed.length, gaps: gaps.length, runs: count };
  expect({ repeated, invented, lost: lost.map(({ text }) => text), code }, JSON.stringify(numbers)).toEqual({
    repeated: [],
    invented: [],
    lost: [],
    code: 0,
  });
  expect(printed.length).toBeGreaterThan(50);
  return count;
}

const timeOf = (text: unknown): number | null => (typeof text === 'string' ? Date.parse(text) : null);
