import { isHelpTopic } from './cli/catalog/help-topics.ts';
import { helpText } from './cli/help-text.ts';
import { mayBeDescribed } from './cli/may-be-described.ts';
import { commandsFolder, findRoute, isCommand } from './cli/route.ts';
import { readEnvironment } from './config/environment.ts';
import { openStdout } from './output/open-stdout.ts';
import { createSink } from './output/streams.ts';

/**
 * Prints the help that the arguments ask for, with the least code: the program itself is not loaded. Resolves to false if
 * there is no such help or it cannot be written; then the program says why.
 */
export async function printHelp(argv: readonly string[]): Promise<boolean> {
  const commands = commandsFolder(import.meta.url);
  const route = findRoute(argv, commands);
  if (route.kind !== 'help') return false;
  // The program adds the commands of an imported description to the help that lists commands.
  const listsCommands = route.json || !(isCommand(route.words, commands) || isHelpTopic(route.words));
  if (listsCommands && mayBeDescribed(readEnvironment())) return false;
  const stdout = createSink(openStdout());
  const text = helpText({ ...route, columns: stdout.columns, moduleUrl: import.meta.url });
  if (text === undefined) return false;
  try {
    await stdout.write(text);
    await stdout.end();
    return true;
  } catch {
    return false;
  }
}
