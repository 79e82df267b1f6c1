import { UsageError } from '../client/errors.ts';
import { sanitizeText } from '../output/sanitize.ts';
import { takeSecret } from './pasted-secret.ts';
import type { Prompter } from './prompter.ts';
import { type PromptTerminal, type ReadOptions, readFrom } from './terminal-lines.ts';

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
      const prompt = `${sanitizeText(question)} [y/N]: `;
      const answer = await readFrom(terminal, { prompt, echo: true, listen: takeLine, anew: true });
      return /^y(es)?$/i.test(answer.trim());
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

const takeLine: ReadOptions['listen'] = (lines, _, resolve) => void lines.once('line', resolve);
