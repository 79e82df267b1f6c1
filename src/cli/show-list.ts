import type { Page, PagedResource, PageQuery } from '../client/page.ts';
import { type ReadPage, responseOf, withResponse } from '../client/response.ts';
import { OutputError, PayctlError } from '../errors.ts';
import { isObject } from '../json/is-object.ts';
import type { MaskedPage, MemberMarks } from '../json/mask.ts';
import { type Column, pathsOf, valueAt } from '../output/columns.ts';
import type { OutputFormat } from '../output/format.ts';
import { createListPage, type ListWriter, type PageParts } from '../output/list-page.ts';
import { createListWriter } from '../output/list-writer.ts';
import { quote } from '../text/format.ts';
import type { OutputFlagValues, PagingFlagValues } from './flags/list.ts';
import type { ListRun } from './list-end.ts';
import type { Position } from './list-failure.ts';
import { readPages, readsManyPages, type Selection } from './list-pages.ts';
import { createDataMasker, type DataMasker } from './mask.ts';
import type { Session } from './session.ts';
import { writerOptions } from './writer-options.ts';
import { WrittenPositions } from './written-positions.ts';
import { limitYoungHeap } from './young-heap.ts';

/** What a list is shown with; a list that does not come from the service has no more of a session. */
export type ListSession = Pick<Session, 'display' | 'signal' | 'jq'>;

type ListRequest = {
  readonly query: PageQuery;
  readonly flags: OutputFlagValues & PagingFlagValues;
  /** The personal data of a page; none by default. */
  readonly personalData?: MemberMarks | undefined;
  /** The columns of the resource, where --columns names none. */
  readonly columns: readonly Column[];
  /** The fields of an item, where an imported description says what they are. */
  readonly fields?: readonly string[] | undefined;
  /** Personal data are known by the names of members, too. */
  readonly personalByName?: boolean | undefined;
  /** The list is sent as an array. */
  readonly isArray?: boolean | undefined;
  /** The member of a page that holds its items, where it is not `items`. */
  readonly listName?: string | undefined;
  /** What the items are called, in the plural. */
  readonly noun: string;
  /** What is shown of the list, where the service has no filter for it. */
  readonly selection?: Selection | undefined;
  /** What was typed, for what is said of the end of the list. */
  readonly run: ListRun;
};

/**
 * Prints one page, or page after page as each arrives. Whatever was printed before a failure is complete and well-formed.
 * @throws IncompleteListError when a run over several pages fails after its first one
 */
export async function showList<T>(
  session: ListSession,
  list: PagedResource<T, PageQuery>,
  request: ListRequest,
): Promise<void> {
  const { display } = session;
  const opened = await openWriter(session, request);
  display.page();
  await showPages(session, request, { list, ...opened });
}

type OpenedList<T> = {
  readonly list: PagedResource<T, PageQuery>;
  readonly writer: ListWriter;
  readonly masker: DataMasker;
  /** Each page is printed when it comes, and is of use without those that follow. */
  readonly inPieces: boolean;
};

async function showPages<T>(
  session: ListSession,
  request: ListRequest,
  { list, writer, masker, inPieces }: OpenedList<T>,
): Promise<void> {
  const { flags, run, query, selection } = request;
  const { display, signal } = session;
  const pages = createPageReader(masker);
  // A selection looks at the items as they were sent.
  const readPage = selection ? undefined : pages.read;
  const wanted = { operation: run.operation, query, flags, selection, readPage };
  display.progress.start();
  const position: Position = { pages: 0, items: 0, cursor: flags.cursor, repeated: 0 };
  const written = new WrittenPositions<Position>(display.stdout);
  const maxItems = flags['max-items'];
  const failureOf = async (error: unknown, unprinted?: OutputError) => {
    const { listFailure } = await import('./list-failure.ts');
    if (!display.stdout.failure) return await listFailure(error, run, { position, maxItems, unprinted });
    // What it holds is of no use without the rest, or nothing was written.
    if (!inPieces || !written.last) return error;
    return await listFailure(error, run, { position: written.last, maxItems, isTorn: true });
  };
  try {
    for await (const { page, items, kept, cursor } of readPages(list, wanted, signal)) {
      // A single page needs no limit, which takes a millisecond to find out.
      if (position.pages > 0) limitYoungHeap();
      const shown = createListPage(pages.shown(page), items, { kept });
      await writer.page(shown);
      if (position.pages === 0 && flags.columns) {
        reportMissingFields(flags.columns, shown.items, display.info);
      }
      position.pages += 1;
      position.items += shown.count;
      position.cursor = cursor;
      position.repeated = !kept && items.length < page.items.length ? items.length : 0;
      written.add({ ...position });
      display.progress.update(position);
    }
  } catch (error) {
    await display.progress.stop();
    if (display.stdout.failure) throw await failureOf(error);
    const unprinted = await endAfter(error, () => writer.end({ nextCursor: position.cursor ?? null }));
    masker.report(pathsOfItems(writer.leftOut?.() ?? []));
    throw position.pages === 0 && !unprinted ? error : await failureOf(error, unprinted);
  }
  await display.progress.stop();
  try {
    await writer.end({ nextCursor: position.cursor ?? null });
  } catch (error) {
    throw display.stdout.failure ? await failureOf(error) : error;
  }
  masker.report(pathsOfItems(writer.leftOut?.() ?? []));
  await sayHowItEnded(session, request, position);
}

