import { extname, join } from 'node:path';
import { listProgramFiles, programFileExists } from '../../program-files.ts';
import { isHelpTopic } from './catalog/help-topics.ts';
import { flagAlone, flagWords, type LeadingFlag, splitLeadingFlags } from './leading-flags.ts';

/** What the words of a command line ask for. */
export type Route =
  | {
      readonly kind: 'command';
      readonly words: readonly string[];
      readonly file: string;
      /** The shared flags before it. */
      readonly leading: readonly LeadingFlag[];
      readonly rest: readonly string[];
    }
  | ({ readonly kind: 'help'; readonly words: readonly string[] } & HelpOptions)
  | { readonly kind: 'version'; readonly json?: true }
  | ({ readonly kind: 'complete' } & CompletionRequest)
  | { readonly kind: 'unknown'; readonly words: readonly string[]; readonly isHelp?: true }
  | { readonly kind: 'flag-first'; readonly flag: string }
  | { readonly kind: 'no-value'; readonly flag: string }
  | { readonly kind: 'no-verb'; readonly words: readonly string[] };

/** How help is asked for. */
export type HelpOptions = {
  /** The command tree in the place of a page. */
  readonly json?: true;
  /** Words to look for in all pages. */
  readonly search?: readonly string[];
};

const WORD = /^[a-z][a-z0-9-]*$/;
const VERSION: ReadonlySet<string | undefined> = new Set(['--version', '-V', 'version']);
const HELP_FLAGS = new Set(['--help', '-h']);

/**
 * Finds the command that the arguments name. The folder of the commands is the table: `buyers list` is
 * `commands/buyers/list`, so nothing has to be loaded to find one command among many.
 */
export function findRoute(argv: readonly string[], commands: string): Route {
  const { flags, rest, waiting } = splitLeadingFlags(argv);
  const isText = asksForHelp(rest[0]) || VERSION.has(rest[0]);
  const lacking = waiting ?? (isText ? splitLeadingFlags(flagWords(rest).slice(-1)).waiting : undefined);
  if (lacking !== undefined) return { kind: 'no-value', flag: `--${lacking}` };
  const format = formatIn(rest);
  const json: HelpOptions = flagWords(argv).includes('--json') || format === 'json' ? { json: true } : {};
  if (asksForHelp(rest[0])) {
    const { words: typed, search } = helpWords(rest.slice(1));
    if (search) return { kind: 'help', words: [], ...json, search };
    const words = typed.map((word) => word.toLowerCase());
    if (json.json) return { kind: 'help', words, ...json };
    return findNamed(['help', ...words], commands);
  }
  const route = findNamed(rest, commands);
  if (route.kind === 'version' && formatIn(argv) === 'json') return { ...route, json: true };
  if (route.kind === 'command') return { ...route, leading: flags };
  if (route.kind === 'unknown' && json.json && wantsHelp(rest)) {
    return { kind: 'help', words: leadingWords(rest), ...json };
  }
  return route.kind === 'help' ? { ...route, ...json } : route;
}

/**
 * The format that is named next to `help` or `--version`, which are not shown in every one; undefined for JSON. One before the command, as
 * an alias has it, only has to exist.
 */
export function formatToCheck(
  argv: readonly string[],
): { readonly name: string; readonly isBefore: boolean } | undefined {
  const { rest } = splitLeadingFlags(argv);
  const after = formatIn(rest);
  const name = after ?? formatIn(argv);
  const isText = asksForHelp(rest[0]) || VERSION.has(rest[0]);
  if (!isText || name === undefined || name === 'json') return undefined;
  return { name, isBefore: after === undefined };
}

/** The format that is named last. */
function formatIn(argv: readonly string[]): string | undefined {
  const words = flagWords(argv);
  const formats = words.map((word, index) => {
    if (/^(?:-o|--output)$/.test(word)) return words[index + 1];
    return /^(?:-o=?|--output=)(.*)$/.exec(word)?.[1];
  });
  return (
    formats.findLast((format) => format !== undefined) ?? (words.includes('--json') ? 'json' : undefined)
  );
}

/**
 * The words after `help`: those of commands and topics, also several in one argument, up to another flag than the shared ones, or
 * what follows `--search`.
 */
