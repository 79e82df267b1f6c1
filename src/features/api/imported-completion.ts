import { splitLeadingFlags } from '../../cli/leading-flags.ts';
import { openDescription } from '../../cli/open-description.ts';
import type { Environment } from '../../config/environment.ts';
import type { IndexedOperation } from '../../descriptions/imported-operation.ts';
import type { CompletedCommand } from './completed-command.ts';
import { commandsOf } from './help-listing.ts';
import { findCommand } from './imported-program.ts';

/** What a shell may offer beside payctl's own commands. */
export type CompletedCommands = {
  readonly commands: Readonly<Record<string, CompletedCommand>>;
  readonly topics: Readonly<Record<string, string>>;
  /** Flags that the description adds to the command of payctl itself. */
  readonly further?: CompletedCommand['flags'];
};

/** A command of payctl itself that the words name, and its flags. */
export type OwnCommand = { readonly words: string; readonly flags: readonly string[] };

/** Commands whose first argument is an operation. */
const CALLS = ['api call', 'api show'];

/**
 * The commands of the imported description for the words before the cursor: all by their names, and the one that the words name
 * with its flags; of a command of payctl itself, the flags that the description adds. After `api call`, the operations are commands, too. Undefined where there is no description.
 */
export async function importedCompletion(
  words: readonly string[],
  environment: Environment,
  own?: OwnCommand,
): Promise<CompletedCommands | undefined> {
  if (own) {
    const { completedFurtherFlags } = await import('./completed-command.ts');
    const further = await completedFurtherFlags(own, { argv: words, environment });
    return { commands: {}, topics: {}, further };
  }
  const description = await openDescription(words, environment);
  if (!description) return undefined;
  const { rest } = splitLeadingFlags(words);
  const typed = (rest[0] === 'help' ? rest.slice(1) : rest).join(' ');
  const call = CALLS.find((name) => `${typed} `.startsWith(`${name} `));
  const named: ReadonlyMap<string, IndexedOperation> = call
    ? new Map(description.index.operations.map((operation) => [`${call} ${operation.id}`, operation]))
    : commandsOf(description.index);
  const commands = Object.fromEntries([...named].map(([name, operation]) => [name, onlyNamed(operation)]));
  const found = call === 'api show' ? undefined : findCommand(typed.split(' '), named);
  if (found) {
    const { completedCommand } = await import('./completed-command.ts');
    commands[found.words] = completedCommand(description.operation(found.operation));
  }
  const topics = Object.fromEntries(
    [...named.keys()].flatMap((name) => beginnings(name).map((group) => [group, ''] as const)),
  );
  return { commands, topics };
}

function beginnings(name: string): readonly string[] {
  const words = name.split(' ');
  return words.slice(0, -1).map((_, index) => words.slice(0, index + 1).join(' '));
}

function onlyNamed({ summary }: IndexedOperation): CompletedCommand {
  return { summary, flags: [], args: [], columns: [], deepColumns: [] };
}
