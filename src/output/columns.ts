import { stringifyExactJson } from '../json/exact.ts';
import { isObject } from '../json/is-object.ts';

/**
 * What a column holds, which decides how a terminal shows it: ids stay whole, times are shortened to the minute, seconds to
 * the second, dates to the day, the UUIDs of paths to their beginning, and numbers go right.
 */
export type ColumnFormat = 'text' | 'id' | 'time' | 'seconds' | 'date' | 'number' | 'path';

/** What the colour of a cell means: red is bad or dangerous, yellow unfinished, dim of no consequence. */
export type Tone = 'red' | 'yellow' | 'dim';

/** One column of a table, a CSV file or a reduced document. */
export type Column = {
  readonly header: string;
  /** Dotted path of the value in an item. */
  readonly path: string;
  /** By default it follows from the name: `id` and `*_id` are ids, `*_at` and `timestamp` are times. */
  readonly format?: ColumnFormat;
  /** Columns of the terminal below which a text column is not cut. */
  readonly minWidth?: number;
  /**
   * The same while columns are shown that could be left out, those of a priority below 8, and before times and IDs have
   * their short forms. `minWidth` if unset.
   */
  readonly goodWidth?: number;
  /** Cut before the texts of other columns are; its beginning says less than theirs. */
  readonly yields?: boolean;
  /** Shown on several lines where it is wider than its column, rather than cut. */
  readonly wraps?: boolean;
  /** Shown only with the whole width. */
  readonly onlyWide?: boolean;
  /**
   * Where the terminal is too narrow, columns of the lowest priority go first, later ones before earlier; those below 0 before
   * an ID gets its short form. 0 if unset.
   */
  readonly priority?: number;
  /** Left out of a table in which all of its cells are the same, unless the whole width is shown. */
  readonly onlyIfVaried?: boolean;
  /** Where the terminal is too narrow, left out before all other columns if several rows have the same cell. */
  readonly dropsFirstIfSame?: boolean;
  /** An ID that a narrow terminal shows the beginning of, because commands find the record by that. */
  readonly shortens?: boolean;
  /** An amount that is sent in the major unit of its currency. */
  readonly isMajor?: boolean;
  /** Personal data, which are masked unless they are revealed: until then the first columns to go. */
  readonly personal?: boolean;
  /** What a table shows instead of the value at `path`. Formats for programs give values as they were sent. */
  readonly cell?: (item: unknown) => string;
  /** The paths of the values that `cell` is made of; by default `path` alone. */
  readonly parts?: readonly string[];
  /** What the colour of its cell should mean. */
  readonly tone?: (item: unknown) => Tone | undefined;
};

/** The format of a column, from its declaration, otherwise from the name of its field. */
export function formatOf(column: Column): ColumnFormat {
  if (column.format !== undefined) return column.format;
  const name = column.path.slice(column.path.lastIndexOf('.') + 1);
  if (name === 'id' || name.endsWith('_id')) return 'id';
  if (name === 'timestamp' || name.endsWith('_at')) return 'time';
  return 'text';
}

/** The path of an item that is a plain value. */
export const PLAIN_VALUE = 'value';

/**
 * Looks a dotted path up in a parsed value: own properties by name, array elements by index (`cart_items.0.name`). A
 * name that holds dots itself is found when it is what remains of the path (`metadata.order.id`). Gives undefined where
 * there is nothing. An item that is a plain value is its own `value`.
 */
export function valueAt(item: unknown, path: string): unknown {
  if (path === PLAIN_VALUE && typeof item !== 'object') return item;
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

/** What is nested deeper is left out of a cell. */
const deepestPart = 5;

/**
 * Writes a value for a cell that a person reads: as `formatCell` does, but lists and objects without the signs of JSON, what is
 * nested in parentheses, and `none` for one without elements.
 */
export function readableCell(value: unknown, depth = 0): string {
  if (!isObject(value) && !Array.isArray(value)) return formatCell(value);
  if (Object.keys(value).length === 0) return 'none';
  if (depth === deepestPart) return '\u2026';
  const nested = (part: unknown) =>
    isNested(part) ? `(${readableCell(part, depth + 1)})` : readableCell(part);
  if (!Array.isArray(value)) {
    const members = Object.entries(value).filter(([, part]) => part !== null);
    return members.map(([name, part]) => `${name}: ${nested(part)}`).join(', ');
  }
  const parts: readonly unknown[] = value;
  const isList = (part: unknown) => Array.isArray(part) && part.length > 0;
  const texts = parts.map((part) => (isList(part) ? nested(part) : readableCell(part, depth + 1)));
  return texts.join(parts.some(isObject) ? '; ' : ', ');
}

function isNested(part: unknown): boolean {
  return (isObject(part) || Array.isArray(part)) && Object.keys(part).length > 0;
}

/** What a table shows of an item in a column; not sanitised. */
export function cellText(item: unknown, column: Column): string {
  return column.cell ? column.cell(item) : readableCell(valueAt(item, column.path));
}

/** The paths of the values that the columns show, each once. */
export function pathsOf(columns: readonly Column[]): readonly string[] {
  return [...new Set(columns.flatMap(({ path, parts }) => parts ?? [path]))];
}

/** The column of a dotted path that nothing more is known about. */
export function columnOf(path: string): Column {
  return { path, header: path.toUpperCase().replaceAll('_', ' ') };
}

/**
 * The columns that `--columns` names: the resource's own where it has them, else new ones for these dotted paths. All show
 * values as they were sent.
 */
export function chooseColumns(paths: readonly string[], known: readonly Column[]): readonly Column[] {
  return paths.map((path) => {
    const own = known.find((column) => column.path === path);
    if (own?.cell) return { ...columnOf(path), ...(own.format && { format: own.format }) };
    return own ?? columnOf(path);
  });
}
