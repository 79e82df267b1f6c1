import { describe, expect, it } from 'vitest';
import { dayOf, momentOf, timeSpan } from '../../src/text/format.ts';

describe('timeSpan', () => {
  it.each([
    [0, '0 s'],
    [1.4, '1 s'],
    [119, '119 s'],
    [120, '2 minutes'],
    [7_100, '118 minutes'],
    [7_200, '2 hours'],
    [169_200, '47 hours'],
    [172_800, '2 days'],
    [-2_851_200, '33 days'],
  ])('says %d seconds in words', (seconds, words) => {
    expect(timeSpan(seconds)).toBe(words);
  });
});

describe('moments', () => {
  it('are written in UTC, by day or by second', () => {
    const moment = new Date('2026-03-01T23:59:59.999+00:00');
    expect(dayOf(moment)).toBe('2026-03-01');
    expect(momentOf(moment)).toBe('2026-03-01T23:59:59Z');
  });
});
