import { describe, expect, it } from 'vitest';
import { findOperation } from '../../../src/features/api/find-operation.ts';

const operation = (id: string, command: string, method: 'GET' | 'POST', path: string) => ({
  id,
  method,
  path,
  summary: '',
  command,
  scopes: [],
});
const notRun = { code: 'body_not_json', reason: 'Its body is "text/csv", not JSON', pointer: '/paths' };
const description = {
  operations: [
    operation('get_refund', 'refunds get', 'GET', '/refunds/{refund_id}'),
    { ...operation('list_refunds', 'refunds list', 'GET', '/refunds'), aliases: ['refunds all'] },
    operation('listRoles', 'my-roles list', 'GET', '/my-roles'),
  ],
  notRun: [{ ...operation('upload', 'refunds upload', 'POST', '/refunds/upload'), ...notRun }],
};

const none = { profiles: new Map() };

describe('findOperation', () => {
  it.each([
    [['refunds', 'get', '17'], 'imported get_refund 2'],
    [['refunds get', '17'], 'imported get_refund 1'],
    [['get_refund', '17'], 'imported get_refund 1'],
    [['GET', '/refunds/{}', '17'], 'imported get_refund 2'],
    [['get', '/refunds/{id}', '17'], 'imported get_refund 2'],
    [['GET /refunds', 'x'], 'imported list_refunds 1'],
    [['refunds', 'all'], 'imported list_refunds 2'],
    // The operations of an import come before those of payctl's own contract.
    [['listRoles'], 'imported listRoles 1'],
    [['roles', 'list'], 'own listRoles 2'],
    [['GET', '/roles'], 'own listRoles 2'],
    [['buyers', 'gift-cards', 'list', 'x'], 'own listGiftCards 3'],
    [['refunds', 'upload', 'x'], 'not-run upload 2'],
    [['POST', '/refunds/upload'], 'not-run upload 2'],
  ])('takes as many of %j as name an operation', (words, expected) => {
    const { kind, operation: found, length } = findOperation(description, words, { profiles: none });
    expect(`${kind} ${found.id} ${length}`).toBe(expected);
  });

  it.each([
    [['refunds', 'lsit'], 'refunds lsit', 'Did you mean refunds list? '],
    [['refunds', 'list', '17'], 'refunds list 17', 'Did you mean refunds list? '],
    [['zzzz'], 'zzzz', ''],
  ])('refuses %j as a whole name', (words, name, hint) => {
    expect(() => findOperation(description, words, { whole: true, profiles: none })).toThrow(
      expect.objectContaining({
        code: 'unknown_operation',
        message: `There is no operation ${JSON.stringify(name)}`,
        hint: `${hint}List all of them: payctl api list`,
      }),
    );
  });

  it('says where a description comes from if there is none', () => {
    expect(() => findOperation(undefined, ['zzzz', 'x'], { profiles: none })).toThrow(
      expect.objectContaining({
        message: 'There is no operation "zzzz"',
        hint: 'No description is imported. Import one: payctl api import FILE',
      }),
    );
  });

  it.each([
    [['acme'], 'The profile acme has an imported description: add --profile acme.'],
    [['acme', 'emulator'], 'The profiles acme, emulator have an imported description: add --profile acme.'],
  ])('says which profiles have one: %j', (names, hint) => {
    const binding = { folder: 'f', file: 'f' };
    const profiles = new Map(names.map((name) => [name, { name, description: binding }]));
    const find = () => findOperation(undefined, ['zzzz'], { profiles: { profiles } });
    expect(find).toThrow(expect.objectContaining({ hint }));
  });
});
