import { cellText } from '../columns.ts';
import type { ListWriterOptions, ShownDocument } from '../format.ts';
import type { ListWriter } from '../list-page.ts';
import { sanitizeText } from '../sanitize.ts';

/** Writes the table for a pipe: tab-separated, nothing cut, times as the service gave them; an empty list is silent. */
export function createWriter(options: ListWriterOptions): ListWriter {
  let headerDue = options.header;
  return {
    async page(page) {
      if (page.count === 0) return;
      let text = headerDue ? tsvLine(options.columns.map((column) => column.header)) : '';
      headerDue = false;
      for (const item of page.items) text += tsvLine(options.columns.map((column) => cellText(item, column)));
      await options.stdout.write(text);
    },
    end: () => options.stdout.end(),
  };
}

/** Gives a document for a pipe: a line of path and value for each value. */
export function documentText({ leaves }: ShownDocument): string {
  return leaves().map(tsvLine).join('');
}

/** Joins cells to a line. A tab or a line break within a cell becomes visible and cannot forge a column or a row. */
function tsvLine(cells: readonly string[]): string {
  return `${cells.map(sanitizeText).join('\t')}\n`;
}
