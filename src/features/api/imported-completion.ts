import { mayBeImported } from '../../cli/routing/may-be-imported.ts';
import { type OpenedDescription, openDescription } from '../../cli/session/open-description.ts';
import type { Environment } from '../../config/environment.ts';
import { commandsOf } from '../../descriptions/listing.ts';
import {
  type CompletedCommands,
  callIn,
  commandsOfCall,
  completedNames,
  type PathCommand,
} from './completed-names.ts';

/** A command of payctl itself that the words name, and its flags. */
export type OwnCommand = { readonly words: string; readonly flags: readonly string[] };

/**
 * The commands of the imported description for the words before the cursor: all by their names, and the one that the words name
 * with its flags; of a command of payctl itself, the flags that the description adds. After `api call` and `api show`, the
 * operations are commands, too, those of payctl's own contract included. Undefined where there is nothing to add.
 */
export async function importedCompletion(
  words: readonly string[],
  environment: Environment,
  own?: OwnCommand,
): Promise<CompletedCommands | undefined> {
  const call = callIn(words);
  if (!call && !mayBeImported(environment)) return undefined;
  if (own) {
    const { completedFurtherFlags } = await import('./completed-command.ts');
    const further = await completedFurtherFlags(own, { argv: words, environment });
    return { commands: {}, topics: {}, further };
  }
  const description = await openDescription(words, environment);
  if (call) return await completedCalls(words, call, description);
  if (!description) return undefined;
  const { commands, topics, typed } = completedNames(words, commandsOf(description.index));
  if (!typed) return { commands, topics };
  const { completedCommand } = await import('./completed-command.ts');
  const whole = completedCommand(description.operation(typed.operation));
  return { commands: { ...commands, [typed.words]: whole }, topics };
}

/** Operations after `api call`, with the flags of the typed one; after `api show`, also those that payctl cannot run. */
async function completedCalls(
  words: readonly string[],
  call: PathCommand,
  description: OpenedDescription | undefined,
): Promise<CompletedCommands> {
  const { ownOperations } = await import('./own-operations.ts');
  const own = ownOperations();
  const { operations = [], notRun = [] } = description?.index ?? {};
  const described = new Set(operations.map(({ id }) => id));
  const listed = [...operations, ...own.filter(({ id }) => !described.has(id))];
  const shown = call === 'api show' ? [...listed, ...notRun] : listed;
  const { commands, topics, typed } = completedNames(words, commandsOfCall(call, shown));
  if (!typed) return { commands, topics };
  const indexed = operations.find((operation) => operation === typed.operation);
  const operation = indexed ? description?.operation(indexed) : own.find((one) => one === typed.operation);
  if (!operation) return { commands, topics };
  const { completedCommand } = await import('./completed-command.ts');
  return { commands: { ...commands, [typed.words]: completedCommand(operation) }, topics };
}
