import { describe, expect, it } from 'vitest';
import { operationAccess } from '../../../../src/cli/routing/catalog/allowed-operations.ts';
import type { IndexedOperation } from '../../../../src/descriptions/imported-operation.ts';

const operation = (
  id: string,
  scopes: readonly string[],
  more: Partial<IndexedOperation> = {},
): IndexedOperation => ({ id, method: 'GET', path: `/${id}`, summary: '', command: id, scopes, ...more });
const operations = [
  operation('one', ['a.read']),
  operation('either', ['b.read', 'embed']),
  operation('both', ['a.read', 'c.read'], { needsAllScopes: true }),
  operation('open', []),
];
const idsOf = (held: readonly string[] | undefined) => {
  const { allowed, refused, unknown, total } = operationAccess(held, { title: 'Acme', operations });
  const ids = (group: readonly IndexedOperation[]) => group.map(({ id }) => id).join();
  return [total, ids(allowed), ids(refused), ids(unknown)];
};

describe('operationAccess', () => {
  it.each([
    [['a.read'], [4, 'one', 'either,both', 'open']],
    [
      ['embed', 'a.*', 'c.read'],
      [4, 'one,either,both', '', 'open'],
    ],
    [[], [4, '', 'one,either,both', 'open']],
    [undefined, [4, '', '', 'one,either,both,open']],
  ])('compares the scopes %j with those of each operation', (held, groups) => {
    expect(idsOf(held)).toEqual(groups);
  });
});
