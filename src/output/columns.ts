import { stringifyExactJson } from '../json/exact.ts';
import { isObject } from '../json/is-object.ts';

/** What a column holds, which decides how a terminal shows it: ids stay whole, times are shortened, numbers go right. */
export type ColumnFormat = 'text' | 'id' | 'time' | 'number';

/** One column of a table, a CSV file or a reduced document. */
export type Column = {
  readonly header: string;
  /** Dotted path of the value in an item. */
  readonly path: string;
  /** By default it follows from the name: `id` and `*_id` are ids, `*_at` and `timestamp` are times. */
  readonly format?: ColumnFormat;
  /** Columns of the terminal below which a text column is not cut. */
  readonly minWidth?: number;
  /** Where the terminal is too narrow, columns of the lowest priority go first, later ones before earlier. 0 if unset. */
  readonly priority?: number;
};

/** The format of a column, from its declaration or else from the name of its field. */
export function formatOf(column: Column): ColumnFormat {
  if (column.format !== undefined) return column.format;
  const name = column.path.slice(column.path.lastIndexOf('.') + 1);
  if (name === 'id' || name.endsWith('_id')) return 'id';
  if (name === 'timestamp' || name.endsWith('_at')) return 'time';
  return 'text';
}

/**
 * Looks a dotted path up in a parsed value: own properties by name, array elements by index (`cart_items.0.name`). A
 * name that holds dots itself is found when it is what remains of the path (`metadata.order.id`). Gives undefined where
 * there is nothing.
 */
export function valueAt(item: unknown, path: string): unknown {
  let value = item;
  let rest = path;
  for (;;) {
    if (hasOwn(value, rest)) return value[rest];
    const dot = rest.indexOf('.');
    if (dot === -1) return undefined;
    const name = rest.slice(0, dot);
    if (!hasOwn(value, name)) return undefined;
    value = value[name];
    rest = rest.slice(dot + 1);
  }
}

function hasOwn(value: unknown, name: string): value is Record<string, unknown> {
  if (Array.isArray(value)) return name !== 'length' && Object.hasOwn(value, name);
  return isObject(value) && Object.hasOwn(value, name);
}

/**
 * Writes a value for one cell: a string as it is, numbers, booleans and big integers as text, nothing for null and
 * undefined, a list of strings joined by commas, other objects and arrays as compact JSON. Not sanitised. Nesting too
 * deep to be written gives `…`.
 */
export function formatCell(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === 'string')) {
    return value.join(', ');
  }
  try {
    return stringifyExactJson(value);
  } catch (error) {
    if (error instanceof RangeError) return '\u2026';
    throw error;
  }
}

/** The columns that `--columns` names: the resource's own where it has them, else new ones for these dotted paths. */
export function chooseColumns(paths: readonly string[], known: readonly Column[]): readonly Column[] {
  return paths.map(
    (path) =>
      known.find((column) => column.path === path) ?? {
        path,
        header: path.toUpperCase().replaceAll('_', ' '),
      },
  );
}
