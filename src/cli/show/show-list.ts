import type { PageQuery, PageReader, PageSource } from '../../client/page.ts';
import { OutputError, PayctlError } from '../../errors.ts';
import type { MemberMarks } from '../../json/mask.ts';
import { type Column, pathsOf, valueAt } from '../../output/columns.ts';
import { writesInPieces } from '../../output/format.ts';
import { createListPage, type ListWriter } from '../../output/list-page.ts';
import { createListWriter } from '../../output/list-writer.ts';
import type { Sink } from '../../output/streams.ts';
import { quote } from '../../text/format.ts';
import type { OutputFlagValues, PagingFlagValues } from '../flags/list.ts';
import { DataMasker } from '../secrets/mask.ts';
import type { Session } from '../session/session.ts';
import { FlushedPages } from './flushed-pages.ts';
import type { ListRun } from './list-end.ts';
import type { Position } from './list-failure.ts';
import { readPages, readsManyPages, type Selection } from './list-pages.ts';
import { writerOptions } from './writer-options.ts';
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
  /** What was typed, for the message about the end of the list. */
  readonly run: ListRun;
};

/**
 * Prints one page, or page after page as each arrives. Whatever was printed before a failure is complete and well-formed.
 * @throws IncompleteListError when a run over several pages fails after its first one
 */
export async function showList<T>(
  session: ListSession,
  list: PageSource<T, PageQuery>,
  request: ListRequest,
): Promise<void> {
  const { display } = session;
  const opened = await openWriter(session, request);
  display.page();
  await showPages(session, request, { list, ...opened });
}

type OpenedList<T> = {
  readonly list: PageSource<T, PageQuery>;
  readonly writer: ListWriter;
  readonly masker: DataMasker;
  /** Each page is printed when it comes, and is of use without those that follow. */
  readonly inPieces: boolean;
  /** The first line names the columns. */
  readonly hasHeader: boolean;
};

async function showPages<T>(
  session: ListSession,
  request: ListRequest,
  { list, writer, masker, inPieces, hasHeader }: OpenedList<T>,
): Promise<void> {
  const { flags, run, query, selection } = request;
  const { display, signal } = session;
  // One pass checks, masks and takes apart. A selection looks at the items as they were sent.
  const readPage: PageReader | undefined = selection ? undefined : ({ text }) => masker.page(text);
  const wanted = { operation: run.operation, query, flags, selection, readPage };
  display.progress.start();
  const position: Position = { pages: 0, items: 0, cursor: flags.cursor, repeated: 0 };
  const written = new FlushedPages<Position>(display.stdout);
  const maxItems = flags['max-items'];
  const end = () => writer.end({ nextCursor: position.cursor ?? null });
  const failureOf = async (error: unknown, unprinted?: OutputError) => {
    const { listFailure } = await import('./list-failure.ts');
    if (!display.stdout.failure) return await listFailure(error, run, { position, maxItems, unprinted });
    // It cannot be used without the rest, or nothing was written.
    if (!inPieces || !written.last) return error;
    const { position: reached, lines: wholeLines } = written.last;
    return await listFailure(error, run, { position: reached, maxItems, wholeLines, hasHeader });
  };
  try {
    for await (const { page, count, kept, cursor } of readPages(list, wanted, signal)) {
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
      display.progress.update(position);
    }
  } catch (error) {
    await display.progress.stop();
    const unprinted = display.stdout.failure ? undefined : await endAfter(error, display.stdout, end);
    if (display.stdout.failure) throw await failureOf(error);
    masker.report(pathsOfItems(writer.leftOut?.() ?? []));
    throw position.pages === 0 && !unprinted ? error : await failureOf(error, unprinted);
  }
  await display.progress.stop();
  try {
    await end();
  } catch (error) {
    throw display.stdout.failure ? await failureOf(error) : error;
  }
  masker.report(pathsOfItems(writer.leftOut?.() ?? []));
  await sayHowItEnded(session, request, position);
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
    if (stdout.failure) return undefined;
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
  const writer = await createListWriter({ ...options, whole, listName, isArray });
  const areRows = options.format.hasHeader === true && !options.jq;
  const inColumns = options.explicitColumns || areRows;
  const paths = inColumns ? pathsOfItems(options.columns) : undefined;
  return {
    writer,
    inPieces: writesInPieces(options.format, options.jq !== undefined),
    hasHeader: areRows && options.header,
    masker: new DataMasker(session.display, flags, { personalData, personalByName, paths }),
  };
}

/** The paths of the values of columns, from the top of a page. */
function pathsOfItems(columns: readonly Column[]): readonly string[] {
  return pathsOf(columns).map((path) => `items.${path}`);
}

async function sayHowItEnded(
  { display }: ListSession,
  { flags, noun, run, selection, isArray }: ListRequest,
  { pages, items, cursor, repeated, next }: Position,
): Promise<void> {
  // A page that led to another one shows that the pages have an end.
  const mayGoOn = cursor === null && run.hasKnownEnd === false && pages < 2 && items > 0;
  const isUnsure = mayGoOn && (run.pagedBy !== undefined || (flags.all && !isArray));
  const endedEarly = cursor === null && next?.endedEarly === true;
  if (isUnsure || endedEarly) {
    const { sayListMayBeCut } = await import('./list-end.ts');
    sayListMayBeCut(display, { noun, endedEarly }, run);
  }
  const isEmpty = items === 0 && display.format.isForPeople;
  const isCut = cursor !== null || next?.mayHaveMore === true;
  const summary = selection?.summary?.(items, display.stderrTerminal.times);
  if (!isEmpty && !isCut) {
    if (summary !== undefined) display.info(summary);
    return;
  }
  const { sayEmptyList, sayListIsCut } = await import('./list-end.ts');
  const end = { noun, items, cursor: isCut ? (cursor ?? undefined) : null, repeated, next };
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
