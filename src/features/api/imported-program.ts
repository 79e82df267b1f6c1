import { helpPage, renderHelp } from '../../cli/routing/help-text.ts';
import { beforeFlags, commandLine, splitLeadingFlags } from '../../cli/routing/leading-flags.ts';
import {
  asksForHelp,
  commandsFolder,
  isCommand,
  listCommands,
  type Route,
  wantsHelp,
} from '../../cli/routing/route.ts';
import type { ImportedRoute } from '../../cli/routing/run.ts';
import type { Runtime } from '../../cli/runtime.ts';
import { describedByProfile } from '../../cli/session/description-in-use.ts';
import { type OpenedDescription, openDescription } from '../../cli/session/open-description.ts';
import { configDirectory } from '../../config/environment.ts';
import { readProfiles } from '../../config/profiles.ts';
import type { ImportedOperation, IndexedOperation } from '../../descriptions/imported-operation.ts';
import { commandsOf, groupsOf } from '../../descriptions/listing.ts';
import { PayctlError } from '../../errors.ts';
import { findCommand } from './help-listing.ts';

type Program = { readonly runtime: Runtime; readonly programFolder: string };

/**
 * What an imported description makes of a command line that names no command of payctl's own: it runs a command, or shows the
 * help of one, of a group of them, or of the program with the commands of the description.
 */
export async function routeImported(
  argv: readonly string[],
  route: Route,
  program: Program,
): Promise<ImportedRoute> {
  const description = await openFor(argv, route, program.runtime);
  if (route.kind === 'help' && (route.json || route.search)) {
    const { importedHelp } = await import('./imported-help.ts');
    const otherProfiles = description ? [] : describedProfiles(program.runtime);
    return {
      kind: 'help',
      help: importedHelp(description, { programFolder: program.programFolder, otherProfiles }),
    };
  }
  const called =
    route.kind === 'help' && (await calledIn(argv, route.words, { description, runtime: program.runtime }));
  if (called) return commandHelp(called, program.runtime);
  if (!description) {
    const profile = await profileThatHas(argv, program.runtime);
    return { kind: 'unknown', commands: [], profile, isUndescribed: true };
  }
  const commands = commandsOf(description.index);
  if (route.kind === 'help') return ownHelp(route, { description, commands, ...program });
  const { flags, rest } = splitLeadingFlags(argv);
  const asksHelp = asksForHelp(rest[0]);
  const typed = asksHelp ? rest.slice(1).map((word) => word.toLowerCase()) : rest;
  const found = findCommand(typed, commands);
  await requireRunnable(typed, found, description);
  if (!found) return unnamed(typed, { description, commands, asksHelp, ...program });
  if (asksHelp || wantsHelp(found.rest)) {
    const operation = description.operation(found.operation);
    return commandHelp({ words: found.words, operation }, program.runtime);
  }
  const words = commandLine({ leading: flags, rest: found.rest }, () => true).argv;
  return {
    kind: 'command',
    run: () => runOperation(description, found, { words, runtime: program.runtime }),
  };
}

/** The operation after `api call` whose help is requested. @throws UsageError as `findCalled` */
async function calledIn(
  argv: readonly string[],
  words: readonly string[],
  {
    description,
    runtime,
  }: { readonly description: OpenedDescription | undefined; readonly runtime: Runtime },
) {
  if (words.join(' ') !== 'api call') return undefined;
  const { rest } = splitLeadingFlags(argv);
  const typed = beforeFlags(rest.slice(rest[0] === 'help' ? 3 : 2));
  if (typed.length === 0) return undefined;
  const { namedOperation } = await import('./called-operation.ts');
  const { operation, name } = namedOperation(typed, description, runtime.environment);
  return { words: `api call ${name}`, operation };
}

/** @throws UsageError `not_runnable` if the words name an operation that payctl cannot run instead of the found command */
async function requireRunnable(
  typed: readonly string[],
  found: { readonly words: string } | undefined,
  { index: { notRun = [] } }: OpenedDescription,
): Promise<void> {
  const named = findCommand(typed, new Map(notRun.map((operation) => [operation.command, operation])));
  if (!named || (found && found.words.length >= named.words.length)) return;
  const { notRunnable } = await import('./find-operation.ts');
  throw notRunnable(named.operation);
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
  const group = `${beforeFlags(typed).join(' ')} `;
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

/** Names of the profiles that have descriptions. */
function describedProfiles({ environment }: Runtime): readonly string[] {
  const profiles = [...readProfiles(configDirectory(environment)).profiles.values()];
  return profiles.filter(({ description }) => description !== undefined).map(({ name }) => name);
}

type Described = Program & {
  readonly description: OpenedDescription;
  readonly commands: ReadonlyMap<string, IndexedOperation>;
};

async function commandHelp(
  named: { readonly words: string; readonly operation: ImportedOperation },
  runtime: Runtime,
): Promise<ImportedRoute> {
  const { importedCommandHelp } = await import('./imported-help.ts');
  return { kind: 'text', text: importedCommandHelp(named, runtime.stdout.columns) };
}

/** Words that name no command, but perhaps a group of commands. */
async function unnamed(
  typed: readonly string[],
  { description, commands, asksHelp, runtime }: Described & { readonly asksHelp: boolean },
): Promise<ImportedRoute> {
  const notRun = (description.index.notRun ?? []).map(({ command }) => command);
  const unknown: ImportedRoute = { kind: 'unknown', commands: [...commands.keys(), ...notRun] };
  const words = beforeFlags(typed);
  if (words.length === 0 || (words.length < typed.length && !asksHelp && !wantsHelp(typed))) return unknown;
  const { groupPage } = await import('./help-listing.ts');
  const listing = { title: description.index.title, groups: groupsOf(commands) };
  const text = groupPage(listing, words, runtime.stdout.columns);
  return text === undefined ? unknown : { kind: 'text', text };
}

/** A page of payctl's own with what the description adds to it. */
async function ownHelp(
  { words }: Extract<Route, { kind: 'help' }>,
  { description, commands, runtime, programFolder }: Described,
): Promise<ImportedRoute> {
  const nothing: ImportedRoute = { kind: 'unknown', commands: [] };
  const own = commandsFolder(programFolder);
  const { describedPage } = await import('./help-listing.ts');
  const page = isCommand(words, own) ? undefined : helpPage(words, programFolder);
  const listing = { title: description.index.title, groups: groupsOf(commands) };
  const whole = page && describedPage(page, { listing, words, own: listCommands(own) });
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
  const command = importedCommand({
    operation: description.operation(operation),
    words,
    description,
    merchantHeader,
  });
  const call = { words: words.split(' '), profiles: description.profiles };
  return await command.execute.call(command as never, argv, runtime, call);
}
