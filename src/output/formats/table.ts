import CliTable from 'cli-table3';
import { plural } from '../../text/format.ts';
import { ZonedTimes } from '../../text/zoned-times.ts';
import { type Column, type ColumnFormat, cellText, formatOf, type Tone } from '../columns.ts';
import type { ListWriterOptions } from '../format.ts';
import type { ListWriter } from '../list-page.ts';
import { sanitizeText } from '../sanitize.ts';
import { type Colors, loadColors } from '../terminal.ts';
import { type FittedText, fitToWidth, headOf, wrapToWidth } from '../width.ts';
import {
  type Layout,
  type LayoutOptions,
  layOutColumns,
  lineIndent,
  type ShownColumn,
} from './column-layout.ts';
import {
  type IdLengths,
  idLengthsOf,
  type MeasureOptions,
  measureColumns,
  shortForm,
} from './measure-columns.ts';

const defaultMaxRows = 10_000;
/** No terminal shows more of a cell; what is longer is cut before it is looked at. */
const longestCell = 2_000;

/**
 * Writes the table for a terminal. Rows are gathered, up to `maxRows`, and aligned when the list ends or the limit is
 * reached; later rows are written one by one, neither aligned nor cut, so that memory does not grow.
 */
export async function createWriter(options: ListWriterOptions): Promise<ListWriter> {
  return new TableWriter(options, await loadColors(options.terminal.color));
}

class TableWriter implements ListWriter {
  readonly #options: ListWriterOptions;
  readonly #colors: Colors;
  readonly #maxRows: number;
  readonly #times: ZonedTimes;
  #rows: string[][] = [];
  /** The tones of each row, where there is colour. */
  #tones: Tones[] = [];
  /** Each with its text in the line below the table. */
  #leftOut: readonly { readonly column: Column; readonly text: string }[] = [];
  #columns: readonly Column[];
  /** What the contents of the columns are at least as wide as. */
  #widths: readonly number[];
  /** How many characters the short forms of IDs had in the rows before. */
  #idLengths: IdLengths = [];
  #hasHeader = false;
  #streaming: readonly Column[] | undefined;

  constructor(options: ListWriterOptions, colors: Colors) {
    this.#options = options;
    this.#colors = colors;
    this.#maxRows = options.maxRows ?? defaultMaxRows;
    this.#times = new ZonedTimes(options.terminal.times);
    this.#columns = options.columns;
    this.#widths = options.asItComes ? options.columns.map(expectedWidth) : [];
  }

  async page(page: { readonly items: readonly unknown[] }): Promise<void> {
    let text = '';
    for (const item of page.items) {
      if (this.#streaming === undefined && this.#rows.length === this.#maxRows) {
        text += await this.#alignGathered(true);
        await this.#options.info(`Rows after the first ${this.#maxRows} are not aligned.`);
      }
      if (this.#streaming === undefined) this.#gather(item);
      else text += `${cellsOf(item, this.#streaming, this.#times).join('  ')}\n`;
    }
    if (this.#options.asItComes && this.#rows.length > 0) {
      text += await this.#alignGathered(true);
      // Columns must not come and go.
      this.#columns = this.#streaming ?? this.#columns;
      this.#streaming = undefined;
    }
    await this.#options.stdout.write(text);
  }

  async end(): Promise<void> {
    if (this.#streaming === undefined && this.#rows.length > 0) {
      await this.#options.stdout.write(await this.#alignGathered());
    }
    await this.#options.stdout.end();
    // Below the table, also where a pager shows it.
    if (this.#leftOut.length > 0)
      await this.#options.info(leftOutText(this.#leftOut, this.#options.format.aligned === 'whole'));
  }

  leftOut(): readonly Column[] {
    return this.#leftOut.map(({ column }) => column);
  }

  #gather(item: unknown): void {
    const { terminal, format } = this.#options;
    const columns = this.#columns;
    this.#rows.push(cellsOf(item, columns, this.#times, format.aligned === 'whole'));
    if (terminal.color) this.#tones.push(columns.map((column) => column.tone?.(item)));
  }

  async #alignGathered(hasLaterRows = false): Promise<string> {
    const { header, explicitColumns, stdout, terminal, format } = this.#options;
    const columns = this.#columns;
    const isWide = format.aligned === 'whole';
    const isFirst = !this.#hasHeader;
    const zone = header && isFirst ? this.#times.heading() : '';
    const headed = columns.map((column) => ({ ...column, header: headerOf(column, zone) }));
    const tableOptions: AlignedTableOptions = {
      columns: headed,
      width: stdout.columns,
      header: header && isFirst,
      widths: this.#widths,
      idLengths: this.#idLengths,
      colors: this.#colors,
      keepAll: explicitColumns,
      wraps: isWide,
      hasLaterRows,
      tones: this.#tones,
      ellipsis: terminal.unicode ? '\u2026' : '...',
    };
    const { text, layout, widths, idLengths } = renderAlignedTable(this.#rows, tableOptions);
    // Later tables have only the columns that the first one shows.
    if (isFirst) {
      const rows = hasLaterRows ? [] : this.#rows;
      this.#leftOut = columns.flatMap((column, at) => {
        const cells = rows.map((row) => row[at] ?? '');
        const isShown = layout.leftOut.every((one) => one !== headed[at]);
        return isShown ? [] : [{ column, text: column.header + sameCell(column, cells) }];
      });
    }
    this.#idLengths = layout.shown.map(({ index }) => idLengths[index]);
    this.#widths = layout.shown.map(({ index }) => widths[index] ?? 0);
    this.#hasHeader = true;
    this.#rows = [];
    this.#tones = [];
    this.#streaming = layout.shown.flatMap(({ index }) => columns[index] ?? []);
    return text;
  }
}

