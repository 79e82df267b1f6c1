import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Prompter } from '../../../src/cli/prompt/prompter.ts';
import { compiledSources } from '../../harness/compiled-sources.ts';
import type { RunningProcess } from '../../harness/follow-process.ts';
import { freshHome } from '../../harness/run-payctl.ts';

const SOURCES = pathToFileURL(join(import.meta.dirname, '../../../src/')).href;

/** A program that asks what it is told to, and writes what came of it to the file that its argument names. */
const PROGRAM = `
import { writeFileSync } from 'node:fs';
import { createTerminalPrompter } from '${SOURCES}cli/prompt/terminal-prompter.ts';
import { UsageError } from '${SOURCES}errors.ts';
import { createSink } from '${SOURCES}output/streams.ts';

const checks = {
  short(answer) {
    if (answer.length > 3) throw new UsageError('too_long', 'It is \\u001b[2J too long', { hint: 'Type less.' });
  },
};
const output = createSink(process.stderr, { mayFail: true });
const { signal } = new AbortController();
const prompter = createTerminalPrompter({ input: process.stdin, output, signal });
const outcome = [];
if (Number(process.argv[4]) > 0) {
  process.stderr.write('busy ');
  await new Promise((resolve) => setTimeout(resolve, Number(process.argv[4])));
}
try {
  for (const [method, question, options] of JSON.parse(process.argv[3])) {
    const check = checks[options?.check];
    outcome.push(await prompter[method](question, check ? { ...options, check } : options));
  }
} catch (error) {
  outcome.push(\`\${error.name}: \${error.message}\`);
}
writeFileSync(process.argv[2], JSON.stringify(outcome));
`;

/** A method of the prompter and what it is called with; `check: 'short'` takes three letters at most. */
export type Question = readonly [method: keyof Prompter, question: string, options?: unknown];

/** Questions that are being asked. */
export type Questioning = {
  readonly running: RunningProcess;
  /** Types piece by piece once the terminal shows a text. */
  answer(prompt: string, ...pieces: readonly string[]): Promise<void>;
  /** Resolves with everything shown so far once the terminal has shown a text so many times. */
  seen(text: string, times: number): Promise<string>;
  /** The answers, and the error that ended them. */
  outcome(): Promise<readonly unknown[]>;
  /** Everything that the terminal received. */
  shown(): Promise<string>;
};

/** How questions may be asked. */
export type Asking = {
  readonly columns?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Asks in a shell with job control, whose prompts are numbered: `shell 1> `. */
  readonly inShell?: boolean;
  /** What the process does before it asks: how long it does nothing, and reads nothing. */
  readonly busyMilliseconds?: number;
};

/** Asks questions on a pseudo-terminal as people have it, in a process of its own. */
export function askInTerminal(
  questions: readonly Question[],
  { columns = 80, env: variables = {}, inShell = false, busyMilliseconds = 0 }: Asking = {},
): Questioning {
  const env = { ...compiledSources(), ...variables };
  const home = freshHome();
  const program = join(home.path, 'ask.mjs');
  const file = join(home.path, 'outcome.json');
  writeFileSync(program, PROGRAM);
  const terminal = { columns, withStderr: true, untouched: true };
  const args = [file, JSON.stringify(questions), String(busyMilliseconds)];
  const running = inShell
    ? home.start([], {
        ...{ node: 'bash', nodeFlags: ['--norc'], program: '-i', terminal },
        env: { ...env, TERM: 'dumb', PS1: 'shell \\#> ', HISTFILE: '' },
      })
    : home.start(args, { program, terminal, env });
  const words = [process.execPath, program, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
  if (inShell) running.type(`TERM=xterm ${words.join(' ')}\r`);
  return {
    running,
    async seen(text, times) {
      for (;;) {
        const shown = await running.sees('stdout', text);
        if (shown.split(text).length > times) return shown;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
    async answer(prompt, ...pieces) {
      await running.sees('stdout', prompt);
      for (const [index, piece] of pieces.entries()) {
        if (index > 0) await new Promise((resolve) => setTimeout(resolve, 40));
        running.type(piece);
      }
    },
    async outcome() {
      await running.done;
      return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : ['no outcome'];
    },
    shown: async () => (await running.done).stdout,
  };
}

const ESCAPE = '\u001b';
const PARTS = new RegExp(`${ESCAPE}\\[(\\d*)([A-Z])|[\\s\\S]`, 'g');

/** The lines that a terminal of this width shows once it has received a text. */
export function screenOf(text: string, columns = 80): string[] {
  const rows: string[][] = [];
  let [row, column] = [0, 0];
  const cells = () => {
    while (rows.length <= row) rows.push([]);
    return rows[row] ?? [];
  };
  const moves: Readonly<Record<string, (count: number) => void>> = {
    A: (count) => {
      row -= count;
    },
    B: (count) => {
      row += count;
    },
    C: (count) => {
      column += count;
    },
    D: (count) => {
      column -= count;
    },
    G: (count) => {
      column = count - 1;
    },
    K: () => void cells().splice(column),
    J: () => void [cells().splice(column), rows.splice(row + 1)],
    '\r': () => {
      column = 0;
    },
    '\n': () => {
      row += 1;
    },
  };
  const print = (letter: string) => {
    if (column >= columns) [row, column] = [row + 1, 0];
    while (cells().length < column) cells().push(' ');
    cells()[column] = letter;
    column += 1;
  };
  for (const [part, count, letter] of text.matchAll(PARTS)) {
    const move = moves[letter ?? part];
    if (move && (letter !== undefined || part < ' ')) move(Number(count || 1));
    else print(part);
    cells();
  }
  return rows.map((line) => line.join('').trimEnd());
}
