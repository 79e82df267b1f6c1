import { describe, expect, it } from 'vitest';
import { readScopes, remarksOn, summaryOf, toTokenRecord } from '../../../src/features/auth/token.ts';
import { makeToken } from '../../tokens/make-token.ts';

describe('readScopes', () => {
  it.each([
    [[], []],
    [['buyers.read'], ['buyers.read']],
    [
      ['roles.read', 'buyers.read,embed', 'roles.read'],
      ['roles.read', 'buyers.read', 'embed'],
    ],
    [
      ['buyers.read, roles.read', ' embed '],
      ['buyers.read', 'roles.read', 'embed'],
    ],
    [[',', ' '], []],
  ])('reads %j as %j', (values, names) => {
    expect(readScopes(values)).toEqual(names);
  });
});

describe('remarksOn', () => {
  it('has nothing to say of scopes of the contract', () => {
    expect(remarksOn(['buyers.read', 'embed', 'buyers.billing-details.read'])).toEqual([]);
  });

  it('names the nearest scope to an unknown one, and what a wildcard opens', () => {
    expect(remarksOn(['buyer.read', 'zzz', '*', '*.write', 'buyers.*', 'x\u001b'])).toEqual([
      'Unknown scope "buyer.read"; the token carries it all the same. Did you mean buyers.read?',
      'Unknown scope "zzz"; the token carries it all the same.',
      'The scope * grants much: everything.',
      'The scope *.write grants much: every scope that ends in .write.',
      'The scope buyers.* grants much: everything below buyers.',
      'Unknown scope "x\\u001b"; the token carries it all the same.',
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
      'This token is no JWT: only the service knows its scopes and its end.',
    );
  });
});