/**
 * Reads the pages of a list in one pass each, which checks, masks and takes apart: the items of a page that `read` gives are
 * their masked texts. `shown` has what is to be shown of a page, however it was read.
 */
function createPageReader(masker: DataMasker) {
  const known = new WeakMap<readonly unknown[], MaskedPage>();
  const read: ReadPage = (response) => {
    const page = masker.page(response.text);
    if (!page) return undefined;
    const envelope: unknown = JSON.parse(page.envelope);
    known.set(page.texts, page);
    return withResponse(isObject(envelope) ? { ...envelope, items: page.texts } : page.texts, response);
  };
  const shown = (page: Page<unknown>): PageParts | string => {
    const { text } = responseOf(page);
    const parts = known.get(page.items);
    // Each minor garbage collection of V8 copies the values of a weak map, as if they were in use.
    known.delete(page.items);
    return parts ?? masker.page(text) ?? masker.mask(text);
  };
  return { read, shown };
}

/** Ends a list that failed. Resolves to why a filter failed on what there is, which must not hide why there is no more. */
async function endAfter(error: unknown, end: () => Promise<void>): Promise<OutputError | undefined> {
  try {
    await end();
    return undefined;
  } catch (second) {
    if (error instanceof PayctlError && second instanceof OutputError) return second;
    throw second;
  }
}

async function openWriter(
  session: ListSession,
  request: ListRequest,
): Promise<Omit<OpenedList<unknown>, 'list'>> {
  const { flags, columns, fields, selection, personalData, personalByName, isArray, listName } = request;
  const { operation } = request.run;
  const options = await writerOptions(session, flags, { columns, fields, operation: operation.id });
  const whole = selection !== undefined || readsManyPages({ operation, flags });
  const inPieces = options.format === 'ndjson' || (!options.jq && ROWS.has(options.format));
  const writer = await createListWriter({ ...options, whole, listName, isArray });
  const inColumns =
    options.explicitColumns || (!options.jq && ROWS.has(options.format) && options.view !== 'detail');
  const paths = inColumns ? pathsOfItems(options.columns) : undefined;
  return {
    writer,
    inPieces,
    masker: createDataMasker(session.display, flags, { personalData, personalByName, paths }),
  };
}

/** The paths of the values of columns, from the top of a page. */
function pathsOfItems(columns: readonly Column[]): readonly string[] {
  return pathsOf(columns).map((path) => `items.${path}`);
}

/** The formats that show the columns of a list alone. */
const ROWS: ReadonlySet<OutputFormat> = new Set(['table', 'csv']);

async function sayHowItEnded(
  { display }: ListSession,
  { flags, noun, run, selection, isArray }: ListRequest,
  { items, cursor, repeated }: Position,
): Promise<void> {
  const mayGoOn = cursor === null && run.followsCursors === false && items > 0;
  const isUnsure = mayGoOn && (run.pagedBy !== undefined || (flags.all && !isArray));
  if (isUnsure || (cursor === null && run.links?.isShort)) {
    const { sayListMayBeCut } = await import('./list-end.ts');
    sayListMayBeCut(display, noun, run);
  }
  const isEmpty = items === 0 && display.format === 'table';
  const isCut = cursor !== null || run.links?.isUnsure === true;
  const summary = selection?.summary?.(items);
  if (!isEmpty && !isCut) {
    if (summary !== undefined) display.info(summary);
    return;
  }
  const { sayEmptyList, sayListIsCut } = await import('./list-end.ts');
  // The document of a list that is cut in its first page holds no cursor.
  const isDocument = display.format === 'json' || display.format === 'yaml';
  const holdsCursor = isDocument && cursor !== undefined && !run.isLinked;
  const rest = isCut ? (cursor ?? undefined) : null;
  const end = { noun, items, cursor: rest, repeated, dataSaySo: holdsCursor && flags.jq === undefined };
  if (isEmpty) sayEmptyList(display, end, run);
  if (summary !== undefined) display.info(summary);
  if (isCut) await sayListIsCut(display, end, run);
}

/** Reports each field of --columns that the contract does not know and that no item has. Reports nothing without items. */
function reportMissingFields(
  asked: readonly string[],
  items: readonly unknown[],
  info: (text: string) => void,
): void {
  if (items.length === 0) return;
  const unsure = asked.filter((name) => name.startsWith('?')).map((name) => name.slice(1));
  for (const path of unsure) {
    if (items.every((item) => valueAt(item, path) === undefined)) {
      info(`No item has the field ${quote(path)}.`);
    }
  }
}
