import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkAccess, grants, readScopes, scopesOf } from '../../src/tokens/scopes.ts';

describe('grants', () => {
  test.each([
    [['buyers.read'], 'buyers.read', true],
    [['buyers.write', 'buyers.read'], 'buyers.read', true],
    [['*'], 'buyers.billing-details.read', true],
    [['*'], 'embed', true],
    [['*.read'], 'buyers.read', true],
    [['*.read'], 'buyers.billing-details.read', true],
    [['*.write'], 'transactions.write', true],
    [['buyers.*'], 'buyers.write', true],
    [['buyers.*'], 'buyers.billing-details.read', true],
    [[], 'buyers.read', false],
    [[''], 'buyers.read', false],
    [['buyers'], 'buyers.read', false],
    [['buyers.rea'], 'buyers.read', false],
    [['Buyers.Read'], 'buyers.read', false],
    [['*.read'], 'buyers.write', false],
    [['*.read'], 'embed', false],
    [['*.read'], 'spread', false],
    [['*.read'], '.read', false],
    [['*.admin'], 'buyers.admin', false],
    [['buyers.*'], 'buyers', false],
    [['buyers.*'], 'buyers.', false],
    [['buyers.*'], 'buyers-export.read', false],
    [['.*'], '.read', false],
    [['*.*'], 'buyers.read', false],
    [['buy*'], 'buyers.read', false],
  ])('%j for %s is %s', (held, needed, expected) => {
    expect(grants(held, needed)).toBe(expected);
  });

  test('a scope that is added never takes a grant away', () => {
    const scope = fc.constantFrom(
      '*',
      '*.read',
      '*.write',
      'buyers.*',
      'buyers.read',
      'roles.read',
      'embed',
      '',
    );
    fc.assert(
      fc.property(fc.array(scope), scope, scope, (held, added, needed) => {
        expect(grants([...held, added], needed) || !grants(held, needed)).toBe(true);
      }),
    );
  });

  test('text without an asterisk grants itself and nothing else', () => {
    const plain = fc.string().filter((text) => !text.includes('*'));
    fc.assert(
      fc.property(plain, fc.string(), (held, needed) => {
        expect(grants([held], needed)).toBe(held === needed);
      }),
    );
  });
});

describe('scopesOf', () => {
  test.each([
    [{ scopes: ['buyers.read', 'roles.read'] }, ['buyers.read', 'roles.read']],
    [{ scopes: 'buyers.read roles.read' }, ['buyers.read', 'roles.read']],
    [{ scope: 'buyers.read  roles.read ' }, ['buyers.read', 'roles.read']],
    [{ scopes: ['roles.read'], scope: 'buyers.read' }, ['roles.read']],
    [{ scopes: [], scope: 'buyers.read' }, []],
    [{ scopes: null, scope: 'buyers.read' }, ['buyers.read']],
    [{ scopes: ['roles.read', 7, null, '', 'roles.read'] }, ['roles.read']],
    [{ scopes: 7 }, []],
    [{ scope: ['buyers.read'] }, []],
    [{ scopes: null }, []],
    [{ scope: '' }, []],
    [{}, undefined],
    [{ sub: 'somebody', permissions: ['buyers.read'] }, undefined],
  ])('%j carries %j', (claims, expected) => {
    expect(scopesOf(claims)).toEqual(expected);
  });

  test('any scope claim gives a list of distinct names that are not empty', () => {
    fc.assert(
      fc.property(fc.record({ scopes: fc.anything(), scope: fc.anything() }), (claims) => {
        const names = scopesOf(claims) ?? [];
        expect(scopesOf(claims) === undefined).toBe(
          claims.scopes === undefined && claims.scope === undefined,
        );
        expect(names.every((name) => typeof name === 'string' && name !== '')).toBe(true);
        expect(new Set(names).size).toBe(names.length);
      }),
    );
  });
});

describe('readScopes', () => {
  test.each([
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

describe('checkAccess', () => {
  const READ = ['gift-cards.read', 'embed'];
  const PII = ['buyers.billing-details.read'];

  test.each([
    [['embed'], [READ], { access: 'allowed', lacking: [] }],
    [['embed'], [READ, PII], { access: 'refused', lacking: [PII] }],
    [['*'], [READ, PII], { access: 'allowed', lacking: [] }],
    [[], [READ, PII], { access: 'refused', lacking: [READ, PII] }],
    [[], [], { access: 'allowed', lacking: [] }],
    [undefined, [READ], { access: 'unknown', lacking: [] }],
    [undefined, [], { access: 'unknown', lacking: [] }],
  ])('scopes %j for one of each of %j: %j', (held, groups, expected) => {
    expect(checkAccess(held, groups)).toEqual(expected);
  });
});
