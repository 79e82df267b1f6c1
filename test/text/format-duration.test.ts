import { describe, expect, it } from 'vitest';
import { formatDuration } from '../../src/text/format.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('inWords', () => {
  it.each([
    [0, 'less than a minute'],
    [29_999, 'less than a minute'],
    [30_000, '1 minute'],
    [MINUTE, '1 minute'],
    [5 * MINUTE, '5 minutes'],
    [119 * MINUTE, '119 minutes'],
    [120 * MINUTE, '2 hours'],
    [47 * HOUR, '47 hours'],
    [48 * HOUR, '2 days'],
    [365 * DAY, '365 days'],
    [-5 * MINUTE, '5 minutes'],
  ])('%d milliseconds are %s', (milliseconds, words) => {
    expect(formatDuration(milliseconds)).toBe(words);
  });
});
