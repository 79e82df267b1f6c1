import { hasNoContent, responseOf } from '../../client/response.ts';
import type { Operation } from '../../contract/operation.ts';
import { textAt } from '../../json/edit.ts';
import { stringifyExactJson } from '../../json/exact.ts';
import { isObject } from '../../json/is-object.ts';
import type { MemberMarks } from '../../json/mask.ts';
import { type Column, chooseColumns } from '../../output/columns.ts';
import { createListPage } from '../../output/list-page.ts';
import { writeList } from '../../output/list-writer.ts';
import { FIRST } from '../../schemas/schema-at.ts';
import type { OutputFlagValues } from '../flags/list.ts';
import { FlagError } from '../flags/types.ts';
import { DataMasker } from '../secrets/mask.ts';
import type { Session } from '../session/session.ts';
import type { Display } from './display.ts';
import type { ListedItem } from './find-in-list.ts';
import type { ShownOperation } from './list-end.ts';
import type { ListSession } from './show-list.ts';
import { writerOptions } from './writer-options.ts';

/** What a description says about a document: its operation, its fields, and which of them are personal. */
type DescribedDocument = Partial<Pick<ShownOperation, 'id'>> &
  Pick<
    ShownOperation,
    'personalData' | 'secretData' | 'fields' | 'majorFields' | 'personalByName' | 'record'
  >;

/**
 * Makes the printer of one document, the response of an operation: a detail view on a terminal, else in the format of the
 * run; nothing for a change without content. To be made before the request is sent, so that a wrong `--jq` or `--columns` is found before that.
 * @throws UsageError `invalid_jq`, `unknown_column`. The printer throws OutputError `jq_failed` and others for what cannot be shown.
 */
export async function documentPrinter(
  session: PrintSession,
  flags: OutputFlagValues,
  { id, ...described }: DescribedDocument,
): Promise<(document: object) => Promise<void>> {
  const print = await textPrinter(session, flags, { operation: id, ...described });
  return async (document) => {
    const response = responseOf(document);
    if (response && hasNoContent(response)) session.display.info('Done. The service sent no content.');
    else await print(response?.text ?? JSON.stringify(document), Object.keys(document));
  };
}

/** The same for one item of a list, which is printed with its text as the service sent it. */
export async function itemPrinter(
  session: ListSession,
  flags: OutputFlagValues,
  { id, personalData }: Pick<Operation, 'id' | 'personalData'>,
): Promise<(item: ListedItem) => Promise<void>> {
  const print = await textPrinter(session, flags, {
    operation: id,
    personalData: marksOfItem(personalData),
  });
  return ({ item, text }) => print(text, isObject(item) ? Object.keys(item) : []);
}

/** The personal data of one item of a list, of which `personalData` is that of a page. */
export function marksOfItem(personalData: MemberMarks | undefined): MemberMarks | undefined {
  const marks = personalData?.items;
  return marks === true ? { '*': true } : marks || undefined;
}

/** What printing needs of a session. */
type PrintSession = Pick<Session, 'display' | 'jq'>;

type Printed = Omit<DescribedDocument, 'id' | 'personalData'> & {
  readonly operation: string | undefined;
  readonly personalData?: MemberMarks | undefined;
};

async function textPrinter(
  session: PrintSession,
  flags: OutputFlagValues,
  { operation, fields, majorFields, record, ...marks }: Printed,
) {
  const { display } = session;
  if (flags.amounts === 'major') throw new FlagError('--amounts major is for lists', 'Remove it.');
  const options = await writerOptions(session, flags, { columns: [], operation, fields, majorFields });
  const { format, explicitColumns, jq } = options;
  // Data formats without columns print the response as it was sent; columns, rows and text for people show the record in it.
  const isOfRecord = explicitColumns || (!jq && (format.hasHeader || format.isForPeople));
  const place = isOfRecord ? record?.response : undefined;
  const around = place === undefined ? [''] : [`${place}.`, ''];
  const paths = explicitColumns
    ? options.columns.flatMap(({ path }) => around.map((above) => above + path))
    : undefined;
  const masker = new DataMasker(display, flags, { ...marks, paths });
  return async (whole: string, names: readonly string[]) => {
    const masked = masker.mask(whole).text;
    const { writeDocument } = await import('../../output/document-writer.ts');
    const inner = place === undefined ? undefined : textAt(masked, place);
    const shown =
      inner === undefined || !explicitColumns ? (inner ?? masked) : withMembersAround(inner, masked);
    const members = inner === undefined ? names : Object.keys({ ...JSON.parse(inner) });
    // Only an object: a bare text or number has no members either, but is shown.
    const isBare = members.length === 0 && (inner ?? masked).trim().startsWith('{');
    if (isOfRecord && isBare && !explicitColumns) {
      display.info('The response has no fields.');
      return;
    }
    const columns = explicitColumns ? options.columns : chooseColumns(members, []);
    const count = place === undefined ? 1 : recordsIn(masked, place);
    if (count > 1)
      display.warn(
        'several_records',
        `The service sent ${count} records; the first is shown. For all: -o json`,
      );
    display.page({ isDocument: true });
    await writeDocument(shown, { ...options, columns });
    masker.report();
  };
}

/** A record with the members of the response that it is in before its own, which count where both have a name. */
function withMembersAround(record: string, response: string): string {
  const [whole, own] = [response.trim(), record.trim()];
  if (!whole.startsWith('{')) return own;
  return /^\{\s*"/.test(own) ? `${whole.slice(0, -1)},${own.slice(1)}` : whole;
}

/** How many records a response has where it should have a list of one, which the place of the record says. */
function recordsIn(text: string, place: string): number {
  const list = place.endsWith(`.${FIRST}`) ? textAt(text, place.slice(0, -FIRST.length - 1)) : undefined;
  return list === undefined ? 1 : [JSON.parse(list)].flat().length;
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
    const { writeDocument } = await import('../../output/document-writer.ts');
    const columns = options.explicitColumns ? options.columns : chooseColumns(Object.keys(record), []);
    await writeDocument(stringifyExactJson(record), { ...options, columns });
  };
}

/**
 * Prints records of payctl's own as it prints a list of the service: one document `{"items": [...]}`, or rows.
 * @throws UsageError `invalid_jq`, `unknown_column`
 */
export async function showRecords(
  display: Display,
  records: readonly object[],
  { flags, columns }: { readonly flags: OutputFlagValues; readonly columns: readonly Column[] },
): Promise<void> {
  const options = await writerOptions({ display }, flags, { columns });
  const sorted = flags.sort === undefined ? undefined : await import('./sorted-list.ts');
  const items = sorted?.sortRecords(records, flags.sort ?? '', { columns }) ?? records;
  await writeList(createListPage(JSON.stringify({ items }), items), options);
}
