import { expect, it } from 'vitest';
import { fitsPattern, isSlow, matchesPattern } from '../../src/schemas/patterns.ts';

it('takes a text for fitting where a pattern takes too long, or is none', () => {
  expect(matchesPattern('^(a+)+$', `${'a'.repeat(200)}!`)).toBe(true);
  expect(matchesPattern('(', 'a')).toBe(true);
  expect([matchesPattern('^a', 'ab'), matchesPattern('^a', 'b')]).toEqual([true, false]);
});

it('does not try a text again that is as long as one for which the pattern took too long', {
  tags: 'slow',
}, () => {
  const slow = '^(b+)+$';
  expect(fitsPattern(slow, `${'b'.repeat(60)}!`)).toBeUndefined();
  expect([fitsPattern(slow, 'b'.repeat(61)), fitsPattern(slow, 'bb'), fitsPattern(slow, 'b!')]).toEqual([
    undefined,
    true,
    false,
  ]);
});

it.each([
  ['[a-z]+-[a-z]+_[a-z]+=[a-z]+%', true],
  ['^[a-z]+-[a-z]+_[a-z]+=[a-z]+%', false],
  ['^[a-z]+-[a-z]+|[a-z]+_[a-z]+=', true],
])('tries a pattern of several repeats from one place only, or with a timer: %s', (pattern, expected) => {
  expect(isSlow(pattern)).toBe(expected);
});
