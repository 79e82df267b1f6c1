import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A terminal for a run. */
export type TerminalSize = {
  readonly columns: number;
  /** stderr goes to the same terminal instead of standing apart. */
  readonly withStderr?: boolean;
  /** Leaves the terminal as people have it: it echoes what is typed and adds carriage returns. */
  readonly untouched?: boolean;
};

/**
 * The command that runs `words` on a pseudo-terminal made by `script`, which every Linux distribution and macOS have.
 * Unless it is left untouched, the terminal passes bytes on as they are written: no carriage returns are added and nothing
 * typed is echoed.
 * @throws Error when there is no `script` on the PATH: a test on a terminal must not pass without one
 */
export function commandInTerminal(
  words: readonly string[],
  { columns, withStderr = false, untouched = false }: TerminalSize,
  stderrFile: string,
): string[] {
  requireProgram('script');
  requireProgram('stty');
  const redirection = withStderr ? '' : ` 2>${quote(stderrFile)}`;
  const line = `stty ${untouched ? '' : '-echo -onlcr '}cols ${columns} rows 24 && exec ${words.map(quote).join(' ')}${redirection}`;
  return process.platform === 'linux'
    ? ['script', '--quiet', '--return', '--command', line, '/dev/null']
    : ['script', '-q', '/dev/null', 'sh', '-c', line];
}

function requireProgram(name: string): void {
  const found = (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)));
  if (found) return;
  throw new Error(
    `Tests on a terminal need the program ${name} (Debian: bsdutils and coreutils) on the PATH`,
  );
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
