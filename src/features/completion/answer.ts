import type { CompletionFlag } from '../../cli/completion.ts';
import { splitLeadingFlags } from '../../cli/routing/leading-flags.ts';
import { configDirectory, type Environment } from '../../config/environment.ts';
import { BUILT_IN_PROFILES } from '../../config/profile.ts';
import { readProfiles } from '../../config/profiles.ts';
import { sanitizeText } from '../../output/sanitize.ts';
import { complete, findCommand, type NamedCommand } from './complete.ts';
import { type Candidate, type Completion, type CompletionData, NOTHING, readCompletionData } from './data.ts';
import type { CompletionSources } from './values.ts';

/**
 * The response to the shell script at each press of Tab: one candidate per line, its value and, after a tab, its description
 * if it has one. The last line is for the script: a colon, then `nospace` if the word can continue, or `files` and the text
 * before the path if the shell should offer file names. Never rejects: after an error, there are only fewer candidates.
 */
export async function answerCompletion(
  { words, quotes = false }: CompletionWords,
  environment: Environment,
  program: CompletedProgram,
): Promise<string> {
  return formatCompletion(await findCompletion(words, environment, program), { quotes });
}

/** The words of a line, and whether the script that asks quotes what it inserts. */
type CompletionWords = { readonly words: readonly string[]; readonly quotes?: boolean };

/** What is completed in addition to the words of payctl itself. */
export type CompletedProgram = {
  readonly programFolder: string;
  /**
   * The commands of an imported description for the words before the cursor; of a command of payctl itself, which is given with
   * its flags, the flags that the description adds.
   */
  readonly imported?: (
    words: readonly string[],
    own?: { readonly words: string; readonly flags: readonly string[] },
  ) => Promise<Further | undefined>;
};

type Further = Pick<CompletionData, 'commands' | 'topics'> & { readonly further?: readonly CompletionFlag[] };

/**
 * Formats the lines. The text of a candidate cannot add a line or a column. A value that a reader could not see as it is, or that
 * the script would take for its last line, is left out, whatever it comes from.
 */
export function formatCompletion(
  { candidates, goesOn, filesAfter }: Completion,
  { quotes }: { readonly quotes: boolean },
): string {
  const lines = candidates
    .filter(({ value }) => INERT.test(value) || (quotes && isVisible(value)))
    .map(({ value, description }) => (description === '' ? value : `${value}\t${sanitizeText(description)}`));
  const order = filesAfter !== undefined ? `:files ${filesAfter}`.trimEnd() : goesOn ? ':nospace' : ':';
  return [...lines, order].map((line) => `${line}\n`).join('');
}

/** Words that are safe in every shell, quoted or not. */
const INERT = /^[\w@-][\w@.,:=+/-]*$/;

/** Whether every character of a value is visible, and its first one has no meaning for the scripts. */
function isVisible(value: string): boolean {
  if (/^(?::|$)|[^\S ]/.test(value) || sanitizeText(value) !== value) return false;
  // Shells do not know the width of an unassigned code point, and insert something else.
  // biome-ignore lint/complexity/useRegexLiterals: V8 looks up the classes of a literal when it reads the file
  return /^[ -~]*$/.test(value) || !new RegExp('[\\p{Cn}\\p{Co}]', 'u').test(value);
}

async function findCompletion(
  words: readonly string[],
  environment: Environment,
  { programFolder, imported }: CompletedProgram,
): Promise<Completion> {
  try {
    const profiles: CompletionSources['profiles'] = async ({ builtIn }) =>
      listProfiles(environment).filter(({ value }) => builtIn || !BUILT_IN_PROFILES.has(value));
    const before = words.slice(0, -1);
    const { rest } = splitLeadingFlags(before);
    const data = readCompletionData(programFolder, rest);
    const isFlag = words.at(-1)?.startsWith('-') === true;
    const named = findCommand(rest, data);
    // Without it, the words may go on as a command that payctl itself does not know.
    const closed = TAKES_OPERATION.has(rest.slice(0, 2).join(' ')) ? undefined : named;
    const own = closed && ownCommand(closed, rest, isFlag);
    const further = own || !closed ? await imported?.(before, own).catch(() => undefined) : undefined;
    if (!further) return await complete(words, data, { profiles });
    const all =
      own && further.further
        ? withFlags(data, own.words, further.further)
        : withFurther(data, further, rest.join(' '), isFlag);
    return await complete(words, all, { profiles });
  } catch {
    return NOTHING;
  }
}

/** Commands whose first argument is an operation of the description. */
const TAKES_OPERATION = new Set(['api call', 'api show']);

/** The command of payctl itself of which a flag is typed, or the value of one that payctl itself does not have. */
function ownCommand(named: NamedCommand, rest: readonly string[], isFlag: boolean) {
  const flags = named.command.flags.map(({ name }) => name);
  const last = rest.at(-1) ?? '';
  const isValue = last.startsWith('--') && !last.includes('=') && !flags.includes(last.slice(2));
  return isFlag || isValue
    ? { words: rest.slice(0, rest.length - named.rest.length).join(' '), flags }
    : undefined;
}

function withFlags(data: CompletionData, words: string, further: readonly CompletionFlag[]): CompletionData {
  const command = data.commands[words];
  if (!command) return data;
  const flags = [...further, ...command.flags];
  return { ...data, commands: { ...data.commands, [words]: { ...command, flags } } };
}

/**
 * Offers operations instead of the command that takes one while the user types the words of an operation; after the operation of
 * `api show`, offers the flags of that command.
 */
function withFurther(data: CompletionData, further: Further, typed: string, isFlag: boolean): CompletionData {
  const command = [...TAKES_OPERATION].find((name) => `${typed} `.startsWith(`${name} `));
  const goesOn = !isFlag && Object.keys(further.commands).some((name) => name.startsWith(`${typed} `));
  const own = Object.entries(data.commands).filter(([name]) => !(goesOn && name === command));
  const others = command === 'api show' && !goesOn ? {} : further.commands;
  return {
    ...data,
    topics: { ...further.topics, ...data.topics },
    commands: { ...others, ...Object.fromEntries(own) },
  };
}

/** The profiles with a short description; only the built-in ones if the profiles file cannot be read. */
function listProfiles(environment: Environment): readonly Candidate[] {
  const { profiles, active } = readOrBuiltIn(environment);
  return [...profiles.values()].map((profile) => {
    const marks = [
      BUILT_IN_PROFILES.has(profile.name) ? 'built in' : (profile.environment ?? ''),
      profile.name === active ? 'active' : '',
    ];
    return { value: profile.name, description: marks.filter((mark) => mark !== '').join(', ') };
  });
}

function readOrBuiltIn(environment: Environment) {
  try {
    return readProfiles(configDirectory(environment));
  } catch {
    return { profiles: BUILT_IN_PROFILES, active: undefined };
  }
}
