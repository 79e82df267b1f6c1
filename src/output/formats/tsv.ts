import type { Column } from '../column.ts';
import type { ListWriter } from '../list-page.ts';
import type { ListWriterOptions } from '../list-writer.ts';
import { sanitizeText } from '../sanitize.ts';
import { formatCell, valueAt } from '../value-at.ts';

/** Writes the table for a pipe: tab-separated, nothing cut, times as the service gave them; an empty list is silent. */
export function createTsvWriter(options: ListWriterOptions): ListWriter {
  let headerDue = options.header;
  return {
    async page(page) {
      if (page.items.length === 0) return;
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
