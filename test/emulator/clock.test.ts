import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isoText, isSeedDay, lastSeedDay, seedEndOf, timestamp } from '../../src/emulator/clock.ts';

it('ends the seeded past at 09:00 UTC of a day, the last that is over', () => {
  expect(lastSeedDay(new Date('2026-03-01T08:59:59.999Z'))).toBe('2026-02-28');
  expect(lastSeedDay(new Date('2026-03-01T09:00:00.000Z'))).toBe('2026-03-01');
  expect(isoText(seedEndOf('2026-03-01'))).toBe('2026-03-01T09:00:00.000Z');
});

it.each([
  '2026-02-29',
  '1999-12-31',
  '2100-01-01',
  '2026-3-1',
  '2026-03-01T00:00Z',
  ' 2026-03-01',
  'today',
  '',
])('takes %j for no day', (text) => {
  expect(isSeedDay(text)).toBe(false);
  expect(['2000-01-01', '2028-02-29', '2099-12-31'].every(isSeedDay)).toBe(true);
});

it('writes every moment as Date does', () => {
  const moment = fc.oneof(
    fc.integer({ min: -8.64e15, max: 8.64e15 }),
    fc.integer({ min: -1e13, max: 4e12 }),
    fc.double({ min: -1e13, max: 1e13, noNaN: true }),
    fc.constantFrom(0, -1, 1, 999, 86_399_999, 86_400_000, -86_400_000, -0.5, 8.64e15, -8.64e15),
  );
  fc.assert(
    fc.property(moment, (milliseconds) => {
      const date = new Date(milliseconds);
      expect(isoText(milliseconds)).toBe(date.toISOString());
      expect(timestamp(date)).toBe(date.toISOString().replace('Z', '+00:00'));
    }),
  );
  expect(() => isoText(Number.NaN)).toThrow(RangeError);
  expect(() => isoText(8.64e15 + 86_400_000)).toThrow(RangeError);
});