/** How wide the content of a column is going to be, for a table whose columns are chosen before its rows are known. */
function expectedWidth(column: Column): number {
  return formatOf(column) === 'id' ? 36 : (column.goodWidth ?? column.minWidth ?? 0);
}

/** The cell that all rows share in a column that can be left out for that reason. */
function sameCell({ dropsFirstIfSame }: Column, [first = '', ...others]: readonly string[]): string {
  const isSame = dropsFirstIfSame && others.every((cell) => cell === first);
  return isSame && first !== '' ? `: all ${first}` : '';
}

function leftOutText(leftOut: readonly { readonly text: string }[], isWide: boolean): string {
  const headers = leftOut.map(({ text }) => text).join(', ');
  const count = plural(leftOut.length, 'column');
  return isWide ? `+${count} without a value (${headers}): -o detail` : `+${count} (${headers}): -o wide`;
}

/** The name of a column, and of a time also its zone. */
function headerOf(column: Column, zone: string): string {
  const isTime = ['time', 'seconds'].includes(formatOf(column));
  return sanitizeText(isTime ? column.header + zone : column.header);
}

function cellsOf(item: unknown, columns: readonly Column[], times: ZonedTimes, isWide = false): string[] {
  return columns.map((column) => {
    const full = cellText(item, column);
    const head = headOf(full, longestCell);
    const shown = head.length < full.length ? `${head}\u2026` : head;
    return sanitizeText(shorten(shown, formatOf(column), { times, isWide }));
  });
}

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;

type Shortening = { readonly times: ZonedTimes; readonly isWide: boolean };

/** Times, dates and paths as a terminal shows them. */
function shorten(text: string, format: ColumnFormat, { times, isWide }: Shortening): string {
  const precision = PRECISIONS[format];
  if (precision) return times.cell(text, precision);
  return format === 'path' && !isWide ? text.replace(UUID, (id) => `${id.slice(0, 4)}\u2026`) : text;
}

const PRECISIONS: Partial<Record<ColumnFormat, 'day' | 'minute' | 'second'>> = {
  date: 'day',
  time: 'minute',
  seconds: 'second',
};

type Tones = readonly (Tone | undefined)[];

export type AlignedTableOptions = MeasureOptions &
  Omit<LayoutOptions, 'gap'> & {
    readonly colors: Colors;
    /** The tones of the cells, row by row; none by default. */
    readonly tones?: readonly Tones[];
    readonly ellipsis: string;
  };

/** The table as lines, each with its line end, and what was decided about the columns. */
export type AlignedTable = {
  readonly text: string;
  readonly layout: Layout;
  /** How wide the contents of all columns are. */
  readonly widths: readonly number[];
  /** How long the short forms of IDs are. */
  readonly idLengths: IdLengths;
};

const gap = 2;
/** A private-use character in the place of a cell, which is filled in afterwards. */
const placeholder = '\uE000';
const placeholders = /\uE000 */g;
const noBorder = '';
const noCell: FittedText = { text: '', width: 0 };

