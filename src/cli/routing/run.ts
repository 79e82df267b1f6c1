import { UsageError } from '../../errors.ts';
import type { BaseCommand } from '../base-command.ts';
import { EXIT } from '../failure/exit-code.ts';
import type { Runtime } from '../runtime.ts';
import type { ImportedHelp } from './help/requested-help.ts';
import { helpText } from './help-text.ts';
import { commandLine } from './leading-flags.ts';
import { loadCommand } from './load-command.ts';
import {
  type CompletionRequest,
  commandsFolder,
  findRoute,
  formatToCheck,
  listCommands,
  type Route,
} from './route.ts';

/** What is the same for every run of the program. */
export type Program = {
  /** The folder of the program, in which its commands and help pages are. */
  readonly programFolder: string;
  /** What a shell offers for these words, as its completion script reads it. */
  readonly complete: (request: CompletionRequest) => Promise<string>;
  /** What an imported description makes of words that name no command of payctl's own; undefined where there is none. */
  readonly imported?: (argv: readonly string[], route: Route) => Promise<ImportedRoute | undefined>;
};

/** What an imported description makes of words: a command, a page of help, or nothing but the commands that it has. */
export type ImportedRoute =
  | { readonly kind: 'command'; readonly run: () => Promise<number> }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'help'; readonly help: ImportedHelp }
  | {
      readonly kind: 'unknown';
      readonly commands: readonly string[];
      /** A profile whose description has the command. */
      readonly profile?: string | undefined;
      /** No description is imported for this run. */
      readonly isUndescribed?: true;
    };

/** Routes that an imported description may know better. */
const CONSULTS: ReadonlySet<Route['kind']> = new Set(['unknown', 'no-verb', 'help']);

/** Does what the arguments ask for and resolves to the exit code; never rejects. */
export async function runCommandLine(
  argv: readonly string[],
  runtime: Runtime,
  program: Program,
): Promise<number> {
  try {
    if (argv.some((argument) => argument.includes('\uFFFD'))) {
      const { rawArguments, requireUtf8Arguments } = await import('../flags/raw-arguments.ts');
      requireUtf8Arguments(argv, rawArguments(argv.length));
    }
    const commands = commandsFolder(program.programFolder);
    const format = formatToCheck(argv);
    if (format !== undefined) {
      const { requireFormat } = await import('./help/require-format.ts');
      requireFormat(format, argv);
    }
    const route = findRoute(argv, commands);
    if (route.kind === 'command') return await runCommand(route, runtime, commands);
    const imported = CONSULTS.has(route.kind) ? await program.imported?.(argv, route) : undefined;
    if (imported?.kind === 'command') return await imported.run();
    const unknown = imported?.kind === 'unknown' ? imported : undefined;
    const text =
      imported?.kind === 'text'
        ? imported.text
        : await textFor(route, {
            runtime,
            program,
            help: imported?.kind === 'help' ? imported.help : undefined,
            further: unknown?.commands ?? [],
            elsewhere: unknown?.profile,
            undescribed: !imported || unknown?.isUndescribed ? argv : undefined,
          });
    await runtime.stdout.write(text);
    await runtime.stdout.end();
    return EXIT.done;
  } catch (error) {
    const { reportFailure } = await import('../failure/report.ts');
    return await reportFailure(error, { argv, runtime });
  }
}

async function runCommand(
  route: Route & { kind: 'command' },
  runtime: Runtime,
  commands: string,
): Promise<number> {
  const command = await loadCommand(route.file);
  const { argv, settings } = commandLine(route, (name) => parses(command, name));
  const call = { words: route.words, settings, commands };
  return await command.execute.call(command as never, argv, runtime, call);
}

/** Whether the parser of a command is to read a shared flag from before the command. */
function parses({ baseFlags, flags, storesSettings }: typeof BaseCommand, name: string): boolean {
  if (storesSettings) return name !== 'output' && name in baseFlags;
  return name in baseFlags || name in (flags ?? {});
}

type Context = {
  readonly runtime: Runtime;
  readonly program: Program;
  /** What an imported description adds to a help document or a search. */
  readonly help: ImportedHelp | undefined;
  /** Commands in addition to those of payctl's own. */
  readonly further: readonly string[];
  /** A profile whose description has the command that was typed. */
  readonly elsewhere: string | undefined;
  /** The arguments of a run that no description is imported for. */
  readonly undescribed: readonly string[] | undefined;
};

async function textFor(route: Exclude<Route, { kind: 'command' }>, context: Context): Promise<string> {
  const { runtime, program } = context;
  if (route.kind === 'version') return versionText(runtime, route.json);
  if (route.kind === 'complete') return await program.complete(route);
  if (route.kind === 'help' && (route.json || route.search)) {
    return await requestedHelp(route, context);
  }
  return await pageFor(route, context);
}

async function requestedHelp(
  { words, json, search }: Extract<Route, { kind: 'help' }>,
  { runtime, program: { programFolder }, help }: Context,
): Promise<string> {
  if (search) {
    const { searchHelp } = await import('./help/search-help.ts');
    return await searchHelp({ search, json }, runtime, { programFolder, imported: help });
  }
  const { documentText } = await import('./help/requested-help.ts');
  return documentText(words, { programFolder, imported: help });
}

async function pageFor(
  route: Exclude<Route, { kind: 'command' | 'version' | 'complete' }>,
  { runtime: { stdout }, program: { programFolder }, further, elsewhere, undescribed }: Context,
): Promise<string> {
  if (route.kind === 'flag-first') {
    const { hintForLeadingFlag, isSwitchAlone } = await import('./suggest-command.ts');
    if (isSwitchAlone(route.flag)) {
      throw new UsageError('bad_flag', `${route.flag} takes no value`, {
        hint: `Use ${route.flag} without a value.`,
      });
    }
    throw new UsageError('flag_first', `The flag ${route.flag} must come after the command`, {
      hint: hintForLeadingFlag(route.flag),
    });
  }
  if (route.kind === 'no-value') {
    throw new UsageError('bad_flag', `${route.flag} needs a value`, {
      hint: `A command follows the value of ${route.flag}. List the commands: payctl --help`,
    });
  }
  if (route.kind === 'no-verb') {
    const topic = `payctl ${route.words.join(' ')}`;
    throw new UsageError('no_verb', `${topic} needs a command`, {
      ...(topic === 'payctl api'
        ? { hint: 'Put the method before the path.', tryNext: ['payctl api get PATH', 'payctl api --help'] }
        : { hint: `List its commands: ${topic} --help` }),
    });
  }
  const text =
    route.kind === 'help' ? helpText({ ...route, columns: stdout.columns, programFolder }) : undefined;
  if (text !== undefined) return text;
  const { hintForUnknown, importCommand, unknownWords } = await import('./suggest-command.ts');
  const commands = [...listCommands(commandsFolder(programFolder)), ...further];
  const unknown = elsewhere === undefined ? unknownWords(route.words, commands) : route.words.join(' ');
  throw new UsageError('unknown_command', `Unknown command ${JSON.stringify(unknown)}`, {
    ...(elsewhere === undefined
      ? hintForUnknown(route.words, commands, {
          importsWith: undescribed && importCommand(undescribed),
          isHelp: route.kind === 'unknown' && route.isHelp,
        })
      : { hint: `The API description of the profile ${elsewhere} has it: add --profile ${elsewhere}.` }),
  });
}

function versionText({ version, platform }: Runtime, json?: boolean): string {
  if (!json) return `payctl/${version} ${platform}\n`;
  return `${JSON.stringify({ program: 'payctl', program_version: version, platform })}\n`;
}
