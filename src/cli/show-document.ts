import { responseOf } from '../client/response.ts';
import { type Column, chooseColumns } from '../output/columns.ts';
import { createListPage } from '../output/list-page.ts';
import { createListWriter } from '../output/list-writer.ts';
import type { Display } from './display.ts';
import type { OutputFlagValues } from './flags/list.ts';
import { maskSecrets } from './redact.ts';
import type { Session } from './session.ts';
import { writerOptions } from './writer-options.ts';

/**
 * Makes the printer of one document of the service: a detail view on a terminal, else in the format of the run. To be made
 * before the request is sent, so that a wrong `--jq` is found before that.
 * @throws UsageError `invalid_jq`. The printer throws OutputError `jq_failed` and others for what cannot be shown.
 */
export async function documentPrinter(
  { display }: Session,
  flags: OutputFlagValues,
): Promise<(document: object) => Promise<void>> {
  const options = await writerOptions(display, flags, []);
  return async (document) => {
    const text = responseOf(document)?.text ?? JSON.stringify(document);
    const shown = flags['reveal-secrets'] ? text : maskSecrets(text);
    const { writeDocument } = await import('../output/document-writer.ts');
    const columns = options.explicitColumns ? options.columns : chooseColumns(Object.keys(document), []);
    await writeDocument(shown, { ...options, columns });
  };
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
