/** The formats of data on stdout, as `--output` names them. */
export const OUTPUT_FORMATS = ['table', 'json', 'ndjson', 'csv', 'yaml'] as const;

/** How data is written to stdout. */
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];
