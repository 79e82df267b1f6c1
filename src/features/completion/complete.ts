import type { CompletionCommand, CompletionFlag } from '../../cli/completion.ts';
import { splitLeadingFlags } from '../../cli/routing/leading-flags.ts';
import { own } from '../../json/is-object.ts';
import {
  type Candidate,
  type Completion,
  type CompletionData,
  NOTHING,
  nameOfCommand,
  startingWith,
} from './data.ts';
import { type CompletionSources, completeValue } from './values.ts';

const HELP: CompletionFlag = { name: 'help', char: 'h', summary: 'Show help.' };
const VERSION: CompletionFlag = { name: 'version', char: 'V', summary: 'Show the version.' };
const HELP_FLAGS: readonly CompletionFlag[] = [
  { name: 'json', summary: 'Describe commands as JSON.' },
  { name: 'search', summary: 'Find commands, flags and topics by words.' },
];
const WORDS_OF_THEIR_OWN: readonly Candidate[] = [
  { value: 'help', description: 'Show the help of a command or a topic.' },
  { value: 'version', description: 'Show the version.' },
];

/**
 * The candidates for the last word, which may be empty, after the words before it. `words` does not include the name of the
 * program.
 */
export async function complete(
  words: readonly string[],
  data: CompletionData,
  sources: CompletionSources,
): Promise<Completion> {
  const { flags, rest: before, waiting } = splitLeadingFlags(words.slice(0, -1));
  const leading = flags.flatMap((flag) => flag.words);
  // Windows PowerShell drops an argument that is empty, so its script sends a blank in the place of one.
  const word = (words.at(-1) ?? '').trim();
  if (before[0] === 'help') return { candidates: helpCandidates(before.slice(1), word, data) };
  const named = findCommand(before, data);
  if (named) {
    const completion = await completeCommand({ ...named, rest: [...leading, ...named.rest] }, word, sources);
    // `export` is a command, and so is `export verify`.
    const isName = named.rest.length === 0 && !word.startsWith('-');
    const further = isName ? startingWith(word, nextWords(before, data)) : [];
    return further.length === 0
      ? completion
      : { ...completion, candidates: [...completion.candidates, ...further] };
  }
  const isStart = before.length === 0;
  const isShared = waiting !== undefined || (isStart && word.startsWith('-'));
  if (isShared)
    return await completeCommand({ command: startOf(data, leading), rest: leading }, word, sources);
  if (!word.startsWith('-')) {
    const next = nextWords(before, data);
    return { candidates: startingWith(word, isStart ? [...next, ...WORDS_OF_THEIR_OWN] : next) };
  }
  if (!Object.hasOwn(data.topics, before.join(' '))) return NOTHING;
  return { candidates: flagsFor(word, [HELP]) };
}

/** What is allowed before a command, as if it were one: the shared flags, and at the very start the version. */
function startOf({ shared }: CompletionData, leading: readonly string[]): CompletionCommand {
  const flags = leading.length === 0 ? [...shared, VERSION] : shared;
  return { summary: '', flags, args: [], columns: [], deepColumns: [] };
}

/** Commands, and topics where no word of a command was typed. */
function helpCandidates(before: readonly string[], word: string, data: CompletionData): readonly Candidate[] {
  const topics = Object.entries(data.helpTopics).map(([value, description]) => ({ value, description }));
  const next = nextWords(before, data);
  const words = startingWith(word, before.length === 0 ? [...next, ...topics] : next);
  return word.startsWith('-') ? flagsFor(word, HELP_FLAGS) : words;
}

export type NamedCommand = { readonly command: CompletionCommand; readonly rest: readonly string[] };

/** The command that the first words name, and the words after its name. */
export function findCommand(words: readonly string[], data: CompletionData): NamedCommand | undefined {
  const name = nameOfCommand(words, data.commands);
  const command = own(data.commands, name);
  return name !== undefined && command ? { command, rest: words.slice(name.split(' ').length) } : undefined;
}

/** The words that may come next in the name of a command, each once. */
function nextWords(before: readonly string[], data: CompletionData): readonly Candidate[] {
  const next = new Map<string, string>();
  if (before.some((word) => word === '' || word.includes(' '))) return [];
  const start = before.map((word) => `${word} `).join('');
  for (const name of Object.keys(data.commands)) {
    if (!name.startsWith(start)) continue;
    const end = name.indexOf(' ', start.length);
    const path = end === -1 ? name : name.slice(0, end);
    const summary = end === -1 ? own(data.commands, name)?.summary : own(data.topics, path);
    next.set(path.slice(start.length), summary ?? '');
  }
  return [...next].map(([value, description]) => ({ value, description }));
}

