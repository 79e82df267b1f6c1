import type { DocumentWriterOptions, ListWriterOptions } from './format.ts';
import type { ListPage, ListWriter } from './list-page.ts';

/**
 * Gives the writer of a list for a format; loads the code of that format only. No writer says that a list is empty:
 * tables and ndjson print nothing, CSV its header, JSON and YAML the empty document. A writer that was given no page
 * prints nothing at all.
 */
export async function createListWriter(options: ListWriterOptions): Promise<ListWriter> {
  if (options.jq === undefined) {
    const writer = await (await options.format.list(options.terminal)).createWriter(options);
    return options.majorUnits?.writer(writer) ?? writer;
  }
  const { createJqWriter } = await import('./formats/jq.ts');
  return createJqWriter(options, options.jq);
}

/** Writes a list that is one page, unchanged, and flushes stdout. */
export async function writeList(page: ListPage, options: DocumentWriterOptions): Promise<void> {
  const writer = await createListWriter({ ...options, whole: false });
  await writer.page(page);
  await writer.end({ nextCursor: null });
}
