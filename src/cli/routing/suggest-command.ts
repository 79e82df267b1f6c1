import { RESERVED_PREFIX } from '../../contract/operation.ts';
import { isCutList, listValues } from '../../text/format.ts';
import { shellQuote } from '../../text/shell.ts';
import { suggest } from '../../text/suggest.ts';
import { HELP_TOPICS } from './catalog/help-topics.ts';
import { COMMAND_SYNONYMS, GROUP_SYNONYMS, type Synonyms, VERB_SYNONYMS } from './catalog/synonyms.ts';
import { LEADING_FLAGS, profileIn } from './leading-flags.ts';

/** Verbs of many commands, none of which is more likely than the others. */
const COMMON = new Set(['list', 'get', 'create', 'update', 'status']);

/** Verbs that are meant as the flag of a list. */
const SEARCHES = new Set(['filter', 'query']);

/** Verbs that are meant as a list, which no command that shows one record can stand for. */
const LISTS = new Set(['list', 'ls', 'all', 'index', 'search', 'find', 'lookup', ...SEARCHES]);

/** Verbs that people use for the export of a list. */
const EXPORTS = new Set(['export', 'dump', 'download', 'backup']);

/** What to say about an unknown command. */
export type UnknownHint = { readonly hint: string; readonly tryNext?: readonly string[] };

type HintOptions = {
  /** The command that imports a description where none is imported. */
  readonly importsWith?: string | undefined;
  /** The words come after `help`. */
  readonly isHelp?: boolean | undefined;
};

/**
 * The hint for words that name no command: what was probably meant, else which commands the group has, else where to look.
 * `commands` are all commands, each as its words.
 */
export function hintForUnknown(
  words: readonly string[],
  commands: readonly string[],
  { importsWith, isHelp = false }: HintOptions = {},
): UnknownHint {
  const groups = new Set(commands.flatMap((command) => beginnings(command.split(' ').slice(0, -1))));
  const topics = Object.keys(HELP_TOPICS).map((name) => `help ${name}`);
  const known = new Set([...commands, ...groups, ...topics]);
  const lacking = lackedVerb(words, groups, known);
  if (words.length === 2 && EXPORTS.has(words[1] ?? '')) {
    const [list] = groupsOf(words.slice(0, 1), groups);
    if (list !== undefined)
      return { hint: `Did you mean: payctl ${isHelp ? 'help export' : `export ${list} --to DIR`}` };
  }
  const suggestion =
    reordered(words, commands) ??
    endOfCommand(words, commands) ??
    withinWords(words, commands) ??
    bySynonym(words, known) ??
    [...groups].find((group) => group.endsWith(` ${words.join(' ')}`)) ??
    reordered(words.slice(0, 1), commands) ??
    (lacking ? undefined : nearestCommand(words, commands, groups)) ??
    bySynonym(words.toSpliced(0, 1, nearestWord(words[0] ?? '', groups)), known);
  if (suggestion !== undefined) {
    if (isHelp) return { hint: `Did you mean: payctl help ${suggestion.replace(/^help /, '')}` };
    const searches = suggestion === 'buyers list' && words.some((word) => SEARCHES.has(word));
    const what = suggestion === 'buyers find' ? ' TEXT' : searches ? ' --search TEXT' : '';
    return { hint: `Did you mean: payctl ${suggestion}${what}` };
  }
  const { group, verb } = lacking ?? groupAndVerb(words, groups);
  if (group !== undefined) return { hint: commandsOf(group, verb, commands) };
  return isHelp
    ? { hint: `Search the help: payctl help --search ${words.map(shellQuote).join(' ')}` }
    : whereToLook(verb, words.length > 1 ? importsWith : undefined);
}

/** The command that imports a description for the profile that these arguments name. */
export function importCommand(argv: readonly string[]): string {
  const profile = profileIn(argv);
  return `payctl api import FILE${profile === undefined ? '' : ` --profile ${shellQuote(profile)}`}`;
}

type GroupAndVerb = { readonly group: string | undefined; readonly verb: string };

