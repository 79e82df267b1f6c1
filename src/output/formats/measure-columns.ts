import { isUuid } from '../../text/format.ts';
import { type Column, formatOf } from '../columns.ts';
import { displayWidth } from '../width.ts';
import type { ColumnMeasure } from './column-layout.ts';

type Rows = readonly (readonly string[])[];

export type MeasureOptions = {
  readonly columns: readonly Column[];
  readonly header: boolean;
  /** What the contents of the columns are at least as wide as; nothing by default. */
  readonly widths?: readonly number[];
  /** How long the short forms of the IDs of each column are at least. */
  readonly idLengths?: IdLengths;
  /** All columns are to be shown. */
  readonly wraps?: boolean;
  /** Later rows have the same columns, so that none of them can be left out for what is in these. */
  readonly hasLaterRows?: boolean;
};

/** For each column, how long the short form of its IDs is; undefined where it has none. */
export type IdLengths = readonly (number | undefined)[];

/** The fewest and the most characters of an ID in its short form. */
const SHORTEST_ID = 8;
const LONGEST_ID = 16;

/** Measures the columns of rows of sanitised cells, whole and in their short forms. */
export function measureColumns(
  rows: Rows,
  options: MeasureOptions & { readonly idLengths: IdLengths },
): ColumnMeasure[] {
  return options.columns.map((column, index) => {
    const headerWidth = options.header ? displayWidth(column.header) : 0;
    let contentWidth = Math.max(headerWidth, options.widths?.[index] ?? 1);
    for (const row of rows) contentWidth = Math.max(contentWidth, displayWidth(row[index] ?? ''));
    const first = rows[0]?.[index] ?? '';
    const isVaried = rows.some((row) => row[index] !== first);
    const isSame = !options.hasLaterRows && !isVaried;
    const cells = { rows, index, idLength: options.idLengths[index], isWhole: options.wraps === true };
    const shortWidth = shortWidthOf(column, contentWidth, cells);
    return {
      column,
      contentWidth,
      headerWidth,
      isVaried,
      isAlike: isSame && rows.length > 1 && column.dropsFirstIfSame === true,
      isIdle: isSame && first === '',
      ...(shortWidth === undefined ? {} : { shortWidth: Math.max(headerWidth, shortWidth) }),
    };
  });
}

type Cells = {
  readonly rows: Rows;
  readonly index: number;
  readonly idLength: number | undefined;
  /** They are written in full. */
  readonly isWhole: boolean;
};

/** How wide the short forms of a column are; undefined if it has none. */
function shortWidthOf(column: Column, contentWidth: number, { rows, index, idLength, isWhole }: Cells) {
  if (column.shortens) return idLength === undefined ? undefined : Math.min(contentWidth, idLength);
  if (formatOf(column) !== 'seconds' || isWhole) return undefined;
  return rows.reduce((widest, row) => Math.max(widest, displayWidth(shortTime(row[index] ?? ''))), 1);
}

/** How long the IDs of each column are in their short form, so that all that are shown differ. */
export function idLengthsOf(rows: Rows, { columns, idLengths }: MeasureOptions): IdLengths {
  return columns.map(({ shortens }, index) =>
    shortens
      ? shortIdLength(
          rows.map((row) => row[index] ?? ''),
          idLengths?.[index],
        )
      : undefined,
  );
}

/**
 * How many characters of each ID tell those of a column apart, at least `atLeast`. Undefined where that would be too many, and
 * where a longer one is not a UUID: commands take the beginnings of UUIDs only.
 */
function shortIdLength(ids: readonly string[], atLeast = SHORTEST_ID): number | undefined {
  if (!ids.every((id) => id.length <= SHORTEST_ID || isUuid(id))) return undefined;
  const distinct = new Set(ids).size;
  for (let length = Math.max(atLeast, SHORTEST_ID); length <= LONGEST_ID; length += 1) {
    if (new Set(ids.map((id) => id.slice(0, length))).size === distinct) return length;
  }
  return undefined;
}

type Form = Pick<Cells, 'idLength' | 'isWhole'> & { readonly width: number; readonly ellipsis: string };

/**
 * A cell where its column is narrower than it: the beginning of an ID, without an ellipsis because it is what commands take; a
 * time without its seconds and a recent year; a path without the beginnings of its IDs and its middle. Every other cell as it is.
 */
export function shortForm(
  text: string,
  column: Column,
  { width, idLength, ellipsis, isWhole }: Form,
): string {
  if (text.length <= width) return text;
  const format = formatOf(column);
  if (format === 'seconds' && !isWhole) return shortTime(text);
  if (format === 'path' && !isWhole) {
    return withoutMiddle(text.replace(/\b[\da-f]{4}\u2026/gi, '\u2026'), width, ellipsis);
  }
  return column.shortens && idLength !== undefined ? text.slice(0, idLength) : text;
}

/** The fewest characters of a path before its gap. */
const LEAST_BEGINNING = 3;
/** A path is cut at its end if at least this many characters of its last word remain. */
const LEAST_END = 10;
/** The last word of a path, and the ID after it. */
const LAST_WORD = /\/[^/\u2026{]+(?:\/(?:\u2026|\{[^/]*\}))?$/;

/** The beginning and the last word of a path that is too wide: what is requested. Any other path as it is. */
function withoutMiddle(path: string, width: number, ellipsis: string): string {
  const [end = ''] = LAST_WORD.exec(path) ?? [];
  const beginning = Math.max(LEAST_BEGINNING, width - ellipsis.length - end.length);
  const before = path.length - end.length;
  if (path.length <= width || beginning >= before || width - before >= LEAST_END) return path;
  return displayWidth(path) === path.length ? `${path.slice(0, beginning)}${ellipsis}${end}` : path;
}

/** Older times keep their year. */
const RECENT_MS = 180 * 86_400_000;

/** `03-01 14:05Z` for `2025-03-01 14:05:59Z` while it is recent, later with the year. */
function shortTime(text: string): string {
  const [whole, year = '', rest = ''] = /^(\d{4}-)(\d\d-\d\d \d\d:\d\d):\d\d/.exec(text) ?? [];
  if (whole === undefined) return text;
  const age = Date.now() - Date.parse(text.slice(0, 10));
  return `${age >= 0 && age < RECENT_MS ? '' : year}${rest}${text.slice(whole.length)}`;
}
