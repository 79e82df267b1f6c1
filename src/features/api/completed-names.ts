import type { CompletionCommand } from '../../cli/completion.ts';
import { splitLeadingFlags } from '../../cli/routing/leading-flags.ts';
import { type CommandListing, commandsBelow, type ListedCommand } from '../../descriptions/listing.ts';
import { findCommand } from './help-listing.ts';

/** What a shell may offer in addition to payctl's own commands. */
export type CompletedCommands = {
  readonly commands: Readonly<Record<string, CompletionCommand>>;
  readonly topics: Readonly<Record<string, string>>;
  /** Flags that the description adds to the command of payctl itself. */
  readonly further?: CompletionCommand['flags'];
};

/** What follows the words of a command that is not typed: nothing that anybody asks for. */
const ONLY_NAMED = { flags: [], args: [], columns: [], deepColumns: [] };

/** Commands whose first argument is an operation. */
export type PathCommand = 'api call' | 'api show';
const CALLS: readonly PathCommand[] = ['api call', 'api show'];

/** Which of these commands the words before the cursor begin with. */
export function callIn(words: readonly string[]): PathCommand | undefined {
  return CALLS.find((name) => `${typedWords(words).join(' ')} `.startsWith(`${name} `));
}

/** Operations as commands, by ID and by the words of their commands: `api call ID`. */
export function commandsOfCall<
  Operation extends ListedCommand & { readonly id: string; readonly command: string },
>(call: PathCommand, operations: readonly Operation[]): ReadonlyMap<string, Operation> {
  const named = new Map<string, Operation>();
  for (const operation of operations) {
    const { id, command } = operation;
    // An ID with a space is a method and a path; shells interpret the braces of the path.
    for (const name of id.includes(' ') ? [command] : [id, command]) {
      const words = `${call} ${name}`;
      if (name !== '' && !named.has(words)) named.set(words, operation);
    }
  }
  return named;
}

/** Commands of a description by their names, and the one of which the words before the cursor ask for everything. */
export function completedNames<Command extends ListedCommand>(
  words: readonly string[],
  named: ReadonlyMap<string, Command>,
): CompletedCommands & { readonly typed: { words: string; operation: Command } | undefined } {
  const commands: Record<string, CompletionCommand> = {};
  const topics: Record<string, string> = {};
  for (const [name, { summary }] of named) {
    commands[name] = { summary, ...ONLY_NAMED };
    for (let end = name.indexOf(' '); end !== -1; end = name.indexOf(' ', end + 1)) {
      topics[name.slice(0, end)] = '';
    }
  }
  const typed = callIn(words) === 'api show' ? undefined : findCommand(typedWords(words), named);
  return { commands, topics, typed };
}

/** The commands of a listing that may follow the words before the cursor, as `completedNames`. */
export function completedListing(words: readonly string[], listing: CommandListing) {
  return completedNames(words, commandsBelow(listing, typedWords(words)));
}

/** Whether the description of a listing has a command of this name. */
export function hasCommand(listing: CommandListing, name: string): boolean {
  return commandsBelow(listing, name.split(' ')).has(name);
}

/** The words of a command, whether it or its help is typed. */
function typedWords(words: readonly string[]): readonly string[] {
  const { rest } = splitLeadingFlags(words);
  return rest[0] === 'help' ? rest.slice(1) : rest;
}
