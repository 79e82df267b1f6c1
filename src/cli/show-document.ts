import { responseOf } from '../client/response.ts';
import type { Operation } from '../contract/operation.ts';
import { type Column, chooseColumns } from '../output/columns.ts';
import { createListPage } from '../output/list-page.ts';
import { createListWriter } from '../output/list-writer.ts';
import type { Display } from './display.ts';
import type { OutputFlagValues } from './flags/list.ts';
import { createDataMasker } from './mask.ts';
import type { Session } from './session.ts';
import { writerOptions } from './writer-options.ts';

/**
 * Makes the printer of one document, the response of an operation: a detail view on a terminal, else in the format of the
 * run. To be made before the request is sent, so that a wrong `--jq` or `--columns` is found before that.
 * @throws UsageError `invalid_jq`, `unknown_column`. The printer throws OutputError `jq_failed` and others for what cannot be shown.
 */
export async function documentPrinter(
  session: Session,
  flags: OutputFlagValues,
  { id, personalData }: Pick<Operation, 'id' | 'personalData'>,
): Promise<(document: object) => Promise<void>> {
  const { display } = session;
  const options = await writerOptions(session, flags, { columns: [], operation: id });
  const paths = options.explicitColumns ? options.columns.map(({ path }) => path) : undefined;
  const masker = createDataMasker(display, flags, { personalData, paths });
  return async (document) => {
    const shown = masker.mask(responseOf(document)?.text ?? JSON.stringify(document));
    const { writeDocument } = await import('../output/document-writer.ts');
    const columns = options.explicitColumns ? options.columns : chooseColumns(Object.keys(document), []);
    display.page();
    try {
      await writeDocument(shown, { ...options, columns });
    } finally {
      if (display.stdoutTerminal.isTerminal) await display.stdout.end();
    }
    masker.report();
  };
}

/**
 * Makes the printer of one record of payctl's own, with the flags of `recordFlags`. To be made before anything is changed.
 * @throws UsageError `invalid_jq`
 */
export async function recordPrinter(
  display: Display,
  flags: OutputFlagValues,
): Promise<(record: Readonly<Record<string, unknown>>) => Promise<void>> {
  const options = await writerOptions({ display }, flags, { columns: [] });
  return async (record) => {
    const { writeDocument } = await import('../output/document-writer.ts');
    const columns = options.explicitColumns ? options.columns : chooseColumns(Object.keys(record), []);
    await writeDocument(JSON.stringify(record), { ...options, columns });
  };
}

/** Prints records of payctl's own as it prints a list of the service: one document `{"items": [...]}`, or rows. */
export async function showRecords(
  display: Display,
  records: readonly object[],
  { flags, columns }: { readonly flags: OutputFlagValues; readonly columns: readonly Column[] },
): Promise<void> {
  const options = await writerOptions({ display }, flags, { columns });
  const writer = await createListWriter({ ...options, whole: false });
  await writer.page(createListPage(JSON.stringify({ items: records }), records));
  await writer.end({ nextCursor: null });
}
