import { describe, expect, it } from 'vitest';
import { compactTime } from '../../src/text/format.ts';

describe('compactTime', () => {
  it.each([
    ['2026-03-01T14:05:59.123+00:00', '2026-03-01 14:05Z'],
    ['2026-03-02T01:30:00+02:00', '2026-03-01 23:30Z'],
    ['2026-03-01T14:05Z', '2026-03-01 14:05Z'],
    ['2026-03-01T14:05:59', '2026-03-01T14:05:59'],
    ['2026-13-01T14:05:59Z', '2026-13-01T14:05:59Z'],
    ['2026-03-01', '2026-03-01'],
    ['tomorrow', 'tomorrow'],
    ['', ''],
  ])('shows %j as %j', (text, shown) => {
    expect(compactTime(text)).toBe(shown);
  });
});
