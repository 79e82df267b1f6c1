import { type Column, formatCell, valueAt } from '../columns.ts';
import type { ListWriter, ListWriterOptions } from '../list-page.ts';
import { sanitizeMultiline, sanitizeText } from '../sanitize.ts';

/** Writes CSV by RFC 4180 with a header of the paths; an empty list has its header alone. */
export function createCsvWriter(options: ListWriterOptions): ListWriter {
  const { columns, terminal, stdout } = options;
  let headerDue = options.header;
  return {
    async page(page) {
      let text = headerDue ? csvHeader(columns, terminal.isTerminal) : '';
      headerDue = false;
      for (const item of page.items) text += csvRow(item, columns, terminal.isTerminal);
      await stdout.write(text);
    },
    end: () => stdout.end(),
  };
}

/** The header line: the paths of the columns, which are what a program looks fields up by. */
export function csvHeader(columns: readonly Column[], onTerminal: boolean): string {
  return `${columns.map((column) => csvField(column.path, onTerminal)).join(',')}\r\n`;
}

/** One item as one record. */
export function csvRow(item: unknown, columns: readonly Column[], onTerminal: boolean): string {
  const fields = columns.map(({ path }) => {
    const value = valueAt(item, path);
    return typeof value === 'string'
      ? csvField(value, onTerminal)
      : quoteField(formatCell(value), onTerminal);
  });
  return `${fields.join(',')}\r\n`;
}

/** What spreadsheets take for the beginning of a formula, in both widths. */
const formulaStart = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;
/** Harmless although they begin so: plain numbers, and phone numbers by E.164. */
const plainNumber = /^[+-]?\d+(?:\.\d+)?$/;

function csvField(text: string, onTerminal: boolean): string {
  const defused = formulaStart.test(text) && !plainNumber.test(text) ? `'${text}` : text;
  return quoteField(defused, onTerminal);
}

/** A semicolon separates fields for spreadsheets of some countries, hence the quotes around it. */
function quoteField(text: string, onTerminal: boolean): string {
  const safe = onTerminal ? sanitizeText(text) : sanitizeMultiline(text);
  return /[",;\r\n\t]|^ | $/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Writes the table for a pipe: tab-separated, nothing cut, times as the service gave them; an empty list is silent. */
export function createTsvWriter(options: ListWriterOptions): ListWriter {
  let headerDue = options.header;
  return {
    async page(page) {
      if (page.count === 0) return;
      let text = headerDue ? tsvLine(options.columns.map((column) => column.header)) : '';
      headerDue = false;
      for (const item of page.items) text += tsvLine(cellsOf(item, options.columns));
      await options.stdout.write(text);
    },
    end: () => options.stdout.end(),
  };
}

/** Joins cells to a line. A tab or a line break within a cell becomes visible and cannot forge a column or a row. */
export function tsvLine(cells: readonly string[]): string {
  return `${cells.map(sanitizeText).join('\t')}\n`;
}

function cellsOf(item: unknown, columns: readonly Column[]): string[] {
  return columns.map(({ path }) => formatCell(valueAt(item, path)));
}
