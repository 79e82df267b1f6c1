import {
  type BrokenCell,
  type CsvDialect,
  type CsvPiece,
  cellsOf,
  RecordSplitter,
} from '../../../output/csv-records.ts';
import { plural } from '../../../text/format.ts';
import { toUtf8Command } from '../../../text/shell.ts';
import {
  LONGEST_CELL,
  LONGEST_ROW,
  MOST_COLUMNS,
  type RowItem,
  type RowProblem,
  type RowProblemCode,
  shown,
} from './input-row.ts';
import { errorValueProblem } from './spreadsheet-problem.ts';

/**
 * Reads the records of a CSV file as rows; the first record is the header. After a wrong quotation mark it is unclear where cells end, and
 * after an invalid header it is unclear what they are. From there on, only problems are reported.
 */
export class CsvRows {
  readonly splitter: RecordSplitter;
  /** The names of the columns; undefined until the header is read. */
  columns: readonly string[] | undefined;
  /** Whether no further rows can be read. */
  isOver = false;
  readonly #dialect: CsvDialect;
  readonly #ignored: ReadonlySet<string>;
  readonly #isBlank: RegExp;
  #areCellsKnown = true;
  #areColumnsKnown = true;

  /** Cells of ignored columns are not checked. */
  constructor(dialect: CsvDialect, ignored: ReadonlySet<string>) {
    this.#dialect = dialect;
    this.splitter = new RecordSplitter(dialect, LONGEST_ROW);
    this.#ignored = ignored;
    this.#isBlank = new RegExp(`^[\\s${dialect.delimiter}]*$`);
  }

