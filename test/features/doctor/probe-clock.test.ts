import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clockSkew, evaluateClock } from '../../../src/features/doctor/probe.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');

describe('clockSkew', () => {
  const skew = (sentAt: number, headers: Record<string, string>, milliseconds = 0) =>
    clockSkew({ sentAt, milliseconds, headers });

  it('is zero in the middle of the second that the header tells', () => {
    expect(skew(NOON + 500, { date: 'Sun, 01 Mar 2026 12:00:00 GMT' })).toBe(0);
  });

  it('takes half of the round trip off', () => {
    expect(skew(NOON - 1_500, { date: 'Sun, 01 Mar 2026 12:00:00 GMT' }, 4_000)).toBe(0);
  });

  it('is positive when this machine is ahead, and negative when it is behind', () => {
    expect(skew(NOON + 500, { date: 'Sun, 01 Mar 2026 11:59:00 GMT' })).toBe(60);
    expect(skew(NOON + 500, { date: 'Sun, 01 Mar 2026 12:01:00 GMT' })).toBe(-60);
  });

  it('counts the age of an answer that a cache had kept', () => {
    expect(skew(NOON + 500, { date: 'Sun, 01 Mar 2026 11:00:00 GMT', age: '3600' })).toBe(0);
  });

  it.each([[''], ['1'], ['yesterday'], ['2026-03-01T12:00:00Z'], ['Sun, 99 Foo 2026 12:00:00 GMT']])(
    'is not known from the header %j',
    (date) => expect(skew(NOON, { date })).toBeUndefined(),
  );

  it('is not known without the header', () => {
    expect(skew(NOON, {})).toBeUndefined();
  });

  it('is off by half a second at most, whenever in its second the service answered', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 999 }),
        fc.integer({ min: -100_000, max: 100_000 }),
        (offset, ahead) => {
          const date = new Date(NOON + offset).toUTCString();
          const measured = skew(NOON + offset + ahead, { date }) ?? Number.NaN;
          expect(Math.abs(Math.round(measured * 1000) - ahead)).toBeLessThanOrEqual(500);
        },
      ),
    );
  });
});

describe('evaluateClock', () => {
  const remedy = 'Set the clock of this machine: sudo timedatectl set-ntp true';

  it.each([
    [0, 0, 'matches the clock of the service'],
    [-1.4, -1, 'matches the clock of the service'],
    [3, 3, '3 seconds ahead of the service'],
    [-5, -5, '5 seconds behind the service'],
  ])('is good at %d s', (skew, rounded, message) => {
    expect(evaluateClock(skew, 'linux')).toEqual({
      state: 'pass',
      message,
      facts: { skew_seconds: rounded },
    });
  });

  it.each([
    [5.1, 5, '5 seconds ahead of the service: tokens signed here may be rejected'],
    [60, 60, '60 seconds ahead of the service: tokens signed here may be rejected'],
    [-42, -42, '42 seconds behind the service: tokens signed here may be rejected'],
  ])('warns at %d s', (skew, rounded, message) => {
    const facts = { skew_seconds: rounded };
    expect(evaluateClock(skew, 'linux')).toEqual({ state: 'warn', message, remedy, facts });
  });

  it.each([
    [61, '61 seconds ahead of the service: tokens signed here are not valid yet when they arrive'],
    [7_200, '2 hours ahead of the service: tokens signed here are not valid yet when they arrive'],
    [-200, '3 minutes behind the service: tokens signed here expire too early'],
    [-86_400, '24 hours behind the service: tokens signed here have expired when they arrive'],
  ])('fails at %d s', (skew, message) => {
    const facts = { skew_seconds: skew };
    expect(evaluateClock(skew, 'linux')).toEqual({ state: 'fail', message, remedy, facts });
  });

  it.each([
    ['darwin', 'Set the clock of this machine: sudo sntp -sS time.apple.com'],
    ['win32', 'Set the clock of this machine: w32tm /resync'],
    ['aix', 'Set the clock of this machine.'],
  ])('says how to set the clock on %s', (platform, expected) => {
    expect(evaluateClock(3600, platform).remedy).toBe(expected);
  });
});