/**
 * Renders rows of sanitised cells as a borderless table that fits the width.
 *
 * cli-table3 draws one row of placeholders, which is the template of all rows. It would measure each cell nine times,
 * by tables of character widths that are older than today's terminals, in time quadratic in the number of rows; this way
 * cells are measured and cut here, once, and ten thousand rows cost little more than their text.
 */
export function renderAlignedTable(
  rows: readonly (readonly string[])[],
  options: AlignedTableOptions,
): AlignedTable {
  const idLengths = idLengthsOf(rows, options);
  const measures = measureColumns(rows, { ...options, idLengths });
  const { width, keepAll, wraps = false } = options;
  const layout = layOutColumns(measures, { width, gap, keepAll, wraps });
  const lines = linesIn(layout);
  const fitted = { ...options, idLengths };
  const texts = rows.map((row, at) => {
    const tones = options.tones?.[at];
    const paint = (text: string, index: number) => {
      const tone = tones?.[index];
      return tone ? options.colors[tone](text) : text;
    };
    return lines.map((line) => drawCells(linesOf(row, line, fitted), line, paint)).join('');
  });
  if (options.header) {
    const headers = options.columns.map((column) => column.header);
    texts.unshift(
      lines.map((line) => drawCells(linesOf(headers, line, fitted), line, options.colors.bold)).join(''),
    );
  }
  const widths = measures.map(({ contentWidth }) => contentWidth);
  return { text: texts.join(''), layout, widths, idLengths };
}

/** A line of every row: its columns, and how it is drawn. */
type Line = { readonly shown: readonly ShownColumn[]; readonly template: string };

function linesIn({ shown }: Layout): readonly Line[] {
  return [...Map.groupBy(shown, ({ line = 0 }) => line)].map(([at, columns]) => ({
    shown: columns,
    template: ' '.repeat(at > 0 ? lineIndent : 0) + drawTemplate(columns),
  }));
}

function drawTemplate(shown: readonly ShownColumn[]): string {
  const lastShown = shown.length - 1;
  const borders = ['top', 'bottom', 'left', 'right', 'mid'].flatMap((side) => [side, `${side}-mid`]);
  const corners = ['top-left', 'top-right', 'bottom-left', 'bottom-right', 'middle'];
  const table = new CliTable({
    chars: Object.fromEntries([...borders, ...corners].map((name) => [name, noBorder])),
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    colWidths: shown.map(({ width }, at) => width + (at < lastShown ? gap : 0)),
  });
  table.push(shown.map(() => placeholder));
  return table.toString();
}

/** The cells of a line of a row, on several lines where one is wrapped. */
function linesOf(
  row: readonly string[],
  { shown }: Line,
  options: AlignedTableOptions & { readonly idLengths: IdLengths },
): FittedText[][] {
  const { ellipsis, idLengths, wraps = false } = options;
  const cells = shown.map(({ index, width }) => {
    const column = options.columns[index];
    const text = row[index] ?? '';
    if (column === undefined) return { width, column, parts: [fitToWidth(text, width, ellipsis)] };
    const form = { width, idLength: wraps ? undefined : idLengths[index], ellipsis, isWhole: wraps };
    const short = shortForm(text, column, form);
    const parts = wraps || column.wraps ? wrapToWidth(short, width) : [fitToWidth(short, width, ellipsis)];
    return { width, column, parts };
  });
  const height = Math.max(...cells.map(({ parts }) => parts.length));
  return Array.from({ length: height }, (_, line) =>
    cells.map(({ width, column, parts }) => {
      const cell = parts[line] ?? noCell;
      if (column === undefined || formatOf(column) !== 'number') return cell;
      return { text: ' '.repeat(Math.max(width - cell.width, 0)) + cell.text, width };
    }),
  );
}

function drawCells(
  lines: readonly (readonly FittedText[])[],
  { shown, template }: Line,
  paint: (text: string, index: number) => string,
): string {
  return lines
    .map((cells) => {
      let next = 0;
      const line = template.replace(placeholders, (space) => {
        const cell = cells[next] ?? noCell;
        const text = cell.text === '' ? '' : paint(cell.text, shown[next]?.index ?? 0);
        next += 1;
        return text + ' '.repeat(Math.max(space.length - cell.width, 0));
      });
      return `${line.trimEnd()}\n`;
    })
    .join('');
}
