import { fileURLToPath } from 'node:url';
import { callOf } from '../descriptions/command-names.ts';
import { COMMAND_OPERATIONS } from './catalog/operations.ts';
import { listCommands } from './route.ts';

/** payctl's own commands by their words, each with the request that it stands for, where it is one. */
export function builtInCommands(): ReadonlyMap<string, string | undefined> {
  // One folder above this module, also where that is a chunk of the bundle.
  const folder = fileURLToPath(new URL('../commands', import.meta.url));
  return new Map(
    listCommands(folder).map((words) => {
      const operation = COMMAND_OPERATIONS[words];
      return [words, operation && callOf(operation)] as const;
    }),
  );
}
