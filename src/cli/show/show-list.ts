import type { PageQuery, PageReader, PageSource } from '../../client/page.ts';
import type { RawResponse } from '../../client/response.ts';
import { sizeParameter } from '../../contract/operation.ts';
import { AbortedError, OutputError, PayctlError, UsageError } from '../../errors.ts';
import { type Column, pathsOf, valueAt } from '../../output/columns.ts';
import { type ListWriterOptions, writesInPieces } from '../../output/format.ts';
import { createListPage, type ListWriter } from '../../output/list-page.ts';
import { createListWriter } from '../../output/list-writer.ts';
import type { Sink } from '../../output/streams.ts';
import { plural, quote } from '../../text/format.ts';
import type { ListFileFlagValues, OutputFlagValues, PagingFlagValues } from '../flags/list.ts';
import { DataMasker } from '../secrets/mask.ts';
import type { Session } from '../session/session.ts';
import { FlushedPages } from './flushed-pages.ts';
import type { ListRun, UnfollowedList } from './list-end.ts';
import type { Position } from './list-failure.ts';
import type { FilePosition, ListFile } from './list-file.ts';
import { mostItems, type PagesRequest, readPages, readsManyPages, type Selection } from './list-pages.ts';
import { writerOptions } from './writer-options.ts';
import { limitYoungHeap } from './young-heap.ts';

/** What a list is shown with; a list that does not come from the service has no more of a session. */
export type ListSession = Pick<Session, 'display' | 'signal' | 'jq'> & Partial<Pick<Session, 'settings'>>;

type ListRequest = {
  readonly query: PageQuery;
  readonly flags: OutputFlagValues & PagingFlagValues & ListFileFlagValues;
  /** The columns of the resource, where --columns names none. */
  readonly columns: readonly Column[];
  /** What the items are called, in the plural. */
  readonly noun: string;
  /** What is shown of the list, where the service has no filter for it. */
  readonly selection?: Selection | undefined;
  /** What was typed, for the message about the end of the list. */
  readonly run: ListRun;
};

/**
 * Prints one page, or page after page as each arrives, or writes them to a file. Whatever was printed before a failure is complete
 * and well-formed.
 * @throws IncompleteListError when a run over several pages fails after its first one; UsageError as `openListFile`, `bom_needs_csv`
 */
export async function showList<T>(
  session: ListSession,
  list: PageSource<T, PageQuery>,
  request: ListRequest,
): Promise<void> {
  const { display } = session;
  const { file, ...opened } = await openWriter(session, request);
  if (!file) {
    display.page();
    return await showPages(session, request, { list, ...opened });
  }
  try {
    await showPages(session, request, { list, file, ...opened });
  } catch (error) {
    throw await file.failed(error);
  }
}

type OpenedList<T> = {
  readonly list: PageSource<T, PageQuery>;
  readonly writer: ListWriter;
  readonly masker: DataMasker;
  /** Takes the place of stdout. */
  readonly file?: ListFile | undefined;
  /** Each page is printed when it comes, and is of use without those that follow. */
  readonly inPieces: boolean;
  /** Each item is a row, which other rows can be appended to. */
  readonly areRows: boolean;
  /** The first line names the columns. */
  readonly hasHeader: boolean;
};

