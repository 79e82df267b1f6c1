import { suggest } from '../text/suggest.ts';
import { HELP_TOPICS } from './catalog/help-topics.ts';
import { COMMAND_SYNONYMS, GROUP_SYNONYMS, type Synonyms, VERB_SYNONYMS } from './catalog/synonyms.ts';
import { LEADING_FLAGS } from './leading-flags.ts';

/** Verbs of many commands, none of which is more likely than the others. */
const COMMON = new Set(['list', 'get', 'create', 'update', 'status']);

/** Verbs that are meant as the flag of a list. */
const SEARCHES = new Set(['filter', 'query']);

/**
 * The hint for words that name no command: what was probably meant, else where to look. `commands` are all commands, each
 * as its words.
 */
export function hintForUnknown(words: readonly string[], commands: readonly string[]): string {
  const groups = new Set(commands.flatMap((command) => beginnings(command.split(' ').slice(0, -1))));
  const topics = Object.keys(HELP_TOPICS).map((name) => `help ${name}`);
  const known = new Set([...commands, ...groups, ...topics]);
  const suggestion =
    reordered(words, commands) ??
    endOfCommand(words, commands) ??
    bySynonym(words, known) ??
    [...groups].find((group) => group.endsWith(` ${words.join(' ')}`)) ??
    (lacksVerb(words, groups) ? undefined : nearestCommand(words, commands, groups)) ??
    bySynonym(words.toSpliced(0, 1, nearestWord(words[0] ?? '')), known);
  if (suggestion !== undefined) {
    const searches = suggestion === 'buyers list' && words.some((word) => SEARCHES.has(word));
    const what = suggestion === 'buyers find' ? ' TEXT' : searches ? ' --search TEXT' : '';
    return `Did you mean: payctl ${suggestion}${what}`;
  }
  const [group] = groupsOf(words.slice(0, 1), known);
  const list =
    group === undefined
      ? 'List the commands: payctl --help'
      : `List the commands of ${group}: payctl ${group} --help`;
  const [method] = look(METHODS, words[1] ?? '');
  return method === undefined
    ? list
    : `For an endpoint without a command, use payctl api ${method} PATH. ${list}`;
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

/** Whether a group lacks a verb that was spelt right: another verb that looks like it would be something else. */
function lacksVerb([group = '', verb = '']: readonly string[], groups: ReadonlySet<string>): boolean {
  return groups.has(group) && look(METHODS, verb).length > 0;
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
    : 'Use payctl COMMAND [FLAGS]. List the commands: payctl --help';
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
    .map((typed) => commands.find((name) => name.endsWith(` ${typed}`)))
    .find((command) => command !== undefined);
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
    ].find((name) => known.has(name));
    if (found !== undefined) return found;
  }
  return undefined;
}

function inGroups(groups: readonly string[], verb: string): readonly string[] {
  return [verb, ...look(VERB_SYNONYMS, verb)].flatMap((word) => groups.map((group) => `${group} ${word}`));
}

/** The groups that these words name, by their names or by others. */
function groupsOf(words: readonly string[], known: ReadonlySet<string>): readonly string[] {
  const [first = '', ...rest] = words;
  const name = words.join(' ');
  const others = look(GROUP_SYNONYMS, first).map((group) => [group, ...rest].join(' '));
  return [name, `${name}s`, ...others].filter((group) => known.has(group));
}

/** The word of the tables or the topic of the help that is written almost like this one. */
function nearestWord(word: string): string {
  const topics = Object.keys(HELP_TOPICS);
  return suggest(word, [...topics, ...Object.keys(COMMAND_SYNONYMS), ...Object.keys(GROUP_SYNONYMS)]) ?? word;
}

function look(table: Synonyms, word: string): readonly string[] {
  return Object.hasOwn(table, word) ? (table[word] ?? []) : [];
}
