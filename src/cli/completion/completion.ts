/** One word that the shell may put in the place of the word before the cursor; never in need of quotation marks. */
export type Candidate = { readonly value: string; readonly description: string };

/** What a shell is told to offer. */
export type Completion = {
  readonly candidates: readonly Candidate[];
  /** The word may go on after a candidate, as a list does after a comma. */
  readonly goesOn?: boolean;
  /** Names of files belong here: the part of the word that stands before the path, such as `--data=@`. */
  readonly filesAfter?: string;
};

/** There is nothing to offer. */
export const NOTHING: Completion = { candidates: [] };

/**
 * What no shell evaluates, splits or expands, and what cannot be taken for the line that tells the script what to do.
 * Whatever a file holds, nothing else is put on a command line.
 */
const INERT = /^[\w@-][\w@.,:=+/-]*$/;

/** The candidates that the word is the beginning of; one that a shell would read as more than a word is left out. */
export function startingWith(word: string, candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.filter(({ value }) => value.startsWith(word) && INERT.test(value));
}
