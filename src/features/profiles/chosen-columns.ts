import { FlagError, splitNames } from '../../cli/flags/types.ts';
import { loadCommand } from '../../cli/routing/load-command.ts';
import { findRoute, listCommands } from '../../cli/routing/route.ts';
import { knownColumnsOf } from '../../cli/show/columns-flag.ts';
import { type KnownColumns, resolveColumns } from '../../cli/show/known-columns.ts';
import { quote } from '../../text/format.ts';
import { inShell } from '../../text/shell.ts';
import { suggest } from '../../text/suggest.ts';

/**
 * Reads what a profile is to show in the tables of commands: texts such as `buyers list=NAME,ID`, each checked against the
 * columns of its command. Null, for nothing after the equals sign, means the columns of the command's own. `commands` is the
 * folder of all commands.
 * @throws FlagError; UsageError `unknown_column`
 */
export async function readChosenColumns(
  texts: readonly string[],
  commands: string,
): Promise<Readonly<Record<string, string | null>>> {
  const choices: [string, string | null][] = [];
  for (const text of texts) {
    const at = text.indexOf('=');
    if (at === -1) throw notAChoice(text);
    const command = text.slice(0, at).trim().split(/\s+/).join(' ');
    if (choices.some(([other]) => other === command)) {
      throw new FlagError(`--columns gives the columns of ${quote(command)} twice`);
    }
    const known = await columnsOfCommand(command, commands);
    const names = splitNames(text.slice(at + 1));
    const isEmpty = names.join('') === '';
    if (!isEmpty && names.includes('')) throw notAChoice(text);
    if (!isEmpty) resolveColumns(names, known, { command });
    choices.push([command, isEmpty ? null : names.join(',')]);
  }
  return Object.fromEntries(choices);
}

const EXAMPLE = inShell("For example: --columns 'buyers list=NAME,ID'");

function notAChoice(text: string): FlagError {
  return new FlagError(`--columns must be COMMAND=COLUMNS, not ${quote(text)}`, EXAMPLE);
}

async function columnsOfCommand(command: string, folder: string): Promise<KnownColumns> {
  const route = findRoute(command.split(' '), folder);
  if (route.kind !== 'command' || route.rest.length > 0) {
    const meant = suggest(command, listCommands(folder));
    throw new FlagError(
      `--columns names ${quote(command)}, which is not a command`,
      meant ? `Did you mean ${meant}?` : EXAMPLE,
    );
  }
  const known = knownColumnsOf(await loadCommand(route.file));
  if (known) return known;
  throw new FlagError(`--columns names ${quote(command)}, which has no columns to choose`, EXAMPLE);
}
