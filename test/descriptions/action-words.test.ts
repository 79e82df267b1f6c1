import { describe, expect, it } from 'vitest';
import { isStatusAfter } from '../../src/descriptions/action-words.ts';

describe('isStatusAfter', () => {
  it.each([
    ['ship', 'shipped'],
    ['stop', 'stopped'],
    ['verify', 'verified'],
    ['review', 'reviewed'],
    ['fix', 'fixed'],
    ['accept', 'accepted'],
    ['approve', 'approved'],
    ['submit', 'submitted'],
    ['void', 'authorization_voided'],
    ['capture', 'capture_succeeded'],
  ])('%s leads to %s', (verb, status) => expect(isStatusAfter(verb, status)).toBe(true));

  it.each([
    ['ship', 'shiped'],
    ['capture', 'partially_captured'],
    ['void', 'avoided'],
  ])('%s does not lead to %s', (verb, status) => expect(isStatusAfter(verb, status)).toBe(false));
});
