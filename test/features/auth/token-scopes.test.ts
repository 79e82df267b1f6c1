import { describe, expect, it } from 'vitest';
import { scopeWarnings, summaryOf, toTokenRecord } from '../../../src/features/auth/token.ts';
import { makeToken } from '../../tokens/make-token.ts';

describe('scopeWarnings', () => {
  it('has nothing to say of scopes of the contract', () => {
    expect(scopeWarnings(['buyers.read', 'embed', 'buyers.billing-details.read'])).toEqual([]);
  });

  it('names the nearest scope to an unknown one, and what a wildcard opens', () => {
    expect(scopeWarnings(['buyer.read', 'zzz', '*', '*.write', 'buyers.*', 'x\u001b'])).toEqual([
      'Unknown scope "buyer.read"; the token includes it anyway. Did you mean buyers.read?',
      'Unknown scope "zzz"; the token includes it anyway.',
      'The scope * is broad: it grants everything.',
      'The scope *.write is broad: it grants every scope that ends in .write.',
      'The scope buyers.* is broad: it grants every scope under buyers.',
      'Unknown scope "x\\u001b"; the token includes it anyway.',
    ]);
  });
});

describe('summaryOf', () => {
  const summary = (claims: Record<string, unknown>) =>
    summaryOf(toTokenRecord(makeToken({ alg: 'ES512' }, claims)));

  it('tells a token without a scope claim from one without scopes, and from one that is no JWT', () => {
    expect(summary({ exp: 0 })).toBe(
      'The token has no scope claim: only the service knows its scopes. Expires: 1970-01-01T00:00:00.000Z.',
    );
    expect(summary({ scopes: [] })).toBe('Scopes: none. Expires: never.');
    expect(summaryOf(toTokenRecord('opaque'))).toBe(
      'The token is not a JWT: only the service knows its scopes and expiry.',
    );
  });
});
