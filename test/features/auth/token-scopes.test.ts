import { describe, expect, it } from 'vitest';
import { readScopes, remarksOn } from '../../../src/features/auth/token.ts';

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
