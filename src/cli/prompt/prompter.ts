import type { UsageError } from '../../errors.ts';

/** Asks the person at the terminal. Questions go to stderr. Every method throws AbortedError on Ctrl-C and Ctrl-D. */
export type Prompter = {
  /** A line without the white space around it. A check that throws UsageError says why, and the question comes again. */
  ask(question: string, options?: AskOptions): Promise<string>;
  /** A line, or a whole PEM block, that is not echoed. */
  askSecret(question: string): Promise<string>;
  /** The index of one of the options, counted from 0, by its number or its words; Enter alone takes `fallback`. */
  choose(question: string, options: readonly string[], fallback?: number): Promise<number>;
  /** Yes or no; Enter alone means no. */
  confirm(question: string): Promise<boolean>;
};

/** What `ask` may be told. */
export type AskOptions = {
  /** What Enter alone stands for; shown in brackets. Without one, Enter alone gives the empty text. */
  readonly fallback?: string | undefined;
  readonly check?: (answer: string) => unknown;
};

/**
 * Goes on only when the person says yes.
 * @throws the error that `refused` makes, where the answer is no or where there is nobody to ask
 */
export async function requireYes(
  prompter: Prompter | undefined,
  question: string,
  refused: () => UsageError,
): Promise<void> {
  if (!(await prompter?.confirm(question))) throw refused();
}
