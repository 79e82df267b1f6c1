import { expect, it } from 'vitest';
import { TOO_LONG, withinTime } from '../../src/schemas/within-time.ts';

it('ends work that takes too long, each time, and gives what other work gives', () => {
  const endless = () => {
    for (;;);
  };
  for (let round = 0; round < 2; round += 1) {
    expect(withinTime(endless, 20)).toBe(TOO_LONG);
    expect(withinTime(() => withinTime(() => ({ round }), 1000), 1000)).toEqual({ round });
  }
});

/** Lets time pass without any computing, as where other processes have all processors. */
const wait = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

it('counts the time that the work had, and starts it over where that was too little', {
  tags: 'slow',
}, () => {
  let runs = 0;
  const starved = () => {
    runs += 1;
    if (runs === 1) wait(300);
    return `run ${runs}`;
  };
  expect(withinTime(starved, 100)).toBe('run 2');
});

it('ends work that uses its time, also after it had too little of it', { tags: 'slow' }, () => {
  let runs = 0;
  const slow = () => {
    runs += 1;
    if (runs === 1) wait(300);
    for (;;);
  };
  const before = process.cpuUsage();
  expect(withinTime(slow, 100)).toBe(TOO_LONG);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeGreaterThanOrEqual(50);
  expect(runs).toBeGreaterThanOrEqual(2);
});

it('throws what the work throws', () => {
  const error = new TypeError('no');
  expect(() =>
    withinTime(() => {
      throw error;
    }, 1000),
  ).toThrow(error);
});
