import type { Interface } from 'node:readline';
import { UsageError } from '../../errors.ts';
import { LIMITS } from '../../files/read-file.ts';
import { forTerminal } from '../../output/for-terminal.ts';
import { sanitizeText } from '../../output/sanitize.ts';
import type { Sink } from '../../output/streams.ts';
import type { Prompter } from './prompter.ts';
import { type PromptTerminal, type ReadOptions, readFrom } from './readline.ts';

/** Asks with plain lines: nothing is redrawn, so that screen readers and dumb terminals can follow. */
export function createTerminalPrompter(terminal: PromptTerminal): Prompter {
  const print = (text: string) => terminal.output.write(text);
  /** Prints all lines of a question but the last, after which the answer is typed. */
  const begin = (question: string): string => {
    const lines = forTerminal(question.trimEnd(), terminal.output).split('\n');
    for (const line of lines.slice(0, -1)) void print(`${line}\n`);
    return `${lines.at(-1)} `;
  };
  const read = async (question: string, options: Omit<ReadOptions, 'prompt'>) =>
    await readFrom(terminal, { prompt: begin(question), ...options });
  const readLine = (question: string) => read(question, { echo: true, listen: takeLine });

  const prompter: Prompter = {
    async ask(question, { fallback, check } = {}) {
      const prompt = `${sanitizeText(question)}${fallback === undefined ? '' : ` [${sanitizeText(fallback)}]`}: `;
      for (;;) {
        const answer = (await readLine(prompt)).trim() || (fallback ?? '');
        const problem = problemOf(answer, check);
        if (problem === undefined) return answer;
        await print(`${forTerminal(sanitizeText(problem), terminal.output)}\n`);
      }
    },
    async askSecret(question) {
      const prompt = `${sanitizeText(question)} (not shown): `;
      return await read(prompt, { echo: false, listen: takeSecret });
    },
    async choose(question, options, fallback = 0) {
      await print(`${forTerminal(sanitizeText(question), terminal.output)}\n`);
      for (const [index, option] of options.entries())
        await print(optionLines(index + 1, option, terminal.output));
      const check = (answer: string) => readChoice(answer, options);
      return readChoice(await prompter.ask('Choose', { fallback: String(fallback + 1), check }), options);
    },
    async confirm(question) {
      const prompt = `${sanitizeText(question)} [y/N]: `;
      const answer = await read(prompt, { echo: true, listen: takeLine, dropTypeahead: true });
      return /^y(es)?$/i.test(answer.trim());
    },
  };
  return prompter;
}

/** Below the first word of an option. */
const OPTION_AT = ' '.repeat('  1  '.length);

function optionLines(number: number, option: string, { isTerminal, columns }: Sink): string {
  const lines = forTerminal(sanitizeText(option), { isTerminal, columns: columns - OPTION_AT.length });
  return `  ${number}  ${lines.replaceAll('\n', `\n${OPTION_AT}`)}\n`;
}

function readChoice(answer: string, options: readonly string[]): number {
  const byWords = options.findIndex((option) => option.toLowerCase() === answer.toLowerCase());
  const index = byWords === -1 && /^\d+$/.test(answer) ? Number(answer) - 1 : byWords;
  if (options[index] !== undefined) return index;
  throw new UsageError('invalid_choice', `Enter a number from 1 to ${options.length}`);
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

const takeLine: ReadOptions['listen'] = (lines, _, resolve) => void lines.once('line', resolve);

/** How long nothing may come before a paste counts as over: its pieces follow each other closely. */
const QUIET_MILLISECONDS = 150;

/** The lines of a PEM text that begin and end its blocks. */
const PEM_EDGES = /-----(BEGIN|END) ([A-Z0-9 ]+)-----/g;

/**
 * Calls `resolve` with a token or a key once it has been pasted to its end, without the white space around it. Anything
 * left unread would end up in the shell, which would run it; so the input is checked only when nothing more comes.
 */
function takeSecret(lines: Interface, input: NodeJS.ReadableStream, resolve: (secret: string) => void): void {
  const gathered: string[] = [];
  let quiet: NodeJS.Timeout | undefined;
  let size = 0;
  const check = () => {
    if (lines.line === '' && (size > LIMITS.secret || isWhole(gathered))) resolve(gathered.join('\n').trim());
  };
  const wait = () => {
    clearTimeout(quiet);
    quiet = gathered.length > 0 ? setTimeout(check, QUIET_MILLISECONDS) : undefined;
  };
  lines.on('line', (line) => {
    // What is too large is read to its end anyway, but only as much is kept as shows that it is.
    if (size <= LIMITS.secret) gathered.push(line);
    size += line.length + 1;
  });
  input.on('keypress', wait);
  // After a stop the question is asked again, and the user cannot see what was pasted before.
  lines.on('SIGCONT', () => {
    gathered.length = 0;
    size = 0;
    Object.assign(lines, { line: '', cursor: 0 });
  });
  lines.on('close', () => {
    clearTimeout(quiet);
    input.off('keypress', wait);
  });
}

/**
 * A token is one line; of a key, or of base64 of it, the first line is only its beginning, and after the parameters of a
 * curve the key itself is to come. An empty line ends what has no end.
 */
function isWhole(lines: readonly string[]): boolean {
  const text = lines.join('\n');
  const pem = /^\s*LS0tLS1/.test(text) ? Buffer.from(text, 'base64').toString() : text;
  const [, edge, label] = [...pem.matchAll(PEM_EDGES)].at(-1) ?? [];
  return (edge !== 'BEGIN' && label !== 'EC PARAMETERS') || lines.at(-1)?.trim() === '';
}
