import { describe, expect, it } from 'vitest';
import { scopes } from '../../src/contract/generated/operations.ts';
import { grants, kindOfScope, reachOfWildcard } from '../../src/tokens/scopes.ts';

describe('kindOfScope', () => {
  it('knows every scope of the contract', () => {
    expect(scopes.filter((scope) => kindOfScope(scope, scopes) !== 'known')).toEqual([]);
  });

  it.each([
    ['*', 'wildcard'],
    ['*.read', 'wildcard'],
    ['*.write', 'wildcard'],
    ['buyers.*', 'wildcard'],
    ['buyers.billing-details.*', 'wildcard'],
    ['gift-cards.*', 'wildcard'],
    ['*.admin', 'unknown'],
    ['buyer.*', 'unknown'],
    ['embed.*', 'unknown'],
    ['.*', 'unknown'],
    ['buy*', 'unknown'],
    ['Buyers.read', 'unknown'],
    ['buyers', 'unknown'],
    ['', 'unknown'],
  ])('%j is %s', (scope, kind) => {
    expect(kindOfScope(scope, scopes)).toBe(kind);
  });

  it('takes .* for no wildcard, even where a scope begins with a dot: it grants nothing', () => {
    expect(kindOfScope('.*', ['.read'])).toBe('unknown');
    expect(grants(['.*'], '.read')).toBe(false);
  });

  it('calls nothing a wildcard that opens no scope of the contract', () => {
    const wildcards = ['*', '*.read', '*.write', ...scopes.map((scope) => `${scope.split('.')[0]}.*`)];
    const found = wildcards.filter((scope) => kindOfScope(scope, scopes) === 'wildcard');
    expect(found.length).toBeGreaterThan(3);
    expect(found.filter((scope) => !scopes.some((name) => grants([scope], name)))).toEqual([]);
  });
});

describe('reachOfWildcard', () => {
  it.each([
    ['*', 'everything'],
    ['*.read', 'every scope that ends in .read'],
    ['*.write', 'every scope that ends in .write'],
    ['buyers.*', 'every scope under buyers'],
  ])('%s opens %s', (scope, reach) => {
    expect(reachOfWildcard(scope)).toBe(reach);
  });
});
