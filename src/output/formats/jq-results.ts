import { parseShownJson } from '../../json/exact.ts';
import { isObject } from '../../json/is-object.ts';
import { columnOf } from '../columns.ts';
import type { ListWriterOptions } from '../format.ts';
import { type JqOutcome, type JqResult, pageOfValues } from '../list-page.ts';
import { sanitizeText } from '../sanitize.ts';

/** How results are written: those of the options of a list that matter. */
export type JqOutputOptions = Pick<
  ListWriterOptions,
  'format' | 'header' | 'bom' | 'stdout' | 'terminal' | 'info'
>;

/**
 * Prints the results of an expression in the format of the run, then its messages, and then fails if the expression did.
 * @throws OutputError `jq_failed`, `nested_too_deep`
 */
export async function writeOutcome(outcome: JqOutcome, options: JqOutputOptions): Promise<void> {
  const { results, messages, failure } = outcome;
  const code = await options.format.results?.();
  if (code) await options.stdout.write(await code.resultsText(results, options.terminal));
  else await writeRows(results, options);
  for (const message of messages) await options.info(sanitizeText(message));
  if (failure !== undefined) throw failure;
}

/** Each object is a row. Columns are the members of all objects in the order of their first appearance; without objects there is no header. */
async function writeRows(results: readonly JqResult[], options: JqOutputOptions): Promise<void> {
  const values = results
    .map(({ text, isJson }): unknown => (isJson ? parseShownJson(text) : text))
    .flatMap((value) => (isTable(value) ? value : [value]));
  const rows = values.map(rowOf);
  const names = new Set(rows.flatMap(Object.keys));
  const columns = [...names].map(columnOf);
  if (columns.length === 0) return;
  const header = options.header && values.some(isObject);
  // Nobody chose the columns by --columns: a table leaves out those that do not fit its terminal.
  const explicitColumns = options.format.aligned !== 'fit';
  const { createWriter } = await options.format.list(options.terminal);
  const writer = await createWriter({ ...options, header, columns, explicitColumns, whole: true });
  await writer.page(pageOfValues(rows));
  await writer.end({ nextCursor: null });
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
