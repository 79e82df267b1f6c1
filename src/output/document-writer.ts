import { pickText } from '../json/edit.ts';
import { parseShownJson } from '../json/exact.ts';
import { isObject } from '../json/is-object.ts';
import { formatCell } from './columns.ts';
import type { DocumentWriterOptions } from './format.ts';

/**
 * Writes one document, what a `get`, `create` or `update` command gives, and flushes stdout. `text` is what the service sent.
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
    const leaves = () => leavesOf(parseShownJson(chosen), '', 0);
    const { documentText } = await options.format.document(options.terminal);
    await options.stdout.write(await documentText({ ...options, text, chosen, leaves }));
  }
  await options.stdout.end();
}

/** What is nested deeper stays one value, written as JSON. */
const deepest = 32;

function leavesOf(value: unknown, path: string, depth: number): [path: string, value: string][] {
  const isHolder = Array.isArray(value) || isObject(value);
  const parts = isHolder ? Object.entries(value) : [];
  // An empty document has no lines, as it has none on a terminal.
  if (isHolder && depth === 0 && parts.length === 0) return [];
  if (parts.length === 0 || depth === deepest) return [[path, formatCell(value)]];
  return parts.flatMap(([name, part]) => leavesOf(part, path === '' ? name : `${path}.${name}`, depth + 1));
}
