import { describe, expect, it } from 'vitest';
import { formatDuration } from '../../src/text/format.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('formatDuration', () => {
  it.each([
    [0, '0 seconds'],
    [499, '0 seconds'],
    [500, '1 second'],
    [1_499, '1 second'],
    [MINUTE, '60 seconds'],
    [2 * MINUTE - 501, '119 seconds'],
    [2 * MINUTE - 500, '2 minutes'],
    [5 * MINUTE, '5 minutes'],
    [7_100 * SECOND, '118 minutes'],
    [119 * MINUTE, '119 minutes'],
    [120 * MINUTE, '2 hours'],
    [47 * HOUR, '47 hours'],
    [48 * HOUR, '2 days'],
    [365 * DAY, '365 days'],
    [-33 * DAY, '33 days'],
    [-5 * MINUTE, '5 minutes'],
  ])('says %d milliseconds in words', (milliseconds, words) => {
    expect(formatDuration(milliseconds)).toBe(words);
  });
});
