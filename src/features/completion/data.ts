import { join } from 'node:path';
import type { CompletionCommand, CompletionFlag } from '../../cli/completion.ts';
import { readProgramFile } from '../../program-files.ts';

/** What there is to complete, as the build renders it from the manifest of the commands. */
export type CompletionData = {
  /** Summaries of the groups of commands by their words, such as `buyers gift-cards`. */
  readonly topics: Readonly<Record<string, string>>;
  /** Summaries of the topics of the help that are not commands, by their names. */
  readonly helpTopics: Readonly<Record<string, string>>;
  /** Every command by its words, such as `buyers list`. */
  readonly commands: Readonly<Record<string, CompletionCommand>>;
  /** The flags that are allowed before the command. */
  readonly shared: readonly CompletionFlag[];
};

/** The first line of the data, without what only the command that is typed needs. */
export type CompletionIndex = Omit<CompletionData, 'commands'> & {
  /** The summaries of the commands. */
  readonly commands: Readonly<Record<string, string>>;
};

/** The second line: the flags that several commands have. */
export type CommonFlags = readonly CompletionFlag[];

/** A command as its line has it: a common flag is a number, its place in the second line. */
export type StoredCommand = Omit<CompletionCommand, 'flags'> & {
  readonly flags: readonly (CompletionFlag | number)[];
};

/** What follows the words of a command that is not typed: nothing that anybody asks for. */
const ONLY_NAMED = { flags: [], args: [], columns: [], deepColumns: [] };

/**
 * Reads the data that the build wrote next to the program: all commands by their names, and the one that the words begin with
 * as a whole. The others have a summary, and neither flags nor arguments.
 * @throws Error when there are none: in the source tree nothing has been rendered
 */
export function readCompletionData(programFolder: string, words: readonly string[]): CompletionData {
  const text = readProgramFile(join(programFolder, 'completion.jsonl'));
  const { commands: summaries, ...index }: CompletionIndex = JSON.parse(text.slice(0, text.indexOf('\n')));
  const commands: Record<string, CompletionCommand> = {};
  for (const name of Object.keys(summaries))
    commands[name] = { summary: summaries[name] ?? '', ...ONLY_NAMED };
  const named = nameOfCommand(words, commands);
  if (named !== undefined) commands[named] = wholeCommand(named, text);
  return { ...index, commands };
}

/** One line of the data for each command, after the first two. */
function wholeCommand(name: string, text: string): CompletionCommand {
  const common: CommonFlags = JSON.parse(lineFrom(text, text.indexOf('\n') + 1));
  const line = lineFrom(text, text.indexOf(`\n[${JSON.stringify(name)},`) + 1);
  const [, command]: [string, StoredCommand] = JSON.parse(line);
  const flags = command.flags.flatMap((flag) => (typeof flag === 'number' ? (common[flag] ?? []) : flag));
  return { ...command, flags };
}

function lineFrom(text: string, start: number): string {
  return text.slice(start, text.indexOf('\n', start));
}

/** The name of the command that the first words are. */
export function nameOfCommand(
  words: readonly string[],
  commands: CompletionData['commands'],
): string | undefined {
  for (let length = words.length; length > 0; length -= 1) {
    const name = words.slice(0, length).join(' ');
    if (Object.hasOwn(commands, name)) return name;
  }
  return undefined;
}

/** A word that the shell can insert in place of the word before the cursor; its script quotes it. */
export type Candidate = { readonly value: string; readonly description: string };

/** What the shell offers. */
export type Completion = {
  readonly candidates: readonly Candidate[];
  /** The word can continue after a candidate, like a list after a comma. */
  readonly goesOn?: boolean;
  /** If file names are offered: the part of the word before the path, such as `--data=@`. */
  readonly filesAfter?: string;
};

/** There is nothing to offer. */
export const NOTHING: Completion = { candidates: [] };

/** The candidates that start with the word. */
export function startingWith(word: string, candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.filter(({ value }) => value.startsWith(word));
}
