/** One command, with what may follow its words. */
export type CompletionCommand = {
  readonly summary: string;
  /** In the order in which they are offered. */
  readonly flags: readonly CompletionFlag[];
  /** What completes each argument, in their order. */
  readonly args: readonly ValueKind[];
  /** The last argument may be given again. */
  readonly repeats?: boolean;
  /** Dotted paths that --columns takes, the columns of the table first. */
  readonly columns: readonly string[];
  /** Further paths, which are offered once their parent was typed: there are too many to take in at once. */
  readonly deepColumns: readonly string[];
};

/** A flag; one without `value` is a switch. */
export type CompletionFlag = {
  readonly name: string;
  readonly char?: string;
  readonly summary: string;
  readonly value?: ValueKind;
  /** The flag may be given again. */
  readonly multiple?: boolean;
};

/**
 * What completes a value: one of these words, the name of a profile (stored: one of the user's own), a list of columns,
 * the path of a file, a text that may be `@` and the path of a file, one of these member paths with or without a value, or
 * a value that payctl cannot complete.
 */
export type ValueKind =
  | readonly string[]
  | { readonly members: readonly string[] }
  | 'profile'
  | 'stored-profile'
  | 'columns'
  | 'file'
  | 'text-or-file'
  | 'unknown';
