import { openDescription } from '../../cli/open-description.ts';
import type { Environment } from '../../config/environment.ts';
import { commandsOf } from '../../descriptions/listing.ts';
import { type CompletedCommands, callIn, commandsOfCall, completedNames } from './completed-names.ts';

/** A command of payctl itself that the words name, and its flags. */
export type OwnCommand = { readonly words: string; readonly flags: readonly string[] };

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
  const call = callIn(words);
  const { index } = description;
  const named = call ? commandsOfCall(call, index) : commandsOf(index);
  const { commands, topics, typed } = completedNames(words, named);
  if (!typed) return { commands, topics };
  const { completedCommand } = await import('./completed-command.ts');
  const whole = completedCommand(description.operation(typed.operation));
  return { commands: { ...commands, [typed.words]: whole }, topics };
}
