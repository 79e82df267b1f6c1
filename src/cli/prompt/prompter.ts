import { UsageError } from '../../errors.ts';

/** Asks the person at the terminal. Questions go to stderr. Every method throws AbortedError on Ctrl-C and Ctrl-D. */
export type Prompter = {
  /** A line without the white space around it. Where `check` throws UsageError, its message is printed and the question is asked again. */
  ask(question: string, options?: AskOptions): Promise<string>;
  /** A line, or a whole PEM block, that is not echoed. */
  askSecret(question: string): Promise<string>;
  /** The index of one of the options, counted from 0, by its number or its words; Enter alone takes `fallback`. */
  choose(question: string, options: readonly string[], fallback?: number): Promise<number>;
  /** Yes or no; Enter alone means no. */
  confirm(question: string): Promise<boolean>;
};

/** Options of `ask`. */
export type AskOptions = {
  /** The answer for Enter alone; shown in brackets. Default: the empty text. */
  readonly fallback?: string | undefined;
  readonly check?: (answer: string) => unknown;
};

/**
 * Returns only if the user answers yes.
 * @throws UsageError `not_confirmed` if the answer is no, or if there is no terminal to ask on. Only the latter has the hint: a person
 * who has just said no needs no advice on how to skip the question
 */
export async function requireYes(
  prompter: Prompter | undefined,
  question: string,
  { message, hint }: { readonly message: string; readonly hint: string },
): Promise<void> {
  if (await prompter?.confirm(question)) return;
  throw new UsageError('not_confirmed', message, { hint: prompter ? undefined : hint });
}
