import { type Column, cellText, formatOf } from '../columns.ts';
import type { ListWriterOptions, ShownDocument } from '../format.ts';
import type { ListWriter } from '../list-page.ts';
import { sanitizeText } from '../sanitize.ts';

/** Writes a table of GitHub Flavored Markdown, nothing cut, times in full; an empty list has its header alone. */
export function createWriter({ columns, header, stdout }: ListWriterOptions): ListWriter {
  let headerDue = header;
  return {
    async page(page) {
      let text = headerDue ? headerOf(columns) : '';
      headerDue = false;
      for (const item of page.items) text += rowOf(columns.map((column) => cellText(item, column)));
      await stdout.write(text);
    },
    end: () => stdout.end(),
  };
}

const DOCUMENT_COLUMNS: readonly Column[] = [
  { header: 'FIELD', path: 'field' },
  { header: 'VALUE', path: 'value' },
];

/** Gives a document as a table with a row of path and value for each value. */
export function documentText({ leaves, header }: ShownDocument): string {
  return (header ? headerOf(DOCUMENT_COLUMNS) : '') + leaves().map(rowOf).join('');
}

/** The names of the columns, and the line below them that makes the rows a table. */
function headerOf(columns: readonly Column[]): string {
  const rule = columns.map((column) => (formatOf(column) === 'number' ? '---:' : '---'));
  return `${rowOf(columns.map(({ header }) => header))}${lineOf(rule)}`;
}

function rowOf(cells: readonly string[]): string {
  return lineOf(cells.map(escapeCell));
}

function lineOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |\n`;
}

/** What begins or ends markup within a line; an underscore between letters or digits does not. */
const MARKUP = /[\\`*[\]<>|~&$]|(?<![a-z\d])_|_(?![a-z\d])/gi;

/** Keeps a text in its cell and its meaning as text. A backslash is an entity: readers disagree on one before a delimiter. */
function escapeCell(text: string): string {
  // A masked value. Asterisks alone enclose nothing.
  if (/^\*+$/.test(text)) return text;
  const lines = text.split(/\r\n|[\r\n]/).map(sanitizeText);
  return lines
    .map((line) => line.replace(MARKUP, (char) => (char === '\\' ? '&#92;' : `\\${char}`)))
    .join('<br>');
}
