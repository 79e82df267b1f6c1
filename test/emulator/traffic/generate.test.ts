import { describe, expect, it } from 'vitest';
import type { SeededApiLog } from '../../../src/emulator/seed/api-logs.ts';
import { createTraffic } from '../../../src/emulator/traffic/generate.ts';
import { readTrafficPlan } from '../../../src/emulator/traffic/plan.ts';
import { faultsOf } from '../../contract/schema-validator.ts';

const NOW = Date.UTC(2030, 0, 1);
const circumstances = { run: '1', baseUrl: 'http://127.0.0.1:4010', buyerId: undefined };

/** The first moments of a plan, each with its logs as they are written at NOW. */
function take(count: number, plan: object, run = '1') {
  const moments = createTraffic(readTrafficPlan(plan), { ...circumstances, run });
  return Array.from({ length: count }, () => {
    const { delayMs, logsAt } = moments.next().value;
    return { delayMs, logs: logsAt(NOW) };
  });
}

const allLogs = (moments: ReturnType<typeof take>): SeededApiLog[] =>
  moments.flatMap(({ logs }) => [...logs]);
const share = (logs: readonly SeededApiLog[], test: (log: SeededApiLog['log']) => boolean) =>
  logs.filter(({ log }) => test(log)).length / logs.length;

describe('traffic', () => {
  it('is the same for the same seed, and has other IDs in another run over the same data', {
    tags: 'slow',
  }, () => {
    expect(take(200, {})).toEqual(take(200, {}));
    expect(take(200, { seed: 2 })).not.toEqual(take(200, {}));
    const ids = allLogs([...take(2000, {}), ...take(2000, {}, '2')]).map(({ log }) => log.id);
    expect(new Set(ids).size).toBe(ids.length);
    const withoutIds = (run: string) => allLogs(take(200, {}, run)).map(({ log }) => ({ ...log, id: '' }));
    expect(withoutIds('2')).toEqual(withoutIds('1'));
  });

  it('fails so many requests a second, and has bursts so often', { tags: 'slow' }, () => {
    const moments = take(20_000, { rate: 10, burst_every: 20 });
    const seconds = moments.reduce((sum, { delayMs }) => sum + delayMs, 0) / 1000;
    expect(Math.round(20_000 / seconds)).toBe(10);
    const bursts = moments.filter(({ logs }) => logs.length === 150).length;
    expect(seconds / bursts).toBeGreaterThan(15);
    expect(seconds / bursts).toBeLessThan(25);
    expect(take(2000, { burst_every: 0 }).every(({ logs }) => logs.length <= 4)).toBe(true);
  });

  it('stamps each log with the moment at which it is written, unless that is late', { tags: 'slow' }, () => {
    const logs = allLogs(take(5000, { late: 0.2, late_ms: 500, burst_every: 0 }));
    const lateness = logs.map(({ log }) => NOW - Date.parse(String(log.response_sent_at)));
    expect(Math.max(...lateness)).toBe(500);
    expect(Math.min(...lateness)).toBe(0);
    expect(Math.round((10 * lateness.filter((ms) => ms > 0).length) / logs.length)).toBe(2);
    expect(share(logs, (log) => String(log.request_received_at) < String(log.response_sent_at))).toBe(1);
  });

  it('has bodies that are texts or null in so many logs, and error objects of the contract in all others', () => {
    const logs = allLogs(take(3000, { text_body: 0.3, null_body: 0.1, burst_every: 0 }));
    expect(Math.round(10 * share(logs, ({ response_body: body }) => typeof body === 'string'))).toBe(3);
    expect(share(logs, ({ response_body: body }) => body === null)).toBeGreaterThan(0.05);
    const ordinary = allLogs(take(500, { text_body: 0, null_body: 0, burst_every: 0 }));
    expect(ordinary.flatMap(({ log }) => faultsOf('ApiLog', log))).toEqual([]);
    expect(new Set(ordinary.map(({ log }) => log.request_url)).size).toBeGreaterThan(10);
    expect(new Set(ordinary.map(({ merchantAccount }) => merchantAccount))).toEqual(
      new Set(['default', 'outlet']),
    );
  });
});
