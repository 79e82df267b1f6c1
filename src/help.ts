import { dirname } from 'node:path';
import { isHelpTopic } from './cli/routing/catalog/help-topics.ts';
import { helpDocument, helpPage, helpText, renderHelp } from './cli/routing/help-text.ts';
import { profileIn } from './cli/routing/leading-flags.ts';
import { mayBeImported } from './cli/routing/may-be-imported.ts';
import {
  commandsFolder,
  findRoute,
  formatToCheck,
  isCommand,
  listCommands,
  type Route,
} from './cli/routing/route.ts';
import { commandsByProfile } from './cli/session/description-in-use.ts';
import { readEnvironment } from './config/environment.ts';
import { describedPage } from './features/api/help-listing.ts';
import { openPrinter } from './output/print.ts';

/**
 * Prints the help that the arguments ask for, with the least code: the program itself is not loaded. Resolves to false if
 * there is no such help or it cannot be written; then the program says why.
 */
export async function printHelp(argv: readonly string[]): Promise<boolean> {
  const programFolder = dirname(import.meta.filename);
  const route = findRoute(argv, commandsFolder(programFolder));
  // What has to be selected, searched or checked is left to the program.
  if (route.kind !== 'help' || route.search || formatToCheck(argv)) return false;
  if (route.json && route.words.length > 0) return false;
  const stdout = openPrinter();
  const described = describedHelp(argv, route);
  if (described === 'unknown') return false;
  const text = described
    ? renderHelp(described, stdout.columns)
    : route.json
      ? helpDocument(programFolder)
      : helpText({ ...route, columns: stdout.columns, programFolder });
  if (text === undefined) return false;
  try {
    await stdout.print(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * A page that lists commands, with those of the imported description; undefined where there is nothing to add, and `unknown`
 * where the program has to find out.
 */
function describedHelp(
  argv: readonly string[],
  { words, json }: Extract<Route, { kind: 'help' }>,
): string | 'unknown' | undefined {
  const programFolder = dirname(import.meta.filename);
  const commands = commandsFolder(programFolder);
  const environment = readEnvironment();
  // If an operation follows, the page is that of the operation.
  if (words.join(' ') === 'api call' && !json) return 'unknown';
  if (isHelpTopic(words) || !mayBeImported(environment)) return undefined;
  if (json || environment.description !== undefined) return 'unknown';
  if (isCommand(words, commands)) return undefined;
  const page = helpPage(words, programFolder);
  try {
    const listing = page && commandsByProfile({ environment, profile: profileIn(argv) });
    if (!listing) return undefined;
    return describedPage(page, { listing, words, own: listCommands(commands) });
  } catch {
    return undefined;
  }
}
