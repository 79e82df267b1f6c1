import { describe, expect, it } from 'vitest';
import { createMessageMatcher, readMessagePattern } from '../../../src/features/api-logs/message-filter.ts';
import { readAuditLogFilter } from '../../../src/features/audit-logs/filter.ts';

describe('texts that payctl itself looks for', () => {
  it.each(['josé', 'JOSE', 'nunez', 'Jose\u0301 NÚÑEZ'])(
    'are found in the names of users without regard to case and accents: %s',
    (user) => {
      const { test } = readAuditLogFilter({ user });
      expect(test?.({ user: { name: 'José Núñez' } })).toBe(true);
      expect(test?.({ user: { name: 'Josip' } })).toBe(false);
    },
  );

  it('are found in messages so, too, but not where they are a regular expression', () => {
    const matches = (source: string) =>
      createMessageMatcher(readMessagePattern(source))([['Adresse REFUSÉE'], ['other']]);
    expect([matches('refusee'), matches('refusée'), matches('/refusee/i')]).toEqual([
      [true, false],
      [true, false],
      [false, false],
    ]);
  });
});
