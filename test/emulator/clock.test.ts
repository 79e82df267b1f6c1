import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isoText, timestamp } from '../../src/emulator/clock.ts';

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
