import { join } from 'node:path';
import { UsageError } from '../../../errors.ts';
import { escapeJsonText } from '../../../output/sanitize.ts';
import { readPackedFile } from '../../../program-files.ts';
import { HELP_TOPICS } from '../catalog/help-topics.ts';
import { helpPage, renderHelp } from '../help-text.ts';
import { hintForUnknown, unknownWords } from '../suggest-command.ts';
import type { CommandHelp } from './describe-command.ts';
import { type DocumentCommand, documentCommand, type HelpDocument } from './tree-document.ts';

/** A command of an imported description, as its index has it. */
export type ListedImport = {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly summary: string;
  readonly usage: string;
  readonly changes: CommandHelp['changes'];
  /** What else says what it is about: its method, path, tag and ID. */
  readonly words: string;
};

/** What an imported description adds to the help. */
export type ImportedHelp = {
  readonly listed: readonly ListedImport[];
  describe(name: string): CommandHelp;
  /** Profiles that have descriptions, where the run has none. */
  readonly otherProfiles: readonly string[];
};

const NO_IMPORT: ImportedHelp = {
  listed: [],
  describe: () => {
    throw new Error('there is no imported command');
  },
  otherProfiles: [],
};

/** Columns of the text of a topic in the document. */
const TOPIC_COLUMNS = 100;

/**
 * The document of `payctl help --json`, whole or the part that the words name: commands, groups and topics, one after another.
 * @throws UsageError `unknown_command` for words that name nothing
 */
export function documentText(
  words: readonly string[],
  {
    programFolder,
    imported = NO_IMPORT,
  }: { readonly programFolder: string; readonly imported?: ImportedHelp | undefined },
): string {
  const document = readDocument(programFolder);
  const describe = (name: string) => documentCommand(imported.describe(name), document.shared_flags);
  if (words.length === 0) {
    const added = imported.listed.map(({ name }) => describe(name));
    return lineOf({ ...document, commands: [...document.commands, ...added] });
  }
  const own = new Map(document.commands.map((command) => [command.command, () => command]));
  const main = imported.listed.map(({ name }) => [name, () => describe(name)] as const);
  const aliases = imported.listed.flatMap((one) =>
    one.aliases.map((name) => [name, () => describe(name)] as const),
  );
  const shown = new Map([...main, ...own]);
  const { commands, topics } = select(words, { shown, callable: new Map([...aliases, ...shown]) });
  const flags = new Set(commands.flatMap((command) => command.shared_flags));
  const codes = new Set(commands.flatMap((command) => command.exit_codes));
  const { version, program, program_version } = document;
  return lineOf({
    version,
    program,
    program_version,
    commands,
    shared_flags: document.shared_flags.filter(({ name }) => flags.has(name)),
    exit_codes: document.exit_codes.filter(({ code }) => codes.has(code)),
    ...(topics.length > 0 && { topics: topics.map((topic) => describeTopic(topic, programFolder)) }),
  });
}

/** The document as the build has written it. */
export function readDocument(programFolder: string): HelpDocument {
  return JSON.parse(readPackedFile(join(programFolder, 'help.json')).toString('utf8'));
}

/** The text of a topic as on a terminal. */
export function topicText(topic: string, programFolder: string): string {
  return renderHelp(helpPage([topic], programFolder) ?? '', TOPIC_COLUMNS);
}

/** A document on one line, in which nothing controls a terminal. */
export function lineOf(document: unknown): string {
  return `${escapeJsonText(JSON.stringify(document))}\n`;
}

function describeTopic(topic: string, programFolder: string) {
  return {
    topic,
    summary: HELP_TOPICS[topic as keyof typeof HELP_TOPICS],
    text: topicText(topic, programFolder),
  };
}

type Named = ReadonlyMap<string, () => DocumentCommand>;

/** Takes the longest name from the words, again and again: those of a command, of a group of commands or of a topic. */
function select(
  words: readonly string[],
  { shown, callable }: { readonly shown: Named; readonly callable: Named },
): { readonly commands: readonly DocumentCommand[]; readonly topics: readonly string[] } {
  const commands = new Map<string, DocumentCommand>();
  const topics = new Set<string>();
  for (let rest = words; rest.length > 0; ) {
    const length = rest.findLastIndex((_, index) => isNamed(rest.slice(0, index + 1).join(' ')));
    if (length === -1) throw unknown(rest, [...callable.keys()]);
    const name = rest.slice(0, length + 1).join(' ');
    rest = rest.slice(length + 1);
    if (Object.hasOwn(HELP_TOPICS, name)) topics.add(name);
    for (const [command, describe] of callable) {
      if (command === name || (shown.has(command) && command.startsWith(`${name} `)))
        commands.set(command, describe());
    }
  }
  return { commands: [...commands.values()], topics: [...topics] };

  function isNamed(name: string): boolean {
    if (callable.has(name) || Object.hasOwn(HELP_TOPICS, name)) return true;
    return [...callable.keys()].some((command) => command.startsWith(`${name} `));
  }
}

function unknown(words: readonly string[], commands: readonly string[]): UsageError {
  const message = `Unknown command ${JSON.stringify(unknownWords(words, commands))}`;
  return new UsageError('unknown_command', message, hintForUnknown(words, commands, { isHelp: true }));
}
