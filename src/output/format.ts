/** How data is written to stdout. */
export type OutputFormat = 'table' | 'json' | 'ndjson' | 'csv' | 'yaml';

/** How much a table shows: the columns that fit the terminal, every column whole, or one record per block. */
export type TableView = 'fit' | 'wide' | 'detail';

/** What `--output` can be: a format, or a view of the table. */
export const OUTPUT_FORMATS = ['table', 'wide', 'detail', 'json', 'ndjson', 'csv', 'yaml'] as const;

/** A format of data on stdout as `--output` names it. */
export type OutputName = (typeof OUTPUT_FORMATS)[number];

/** The format, and the view of a table, that a name of `--output` stands for. */
export function formatNamed(name: OutputName): { readonly format: OutputFormat; readonly view: TableView } {
  return name === 'wide' || name === 'detail'
    ? { format: 'table', view: name }
    : { format: name, view: 'fit' };
}
