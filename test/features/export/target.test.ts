import { describe, expect, it } from 'vitest';
import { queryFrom } from '../../../src/features/export/target.ts';

describe('the query for records from a time on', () => {
  it.each([
    ['date-time', false, '2026-03-02T10:00:00.500Z'],
    ['date-time', true, '2026-03-02T10:00:00.499Z'],
    ['seconds', false, '1772445600'],
    // A service that counts seconds may have a record of this second.
    ['seconds', true, '1772445599'],
    ['milliseconds', false, '1772445600500'],
    ['milliseconds', true, '1772445600499'],
    // Where the service is, it may be the day before.
    ['date', false, '2026-03-01'],
    ['date', true, '2026-02-28'],
  ] as const)('leaves none out: %s, exclusive %s', (format, isExclusive, value) => {
    const from = Date.parse('2026-03-02T10:00:00.500Z');
    expect(queryFrom({ parameter: 'from', format, isExclusive }, from)).toEqual({ from: value });
  });
});