async function showPages<T>(
  session: ListSession,
  request: ListRequest,
  { list, writer, masker, file, inPieces, areRows, hasHeader }: OpenedList<T>,
): Promise<void> {
  const { flags, run, query, selection } = request;
  const { display, signal } = session;
  const { stdout } = file ?? display;
  // One pass checks, masks and takes apart. A selection looks at the items as they were sent.
  const readPage: PageReader | undefined = selection ? undefined : ({ text }) => masker.page(text);
  const whole = { operation: run.operation, query, flags, selection, readPage };
  const { wanted, isComplete } = file?.resumed ? rest(whole, file.resumed) : { wanted: whole };
  display.progress.start();
  const position: Position = {
    ...(file?.resumed ?? { pages: 0, items: 0, cursor: flags.cursor, repeated: 0 }),
  };
  const written = new FlushedPages<Position>(stdout);
  let latest: RawResponse | undefined;
  const maxItems = flags['max-items'];
  const end = () => writer.end({ nextCursor: position.cursor ?? null });
  const failureOf = async (error: unknown, unprinted?: OutputError) => {
    const { listFailure } = await import('./list-failure.ts');
    const begun = { hasHeader: hasHeader && stdout.lines > 0, isAppended: areRows };
    if (!stdout.failure) return await listFailure(error, run, { position, maxItems, unprinted, ...begun });
    // It cannot be used without the rest, or nothing was written.
    if (!inPieces || !written.last) return error;
    const { position: reached, lines: wholeLines } = written.last;
    return await listFailure(error, run, { position: reached, maxItems, wholeLines, ...begun });
  };
  try {
    const pages = isComplete ? [] : readPages(list, wanted, signal);
    for await (const { page, count, kept, cursor, now } of pages) {
      latest = page.response;
      // A single page needs no limit, which takes a millisecond to find out.
      if (position.pages > 0) limitYoungHeap();
      const { text } = page.response;
      const parts = page.parts ?? masker.page(text) ?? masker.mask(text).text;
      const shown = createListPage(parts, { length: count }, { kept });
      await writer.page(shown);
      if (position.pages === 0 && flags.columns) {
        reportMissingFields(flags.columns, shown.items, display.info);
      }
      position.pages += 1;
      position.items += shown.count;
      position.cursor = cursor;
      position.next = page.next;
      position.repeated = !kept && count < page.count ? count : 0;
      written.add({ ...position });
      await file?.reached({ ...position, now });
      display.progress.update(position);
    }
  } catch (error) {
    await display.progress.stop();
    const unprinted = stdout.failure ? undefined : await endAfter(error, stdout, end);
    if (stdout.failure) throw await failureOf(error);
    masker.report(pathsOfItems(writer.leftOut?.() ?? []));
    throw position.pages === 0 && !unprinted ? error : await failureOf(error, unprinted);
  }
  await display.progress.stop();
  try {
    await end();
  } catch (error) {
    // A pager that was ended: the list is there, and its end was not said. A filter of the whole list has printed nothing yet.
    const isShown = error instanceof AbortedError && (flags.jq === undefined || stdout.lines > 0);
    throw stdout.failure || isShown ? await failureOf(error) : error;
  }
  const isAll = flags.all === true && maxItems === undefined && !selection;
  const problem = isAll ? unfollowed(run, position, flags.limit) : undefined;
  if (!problem) await file?.finish();
  masker.report(pathsOfItems(writer.leftOut?.() ?? []));
  if (problem && latest) {
    const hint = 'All items that the service sent were printed. Without --all, payctl only warns.';
    throw (await import('./list-end.ts')).pagingUnknown(problem, latest, { ...request, hint });
  }
  await printHowItEnded(session, request, { ...position, isInFile: file !== undefined });
  if (file) display.info(`Wrote ${plural(position.items, 'item')} to ${flags['output-file']}.`);
}

/** What is left of a list that an earlier run has begun. */
function rest(list: PagesRequest, { items, cursor, now }: FilePosition) {
  const most = mostItems(list);
  const isComplete = cursor === null || items >= most || !readsManyPages(list);
  const left = Number.isFinite(most) ? { 'max-items': most - items } : {};
  const flags = { ...list.flags, cursor: cursor ?? undefined, ...left };
  return { wanted: { ...list, flags, now }, isComplete };
}

/** Ends a list that failed. Resolves to why a filter failed on what there is, which must not hide why there is no more. */
async function endAfter(
  error: unknown,
  stdout: Pick<Sink, 'failure'>,
  end: () => Promise<void>,
): Promise<OutputError | undefined> {
  try {
    await end();
    return undefined;
  } catch (second) {
    // A signal ends the pager, too.
    if (stdout.failure || second instanceof AbortedError) return undefined;
    if (error instanceof PayctlError && second instanceof OutputError) return second;
    throw second;
  }
}

async function openWriter(
  session: ListSession,
  request: ListRequest,
): Promise<Omit<OpenedList<unknown>, 'list'>> {
  const { flags, columns, selection } = request;
  const { operation } = request.run;
  const { fields, majorFields, personalData, secretData, personalByName, listShape, envelope } = operation;
  const { bom, sort } = flags;
  const known = { columns, fields, majorFields, operation: operation.id };
  const options = { ...(await writerOptions(session, flags, known)), bom };
  if (bom && !options.format.takesBom) throw bomNeedsCsv();
  const sorted = sort === undefined ? undefined : await import('./sorted-list.ts');
  const order = sorted?.readSortOrder(sort ?? '', known);
  const whole = order !== undefined || selection !== undefined || readsManyPages({ operation, flags });
  const areRows = options.format.hasHeader === true && !options.jq;
  const inColumns = options.explicitColumns || areRows;
  const file = await openFile(session, request, { ...options, areRows, inColumns });
  const streams = file && { stdout: file.stdout, terminal: file.terminal };
  const start = file?.isBegun ? { header: false, bom: false } : {};
  // Members next to a nested list are not repeated around the items of several pages.
  const listName = envelope?.items.includes('.') ? undefined : envelope?.items;
  const shape = { listName, isArray: listShape === 'array' };
  const plain = await createListWriter({ ...options, ...streams, ...start, ...shape, whole });
  const onFull = (count: number) => warnOfSort(session, request, count);
  const writer = order && sorted ? new sorted.SortingWriter(plain, { ...order, onFull }) : plain;
  const paths = inColumns ? pathsOfItems(options.columns) : undefined;
  return {
    writer,
    file,
    inPieces: order === undefined && writesInPieces(options.format, options.jq !== undefined),
    areRows: areRows && !options.terminal.isTerminal,
    hasHeader: areRows && !options.terminal.isTerminal && options.header,
    masker: new DataMasker(session.display, flags, { personalData, secretData, personalByName, paths }),
  };
}

