import CliTable from 'cli-table3';
import { type Column, formatOf } from './column.ts';
import { type ColumnWish, type Layout, layOutColumns } from './column-layout.ts';
import type { Colors } from './palette.ts';
import { displayWidth, type FittedText, fitToWidth } from './width.ts';

export type AlignedTableOptions = {
  readonly columns: readonly Column[];
  /** Display columns of the terminal. */
  readonly width: number;
  readonly header: boolean;
  readonly colors: Colors;
  /** The person named the columns: leave none out. */
  readonly keepAll: boolean;
  readonly ellipsis: string;
};

/** The table as lines, each with its line end, and what was decided about the columns. */
export type AlignedTable = { readonly text: string; readonly layout: Layout };

const gap = 2;
/** A private-use character that holds the place of a cell; what the cells say is poured in afterwards. */
const standIn = '\uE000';
const places = /\uE000 */g;
const noBorder = '';
const noCell: FittedText = { text: '', width: 0 };

/**
 * Renders rows of sanitised cells as a borderless table that fits the width.
 *
 * cli-table3 draws one row of stand-ins, and all rows are poured into that. It would measure each cell nine times, with
 * an idea of the width of text that is older than today's terminals, and takes time quadratic in the number of rows;
 * this way cells are measured and cut here, once, and ten thousand rows cost little more than their text.
 */
export function renderAlignedTable(
  rows: readonly (readonly string[])[],
  options: AlignedTableOptions,
): AlignedTable {
  const layout = layOutColumns(wishesOf(rows, options), {
    width: options.width,
    gap,
    keepAll: options.keepAll,
  });
  const form = drawForm(layout);
  const lines = rows.map((row) => pour(form, cellsOf(row, layout, options), (text) => text));
  if (options.header) {
    const headers = options.columns.map((column) => column.header);
    lines.unshift(pour(form, cellsOf(headers, layout, options), options.colors.bold));
  }
  return { text: lines.join(''), layout };
}

function wishesOf(rows: readonly (readonly string[])[], options: AlignedTableOptions): ColumnWish[] {
  return options.columns.map((column, index) => {
    const headerWidth = options.header ? displayWidth(column.header) : 0;
    let natural = Math.max(headerWidth, 1);
    for (const row of rows) natural = Math.max(natural, displayWidth(row[index] ?? ''));
    return { column, natural, headerWidth };
  });
}

function drawForm(layout: Layout): string {
  const lastShown = layout.shown.length - 1;
  const borders = ['top', 'bottom', 'left', 'right', 'mid'].flatMap((side) => [side, `${side}-mid`]);
  const corners = ['top-left', 'top-right', 'bottom-left', 'bottom-right', 'middle'];
  const table = new CliTable({
    chars: Object.fromEntries([...borders, ...corners].map((name) => [name, noBorder])),
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    colWidths: layout.shown.map(({ width }, at) => width + (at < lastShown ? gap : 0)),
  });
  table.push(layout.shown.map(() => standIn));
  return table.toString();
}

function cellsOf(row: readonly string[], layout: Layout, options: AlignedTableOptions): FittedText[] {
  return layout.shown.map(({ index, width }) => {
    const cell = fitToWidth(row[index] ?? '', width, options.ellipsis);
    const column = options.columns[index];
    if (column === undefined || formatOf(column) !== 'number') return cell;
    return { text: ' '.repeat(width - cell.width) + cell.text, width };
  });
}

function pour(form: string, cells: readonly FittedText[], paint: (text: string) => string): string {
  let next = 0;
  const line = form.replace(places, (space) => {
    const cell = cells[next++] ?? noCell;
    const text = cell.text === '' ? '' : paint(cell.text);
    return text + ' '.repeat(Math.max(space.length - cell.width, 0));
  });
  return `${line.trimEnd()}\n`;
}
