import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LIFETIMES, parseDuration } from '../../src/config/values.ts';
import { UsageError } from '../../src/errors.ts';

const NOT_A_DURATION = 'Use a whole number with its unit: 500ms, 30s, 2m.';

describe('parseDuration', () => {
  test.each([
    ['1ms', 1],
    ['500ms', 500],
    ['30s', 30_000],
    ['030s', 30_000],
    ['2m', 120_000],
    ['60m', 3_600_000],
    ['1h', 3_600_000],
    [' 30s\n', 30_000],
  ])('%j is %d milliseconds', (text, milliseconds) => {
    expect(parseDuration(text, '--timeout')).toBe(milliseconds);
  });

  test.each([
    ['30', '--timeout is "30", which has no unit', 'Use 30s for seconds, 30ms for milliseconds.'],
    ['0', '--timeout is "0", which is not longer than zero', 'Use 1ms or more, for example 30s.'],
    ['', '--timeout is "", which is not a duration', NOT_A_DURATION],
    ['s', '--timeout is "s", which is not a duration', NOT_A_DURATION],
    ['-1s', '--timeout is "-1s", which is not a duration', NOT_A_DURATION],
    ['1.5s', '--timeout is "1.5s", which is not a duration', NOT_A_DURATION],
    ['30 s', '--timeout is "30 s", which is not a duration', NOT_A_DURATION],
    ['30S', '--timeout is "30S", which is not a duration', NOT_A_DURATION],
    ['1d', '--timeout is "1d", which is not a duration', NOT_A_DURATION],
    ['1m30s', '--timeout is "1m30s", which is not a duration', NOT_A_DURATION],
    ['1constructor', '--timeout is "1constructor", which is not a duration', NOT_A_DURATION],
    ['1e3s\u001b[31m', '--timeout is "1e3s\\u001b[31m", which is not a duration', NOT_A_DURATION],
    ['0s', '--timeout is "0s", which is not longer than zero', 'Use 1ms or more, for example 30s.'],
    ['2h', '--timeout is "2h", which is longer than an hour', 'Use 1h or less.'],
    ['3600001ms', '--timeout is "3600001ms", which is longer than an hour', 'Use 1h or less.'],
    [
      `${'9'.repeat(400)}s`,
      `--timeout is "${'9'.repeat(80)}...", which is longer than an hour`,
      'Use 1h or less.',
    ],
  ])('%j is refused', (text, message, hint) => {
    expect(() => parseDuration(text, '--timeout')).toThrow(
      expect.objectContaining({ name: 'UsageError', code: 'invalid_duration', message, hint }),
    );
  });

  test.each([
    ['1s', 1000],
    ['90s', 90_000],
    ['5m', 300_000],
    ['2h', 7_200_000],
    ['7d', 604_800_000],
    ['365d', 31_536_000_000],
  ])('%j is a lifetime of %d milliseconds', (text, milliseconds) => {
    expect(parseDuration(text, '--expires-in', LIFETIMES)).toBe(milliseconds);
  });

  test.each([
    ['500ms', 'which is not a duration', 'Use a whole number with its unit: 90s, 5m, 2h.'],
    ['1w', 'which is not a duration', 'Use a whole number with its unit: 90s, 5m, 2h.'],
    ['30', 'which has no unit', 'Use 30m for minutes, 30s for seconds.'],
    ['0d', 'which is not longer than zero', 'Use 1s or more, for example 5m.'],
    ['366d', 'which is longer than 365 days', 'Use 365d or less.'],
    ['8761h', 'which is longer than 365 days', 'Use 365d or less.'],
  ])('%j is no lifetime', (text, reason, hint) => {
    expect(() => parseDuration(text, '--expires-in', LIFETIMES)).toThrow(
      expect.objectContaining({
        code: 'invalid_duration',
        message: `--expires-in is "${text}", ${reason}`,
        hint,
      }),
    );
  });

  test('any text gives whole milliseconds up to an hour or a UsageError', () => {
    const text = fc.oneof(
      fc.string(),
      fc.tuple(fc.nat(), fc.constantFrom('ms', 's', 'm', 'h', '')).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, (given) => {
        try {
          const milliseconds = parseDuration(given, 'PAYCTL_TIMEOUT');
          expect(Number.isInteger(milliseconds) && milliseconds >= 1 && milliseconds <= 3_600_000).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(UsageError);
        }
      }),
    );
  });
});
