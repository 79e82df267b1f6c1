import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMAND_OPERATIONS, HARMLESS_LISTS } from '../../../src/cli/catalog/operations.ts';
import { listCommands } from '../../../src/cli/route.ts';
import { operations } from '../../../src/contract/generated/operations.ts';
import { EVERY_COMMAND } from '../../e2e/contract/every-command.ts';

describe('COMMAND_OPERATIONS', () => {
  it('names commands that there are', () => {
    const commands = listCommands(join(import.meta.dirname, '../../../src/commands'));
    expect(Object.keys(COMMAND_OPERATIONS).filter((command) => !commands.includes(command))).toEqual([]);
  });

  it('has a command for every operation of the contract', () => {
    const called = Object.values(COMMAND_OPERATIONS).map(({ id }) => id);
    expect(called.sort()).toEqual(Object.keys(operations).sort());
  });

  it.each(EVERY_COMMAND)(
    'tells what the command really calls: $method $url',
    ({ args, method, url, scopes }) => {
      const words = Object.keys(COMMAND_OPERATIONS).find((command) => args.join(' ').startsWith(command));
      const operation = COMMAND_OPERATIONS[words ?? ''];
      expect([operation?.method, operation?.scopes[0]]).toEqual([method, scopes[0]]);
      const pattern = operation?.path.replaceAll(/\{\w+\}/g, '[^/]+');
      expect(url).toMatch(new RegExp(`^${pattern}(\\?|$)`));
    },
  );
});

describe('HARMLESS_LISTS', () => {
  it('are all operations that change nothing and need no ID', () => {
    const harmless = Object.values(operations).filter(
      ({ method, pathParameters }) => method === 'GET' && pathParameters.length === 0,
    );
    expect(HARMLESS_LISTS.toSorted()).toEqual(harmless.map(({ id }) => id).sort());
  });

  it('begin with the one that belongs to no merchant account, and end with personal data', () => {
    expect(HARMLESS_LISTS[0]).toBe('listRoles');
    expect(HARMLESS_LISTS.slice(-2)).toEqual(['listBuyers', 'listPaymentMethods']);
  });
});
