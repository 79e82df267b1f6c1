import { sanitizeText } from '../../../output/sanitize.ts';
import { quote } from '../../../text/format.ts';

/** A row as it is in the file, not yet checked against a command. */
export type InputRow = {
  /** The line on which it begins, from 1; in a JSON array the number of the element, from 1. */
  readonly line: number;
  /** The names of its columns: those of the header, or the paths of the members of an object, such as `metadata.order`. */
  readonly columns: readonly string[];
  /**
   * Its values, one for each of `columns`. From CSV texts as they are written; undefined for an empty cell. From JSON what a member
   * holds, with numbers as `parseJsonInput` keeps them.
   */
  readonly values: readonly unknown[];
};

/** A problem with a row, or with the file from this line on. `message` is one or more sentences. */
export type RowProblem = {
  readonly line: number;
  readonly column: string | undefined;
  readonly code: RowProblemCode;
  readonly message: string;
  /** Whether nobody knows what rows the file has from there on. */
  readonly isEnd?: true;
};

export type RowProblemCode =
  | 'cell_count'
  | 'cell_too_long'
  | 'duplicate_column'
  | 'empty_column_name'
  | 'error_value'
  | 'line_break'
  | 'no_rows'
  | 'not_an_object'
  | 'not_json'
  | 'not_text'
  | 'not_utf8'
  | 'nul_character'
  | 'row_too_long'
  | 'stray_quote'
  | 'too_many_columns'
  | 'too_many_problems'
  | 'unclear_delimiter'
  | 'unclosed_quote';

/** The rows and problems of a file, in its order. */
export type RowItem = InputRow | RowProblem;

/** The most columns of a file. */
export const MOST_COLUMNS = 1000;
/** The longest cell, in bytes. */
export const LONGEST_CELL = 1024 * 1024;
/** The longest row, in bytes. */
export const LONGEST_ROW = 8 * 1024 * 1024;

/** A text of the file for a message: quoted, shortened, without control characters. */
export function shown(text: string): string {
  return quote(sanitizeText(text));
}