/** What a group has, and how to do without a command what it has not. */
function commandsOf(group: string, verb: string, commands: readonly string[]): string {
  const position = group.split(' ').length;
  const names = commands
    .filter((name) => name.startsWith(`${group} `))
    .map((name) => name.split(' ')[position]);
  const own = [...new Set(names)].filter((name) => name !== undefined);
  const [method] = look(METHODS, verb);
  if (LISTS.has(verb)) return `${group} has no list, only ${listWords(own)}: payctl ${group} --help`;
  if (method === undefined) return `${group} has ${listWords(own)}: payctl ${group} --help`;
  return `${group} has only ${listWords(own)}. For an endpoint without a command: payctl api ${method} PATH`;
}

function listWords(words: readonly string[]): string {
  const isShort = !isCutList(words) && words.length > 1;
  return isShort ? `${words.slice(0, -1).join(', ')} and ${words.at(-1)}` : listValues(words);
}

function whereToLook(verb: string, importsWith: string | undefined): UnknownHint {
  const [method] = look(METHODS, verb);
  if (importsWith !== undefined) {
    const raw = method === undefined ? [] : [`payctl api ${method} PATH`];
    return {
      hint: 'For the commands of more endpoints, import the API description of the service.',
      tryNext: [importsWith, ...raw, 'payctl --help'],
    };
  }
  if (method === undefined) return { hint: 'List the commands: payctl --help' };
  return {
    hint: 'An endpoint without a command can be requested by its path.',
    tryNext: [`payctl api ${method} PATH`, 'payctl --help'],
  };
}

/**
 * The words that were meant as a command: the group that they name and one more word, else all that look like words of
 * commands. What follows are arguments, which may be IDs and names of people.
 */
export function unknownWords(words: readonly string[], commands: readonly string[]): string {
  const groups = new Set(commands.flatMap((command) => beginnings(command.split(' ').slice(0, -1))));
  const group = beginnings(words).findLast((typed) => groups.has(typed));
  if (group !== undefined) return words.slice(0, group.split(' ').length + 1).join(' ');
  const end = words.findIndex((word) => !COMMAND_WORD.test(word));
  return words.slice(0, end === -1 ? words.length : Math.max(1, end)).join(' ');
}

const COMMAND_WORD = /^[a-z][a-z-]*$/i;

/** The methods that verbs stand for. */
const METHODS: Synonyms = {
  list: ['get'],
  get: ['get'],
  create: ['post'],
  add: ['post'],
  update: ['put'],
  edit: ['put'],
  patch: ['patch'],
  delete: ['delete'],
  remove: ['delete'],
};

/**
 * The group, by its name or one like it, that lacks a verb that was spelt right: a verb that looks like it would be another one.
 */
function lackedVerb(
  words: readonly string[],
  groups: ReadonlySet<string>,
  known: ReadonlySet<string>,
): GroupAndVerb | undefined {
  const found = groupAndVerb(words, groups);
  const [first = ''] = words;
  const [near] = groupsOf([nearestWord(first, groups)], groups);
  const { group = near, verb } = found;
  const isVerb = LISTS.has(verb) || look(METHODS, verb).length > 0;
  return isVerb && group !== undefined && !known.has(`${group} ${verb}`) ? { group, verb } : undefined;
}

/** The longest group that the first words name, or those after a verb, and the verb. */
function groupAndVerb(words: readonly string[], groups: ReadonlySet<string>): GroupAndVerb {
  for (let end = words.length; end > 0; end -= 1) {
    const [group] = groupsOf(words.slice(0, end), groups);
    if (group !== undefined) return { group, verb: words[end] ?? '' };
  }
  const [first = '', ...others] = words;
  const [group] = others.length === 0 ? [] : groupsOf(others, groups);
  return group === undefined ? { group, verb: words[1] ?? '' } : { group, verb: first };
}

function nearestCommand(
  words: readonly string[],
  commands: readonly string[],
  groups: ReadonlySet<string>,
): string | undefined {
  return suggest(words.join(' '), [...commands, ...groups]) ?? nearestBeginning(words, commands);
}

/** Whether this flag is a command line of its own, so that only a value can be wrong with it. */
export function isSwitchAlone(flag: string): boolean {
  return flag === '--help' || flag === '--version';
}

