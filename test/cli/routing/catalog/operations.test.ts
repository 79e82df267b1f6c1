import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMAND_OPERATIONS } from '../../../../src/cli/routing/catalog/operations.ts';
import { listCommands } from '../../../../src/cli/routing/route.ts';
import { operations } from '../../../../src/contract/generated/operations.ts';
import { EVERY_COMMAND } from '../../../e2e/contract/every-command.ts';

describe('COMMAND_OPERATIONS', () => {
  it('names commands that there are', () => {
    const commands = listCommands(join(import.meta.dirname, '../../../../src/commands'));
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
