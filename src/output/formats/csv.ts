import type { Column } from '../column.ts';
import type { ListWriter } from '../list-page.ts';
import type { ListWriterOptions } from '../list-writer.ts';
import { sanitizeMultiline, sanitizeText } from '../sanitize.ts';
import { formatCell, valueAt } from '../value-at.ts';

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
