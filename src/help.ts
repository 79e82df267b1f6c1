import { helpText } from './cli/help-text.ts';
import { commandsFolder, findRoute } from './cli/route.ts';
import { openStdout } from './output/open-stdout.ts';
import { createSink } from './output/streams.ts';

/**
 * Prints the help that the arguments ask for, with the least code: the program itself is not loaded. Resolves to false if
 * there is no such help or it cannot be written; then the program says why.
 */
export async function printHelp(argv: readonly string[]): Promise<boolean> {
  const route = findRoute(argv, commandsFolder(import.meta.url));
  if (route.kind !== 'help') return false;
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
