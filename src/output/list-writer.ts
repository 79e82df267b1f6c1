import type { Column } from './column.ts';
import type { Jq } from './jq.ts';
import type { ListWriter } from './list-page.ts';
import type { Sink } from './streams.ts';
import type { Terminal } from './terminal.ts';

/** Output formats, as `--output` names them. */
export const outputFormats = ['table', 'json', 'ndjson', 'csv', 'yaml'] as const;
export type OutputFormat = (typeof outputFormats)[number];

export type ListWriterOptions = {
  readonly format: OutputFormat;
  /** Many pages make one document (`--all`, `--max-items`); otherwise one page is written as it came. */
  readonly whole: boolean;
  /** The columns to show: those of `--columns`, else those of the resource (for CSV all of its leaf fields). */
  readonly columns: readonly Column[];
  /** `--columns` was given: every format is reduced to them, and none is left out for lack of room. */
  readonly explicitColumns: boolean;
  /** False for `--no-header`. */
  readonly header: boolean;
  readonly stdout: Sink;
  /** How stdout is to be written to. */
  readonly terminal: Terminal;
  /** Takes one line for a person, without its line end; goes to stderr. */
  readonly note: (text: string) => void | Promise<void>;
  /** Rows that the aligned table gathers before it goes on unaligned. 10,000 by default. */
  readonly maxRows?: number;
  /** Filters the JSON: each item with `ndjson`, the whole document with every other format. */
  readonly jq?: Jq | undefined;
};

/**
 * Gives the writer of a list for a format; loads the code of that format only. No writer says that a list is empty:
 * tables and ndjson print nothing, CSV its header, JSON and YAML the empty document. A writer that was given no page
 * prints nothing at all.
 */
export async function createListWriter(options: ListWriterOptions): Promise<ListWriter> {
  if (options.jq !== undefined) {
    const { createJqWriter } = await import('./formats/jq.ts');
    return createJqWriter(options, options.jq);
  }
  switch (options.format) {
    case 'json':
      return (await import('./formats/json.ts')).createJsonWriter(options);
    case 'ndjson':
      return (await import('./formats/ndjson.ts')).createNdjsonWriter(options);
    case 'csv':
      return (await import('./formats/csv.ts')).createCsvWriter(options);
    case 'yaml':
      return (await import('./formats/yaml.ts')).createYamlWriter(options);
    case 'table':
      if (options.terminal.isTerminal) return (await import('./formats/table.ts')).createTableWriter(options);
      return (await import('./formats/tsv.ts')).createTsvWriter(options);
  }
}
