import { responseOf } from '../client/response.ts';
import { type Column, chooseColumns } from '../output/columns.ts';
import { createListPage } from '../output/list-page.ts';
import { createListWriter } from '../output/list-writer.ts';
import type { Display } from './display.ts';
import type { OutputFlagValues } from './flags/list.ts';
import { maskSecrets } from './redact.ts';
import type { Session } from './session.ts';
import { writerOptions } from './writer-options.ts';

/** Prints one document of the service: a detail view on a terminal, else in the format of the run. */
export async function showDocument(
  { display }: Session,
  document: object,
  flags: OutputFlagValues,
): Promise<void> {
  const text = responseOf(document)?.text ?? JSON.stringify(document);
  const shown = flags['reveal-secrets'] ? text : maskSecrets(text);
  const { writeDocument } = await import('../output/document-writer.ts');
  await writeDocument(shown, await writerOptions(display, flags, chooseColumns(Object.keys(document), [])));
}

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
