import { type AlignedTableOptions, renderAlignedTable } from '../aligned-table.ts';
import { type Column, formatOf } from '../column.ts';
import { compactTime } from '../compact-time.ts';
import type { ListWriter } from '../list-page.ts';
import type { ListWriterOptions } from '../list-writer.ts';
import { type Colors, loadColors } from '../palette.ts';
import { sanitizeText } from '../sanitize.ts';
import { formatCell, valueAt } from '../value-at.ts';
import { headOf } from '../width.ts';

const defaultMaxRows = 10_000;
/** No terminal shows more of a cell; what is longer is cut before it is looked at. */
const longestCell = 2_000;

/**
 * Writes the table for a terminal. Rows are gathered, up to `maxRows`, and aligned when the list ends or the limit is
 * reached; what follows then goes out row by row, not aligned and not cut, so that memory does not grow.
 */
export async function createTableWriter(options: ListWriterOptions): Promise<ListWriter> {
  return new TableWriter(options, await loadColors(options.terminal.color));
}

class TableWriter implements ListWriter {
  readonly #options: ListWriterOptions;
  readonly #colors: Colors;
  readonly #maxRows: number;
  #rows: string[][] = [];
  #streaming: readonly Column[] | undefined;

  constructor(options: ListWriterOptions, colors: Colors) {
    this.#options = options;
    this.#colors = colors;
    this.#maxRows = options.maxRows ?? defaultMaxRows;
  }

  async page(page: { readonly items: readonly unknown[] }): Promise<void> {
    let text = '';
    for (const item of page.items) {
      if (this.#streaming === undefined && this.#rows.length === this.#maxRows) {
        text += await this.#alignGathered();
        await this.#options.note(`The rows after the first ${this.#maxRows} are not aligned.`);
      }
      if (this.#streaming === undefined) this.#rows.push(cellsOf(item, this.#options.columns));
      else text += `${cellsOf(item, this.#streaming).join('  ')}\n`;
    }
    await this.#options.stdout.write(text);
  }

  async end(): Promise<void> {
    if (this.#streaming === undefined && this.#rows.length > 0) {
      await this.#options.stdout.write(await this.#alignGathered());
    }
    await this.#options.stdout.end();
  }

  async #alignGathered(): Promise<string> {
    const { columns, header, explicitColumns, stdout, terminal } = this.#options;
    const tableOptions: AlignedTableOptions = {
      columns: columns.map((column) => ({ ...column, header: sanitizeText(column.header) })),
      width: stdout.columns,
      header,
      colors: this.#colors,
      keepAll: explicitColumns,
      ellipsis: terminal.unicode ? '\u2026' : '...',
    };
    const { text, layout } = renderAlignedTable(this.#rows, tableOptions);
    this.#rows = [];
    this.#streaming = layout.shown.flatMap(({ index }) => columns[index] ?? []);
    if (layout.leftOut.length > 0) await this.#options.note(leftOutNote(layout.leftOut, stdout.columns));
    return text;
  }
}

function leftOutNote(leftOut: readonly Column[], width: number): string {
  const paths = leftOut.map((column) => column.path).join(', ');
  return `Not shown in ${width} columns: ${paths}. Choose fields with --columns, or use -o json.`;
}

function cellsOf(item: unknown, columns: readonly Column[]): string[] {
  return columns.map((column) => {
    const full = formatCell(valueAt(item, column.path));
    const head = headOf(full, longestCell);
    const shown = head.length < full.length ? `${head}\u2026` : head;
    return sanitizeText(formatOf(column) === 'time' ? compactTime(shown) : shown);
  });
}
