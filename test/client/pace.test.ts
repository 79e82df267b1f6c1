import fc from 'fast-check';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Pace } from '../../src/client/pace.ts';
import { AbortedError } from '../../src/errors.ts';
import { propertyRuns } from '../harness/property-runs.ts';

const never = new AbortController().signal;
const elapsed = () => Number(process.hrtime.bigint()) / 1e6;
const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'hrtime'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
});

type Delays = { readonly there: number; readonly back: number };

/** Sends requests side by side, each with these delays; the times at which the service gets them. */
async function arrivals(pace: Pace, concurrency: number, requests: readonly Delays[]) {
  const times: number[] = [];
  const rest = [...requests];
  const work = async () => {
    for (let next = rest.shift(); next; next = rest.shift()) {
      await pace.take(never);
      await sleep(next.there);
      times.push(elapsed());
      await sleep(next.back);
      pace.ended();
    }
  };
  const all = Promise.all(Array.from({ length: concurrency }, work));
  await vi.runAllTimersAsync();
  await all;
  return times;
}

describe('a rate', () => {
  it('holds in any second by the clock of the service, however long requests are on their way', {
    tags: 'slow',
  }, async () => {
    const delay = fc.oneof(fc.nat({ max: 20 }), fc.nat({ max: 3000 }));
    const requests = fc.array(fc.record({ there: delay, back: delay }), { minLength: 1, maxLength: 40 });
    const rate = fc.integer({ min: 1, max: 30 });
    await fc.assert(
      fc.asyncProperty(rate, fc.integer({ min: 1, max: 16 }), requests, async (most, concurrency, all) => {
        const times = await arrivals(new Pace(most), concurrency, all);
        expect(times).toHaveLength(all.length);
        for (const [index, time] of times.entries()) {
          const before = times[index - most];
          if (before !== undefined) expect(time - before).toBeGreaterThan(1000);
        }
      }),
      propertyRuns(2000),
    );
  });

  it('is reached where the service is quick, without bursts', async () => {
    const requests = Array.from({ length: 101 }, () => ({ there: 1, back: 1 }));
    const times = await arrivals(new Pace(50), 8, requests);
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(19.9);
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeLessThan(2200);
  });

  it('that is not given holds nothing back', async () => {
    const times = await arrivals(
      new Pace(undefined),
      8,
      Array.from({ length: 80 }, () => ({ there: 1, back: 1 })),
    );
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeLessThan(50);
  });
});

describe('a pause', () => {
  it('holds back all requests, and the longest one counts', async () => {
    const pace = new Pace(undefined);
    const started = elapsed();
    pace.pause(2000);
    pace.pause(500);
    const times: number[] = [];
    const all = Promise.all(
      [1, 2, 3].map(() => pace.take(never).then(() => times.push(elapsed() - started))),
    );
    await vi.runAllTimersAsync();
    await all;
    expect(times.map(Math.round)).toEqual([2000, 2000, 2000]);
  });

  it('ends at once for those that are told to stop', async () => {
    const pace = new Pace(1);
    pace.pause(60_000);
    const controller = new AbortController();
    const waiting = [1, 2].map(() => pace.take(controller.signal).catch((error: unknown) => error));
    controller.abort();
    for (const error of await Promise.all(waiting)) expect(error).toBeInstanceOf(AbortedError);
  });
});
