import { type Column, formatOf } from '../columns.ts';
import { displayWidth } from '../width.ts';
import type { ColumnMeasure } from './column-layout.ts';

type Rows = readonly (readonly string[])[];

type MeasureOptions = {
  readonly columns: readonly Column[];
  readonly header: boolean;
  /** What the contents of the columns are at least as wide as; nothing by default. */
  readonly widths?: readonly number[];
  /** How long the short form of an ID is, or the least that it may be. */
  readonly idLength?: number | undefined;
};

/** The fewest and the most characters of an ID in its short form. */
const SHORTEST_ID = 8;
const LONGEST_ID = 16;

/** Measures the columns of rows of sanitised cells, whole and in their short forms. */
export function measureColumns(rows: Rows, options: MeasureOptions): ColumnMeasure[] {
  return options.columns.map((column, index) => {
    const headerWidth = options.header ? displayWidth(column.header) : 0;
    let contentWidth = Math.max(headerWidth, options.widths?.[index] ?? 1);
    for (const row of rows) contentWidth = Math.max(contentWidth, displayWidth(row[index] ?? ''));
    const isVaried = column.onlyIfVaried === true && rows.some((row) => row[index] !== rows[0]?.[index]);
    const shortWidth = shortWidthOf(column, contentWidth, { rows, index, idLength: options.idLength });
    return {
      column,
      contentWidth,
      headerWidth,
      isVaried,
      ...(shortWidth === undefined ? {} : { shortWidth: Math.max(headerWidth, shortWidth) }),
    };
  });
}

type Cells = {
  readonly rows: Rows;
  readonly index: number;
  readonly idLength: number | undefined;
};

/** How wide the short forms of a column are; undefined if it has none. */
function shortWidthOf(column: Column, contentWidth: number, { rows, index, idLength }: Cells) {
  if (column.shortens) return idLength === undefined ? undefined : Math.min(contentWidth, idLength);
  if (formatOf(column) !== 'seconds') return undefined;
  return Math.max(1, ...rows.map((row) => displayWidth(withoutSeconds(row[index] ?? ''))));
}

/** How long an ID in its short form is, so that all that are shown differ. */
export function idLengthOf(rows: Rows, options: MeasureOptions): number | undefined {
  const index = options.columns.findIndex(({ shortens }) => shortens);
  if (index === -1) return undefined;
  return shortIdLength(
    rows.map((row) => row[index] ?? ''),
    options.idLength,
  );
}

/**
 * How many characters of each ID tell those of a column apart, at least `atLeast`. Undefined where that would be too many, and
 * where not all are plain ASCII.
 */
function shortIdLength(ids: readonly string[], atLeast = SHORTEST_ID): number | undefined {
  if (!ids.every((id) => /^[\x20-\x7E]*$/.test(id))) return undefined;
  const distinct = new Set(ids).size;
  for (let length = Math.max(atLeast, SHORTEST_ID); length <= LONGEST_ID; length += 1) {
    if (new Set(ids.map((id) => id.slice(0, length))).size === distinct) return length;
  }
  return undefined;
}

/**
 * A cell where its column is narrower than it: the beginning of an ID, without an ellipsis because it is what commands take; a
 * time with a year without its seconds; a path without the beginnings of its IDs. Every other cell as it is.
 */
export function shortForm(text: string, column: Column, width: number): string {
  if (text.length <= width) return text;
  const format = formatOf(column);
  if (format === 'seconds') return withoutSeconds(text);
  if (format === 'path') return text.replace(/\b[\da-f]{4}\u2026/gi, '\u2026');
  return column.shortens ? text.slice(0, width) : text;
}

/** `2025-03-01 14:05Z` for `2025-03-01 14:05:59Z`; a time of this year, which has no year, as it is. */
function withoutSeconds(text: string): string {
  return text.replace(/^(\d{4}-\d\d-\d\d \d\d:\d\d):\d\dZ$/, '$1Z');
}
