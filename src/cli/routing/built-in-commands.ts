import { callOf } from '../../descriptions/command-names.ts';
import { COMMAND_OPERATIONS } from './catalog/operations.ts';
import { ownCommands } from './route.ts';

/** payctl's own commands by their words, each with the request that it stands for, where it is one. */
export function builtInCommands(): ReadonlyMap<string, string | undefined> {
  return new Map(
    ownCommands().map((words) => {
      const operation = COMMAND_OPERATIONS[words];
      return [words, operation && callOf(operation)] as const;
    }),
  );
}
