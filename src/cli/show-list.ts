import type { Page, PagedResource, PageQuery } from '../client/paging.ts';
import { responseOf } from '../client/response.ts';
import { parseExactJson } from '../json/exact.ts';
import { type Column, valueAt } from '../output/columns.ts';
import { createListPage, type ListPage, type ListWriter } from '../output/list-page.ts';
import { createListWriter } from '../output/list-writer.ts';
import { cursorFlag, quote } from '../text/format.ts';
import { suggest } from '../text/suggest.ts';
import { IncompleteListError } from './failure/incomplete-list-error.ts';
import type { OutputFlagValues, PagingFlagValues } from './flags/list.ts';
import { maskSecrets } from './redact.ts';
import type { Session } from './session.ts';
import { writerOptions } from './writer-options.ts';

type ListRequest<T> = {
  readonly query: PageQuery;
  readonly flags: OutputFlagValues & PagingFlagValues;
  readonly revealPii?: boolean;
  /** The columns of the resource, where --columns names none. */
  readonly columns: readonly Column[];
  /** What the items are called, in the plural. */
  readonly noun: string;
  /** Keeps items here, where the service has no filter for it. */
  readonly keep?: ((item: T) => boolean) | undefined;
};

/** How far a run has come: what was printed, and where the rest begins. */
type Position = {
  pages: number;
  items: number;
  /** The cursor of the next page; null at the end, undefined at the start of a listing. */
  cursor: string | null | undefined;
};

/**
 * Prints one page, or page after page as each arrives. Whatever was printed before a failure is complete and well-formed.
 * @throws IncompleteListError when a run over several pages fails after its first one
 */
export async function showList<T>(
  session: Session,
  listing: PagedResource<T, PageQuery>,
  request: ListRequest<T>,
): Promise<void> {
  const { flags } = request;
  const { display, signal } = session;
  const writer = await openWriter(session, request);
  display.progress.start();
  if (wantsWhole(flags)) limitYoungHeap();
  const position: Position = { pages: 0, items: 0, cursor: flags.cursor };
  try {
    for await (const page of fetchPages(listing, request, signal)) {
      const missing = (flags['max-items'] ?? Number.POSITIVE_INFINITY) - position.items;
      const whole = toListPage(page, missing, flags['reveal-secrets'] === true);
      const kept = request.keep ? filterPage(whole, request.keep) : whole;
      await writer.page(kept);
      if (position.pages === 0 && flags.columns) {
        const { items } = kept;
        reportMissingColumns(flags.columns, { items, known: request.columns, note: display.info });
      }
      advance(position, page, { received: whole.items.length, shown: kept.items.length });
      display.progress.update(position);
    }
  } catch (error) {
    await display.progress.stop();
    await writer.end({ nextCursor: position.cursor ?? null });
    throw position.pages === 0
      ? error
      : new IncompleteListError(error, { ...position, resumeCursor: position.cursor ?? undefined });
  }
  await display.progress.stop();
  await writer.end({ nextCursor: position.cursor ?? null });
  sayWhatIsLeft(session, request, position);
}

async function openWriter<T>({ display }: Session, { flags, columns }: ListRequest<T>): Promise<ListWriter> {
  return await createListWriter({
    ...(await writerOptions(display, flags, columns)),
    whole: wantsWhole(flags),
  });
}

function wantsWhole(flags: PagingFlagValues): boolean {
  return flags.all === true || flags['max-items'] !== undefined;
}

async function* fetchPages<T>(
  listing: PagedResource<T, PageQuery>,
  request: ListRequest<T>,
  signal: AbortSignal,
) {
  const { flags, revealPii = false } = request;
  const query = { ...request.query, cursor: flags.cursor, limit: flags.limit };
  if (wantsWhole(flags)) yield* listing.pages(query, { maxItems: flags['max-items'], revealPii, signal });
  else yield await listing.list(query, { revealPii, signal });
}

/** A page for the writer; cut to `most` items where the service sends more than it was asked for. */
function toListPage<T>(page: Page<T>, most: number, revealSecrets: boolean): ListPage {
  const text = responseOf(page)?.text ?? JSON.stringify(page);
  const shown = revealSecrets ? text : maskSecrets(text);
  const items = shown === text ? page.items : (parseExactJson(shown) as Page<T>).items;
  return createListPage(shown, items.length > most ? items.slice(0, most) : items);
}

/** The page with only the items that are to be kept; everything else of the document stays as it is. */
function filterPage<T>(page: ListPage, keep: (item: T) => boolean): ListPage {
  const kept = page.items.map((item) => keep(item as T));
  const texts = page.texts().filter((_, index) => kept[index]);
  const rest = page.rest().map(({ keyText, valueText }) => `,${keyText}:${valueText}`);
  const items = page.items.filter((_, index) => kept[index]);
  return createListPage(`{"items":[${texts.join(',')}]${rest.join('')}}`, items);
}

function advance(
  position: Position,
  page: Page<unknown>,
  { received, shown }: { received: number; shown: number },
): void {
  position.pages += 1;
  position.items += shown;
  // A page that was cut is fetched again by whoever goes on: rather an item twice than one never.
  if (received === page.items.length) position.cursor = page.next_cursor ?? null;
}

function sayWhatIsLeft<T>({ display }: Session, { flags, noun }: ListRequest<T>, position: Position): void {
  if (position.items === 0 && display.format === 'table') {
    display.info(position.cursor ? `No ${noun} on this page.` : `No ${noun} found.`);
  }
  const isSeen = display.stdoutTerminal.isTerminal || display.stderrTerminal.isTerminal;
  if (!position.cursor || !isSeen || wantsWhole(flags)) return;
  display.info(`There are more ${noun}. Next page: ${cursorFlag(position.cursor)}  Everything: --all`);
}

/**
 * Keeps V8 from making more and more room for objects that live as long as one page of a list: it saves a third of the
 * memory of a long export and costs no time that can be measured (`npm run bench`).
 */
export function limitYoungHeap(): void {
  process.getBuiltinModule('node:v8').setFlagsFromString('--semi-space-growth-factor=1');
}

/**
 * Says of each column that was asked for and that no item has, which one may have been meant: one of the resource, by its
 * path or header, or one of the items. Says nothing where there are no items to judge by.
 */
export function reportMissingColumns(
  asked: readonly string[],
  {
    items,
    known,
    note,
  }: { items: readonly unknown[]; known: readonly Column[]; note: (text: string) => void },
): void {
  if (items.length === 0) return;
  const paths = known.map(({ path }) => path);
  for (const path of asked) {
    if (paths.includes(path) || items.some((item) => valueAt(item, path) !== undefined)) continue;
    const byHeader = known.find(({ header }) => header === path.toUpperCase())?.path;
    const meant = byHeader ?? suggest(path, new Set([...paths, ...items.flatMap(namesOf)]));
    note(`Nothing here has a field ${quote(path)}.${meant ? ` Did you mean ${meant}?` : ''}`);
  }
}

function namesOf(item: unknown): string[] {
  return typeof item === 'object' && item !== null ? Object.keys(item) : [];
}