/** The hint for a flag that must come after the command: the shared one that was probably meant, else how to use payctl. */
export function hintForLeadingFlag(flag: string): string {
  const suggestion = suggest(
    flag,
    ['version', 'help', ...LEADING_FLAGS].map((name) => `--${name}`),
  );
  return suggestion
    ? `Did you mean ${suggestion}?`
    : 'A command comes first. List the commands: payctl --help';
}

/** `a b c` begins with `a`, `a b` and `a b c`. */
function beginnings(words: readonly string[]): string[] {
  return words.map((_, index) => words.slice(0, index + 1).join(' '));
}

/** `login` for `auth login`, `list buyers` for `buyers list`. */
function reordered(words: readonly string[], commands: readonly string[]): string | undefined {
  const [word = ''] = words;
  return commands.find((command) => {
    const parts = command.split(' ');
    const isVerb = words.length === 1 && parts.length > 1 && parts.at(-1) === word && !COMMON.has(word);
    return isVerb || parts.toSorted().join(' ') === words.toSorted().join(' ');
  });
}

/** `refunds create 17` for `transactions refunds create`: what is named exactly comes before what a word may stand for. */
function endOfCommand(words: readonly string[], commands: readonly string[]): string | undefined {
  return beginnings(words)
    .toReversed()
    .filter((typed) => typed.includes(' '))
    .map(
      (typed) =>
        commands.find((name) => name === RESERVED_PREFIX + typed) ??
        commands.find((name) => name.endsWith(` ${typed}`)),
    )
    .find((command) => command !== undefined);
}

/** `disputes list` for `customer disputes list`: a command of several words with another word before it. */
function withinWords([, ...others]: readonly string[], commands: readonly string[]): string | undefined {
  return beginnings(others)
    .toReversed()
    .find((typed) => typed.includes(' ') && commands.includes(typed));
}

/** The command that the first words almost name, where the others are its arguments: as many words as possible. */
function nearestBeginning(words: readonly string[], commands: readonly string[]): string | undefined {
  const typed = beginnings(words).slice(0, -1).toReversed();
  return typed.map((name) => suggest(name, commands)).find((command) => command !== undefined);
}

/** Reads each word as what it stands for. What follows the verb, such as an ID, is ignored. */
function bySynonym(words: readonly string[], known: ReadonlySet<string>): string | undefined {
  for (const typed of beginnings(words).toReversed()) {
    const parts = typed.split(' ');
    const [verb = '', ...others] = parts.toReversed();
    const found = [
      ...look(COMMAND_SYNONYMS, typed),
      ...(parts.length === words.length ? groupsOf(parts, known) : []),
      ...inGroups(groupsOf(others.toReversed(), known), verb),
      // The verb first: `search customers`.
      ...inGroups(groupsOf(parts.slice(1), known), parts[0] ?? ''),
    ].find((name) => known.has(name) && !words.join(' ').startsWith(`${name} `));
    if (found !== undefined) return found;
  }
  return undefined;
}

function inGroups(groups: readonly string[], verb: string): readonly string[] {
  const meant = look(VERB_SYNONYMS, verb).filter((word) => word !== 'get' || !LISTS.has(verb));
  return [verb, ...meant].flatMap((word) => groups.map((group) => `${group} ${word}`));
}

/** The groups that these words name, by their names or by others. */
function groupsOf(words: readonly string[], known: ReadonlySet<string>): readonly string[] {
  const [first = '', ...rest] = words;
  const name = words.join(' ');
  const others = look(GROUP_SYNONYMS, first).map((group) => [group, ...rest].join(' '));
  return [name, `${name}s`, ...others].filter((group) => known.has(group));
}

/** The word of the tables, the topic of the help or the group that is written almost like this one. */
function nearestWord(word: string, groups: ReadonlySet<string>): string {
  const topics = Object.keys(HELP_TOPICS);
  const others = [...topics, ...Object.keys(COMMAND_SYNONYMS), ...Object.keys(GROUP_SYNONYMS)];
  return suggest(word, others) ?? suggest(word, groups) ?? word;
}

function look(table: Synonyms, word: string): readonly string[] {
  return Object.hasOwn(table, word) ? (table[word] ?? []) : [];
}
