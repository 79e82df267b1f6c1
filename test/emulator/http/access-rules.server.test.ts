import { describe, expect, it } from 'vitest';
import { operations } from '../../../src/contract/generated/operations.ts';
import type { Operation } from '../../../src/contract/operation.ts';
import {
  type Caller,
  findMerchantAccount,
  mayReveal,
  merchantAccountOf,
  requireAccount,
  requireScope,
} from '../../../src/emulator/http/access.ts';
import { emulatorForAll } from '../test-emulator.ts';

const callerOf = (scopes: readonly string[], more: Partial<Caller> = {}): Caller => ({
  scopes,
  subject: 'me',
  isRestricted: false,
  merchantAccount: undefined,
  ...more,
});
const operationOf = (changes: Partial<Operation>): Operation => ({ ...operations.listBuyers, ...changes });

/** The message that a caller is refused with; undefined for one that is let through. */
function refusalOf(work: () => void): string | undefined {
  try {
    work();
  } catch (error) {
    expect(error).toMatchObject({ code: 'forbidden' });
    return (error as Error).message;
  }
  return undefined;
}

describe('an operation', () => {
  const two = { scopes: ['a.read', 'b.read'] };

  it.each<readonly [readonly string[], Partial<Operation>, string | undefined]>([
    [['a.read'], two, undefined],
    [['b.read'], two, undefined],
    [['*.read'], two, undefined],
    [['c.read'], two, 'This request requires the scope a.read or b.read'],
    [[], two, 'This request requires the scope a.read or b.read'],
    [['a.read', 'b.read'], { ...two, needsAllScopes: true }, undefined],
    [['a.read'], { ...two, needsAllScopes: true }, 'This request requires the scopes a.read and b.read'],
    [['b.read'], { ...two, needsAllScopes: true }, 'This request requires the scopes a.read and b.read'],
    [[], { scopes: [] }, undefined],
  ])('with the scopes %j is open to those that need %j: %s', (held, parts, expected) => {
    expect(refusalOf(() => requireScope(callerOf(held), operationOf(parts)))).toBe(expected);
  });

  it('is closed to a restricted key, whatever its scopes', () => {
    const caller = callerOf(['*'], { isRestricted: true });
    expect(refusalOf(() => requireScope(caller, operationOf({ scopes: [] })))).toBe(
      'The API key that signed the token is restricted',
    );
  });

  it.each([
    [undefined, true, 'other', true],
    ['mine', true, 'mine', true],
    ['mine', true, 'other', false],
    ['mine', false, 'other', true],
  ])(
    'of the key for %s that has accounts (%j) is open for %s: %j',
    (only, merchantAccount, account, isOpen) => {
      const caller = callerOf(['*'], { merchantAccount: only });
      const refused = refusalOf(() => requireAccount(caller, operationOf({ merchantAccount }), account));
      expect(refused === undefined).toBe(isOpen);
    },
  );

  it.each([
    [['personal.read'], 'personal.read', true],
    [['*'], 'personal.read', true],
    [['buyers.read'], 'personal.read', false],
    [['*'], undefined, false],
  ])('reveals personal data to the scopes %j where it needs %s: %j', (held, piiScope, expected) => {
    const { piiScope: _, ...others } = operations.listBuyers as Operation;
    const operation = piiScope === undefined ? others : { ...others, piiScope };
    expect(mayReveal(callerOf(held), operation)).toBe(expected);
  });
});

describe('the merchant account of a request', () => {
  const test = emulatorForAll({ buyers: 1 });

  it('is that of its header where the operation has one, else the default one', () => {
    const { database } = test.emulator;
    const find = (merchantAccount: boolean, header: string | undefined) =>
      findMerchantAccount(database, operationOf({ merchantAccount }), header);
    expect([find(true, 'outlet'), find(true, undefined), find(false, 'outlet')]).toEqual([
      'outlet',
      'default',
      'default',
    ]);
    expect(() => find(true, 'nobody')).toThrow(expect.objectContaining({ code: 'not_found' }));
    expect(find(false, 'nobody')).toBe('default');
  });

  it.each([
    [{ 'x-own': 'a', 'x-service-merchant-account-id': 'b' }, 'a'],
    [{ 'x-own': '', 'x-service-merchant-account-id': 'b' }, 'b'],
    [{ 'x-service-merchant-account-id': 'b' }, 'b'],
    [{ 'x-service-merchant-account-id': '' }, undefined],
    [{}, undefined],
  ])('is named in %j: %s', (headers, expected) => {
    expect(merchantAccountOf({ headers } as never, 'x-own')).toBe(expected);
  });
});
