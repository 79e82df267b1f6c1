import { describedByProfile } from '../../cli/description-in-use.ts';
import { helpPage, helpText, renderHelp } from '../../cli/help-text.ts';
import { commandLine, splitLeadingFlags } from '../../cli/leading-flags.ts';
import { type OpenedDescription, openDescription } from '../../cli/open-description.ts';
import {
  asksForHelp,
  commandsFolder,
  isCommand,
  listCommands,
  type Route,
  wantsHelp,
} from '../../cli/route.ts';
import type { ImportedRoute } from '../../cli/run.ts';
import type { Runtime } from '../../cli/runtime.ts';
import { configDirectory } from '../../config/environment.ts';
import { readProfiles } from '../../config/profiles.ts';
import type { IndexedOperation } from '../../descriptions/imported-operation.ts';
import { commandsOf } from '../../descriptions/listing.ts';
import { PayctlError } from '../../errors.ts';
import { findCommand, listingOf } from './help-listing.ts';

type Program = { readonly runtime: Runtime; readonly moduleUrl: string };

/**
 * What an imported description makes of a command line that names no command of payctl's own: it runs a command, or shows the
 * help of one, of a group of them, or of the program with the commands of the description.
 */
export async function answerImported(
  argv: readonly string[],
  route: Route,
  program: Program,
): Promise<ImportedRoute> {
  const description = await openFor(argv, route, program.runtime);
  if (!description) {
    return { kind: 'unknown', commands: [], profile: await profileThatHas(argv, program.runtime) };
  }
  const commands = commandsOf(description.index);
  const called = route.kind === 'help' && calledIn(argv, route.words, description);
  if (called) return commandHelp(called, { description, ...program });
  if (route.kind === 'help') return ownHelp(route, { description, commands, ...program });
  const { flags, rest } = splitLeadingFlags(argv);
  const asksHelp = asksForHelp(rest[0]);
  const typed = asksHelp ? rest.slice(1) : rest;
  const found = findCommand(typed, commands);
  if (!found) return unnamed(typed, { description, commands, asksHelp, ...program });
  if (asksHelp || wantsHelp(found.rest)) return commandHelp(found, { description, ...program });
  const words = commandLine({ leading: flags, rest: found.rest }, () => true).argv;
  return {
    kind: 'command',
    run: () => runOperation(description, found, { words, runtime: program.runtime }),
  };
}

/** The operation after `api call`, whose help is asked for. */
function calledIn(argv: readonly string[], words: readonly string[], { index }: OpenedDescription) {
  if (words.join(' ') !== 'api call') return undefined;
  const { rest } = splitLeadingFlags(argv);
  const [first = '', second = ''] = rest.slice(rest[0] === 'help' ? 3 : 2);
  const operation = index.operations.find(({ id, method, path }) =>
    [first, `${first.toUpperCase()} ${second}`].some((name) => name === id || name === `${method} ${path}`),
  );
  const name = operation && (operation.id === first || first.includes(' ') ? first : `${first} ${second}`);
  return operation && { words: `api call ${name}`, operation };
}

/** A description that cannot be read ends a command, but not the help of the program. */
async function openFor(argv: readonly string[], { kind }: Route, { environment }: Runtime) {
  try {
    return await openDescription(argv, environment);
  } catch (error) {
    if (kind === 'help' && error instanceof PayctlError) return undefined;
    throw error;
  }
}

/** The first profile whose description has the command, or the group of commands, that was typed. */
async function profileThatHas(
  argv: readonly string[],
  { environment }: Runtime,
): Promise<string | undefined> {
  const { rest } = splitLeadingFlags(argv);
  const typed = asksForHelp(rest[0]) ? rest.slice(1) : rest;
  const end = typed.findIndex((word) => word.startsWith('-'));
  const group = `${(end === -1 ? typed : typed.slice(0, end)).join(' ')} `;
  for (const { name, description } of readProfiles(configDirectory(environment)).profiles.values()) {
    if (description === undefined) continue;
    try {
      const described = describedByProfile({ environment, profile: name });
      const commands = described && commandsOf(described.index);
      const isGroup = group !== ' ' && [...(commands?.keys() ?? [])].some((one) => one.startsWith(group));
      if (commands && (isGroup || findCommand(typed, commands))) return name;
    } catch (error) {
      if (!(error instanceof PayctlError)) throw error;
    }
  }
  return undefined;
}

type Described = Program & {
  readonly description: OpenedDescription;
  readonly commands: ReadonlyMap<string, IndexedOperation>;
};

async function commandHelp(
  found: { readonly words: string; readonly operation: IndexedOperation },
  { description, runtime }: Pick<Described, 'description' | 'runtime'>,
): Promise<ImportedRoute> {
  const { importedCommandHelp } = await import('./imported-help.ts');
  return { kind: 'text', text: importedCommandHelp(description, found, runtime.stdout.columns) };
}

/** Words that name no command, but perhaps a group of commands. */
async function unnamed(
  typed: readonly string[],
  { description, commands, asksHelp, runtime }: Described & { readonly asksHelp: boolean },
): Promise<ImportedRoute> {
  const unknown: ImportedRoute = { kind: 'unknown', commands: [...commands.keys()] };
  const end = typed.findIndex((word) => word.startsWith('-'));
  const words = end === -1 ? typed : typed.slice(0, end);
  if (words.length === 0 || (end !== -1 && !asksHelp && !wantsHelp(typed))) return unknown;
  const { groupPage } = await import('./help-listing.ts');
  const text = groupPage({ title: description.index.title, commands }, words, runtime.stdout.columns);
  return text === undefined ? unknown : { kind: 'text', text };
}

/** A page of payctl's own with what the description adds to it. */
async function ownHelp(
  { words, json }: Extract<Route, { kind: 'help' }>,
  { description, commands, runtime, moduleUrl }: Described,
): Promise<ImportedRoute> {
  const nothing: ImportedRoute = { kind: 'unknown', commands: [] };
  const own = commandsFolder(moduleUrl);
  const { title } = description.index;
  const listing = listingOf({ title, commands }, listCommands(own));
  if (json) {
    const { withCommands } = await import('./imported-help.ts');
    const text = helpText({ words, json, columns: 0, moduleUrl });
    return text === undefined
      ? nothing
      : { kind: 'text', text: withCommands(text, words, { description, commands: listing.commands }) };
  }
  const { describedPage } = await import('./help-listing.ts');
  const page = isCommand(words, own) ? undefined : helpPage(words, moduleUrl);
  const whole = page === undefined ? undefined : describedPage(page, listing, words);
  return whole === undefined ? nothing : { kind: 'text', text: renderHelp(whole, runtime.stdout.columns) };
}

/** Runs an operation of a description as a command. */
export async function runOperation(
  description: OpenedDescription,
  { words, operation }: { readonly words: string; readonly operation: IndexedOperation },
  { words: argv, runtime }: { readonly words: readonly string[]; readonly runtime: Runtime },
): Promise<number> {
  const { importedCommand } = await import('./imported-command.ts');
  const { merchantHeader } = description.index;
  const command = importedCommand({ operation: description.operation(operation), words, merchantHeader });
  const call = { words: words.split(' '), profiles: description.profiles };
  return await command.execute.call(command as never, argv, runtime, call);
}
