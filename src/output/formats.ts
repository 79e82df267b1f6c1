import type { Format, LoadParts } from './format.ts';

const csv = () => import('./formats/csv.ts');
const detail = () => import('./detail.ts');
const json = () => import('./formats/json.ts');
const markdown = () => import('./formats/markdown.ts');
const ndjson = () => import('./formats/ndjson.ts');
const tsv = () => import('./formats/tsv.ts');
const yaml = () => import('./formats/yaml.ts');

const TABLE = {
  isForPeople: true,
  hasHeader: true,
  list: ({ isTerminal }) => (isTerminal ? import('./formats/table.ts') : tsv()),
  document: ({ isTerminal }) => (isTerminal ? detail() : tsv()),
} as const satisfies Partial<Format>;

const rows = {
  table: { ...TABLE, aligned: 'fit' },
  wide: { ...TABLE, aligned: 'whole' },
  detail: { isForPeople: true, list: detail, document: detail },
  json: { isDocument: true, reportsJson: true, list: json, document: json, results: json },
  ndjson: {
    filtersItems: true,
    skipsPager: true,
    reportsJson: true,
    list: ndjson,
    document: ndjson,
    results: ndjson,
  },
  csv: { hasHeader: true, skipsPager: true, takesBom: true, list: csv, document: csv },
  yaml: { isDocument: true, list: yaml, document: yaml, results: yaml },
  markdown: { hasHeader: true, list: markdown, document: markdown },
} as const satisfies Readonly<Record<string, Format>>;

/** What `--output` names. */
export type OutputName = keyof typeof rows;

/** The output formats, in the order of the help. A new one is a row here, its description and the file that writes it. */
export const FORMATS: Readonly<Record<OutputName, Format>> = rows;

/** The names of the formats, in the same order. */
export const OUTPUT_FORMATS = Object.keys(rows) as readonly OutputName[];

/** Other spellings of formats, which the help does not list. */
const ALIASES: Readonly<Record<string, OutputName>> = { md: 'markdown' };

/** The format of a name or of another spelling of it; undefined for any other text. */
export function formatNamed(text: string): OutputName | undefined {
  return (
    OUTPUT_FORMATS.find((name) => name === text) ?? (Object.hasOwn(ALIASES, text) ? ALIASES[text] : undefined)
  );
}

/** What each format is, for the help. Not part of the rows, which every run loads. */
export const FORMAT_DESCRIPTIONS: Readonly<Record<OutputName, string>> = {
  table:
    'Aligned columns on a terminal. In a pipe: tab-separated, nothing truncated, times in full. A single resource is shown as names and values.',
  wide: 'The table with all of its columns, on several lines where they do not fit. --columns without a value lists further ones; -o json has all fields.',
  detail: 'All fields, one block per item.',
  json: 'One JSON document, as the service sent it: unknown fields and the order of fields are kept, large integers are exact. With --all or --max-items, one document whose items hold everything.',
  ndjson: 'One JSON document per line, one line per item; made for exports.',
  csv: 'Comma-separated values with a header (RFC 4180). Values that a spreadsheet would run as formulas are defused.',
  yaml: 'One YAML document.',
  markdown:
    'A table of GitHub Flavored Markdown, nothing truncated, times in full. Markup in values is escaped. A single resource is shown as fields and values.',
};

const parts = {
  ndjson: () => import('./parts/ndjson.ts'),
  csv: () => import('./parts/csv.ts'),
  parquet: () => import('./parts/parquet.ts'),
} as const satisfies Readonly<Record<string, LoadParts>>;

/** What the format of a copy is called. */
export type PartFormat = keyof typeof parts;

/** The formats of the parts of a copy, in the order of the help. Parquet is one of files only. */
export const PART_FORMATS: Readonly<Record<PartFormat, LoadParts>> = parts;
