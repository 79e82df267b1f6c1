import { expect, it } from 'vitest';
import { matchesPattern, TOO_LONG, withinTime } from '../../src/descriptions/within-time.ts';

it('ends work that takes too long, each time, and gives what other work gives', () => {
  const endless = () => {
    for (;;);
  };
  for (let round = 0; round < 2; round += 1) {
    expect(withinTime(endless, 20)).toBe(TOO_LONG);
    expect(withinTime(() => withinTime(() => ({ round }), 1000), 1000)).toEqual({ round });
  }
});

it('throws what the work throws', () => {
  const error = new TypeError('no');
  expect(() =>
    withinTime(() => {
      throw error;
    }, 1000),
  ).toThrow(error);
});

it('takes a text for fitting where a pattern takes too long, or is none', () => {
  expect(matchesPattern('^(a+)+$', `${'a'.repeat(200)}!`)).toBe(true);
  expect(matchesPattern('(', 'a')).toBe(true);
  expect([matchesPattern('^a', 'ab'), matchesPattern('^a', 'b')]).toEqual([true, false]);
});
