import { minifyJson, pickText } from '../json/edit.ts';
import { parseShownJson } from '../json/exact.ts';
import { isObject } from '../json/is-object.ts';
import { prettyJson } from '../json/pretty.ts';
import { formatCell } from './columns.ts';
import type { ListWriterOptions } from './list-page.ts';
import { escapeJsonText } from './sanitize.ts';
import { jsonPainter, loadColors } from './terminal.ts';

/** As for a list; `columns` are those of `--columns`, else the leaf fields of the resource (used by CSV alone). */
export type DocumentWriterOptions = Omit<ListWriterOptions, 'whole' | 'maxRows'>;

/**
 * Writes one document, what a `get`, `create` or `update` command gives, and flushes stdout: as a detail view on a
 * terminal, as lines of path and value in a pipe, or in the format asked for. `text` is what the service sent.
 * @throws OutputError `jq_failed`
 */
export async function writeDocument(text: string, options: DocumentWriterOptions): Promise<void> {
  const paths = options.columns.map((column) => column.path);
  const chosen = options.explicitColumns ? pickText(text, paths) : text;
  if (options.jq !== undefined) {
    const { writeOutcome } = await import('./formats/jq-results.ts');
    const outcome = await options.jq.run(chosen);
    options.jq.close();
    await writeOutcome(outcome, options);
  } else {
    await options.stdout.write(await formatDocument(text, chosen, options));
  }
  await options.stdout.end();
}

async function formatDocument(text: string, chosen: string, options: DocumentWriterOptions): Promise<string> {
  const { isTerminal, color } = options.terminal;
  switch (options.format) {
    case 'json': {
      const json = escapeJsonText(chosen);
      return `${isTerminal ? prettyJson(json, { paint: jsonPainter(await loadColors(color)) }) : json.trim()}\n`;
    }
    case 'ndjson':
      return `${escapeJsonText(minifyJson(chosen))}\n`;
    case 'yaml':
      return (await import('./formats/yaml-text.ts')).toYaml(parseShownJson(chosen));
    case 'csv': {
      const { csvHeader, csvRow } = await import('./formats/csv.ts');
      const header = options.header ? csvHeader(options.columns, isTerminal) : '';
      return header + csvRow(parseShownJson(text), options.columns, isTerminal);
    }
    case 'table':
      return isTerminal || options.view === 'detail'
        ? formatDetail(text, chosen, options)
        : formatLeaves(chosen);
  }
}

/** What is shown of a document; a chosen amount is in its currency, which need not be chosen. */
async function readForPeople(
  text: string,
  chosen: string,
  { explicitColumns, columns }: DocumentWriterOptions,
): Promise<unknown> {
  const shown = parseShownJson(chosen);
  if (!explicitColumns || !isObject(shown)) return shown;
  const { amountAt } = await import('./amount.ts');
  const whole = parseShownJson(text);
  const amounts = columns.map(({ path }) => [path, amountAt(whole, path) ?? shown[path]]);
  return Object.fromEntries(amounts);
}

async function formatDetail(text: string, chosen: string, options: DocumentWriterOptions): Promise<string> {
  const value = await readForPeople(text, chosen, options);
  const { renderDetail } = await import('./detail.ts');
  const colors = await loadColors(options.terminal.color);
  const width = options.terminal.isTerminal ? options.stdout.columns : Number.POSITIVE_INFINITY;
  return renderDetail(value, { width, colors });
}

async function formatLeaves(chosen: string): Promise<string> {
  const { tsvLine } = await import('./formats/csv.ts');
  return leavesOf(parseShownJson(chosen), '', 0).map(tsvLine).join('');
}

/** What is nested deeper stays one value, written as JSON. */
const deepest = 32;

function leavesOf(value: unknown, path: string, depth: number): [path: string, value: string][] {
  const parts = Array.isArray(value) || isObject(value) ? Object.entries(value) : [];
  if (parts.length === 0 || depth === deepest) return [[path, formatCell(value)]];
  return parts.flatMap(([name, part]) => leavesOf(part, path === '' ? name : `${path}.${name}`, depth + 1));
}
