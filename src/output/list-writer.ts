import type { ListWriter, ListWriterOptions } from './list-page.ts';

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
      return (await import('./formats/json.ts')).createNdjsonWriter(options);
    case 'csv':
      return (await import('./formats/csv.ts')).createCsvWriter(options);
    case 'yaml':
      return (await import('./formats/yaml.ts')).createYamlWriter(options);
    case 'table':
      if (options.view === 'detail') return (await import('./detail.ts')).createDetailWriter(options);
      if (options.terminal.isTerminal) return (await import('./formats/table.ts')).createTableWriter(options);
      return (await import('./formats/csv.ts')).createTsvWriter(options);
  }
}