async function completeCommand(
  { command, rest }: NamedCommand,
  word: string,
  sources: CompletionSources,
): Promise<Completion> {
  const flags = [...command.flags, HELP];
  const { given, args, waiting, flagsEnded } = readTypedWords(rest, flags);
  const ask = { command, before: '', typed: word };
  if (waiting?.value) return await completeValue({ ...ask, kind: waiting.value }, sources);
  const [start = '', name] = flagsEnded ? [] : (/^--([^=]+)=/.exec(word) ?? []);
  if (name !== undefined) {
    const kind = flags.find((flag) => flag.name === name)?.value ?? 'unknown';
    return await completeValue({ ...ask, kind, before: start, typed: word.slice(start.length) }, sources);
  }
  const left = flags.filter((flag) => flag.multiple || !given.has(flag.name));
  if (word.startsWith('-') && !flagsEnded) return { candidates: flagsFor(word, left) };
  const kind = command.args[args] ?? (command.repeats ? command.args.at(-1) : undefined) ?? 'unknown';
  // Where payctl has nothing to offer for an argument, the flags may still help.
  if (kind === 'unknown' && word === '' && !flagsEnded) return { candidates: flagsFor('--', left) };
  return await completeValue({ ...ask, kind }, sources);
}

/** Long names; for `-` alone the short ones too. */
function flagsFor(word: string, flags: readonly CompletionFlag[]): readonly Candidate[] {
  const long = flags.map(({ name, summary }) => ({ value: `--${name}`, description: summary }));
  if (word !== '-') return startingWith(word, long);
  const short = flags.flatMap(({ char, summary }) =>
    char === undefined ? [] : [{ value: `-${char}`, description: summary }],
  );
  return startingWith(word, [...short, ...long]);
}

/** What the words between a command and the cursor say. */
export type TypedWords = {
  /** Names of the flags that were given. */
  readonly given: ReadonlySet<string>;
  /** How many arguments were given. */
  readonly args: number;
  /** The flag that the next word is the value of. */
  readonly waiting: CompletionFlag | undefined;
  /** A `--` was among them: every further word is an argument. */
  readonly flagsEnded: boolean;
};

/** Reads words as the parser of the flags does; what it would refuse is passed over. */
export function readTypedWords(words: readonly string[], flags: readonly CompletionFlag[]): TypedWords {
  const given = new Set<string>();
  let args = 0;
  let waiting: CompletionFlag | undefined;
  for (const [index, word] of words.entries()) {
    if (waiting) {
      waiting = undefined;
      continue;
    }
    if (word === '--') return { given, args: args + words.length - index - 1, waiting, flagsEnded: true };
    if (!/^-./.test(word)) {
      args += 1;
      continue;
    }
    const { named, last, hasValue } = flagsIn(word, flags);
    for (const { name } of named) given.add(name);
    waiting = last?.value && !hasValue ? last : undefined;
  }
  return { given, args, waiting, flagsEnded: false };
}

type FlagsOfWord = {
  readonly named: readonly CompletionFlag[];
  readonly last: CompletionFlag | undefined;
  /** The word holds the value of its last flag. */
  readonly hasValue: boolean;
};

function flagsIn(word: string, flags: readonly CompletionFlag[]): FlagsOfWord {
  if (word.startsWith('--')) {
    const [name = ''] = word.slice(2).split('=', 1);
    const last = flags.find((flag) => flag.name === name);
    return { named: last ? [last] : [], last, hasValue: word.includes('=') };
  }
  return shortFlagsIn(word.slice(1), flags);
}

/** `-vo json` and `-vojson`: switches may stand together, and the rest of the word is the value of the first other. */
function shortFlagsIn(chars: string, flags: readonly CompletionFlag[]): FlagsOfWord {
  const named: CompletionFlag[] = [];
  for (const [index, char] of [...chars].entries()) {
    const flag = flags.find((candidate) => candidate.char === char);
    if (!flag) break;
    named.push(flag);
    if (flag.value) return { named, last: flag, hasValue: index + 1 < chars.length };
  }
  return { named, last: undefined, hasValue: false };
}
