import { parseShownJson } from '../../json/exact.ts';
import { formatCell, pathsOf, valueAt } from '../columns.ts';
import type { ListWriterOptions, ShownDocument } from '../format.ts';
import type { ListWriter } from '../list-page.ts';
import { sanitizeMultiline, sanitizeText } from '../sanitize.ts';

const BYTE_ORDER_MARK = '\uFEFF';

/** Writes CSV by RFC 4180 with a header of the paths; an empty list has its header alone. */
export function createWriter({ columns, header, bom, terminal, stdout }: ListWriterOptions): ListWriter {
  const paths = pathsOf(columns);
  const mark = bom && !terminal.isTerminal ? BYTE_ORDER_MARK : '';
  let startDue = mark + (header ? csvLine(paths, terminal.isTerminal) : '');
  return {
    async page(page) {
      let text = startDue;
      startDue = '';
      for (const item of page.items) text += csvRow(item, paths, terminal.isTerminal);
      await stdout.write(text);
    },
    end: () => stdout.end(),
  };
}

/** Gives a document as CSV: its members, or its chosen columns, as one record. */
export function documentText({ text, columns, header, terminal }: ShownDocument): string {
  const paths = columns.map(({ path }) => path);
  const line = header ? csvLine(paths, terminal.isTerminal) : '';
  return line + csvRow(parseShownJson(text), paths, terminal.isTerminal);
}

function csvRow(item: unknown, paths: readonly string[], onTerminal: boolean): string {
  const values = paths.map((path) => valueAt(item, path));
  return csvLine(values, onTerminal);
}

/** Values as one record, its line end included. No cell and no element of a list in it can run as a formula. */
export function csvLine(values: readonly unknown[], onTerminal: boolean): string {
  return `${values.map((value) => csvField(value, onTerminal)).join(',')}\r\n`;
}

function csvField(value: unknown, onTerminal: boolean): string {
  const isList = Array.isArray(value) && value.every((part) => typeof part === 'string');
  const text = formatCell(isList ? value.map(defuse) : value);
  return quoteField(defuse(text), onTerminal);
}

/** What a spreadsheet may take for the beginning of a formula, in both widths, and what it may strip before it. */
const formulaStart = /^(?:[^\S\t\r\n]|["`[{(])*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/;
/** The same anywhere in a cell. */
const anyFormula = /(?:^|[;\t\r\n])(?:[^\S\t\r\n]|["`[{(])*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/;
/** Harmless although they begin so: numbers, and phone numbers by E.164. */
const plainNumber = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** A spreadsheet that takes the semicolon or the tab for the separator reads no quotes within a line. */
const separator = /([;\t\r\n])/;

/** Puts an apostrophe before everything in a cell that a spreadsheet could run, however it takes the cell apart. */
function defuse(text: string): string {
  const defused = anyFormula.test(text) ? text.split(separator).map(defusePart).join('') : text;
  return /^[\t\r\n]/.test(defused) ? `'${defused}` : defused;
}

function defusePart(part: string): string {
  return formulaStart.test(part) && !plainNumber.test(part.trim()) ? `'${part}` : part;
}

/** A semicolon separates fields for spreadsheets of some countries, hence the quotes around it. */
function quoteField(text: string, onTerminal: boolean): string {
  const safe = onTerminal ? sanitizeText(text) : sanitizeMultiline(text);
  return /[",;\r\n\t]|^ | $/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