type Written = Pick<ListWriterOptions, 'format' | 'columns'> &
  Pick<OpenedList<unknown>, 'areRows'> & { readonly inColumns: boolean };

/** The file of --output-file, which the first page is not asked for without. */
async function openFile(
  session: ListSession,
  { flags, run }: ListRequest,
  { format, columns, areRows, inColumns }: Written,
): Promise<ListFile | undefined> {
  const path = flags['output-file'];
  if (path === undefined || (path === '-' && !flags.resume)) return undefined;
  const { openListFile } = await import('./list-file.ts');
  const paths = inColumns ? pathsOf(columns) : undefined;
  return await openListFile(session, path, {
    run,
    flags,
    paths,
    areLines: areRows || format.filtersItems === true,
  });
}

function bomNeedsCsv(): UsageError {
  return new UsageError('bom_needs_csv', '--bom needs -o csv', {
    hint: 'Add -o csv, or remove --bom: other formats begin with no byte order mark.',
  });
}

/** Warns that only a part of a list is sorted. */
function warnOfSort({ display }: ListSession, { noun, flags }: ListRequest, count: number): void {
  const message = `Only these ${count} ${noun} are sorted by ${quote(flags.sort ?? '')}`;
  display.warn('sorted_in_part', `${message}, and not the whole list.`);
}

/** The paths of the values of columns, from the top of a page. */
function pathsOfItems(columns: readonly Column[]): readonly string[] {
  return pathsOf(columns).map((path) => `items.${path}`);
}

/** Why a run over all pages, of this size, may not have read all of the list: payctl cannot request its next page. */
export function unfollowed(
  run: ListRun,
  { pages, items, cursor, next }: Omit<Position, 'repeated'>,
  limit?: number,
): UnfollowedList | undefined {
  const { pagedBy, hasKnownEnd } = run;
  if (cursor !== null) return next?.lacksParameter && hasKnownEnd === false ? {} : undefined;
  if (next?.endedEarly) return pages < 2 ? { endedEarly: true } : undefined;
  const size = sizeParameter(run.operation);
  const most = limit ?? (size === undefined ? undefined : run.operation.query[size]?.maximum);
  // A page with fewer items than requested is usually the last one.
  const isOpen = hasKnownEnd === false && !next?.hasEnded && pages < 2 && items > 0;
  const mayGoOn = isOpen && !(items < Number(most));
  return mayGoOn && (pagedBy ?? size) !== undefined ? { pagedBy, size } : undefined;
}

/** Whether payctl cannot tell if a list has ended: a page that led to another one shows that the pages have an end. */
export function isUnsureEnd(
  run: ListRun,
  position: Omit<Position, 'repeated'>,
  { all, limit }: { readonly all?: boolean | undefined; readonly limit?: number | undefined },
): boolean {
  const { pages, items, cursor, next } = position;
  if (cursor !== null || run.hasKnownEnd !== false || next?.hasEnded || pages > 1 || items === 0)
    return false;
  const isNamed = run.pagedBy !== undefined || (all && run.operation.listShape !== 'array');
  return isNamed || unfollowed(run, position, limit) !== undefined;
}

async function printHowItEnded(
  session: ListSession,
  request: ListRequest,
  { pages, items, cursor, repeated, next, isInFile }: Position & { readonly isInFile: boolean },
): Promise<void> {
  const { display } = session;
  const { flags, noun, run, selection } = request;
  const isUnsure = isUnsureEnd(run, { pages, items, cursor, next }, flags);
  const endedEarly = cursor === null && next?.endedEarly === true;
  if (isUnsure || endedEarly) {
    const { printListMayBeCut } = await import('./list-end.ts');
    printListMayBeCut(display, { noun, endedEarly }, run);
  }
  const isEmpty = items === 0 && display.format.isForPeople;
  const isCut = cursor !== null || next?.mayHaveMore === true;
  const summary = selection?.summary?.(items, display.stderrTerminal.times);
  if (!isEmpty && !isCut) {
    if (summary !== undefined) display.info(summary);
    return;
  }
  const { printEmptyList, printListIsCut } = await import('./list-end.ts');
  const end = { noun, items, cursor: isCut ? (cursor ?? undefined) : null, repeated, next, isInFile };
  if (isEmpty) printEmptyList(display, end, run);
  if (summary !== undefined) display.info(summary);
  if (!isCut) return;
  if (flags.sort !== undefined && items > 0) warnOfSort(session, request, items);
  await printListIsCut(display, end, run);
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
