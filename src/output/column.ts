/** What a column holds, which decides how a terminal shows it: ids stay whole, times are shortened, numbers go right. */
export type ColumnFormat = 'text' | 'id' | 'time' | 'number';

/** One column of a table, a CSV file or a reduced document. */
export type Column = {
  readonly header: string;
  /** Dotted path of the value in an item. */
  readonly path: string;
  /** Where it is left out, the name tells: `id` and `*_id` are ids, `*_at` and `timestamp` are times. */
  readonly format?: ColumnFormat;
  /** Columns of the terminal below which a text column is not cut. */
  readonly minWidth?: number;
  /** Where the terminal is too narrow, columns of the lowest priority go first, later ones before earlier. 0 if unset. */
  readonly priority?: number;
};

/** Tells what a column holds, by its declaration or else by the name of its field. */
export function formatOf(column: Column): ColumnFormat {
  if (column.format !== undefined) return column.format;
  const name = column.path.slice(column.path.lastIndexOf('.') + 1);
  if (name === 'id' || name.endsWith('_id')) return 'id';
  if (name === 'timestamp' || name.endsWith('_at')) return 'time';
  return 'text';
}
