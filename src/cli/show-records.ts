import type { Column } from '../output/column.ts';
import { createListPage } from '../output/list-page.ts';
import { createListWriter } from '../output/list-writer.ts';
import type { Display } from './display.ts';
import type { OutputFlagValues } from './flags/list-flags.ts';
import { writerOptions } from './writer-options.ts';

/** Prints records of payctl's own as it prints a list of the service: one document `{"items": [...]}`, or rows. */
export async function showRecords(
  display: Display,
  records: readonly object[],
  { flags, columns }: { readonly flags: OutputFlagValues; readonly columns: readonly Column[] },
): Promise<void> {
  const writer = await createListWriter({ ...(await writerOptions(display, flags, columns)), whole: false });
  await writer.page(createListPage(JSON.stringify({ items: records }), records));
  await writer.end({ nextCursor: null });
}
