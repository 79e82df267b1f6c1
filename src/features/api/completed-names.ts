import { splitLeadingFlags } from '../../cli/leading-flags.ts';
import type { ImportedDescription, IndexedOperation } from '../../descriptions/imported-operation.ts';
import type { CompletedCommand } from './completed-command.ts';
import { commandsOf, findCommand } from './help-listing.ts';

/** What a shell may offer beside payctl's own commands. */
export type CompletedCommands = {
  readonly commands: Readonly<Record<string, CompletedCommand>>;
  readonly topics: Readonly<Record<string, string>>;
  /** Flags that the description adds to the command of payctl itself. */
  readonly further?: CompletedCommand['flags'];
};

/** The command of a description that was typed, of which everything may be asked for. */
export type TypedCommand = { readonly words: string; readonly operation: IndexedOperation };

/** Commands whose first argument is an operation. */
const CALLS = ['api call', 'api show'];

/**
 * The commands of a description by their names for the words before the cursor, and the one that the words name. After
 * `api call`, the operations are commands, too.
 */
export function completedNames(
  words: readonly string[],
  index: ImportedDescription,
): CompletedCommands & { readonly typed: TypedCommand | undefined } {
  const { rest } = splitLeadingFlags(words);
  const text = (rest[0] === 'help' ? rest.slice(1) : rest).join(' ');
  const call = CALLS.find((name) => `${text} `.startsWith(`${name} `));
  const named: ReadonlyMap<string, IndexedOperation> = call
    ? new Map(index.operations.map((operation) => [`${call} ${operation.id}`, operation]))
    : commandsOf(index);
  const commands = Object.fromEntries([...named].map(([name, operation]) => [name, onlyNamed(operation)]));
  const topics = Object.fromEntries(
    [...named.keys()].flatMap((name) => beginnings(name).map((group) => [group, ''] as const)),
  );
  return { commands, topics, typed: call === 'api show' ? undefined : findCommand(text.split(' '), named) };
}

function beginnings(name: string): readonly string[] {
  const words = name.split(' ');
  return words.slice(0, -1).map((_, index) => words.slice(0, index + 1).join(' '));
}

function onlyNamed({ summary }: IndexedOperation): CompletedCommand {
  return { summary, flags: [], args: [], columns: [], deepColumns: [] };
}
