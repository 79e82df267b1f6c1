import type { OutputFlagValues } from '../../cli/flags/list.ts';
import { DataMasker } from '../../cli/secrets/mask.ts';
import type { Session } from '../../cli/session/session.ts';
import { operationIds } from '../../cli/show/columns-flag.ts';
import type { ListedItem } from '../../cli/show/find-in-list.ts';
import { marksOfItem } from '../../cli/show/show-document.ts';
import { writerOptions } from '../../cli/show/writer-options.ts';
import type { Operation } from '../../contract/generated/operations.ts';
import { textAt } from '../../json/edit.ts';
import { parseShownJson } from '../../json/exact.ts';
import { type Column, chooseColumns, valueAt } from '../../output/columns.ts';
import { renderDetail } from '../../output/detail.ts';
import { writeDocument } from '../../output/document-writer.ts';
import type { DocumentWriterOptions } from '../../output/format.ts';
import { FORMATS } from '../../output/formats.ts';
import { createListPage } from '../../output/list-page.ts';
import { writeList } from '../../output/list-writer.ts';
import { type Sink, sinkWith } from '../../output/streams.ts';
import { loadColors } from '../../output/terminal.ts';
import { ZonedTimes } from '../../text/zoned-times.ts';
import type { Section } from './sections.ts';

/** The operations whose items are at these paths of the document. */
type Members = Readonly<Record<string, Operation>>;

/**
 * Makes the printer of a buyer with its sections: one document of items as the service sent them, and on a terminal a detail
 * view with a table for each section. To be made before anything is sent.
 * @throws UsageError `invalid_jq`, `unknown_column`
 */
export async function buyerPrinter(session: Session, flags: OutputFlagValues, members: Members) {
  const { display } = session;
  const options = await writerOptions(session, flags, { columns: [], members: operationIds(members) });
  const personalData = Object.fromEntries(
    Object.entries(members).map(([path, operation]) => [
      path.replace(/\.0$/, ''),
      marksOfItem(operation.personalData) ?? false,
    ]),
  );
  const paths = options.explicitColumns ? options.columns.map(({ path }) => path) : undefined;
  const masker = new DataMasker(display, flags, { personalData, paths });
  return async (buyer: ListedItem, sections: readonly Section[]): Promise<void> => {
    const text = masker.mask(documentOf(buyer, sections)).text;
    const isForReading = options.format.aligned !== undefined && display.stdoutTerminal.isTerminal;
    display.page({ isDocument: true });
    if (isForReading && !options.jq && !options.explicitColumns) await writeSections(text, sections, options);
    else await writeDocument(text, { ...options, columns: columnsOf(options, sections) });
    masker.report();
  };
}

function documentOf(buyer: ListedItem, sections: readonly Section[]): string {
  const members = sections.map(
    ({ member, items }) => `"${member}":[${items.map(({ text }) => text).join(',')}]`,
  );
  return `{${[`"buyer":${buyer.text}`, ...members].join(',')}}`;
}

function columnsOf(options: DocumentWriterOptions, sections: readonly Section[]) {
  if (options.explicitColumns) return options.columns;
  return chooseColumns(['buyer', ...sections.map(({ member }) => member)], []);
}

/** The buyer in two columns, and a table of each section below it. */
async function writeSections(
  text: string,
  sections: readonly Section[],
  options: DocumentWriterOptions,
): Promise<void> {
  const { stdout, terminal } = options;
  const document = parseShownJson(text) as Readonly<Record<string, readonly unknown[]>>;
  const colors = await loadColors(terminal.color);
  await stdout.write(
    renderDetail(document.buyer, { width: stdout.columns, colors, times: new ZonedTimes(terminal.times) }),
  );
  // Each table would end the output.
  const inner: Sink = sinkWith(stdout, { end: async () => {} });
  const notes: string[] = [];
  for (const { member, title, columns } of sections) {
    const items = document[member] ?? [];
    const heading = items.length === 0 ? `${title}: none` : `${title} (${items.length})`;
    await stdout.write(`\n${colors.bold(heading)}\n`);
    if (items.length === 0) continue;
    const own = {
      columns,
      explicitColumns: false,
      stdout: inner,
      info: (note: string) => void notes.push(`${title}: ${note}`),
    };
    await writeList(createListPage(`{"items":${textAt(text, member)}}`, items), { ...options, ...own });
  }
  await stdout.end();
  for (const note of notes) await options.info(note);
}

const CANDIDATES: readonly Column[] = [
  { header: 'NAME', path: 'display_name', minWidth: 16, priority: 10 },
  { header: 'EXTERNAL ID', path: 'external_identifier', minWidth: 12, priority: 9 },
  { header: 'CREATED', path: 'created_at', priority: 6 },
  { header: 'ID', path: 'id', shortens: true, priority: 10 },
];

/** Shows buyers to choose from, as a table; in every other format, data are the one buyer or nothing. */
export async function showCandidates(
  { display }: Session,
  buyers: readonly ListedItem[],
  { isNumbered }: { readonly isNumbered: boolean },
): Promise<void> {
  if (!display.format.isForPeople) return;
  const text = `{"items":[${buyers.map((buyer) => buyer.text).join(',')}]}`;
  const items = buyers.map(({ item }) => item);
  const ids = items.map((item) => valueAt(item, 'id'));
  const number: Column = {
    header: '#',
    path: 'id',
    format: 'number',
    cell: (item) => String(ids.indexOf(valueAt(item, 'id')) + 1),
    priority: 11,
  };
  const columns = isNumbered ? [number, ...CANDIDATES] : CANDIDATES;
  const options = await writerOptions({ display }, {}, { columns });
  await writeList(createListPage(text, items), { ...options, format: FORMATS.table });
}