  /** Adds the row or the problems of a record; nothing for a blank one. */
  take({ text, place, cells: plain }: CsvPiece, items: RowItem[]): void {
    if (plain && this.columns) {
      if (this.#areCellsKnown) this.#takeCells(plain, { mayBeOdd: false, line: place }, items);
      return;
    }
    if (text === undefined) {
      if (this.#areCellsKnown) items.push(tooLong(place));
      this.#areCellsKnown = false;
      return;
    }
    if (!this.splitter.isUtf8) {
      this.isOver = true;
      items.push(this.#notUtf8(text, place));
      return;
    }
    if (this.#isBlank.test(text)) return;
    const cells = this.#cellsOf(text);
    if (!Array.isArray(cells)) {
      items.push(this.#brokenCell(cells, place));
      if (cells.code !== 'line_break' || !this.columns) this.#areCellsKnown = false;
      this.columns ??= this.#headerOf([], place, items);
    } else if (!this.columns) this.columns = this.#headerOf(cells, place, items);
    else if (this.#areCellsKnown) {
      const mayBeOdd = text.length > LONGEST_CELL / 3 || text.includes('\0');
      this.#takeCells(cells, { mayBeOdd, line: place }, items);
    }
  }

  #cellsOf(text: string): string[] | BrokenCell {
    return cellsOf(text, { ...this.#dialect, most: MOST_COLUMNS, none: '' });
  }

  #headerOf(cells: readonly string[], line: number, items: RowItem[]): readonly string[] {
    const before = items.length;
    const add = (column: string | undefined, code: RowProblemCode, message: string) =>
      items.push({ line, column, code, message, isEnd: true });
    if (cells.length > MOST_COLUMNS) {
      add(undefined, 'too_many_columns', `The header has more than ${MOST_COLUMNS} columns.`);
    }
    const seen = new Set<string>();
    for (const [index, name] of cells.slice(0, MOST_COLUMNS).entries()) {
      if (name.trim() === '') {
        const behind = index === 0 ? 'The first column' : `The column after ${shown(cells[index - 1] ?? '')}`;
        add(undefined, 'empty_column_name', `${behind} has no name. Name it, or delete the column.`);
      } else if (name.includes('\0')) add(name, 'nul_character', nulMessage(name));
      else if (seen.has(name)) {
        add(name, 'duplicate_column', `Two columns are named ${shown(name)}. Rename or delete one of them.`);
      }
      seen.add(name);
    }
    this.#areColumnsKnown = this.#areCellsKnown && items.length === before;
    return cells;
  }

  #takeCells(
    cells: string[],
    { mayBeOdd, line }: { readonly mayBeOdd: boolean; readonly line: number },
    items: RowItem[],
  ): void {
    const columns = this.columns ?? [];
    if (cells.length !== columns.length) {
      if (this.#areColumnsKnown && !isBlankRow(cells)) items.push(this.#wrongCount(cells.length, line));
      return;
    }
    const before = items.length;
    const values: (string | undefined)[] = cells;
    let isBlank = true;
    for (let index = 0; index < cells.length; index += 1) {
      const cell = cells[index] ?? '';
      if (cell === '') {
        values[index] = undefined;
        continue;
      }
      isBlank &&= cell.trim() === '';
      const column = columns[index] ?? '';
      if (this.#ignored.size > 0 && this.#ignored.has(column)) continue;
      const problem = cellProblem(cell, mayBeOdd);
      if (problem) items.push({ line, column, ...problem });
    }
    if (!isBlank && items.length === before && this.#areColumnsKnown) items.push({ line, columns, values });
  }

  #wrongCount(count: number, line: number): RowProblem {
    const columns = this.columns ?? [];
    const has = count > MOST_COLUMNS ? `more than ${MOST_COLUMNS} cells` : plural(count, 'cell');
    const remedy =
      count > columns.length
        ? `Put a cell that contains ${nameOf(this.#dialect.delimiter)} in quotation marks.`
        : 'An empty cell needs a delimiter, too.';
    const message = `The row has ${has}, but the header has ${columns.length}. ${remedy}`;
    return { line, column: undefined, code: 'cell_count', message };
  }

  #brokenCell({ cell, code }: BrokenCell, line: number): RowProblem {
    const isEnd = code !== 'line_break' || !this.columns;
    return { line, column: this.columns?.[cell], code, message: BROKEN[code], ...(isEnd && { isEnd }) };
  }

  #notUtf8(text: string, line: number): RowProblem {
    const cells = this.#cellsOf(text);
    const index = Array.isArray(cells) ? cells.findIndex((cell) => cell.includes('\uFFFD')) : cells.cell;
    return { line, column: this.columns?.[index], code: 'not_utf8', message: notUtf8(), isEnd: true };
  }
}

const REST = 'No further rows are read, because it is unclear where their cells end.';

const BROKEN: Readonly<Record<BrokenCell['code'], string>> = {
  stray_quote:
    'The cell contains a quotation mark that is not doubled. Put the cell in quotation marks, and double ' +
    `each one within it ("5"" pipe"). ${REST}`,
  unclosed_quote: `The quotation mark at the beginning of the cell is never closed. ${REST}`,
  line_break: 'The cell has a line break outside quotation marks, or the file mixes line endings.',
};

/** For CSV and JSON. */
export const notUtf8 = () =>
  'The text is not UTF-8, so no further rows are read. Save the file as "CSV UTF-8", or convert it, ' +
  `for example with: ${toUtf8Command('windows-1252')}`;

function tooLong(line: number): RowProblem {
  const message = `The row is larger than 8 MiB. A closing quotation mark may be missing. ${REST}`;
  return { line, column: undefined, code: 'row_too_long', message, isEnd: true };
}

/** What is wrong with a cell. Only one that `mayBeOdd` can have a NUL, or too many bytes. */
function cellProblem(cell: string, mayBeOdd: boolean): Pick<RowProblem, 'code' | 'message'> | undefined {
  const message = errorValueProblem(cell);
  if (message !== undefined) return { code: 'error_value', message };
  if (!mayBeOdd) return undefined;
  if (cell.includes('\0')) return { code: 'nul_character', message: nulMessage(cell) };
  const isLong = Buffer.byteLength(cell) > LONGEST_CELL;
  return isLong ? { code: 'cell_too_long', message: 'The cell is larger than 1 MiB.' } : undefined;
}

function nulMessage(cell: string): string {
  return `${shown(cell)} contains a NUL character. Remove it.`;
}

function isBlankRow(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === '');
}

function nameOf(delimiter: CsvDialect['delimiter']): string {
  return { ',': 'a comma', ';': 'a semicolon', '\t': 'a tab' }[delimiter];
}
