import { parseShownJson } from '../../json/exact.ts';
import { isObject } from '../../json/is-object.ts';
import { prettyJson } from '../../json/pretty.ts';
import type { Column } from '../columns.ts';
import type { JqOutcome, JqResult, ListWriter, ListWriterOptions } from '../list-page.ts';
import { escapeJsonText, sanitizeLines, sanitizeText } from '../sanitize.ts';
import { jsonPainter, loadColors } from '../terminal.ts';

/** How results are written: those of the options of a list that matter. */
export type JqOutputOptions = Pick<
  ListWriterOptions,
  'format' | 'view' | 'header' | 'stdout' | 'terminal' | 'info'
>;

/**
 * Prints the results of an expression in the format of the run, then its messages, and then fails if the expression did. As
 * JSON, each result begins a line and a string is raw; as a table or CSV, each object is a row.
 * @throws OutputError `jq_failed`, `nested_too_deep`
 */
export async function writeOutcome(outcome: JqOutcome, options: JqOutputOptions): Promise<void> {
  const { results, messages, failure } = outcome;
  if (options.format === 'csv' || options.format === 'table') await writeRows(results, options);
  else await options.stdout.write(await formatResults(results, options));
  for (const message of messages) await options.info(sanitizeText(message));
  if (failure !== undefined) throw failure;
}

async function formatResults(results: readonly JqResult[], options: JqOutputOptions): Promise<string> {
  const { isTerminal, color } = options.terminal;
  if (options.format === 'ndjson') {
    return results.map((result) => `${escapeJsonText(jsonOf(result))}\n`).join('');
  }
  if (options.format === 'yaml') {
    const { toYaml } = await import('./yaml-text.ts');
    return results.map((result) => toYaml(resultValue(result))).join('---\n');
  }
  if (!isTerminal)
    return results.map(({ text, isJson }) => `${isJson ? escapeJsonText(text) : text}\n`).join('');
  const paint = jsonPainter(await loadColors(color));
  const lines = results.map(({ text, isJson }) =>
    isJson ? prettyJson(escapeJsonText(text), { paint }) : sanitizeLines(text),
  );
  return lines.map((line) => `${line}\n`).join('');
}

function jsonOf({ text, isJson }: JqResult): string {
  return isJson ? text : JSON.stringify(text);
}

function resultValue({ text, isJson }: JqResult): unknown {
  return isJson ? parseShownJson(text) : text;
}

/** Columns are the members of all objects in the order of their first appearance; without objects there is no header. */
async function writeRows(results: readonly JqResult[], options: JqOutputOptions): Promise<void> {
  const values = results.map(resultValue).flatMap((value) => (isTable(value) ? value : [value]));
  const rows = values.map(rowOf);
  const names = new Set(rows.flatMap(Object.keys));
  const columns = [...names].map(
    (path): Column => ({ path, header: path.toUpperCase().replaceAll('_', ' ') }),
  );
  if (columns.length === 0) return;
  const header = options.header && values.some(isObject);
  const writer = await openWriter({ ...options, header, columns, whole: true });
  await writer.page({
    text: '',
    items: rows,
    count: rows.length,
    texts: () => [],
    hasLines: false,
    rest: () => [],
  });
  await writer.end({ nextCursor: null });
}

/** Nobody chose the columns of the results by --columns: a table leaves out those that do not fit its terminal. */
async function openWriter(given: Omit<ListWriterOptions, 'explicitColumns'>): Promise<ListWriter> {
  const options = { ...given, explicitColumns: given.view === 'detail' };
  if (options.format === 'csv') return (await import('./csv.ts')).createCsvWriter(options);
  if (options.view === 'detail') return (await import('../detail.ts')).createDetailWriter(options);
  if (options.terminal.isTerminal) return (await import('./table.ts')).createTableWriter(options);
  return (await import('./csv.ts')).createTsvWriter(options);
}

/** An array of objects is what `.items` gives: its elements are the rows. */
function isTable(value: unknown): value is object[] {
  return Array.isArray(value) && value.length > 0 && value.every(isObject);
}

/** An array is a row of its elements, any other value a row of one cell. */
function rowOf(value: unknown): Record<string, unknown> {
  if (isObject(value)) return value;
  if (!Array.isArray(value)) return { value };
  return Object.fromEntries(value.map((element, index) => [String(index + 1), element]));
}
