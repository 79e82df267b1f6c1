import { describe, expect, it } from 'vitest';
import { dayOf, momentOf } from '../../src/text/format.ts';

describe('moments', () => {
  it('are written in UTC, by day or by second', () => {
    const moment = new Date('2026-03-01T23:59:59.999+00:00');
    expect(dayOf(moment)).toBe('2026-03-01');
    expect(momentOf(moment)).toBe('2026-03-01T23:59:59Z');
  });
});
