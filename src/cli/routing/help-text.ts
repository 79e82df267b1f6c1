import { join } from 'node:path';
import { readPackedFile, readProgramFile } from '../../program-files.ts';
import { commandInShell, inShell, isPosixShell } from '../../text/shell.ts';
import { wrapCommand, wrapWords } from '../../text/wrap.ts';

/** What a run wants help with. */
export type HelpRequest = {
  /** The words of a command, of a group of commands or of a topic; none for the program. */
  readonly words: readonly string[];
  /** Columns of the terminal. */
  readonly columns: number;
  /** The folder of the program, where the build has put the pages. */
  readonly programFolder: string;
};

/** Lines that are longer are hard to read. */
const WIDEST = 100;
const NARROWEST = 40;

/** The text of a help page; undefined if the build has made no such page. */
export function helpText({ words, columns, programFolder }: HelpRequest): string | undefined {
  const page = helpPage(words, programFolder);
  return page && renderHelp(page, columns);
}

/** A page as the build has written it, for `renderHelp`; undefined if there is none. */
export function helpPage(words: readonly string[], programFolder: string): string | undefined {
  const name = words.length === 0 ? 'index' : words.join('/');
  return ifBuilt(() => readProgramFile(join(programFolder, 'help', `${name}.txt`)));
}

/** The document of every command, as the build has written it; undefined if there is none. */
export function helpDocument(programFolder: string): string | undefined {
  return ifBuilt(() => readPackedFile(join(programFolder, 'help.json')).toString('utf8'));
}

function ifBuilt(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/**
 * Breaks the lines of a page, as the build has written it, for a terminal of so many columns; of more than 100, it uses
 * 100. `HEAD<tab>TEXT` becomes text with a hanging indent as wide as its head, and `HEAD<tab><tab>COMMAND` a command that
 * can be copied, in the shell of the user. The shells of Windows have no mark in common that continues a line.
 */
export function renderHelp(page: string, columns: number): string {
  const isPosix = isPosixShell();
  const width = Math.max(NARROWEST, Math.min(WIDEST, columns));
  return page
    .split('\n')
    .flatMap((line) => {
      const [head = '', text, command] = line.split('\t');
      if (text === undefined) return [isPosix ? line : inShell(line)];
      const available = width - head.length;
      const parts =
        command === undefined
          ? wrapWords(isPosix ? text : inShell(text), available)
          : isPosix
            ? wrapCommand(command, available - 2)
            : [commandInShell(command)];
      const indent = ' '.repeat(head.length + (command === undefined ? 0 : 2));
      return parts.map((part, index) => (index === 0 ? head : indent) + part);
    })
    .join('\n');
}