function helpWords(argv: readonly string[]): {
  readonly words: readonly string[];
  readonly search?: readonly string[];
} {
  const words: string[] = [];
  let isSearch = false;
  for (let { rest } = splitLeadingFlags(argv); rest.length > 0; { rest } = splitLeadingFlags(rest.slice(1))) {
    const [word = ''] = rest;
    const searched = /^--search(?:=(.*))?$/s.exec(word);
    if (searched) isSearch = true;
    else if (word.startsWith('-') && !isSearch) break;
    const text = searched ? (searched[1] ?? '') : word;
    words.push(...text.split(/\s+/).filter((part) => part !== ''));
  }
  return isSearch ? { words: [], search: words } : { words };
}

function findNamed(argv: readonly string[], commands: string): Route {
  const [first] = argv;
  if (VERSION.has(first)) return { kind: 'version' };
  if (first === '__complete') return { kind: 'complete', ...completionRequest(argv) };
  if (first === undefined) return { kind: 'help', words: [] };
  const asksHelp = asksForHelp(first);
  const words = leadingWords(asksHelp ? argv.slice(1) : argv);
  if (words.length === 0 && !asksHelp) {
    if (first.startsWith('-')) return { kind: 'flag-first', flag: flagAlone(first) };
    return { kind: 'unknown', words: argv };
  }
  if (words.length === 0 || (asksHelp && isHelpTopic(words))) return { kind: 'help', words };
  for (let length = words.length; length > 0; length -= 1) {
    const named = words.slice(0, length);
    const file = join(commands, ...named) + EXTENSION;
    if (!programFileExists(file)) continue;
    const rest = argv.slice(length);
    return asksHelp || wantsHelp(rest)
      ? { kind: 'help', words: named }
      : { kind: 'command', words: named, file, leading: [], rest };
  }
  const isTopic = programFileExists(join(commands, ...words));
  const rest = argv.slice(words.length + (asksHelp ? 1 : 0));
  if (isTopic && (rest.length === 0 || asksHelp || wantsHelp(rest))) return { kind: 'help', words };
  // `buyers LIST`: a command in capitals. A file of that name may exist where the system does not tell case apart.
  const capitals = rest.slice(0, 1).filter((word) => WORD.test(word.toLowerCase()));
  return isTopic && capitals.length === 0
    ? { kind: 'no-verb', words }
    : { kind: 'unknown', words: [...words, ...capitals], ...(asksHelp && { isHelp: true }) };
}

/** The request of a completion script. */
export type CompletionRequest = {
  readonly words: readonly string[];
  /** The script quotes candidates for its shell; scripts of version 0.1.0 insert them as they are. */
  readonly quotes: boolean;
};

/** Reads the request of a completion script: `__complete --quotes -- WORDS`. */
export function completionRequest(argv: readonly string[]): CompletionRequest {
  const quotes = argv[1] === '--quotes';
  const rest = argv.slice(quotes ? 2 : 1);
  return { words: rest[0] === '--' ? rest.slice(1) : rest, quotes };
}

/** Whether a command line that begins with this word asks for the help of what the rest names. */
export function asksForHelp(first: string | undefined): boolean {
  return first === 'help' || (first !== undefined && HELP_FLAGS.has(first));
}

/** Whether these words are those of a command of payctl's own. */
export function isCommand(words: readonly string[], commands: string): boolean {
  return words.length > 0 && programFileExists(join(commands, ...words) + EXTENSION);
}

/** Every command as its words, sorted; read from the folder of the commands. */
export function listCommands(commands: string): readonly string[] {
  return listProgramFiles(commands)
    .filter((path) => path.endsWith(EXTENSION))
    .map((path) => path.slice(0, -EXTENSION.length).replaceAll('/', ' '))
    .sort();
}

/** The words of payctl's own commands, for what is not told where the program is. */
export function ownCommands(): readonly string[] {
  // Built, this is part of a file in the folder of the program; this source is two folders below.
  const above = EXTENSION === '.ts' ? '../../..' : '..';
  return listCommands(commandsFolder(join(import.meta.filename, above)));
}

/** Where the commands are in the folder of the program, built or not. */
export function commandsFolder(programFolder: string): string {
  return join(programFolder, 'commands');
}

/** The commands have the ending that this module has: `.cjs` when built, `.ts` in the source tree. */
const EXTENSION = extname(import.meta.filename);

function leadingWords(argv: readonly string[]): readonly string[] {
  const end = argv.findIndex((word) => !WORD.test(word));
  return end === -1 ? argv : argv.slice(0, end);
}

/** Whether words ask for help in the place of what they name. */
export function wantsHelp(rest: readonly string[]): boolean {
  return flagWords(rest).some((word) => HELP_FLAGS.has(word));
}
