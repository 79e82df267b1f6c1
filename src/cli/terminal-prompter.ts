import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import { AbortedError, UsageError } from '../client/errors.ts';
import { sanitizeText } from '../output/sanitize.ts';
import type { Sink } from '../output/streams.ts';
import { takeSecret } from './pasted-secret.ts';
import type { Prompter } from './prompter.ts';

/** The terminal that questions are asked on. */
export type PromptTerminal = {
  readonly input: NodeJS.ReadableStream;
  readonly output: Sink;
  readonly signal: AbortSignal;
};

/** Asks with plain lines: nothing is redrawn, so that screen readers and dumb terminals can follow. */
export function createTerminalPrompter(terminal: PromptTerminal): Prompter {
  const say = (text: string) => terminal.output.write(text);
  const readLine = (prompt: string) => readFrom(terminal, { prompt, echo: true, listen: takeLine });

  const prompter: Prompter = {
    async ask(question, { fallback, check } = {}) {
      const prompt = `${sanitizeText(question)}${fallback === undefined ? '' : ` [${sanitizeText(fallback)}]`}: `;
      for (;;) {
        const answer = (await readLine(prompt)).trim() || (fallback ?? '');
        const problem = problemOf(answer, check);
        if (problem === undefined) return answer;
        await say(`${sanitizeText(problem)}\n`);
      }
    },
    async askSecret(question) {
      const prompt = `${sanitizeText(question)} (not shown): `;
      return await readFrom(terminal, { prompt, echo: false, listen: takeSecret });
    },
    async choose(question, options, fallback = 0) {
      await say(`${sanitizeText(question)}\n`);
      for (const [index, option] of options.entries()) await say(`  ${index + 1}  ${sanitizeText(option)}\n`);
      const check = (answer: string) => readChoice(answer, options);
      return readChoice(await prompter.ask('Choose', { fallback: String(fallback + 1), check }), options);
    },
    async confirm(question) {
      return /^y(es)?$/i.test((await readLine(`${sanitizeText(question)} [y/N]: `)).trim());
    },
  };
  return prompter;
}

function readChoice(answer: string, options: readonly string[]): number {
  const byWords = options.findIndex((option) => option.toLowerCase() === answer.toLowerCase());
  const index = byWords === -1 && /^\d+$/.test(answer) ? Number(answer) - 1 : byWords;
  if (options[index] !== undefined) return index;
  throw new UsageError('invalid_choice', `Type a number from 1 to ${options.length}`);
}

function problemOf(answer: string, check: ((answer: string) => unknown) | undefined): string | undefined {
  try {
    check?.(answer);
    return undefined;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return error.hint === undefined ? error.message : `${error.message}. ${error.hint}`;
  }
}

type ReadOptions = {
  readonly prompt: string;
  /** Whether what is typed is shown. */
  readonly echo: boolean;
  /** Calls `resolve` with the answer that the lines make. */
  readonly listen: (
    lines: Interface,
    input: NodeJS.ReadableStream,
    resolve: (answer: string) => void,
  ) => void;
};

async function readFrom(terminal: PromptTerminal, { prompt, echo, listen }: ReadOptions): Promise<string> {
  const { input, output, signal } = terminal;
  if (signal.aborted) throw new AbortedError();
  // Written at once, so that what is typed stands on the terminal before anything that is said about it.
  const write = (text: unknown) => void output.write(String(text));
  const shown = new Writable({
    decodeStrings: false,
    write: (chunk, _, done) => {
      if (echo) write(chunk);
      done();
    },
  });
  const lines = createInterface({
    input,
    output: Object.assign(shown, { columns: output.columns }),
    terminal: true,
    historySize: 0,
    prompt: echo ? prompt : '',
  });
  const countRows = () => keepRows(lines);
  input.prependListener('keypress', countRows);
  let entered = false;
  try {
    const answer = untilAnswered(lines, signal, (resolve) => listen(lines, input, resolve));
    lines.prompt();
    // Not before the interface is there: until then the terminal itself shows what is typed.
    if (!echo) write(prompt);
    const text = await answer;
    entered = echo;
    return text;
  } finally {
    input.off('keypress', countRows);
    lines.close();
    if (!entered) write('\n');
  }
}

/**
 * Tells readline which row of its line the cursor is in. It forgets what was added at the end, and would write a line of
 * several rows once more below for each letter that is taken back. At a margin the cursor has not moved on yet.
 */
function keepRows(lines: Interface): void {
  const { rows, cols } = lines.getCursorPos();
  if (cols > 0) Object.assign(lines, { prevRows: rows });
}

function untilAnswered(
  lines: Interface,
  signal: AbortSignal,
  listen: (resolve: (answer: string) => void) => void,
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const stop = () => reject(new AbortedError());
  listen(resolve);
  lines.on('SIGINT', stop);
  lines.on('close', stop);
  signal.addEventListener('abort', stop, { once: true });
  return promise.finally(() => signal.removeEventListener('abort', stop));
}

const takeLine: ReadOptions['listen'] = (lines, _, resolve) => void lines.once('line', resolve);
