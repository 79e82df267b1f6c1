import { parseHttpDate } from '../../client/http-date.ts';
import type { FetchedPage, PageQuery, PageReader, PageSource } from '../../client/page.ts';
import type { Operation } from '../../contract/operation.ts';
import type { TimeStyle } from '../../text/zoned-times.ts';
import type { PagingFlagValues, RevealFlagValues } from '../flags/list.ts';

/** Decides here which items of a list are shown, where the service has no filter for it. */
export type Selection = {
  /**
   * Which items of the next page are shown. `now` is the time of the service when it sent the first page, in milliseconds
   * since 1970; `texts` gives the exact text of each item.
   */
  keeps(
    items: readonly unknown[],
    now: number,
    texts: () => readonly string[],
  ): readonly boolean[] | Promise<readonly boolean[]>;
  /** How many items are looked for, page after page, where no flag says it; by default as many as a page would have. */
  readonly mostItems?: number;
  /** Whether no later page can hold an item to show. */
  isOver?(): boolean;
  /** What was looked at, as a sentence for the end of the list, of which so many items were shown; times are in this style. */
  summary?(shown: number, style: TimeStyle): string;
};

/** Which pages to read, and what of them. */
export type PagesRequest = {
  readonly operation: Operation;
  readonly query: PageQuery;
  readonly flags: PagingFlagValues & RevealFlagValues;
  readonly selection?: Selection | undefined;
  readonly readPage?: PageReader | undefined;
  /** The time of the service when it sent the first page, where an earlier run got that; in milliseconds since 1970. */
  readonly now?: number | undefined;
};

/** One page, and what of it is to be shown. */
export type SelectedPage<T> = {
  readonly page: FetchedPage<T>;
  /** How many items there are from the first one to the last that is wanted. */
  readonly count: number;
  /** Which of them are to be shown; all without a selection. */
  readonly kept: readonly boolean[] | undefined;
  /** Where the rest begins: null at the end, undefined where it begins in a first page. */
  readonly cursor: string | null | undefined;
  /** The time of the service when it sent the first page, which a selection counts from. */
  readonly now: number | undefined;
};

const DEFAULT_LIMIT = 20;

/** Whether many pages are read: `--all`, `--max-items`, or a selection that looks for items. */
export function readsManyPages({ operation, flags, selection }: Omit<PagesRequest, 'query'>): boolean {
  if (flags.all === true || flags['max-items'] !== undefined) return true;
  return !!selection && (operation.paginated || selection.mostItems !== undefined);
}

/**
 * The pages of a list: one, or with `--all`, `--max-items` and a selection as many as are needed. With a selection, limits
 * count the items that it keeps, and pages are the largest.
 */
export async function* readPages<T>(
  list: PageSource<T, PageQuery>,
  request: PagesRequest,
  signal: AbortSignal,
): AsyncGenerator<SelectedPage<T>, void, undefined> {
  const { flags, selection } = request;
  let missing = mostItems(request);
  let cursor: string | null | undefined = flags.cursor;
  let { now } = request;
  for await (const page of fetchPages(list, request, signal)) {
    if (selection) now ??= timeOfPage(page);
    const kept = await selection?.keeps(page.items(), now ?? 0, () => page.texts);
    const count = endOfWanted(page.count, kept, missing);
    missing -= kept ? kept.slice(0, count).filter(Boolean).length : count;
    const isOver = selection?.isOver?.() === true;
    // What is left of a page that is cut is reached by the cursor of that page.
    if (count === page.count) cursor = isOver ? null : page.next.cursor || null;
    yield { page, count, kept, cursor, now };
    if (selection && (missing <= 0 || isOver)) return;
  }
}

function fetchPages<T>(
  list: PageSource<T, PageQuery>,
  request: PagesRequest,
  signal: AbortSignal,
): AsyncGenerator<FetchedPage<T>, void, undefined> {
  const { flags, selection, readPage } = request;
  const revealPii = flags['reveal-pii'] === true;
  const maxItems = selection ? undefined : flags['max-items'];
  // A limit alone is how many items to show, and no size of pages to find them in.
  const isPageSize = !selection || flags.all === true || flags['max-items'] !== undefined;
  const query = { ...request.query, cursor: flags.cursor, limit: isPageSize ? flags.limit : undefined };
  const options = { revealPii, readPage, signal };
  return list.fetch(
    query,
    readsManyPages(request) ? { ...options, maxItems } : { ...options, isSingle: true },
  );
}

/** How many items are wanted at most. */
export function mostItems({ operation, flags, selection }: Omit<PagesRequest, 'query'>): number {
  if (flags['max-items'] !== undefined) return flags['max-items'];
  if (flags.all || !selection) return Number.POSITIVE_INFINITY;
  if (selection.mostItems !== undefined) return selection.mostItems;
  if (!operation.paginated) return Number.POSITIVE_INFINITY;
  return flags.limit ?? operation.query.limit?.default ?? DEFAULT_LIMIT;
}

/** How many items of a page to take so that no more than `missing` are shown. */
function endOfWanted(length: number, kept: readonly boolean[] | undefined, missing: number): number {
  if (!kept) return Math.min(length, missing);
  let shown = 0;
  const end = kept.findIndex((isKept) => isKept && ++shown > missing);
  return end === -1 ? length : end;
}

/** The time at which a service sent a page, by its own clock if it says so; in milliseconds since 1970. */
export function timeOfPage({ response }: Pick<FetchedPage<unknown>, 'response'>): number {
  const now = Date.now();
  return parseHttpDate(response.headers.date ?? '', now) ?? now;
}
