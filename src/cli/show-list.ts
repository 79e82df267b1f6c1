import type { Page, PagedResource, PageQuery } from '../client/paging.ts';
import { responseOf } from '../client/response.ts';
import { OutputError, PayctlError } from '../errors.ts';
import type { MemberMarks } from '../json/mask.ts';
import { type Column, valueAt } from '../output/columns.ts';
import type { OutputFormat } from '../output/format.ts';
import { createListPage, type ListWriter } from '../output/list-page.ts';
import { createListWriter } from '../output/list-writer.ts';
import { quote } from '../text/format.ts';
import { IncompleteListError } from './failure/incomplete-list-error.ts';
import type { OutputFlagValues, PagingFlagValues } from './flags/list.ts';
import type { ListRun } from './list-end.ts';
import { createDataMasker, type DataMasker } from './mask.ts';
import type { Session } from './session.ts';
import { writerOptions } from './writer-options.ts';

type ListRequest<T> = {
  readonly query: PageQuery;
  readonly flags: OutputFlagValues & PagingFlagValues;
  /** The personal data of a page; none by default. */
  readonly personalData?: MemberMarks | undefined;
  /** The columns of the resource, where --columns names none. */
  readonly columns: readonly Column[];
  /** What the items are called, in the plural. */
  readonly noun: string;
  /** Keeps items here, where the service has no filter for it. */
  readonly keep?: ((item: T) => boolean) | undefined;
  /** What was typed, for what is said of the end of the list. */
  readonly run: ListRun;
};

/** How far a run has come: what was printed, and where the rest begins. */
type Position = {
  pages: number;
  items: number;
  /** The cursor of the next page; null at the end, undefined at the start of a list. */
  cursor: string | null | undefined;
  /** The service has more than was printed. */
  isCut: boolean;
};

/**
 * Prints one page, or page after page as each arrives. Whatever was printed before a failure is complete and well-formed.
 * @throws IncompleteListError when a run over several pages fails after its first one
 */
export async function showList<T>(
  session: Session,
  list: PagedResource<T, PageQuery>,
  request: ListRequest<T>,
): Promise<void> {
  const { display } = session;
  const opened = await openWriter(session, request);
  display.page();
  try {
    await showPages(session, request, { list, ...opened });
  } finally {
    // What was held back for a pager is shown, however the run ends.
    if (display.stdoutTerminal.isTerminal) await display.stdout.end();
  }
}

type OpenedList<T> = {
  readonly list: PagedResource<T, PageQuery>;
  readonly writer: ListWriter;
  readonly masker: DataMasker;
};

async function showPages<T>(
  session: Session,
  request: ListRequest<T>,
  { list, writer, masker }: OpenedList<T>,
): Promise<void> {
  const { flags, keep } = request;
  const { display, signal } = session;
  display.progress.start();
  if (wantsWhole(flags)) limitYoungHeap();
  const position: Position = { pages: 0, items: 0, cursor: flags.cursor, isCut: false };
  try {
    for await (const page of fetchPages(list, request, signal)) {
      const missing = (flags['max-items'] ?? Number.POSITIVE_INFINITY) - position.items;
      const { items } = page;
      // The service may send more than it was asked for.
      const wanted = items.length > missing ? items.slice(0, missing) : items;
      const text = masker.mask(responseOf(page).text);
      const shown = createListPage(text, wanted, { keep: keep && ((item) => keep(item as T)) });
      await writer.page(shown);
      if (position.pages === 0 && flags.columns) {
        reportMissingFields(flags.columns, shown.items, display.info);
      }
      advance(position, page, { isWhole: wanted === items, shown: shown.count });
      display.progress.update(position);
    }
  } catch (error) {
    await display.progress.stop();
    await writer.end({ nextCursor: position.cursor ?? null }).catch((second: unknown) => {
      // A filter that fails on what there is must not hide why there is no more.
      if (!(error instanceof PayctlError && second instanceof OutputError)) throw second;
      display.info(second.message);
    });
    masker.report();
    throw position.pages === 0
      ? error
      : new IncompleteListError(error, { ...position, resumeCursor: position.cursor ?? undefined });
  }
  await display.progress.stop();
  await writer.end({ nextCursor: position.cursor ?? null });
  masker.report();
  await sayHowItEnded(session, request, position);
}

async function openWriter<T>(
  session: Session,
  { flags, columns, keep, personalData, run }: ListRequest<T>,
): Promise<{ writer: ListWriter; masker: DataMasker }> {
  const options = await writerOptions(session, flags, { columns, operation: run.operation.id });
  const writer = await createListWriter({ ...options, whole: wantsWhole(flags) || keep !== undefined });
  const inColumns =
    options.explicitColumns || (!options.jq && ROWS.has(options.format) && options.view !== 'detail');
  const parts = options.columns.flatMap(({ path, parts: all }) => all ?? [path]);
  const paths = inColumns ? parts.map((path) => `items.${path}`) : undefined;
  return { writer, masker: createDataMasker(session.display, flags, { personalData, paths }) };
}

/** The formats that show the columns of a list alone. */
const ROWS: ReadonlySet<OutputFormat> = new Set(['table', 'csv']);

function wantsWhole(flags: PagingFlagValues): boolean {
  return flags.all === true || flags['max-items'] !== undefined;
}

async function* fetchPages<T>(
  list: PagedResource<T, PageQuery>,
  request: ListRequest<T>,
  signal: AbortSignal,
) {
  const { flags } = request;
  const revealPii = flags['reveal-pii'] === true;
  const query = { ...request.query, cursor: flags.cursor, limit: flags.limit };
  if (wantsWhole(flags)) yield* list.pages(query, { maxItems: flags['max-items'], revealPii, signal });
  else yield await list.list(query, { revealPii, signal });
}

function advance(
  position: Position,
  page: Page<unknown>,
  { isWhole, shown }: { isWhole: boolean; shown: number },
): void {
  position.pages += 1;
  position.items += shown;
  // Resuming after a truncated page fetches it again: repeating an item is better than losing one.
  if (isWhole) position.cursor = page.next_cursor || null;
  position.isCut = !isWhole || position.cursor !== null;
}

async function sayHowItEnded<T>(
  { display }: Session,
  { flags, noun, run }: ListRequest<T>,
  { items, cursor, isCut }: Position,
): Promise<void> {
  const isEmpty = items === 0 && display.format === 'table';
  if (!isEmpty && !isCut) return;
  const { sayEmptyList, sayListIsCut } = await import('./list-end.ts');
  const holdsCursor = display.format === 'json' || display.format === 'yaml';
  const end = { noun, items, cursor, dataSaySo: holdsCursor && flags.jq === undefined };
  if (isEmpty) sayEmptyList(display, end, run);
  if (isCut) await sayListIsCut(display, end, run);
}

/**
 * Keeps V8 from making more and more room for objects that live as long as one page of a list: it saves a third of the
 * memory of a long export and costs no time that can be measured (`npm run bench`).
 */
function limitYoungHeap(): void {
  process.getBuiltinModule('node:v8').setFlagsFromString('--semi-space-growth-factor=1');
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
