import { UsageError } from '../../errors.ts';
import { CursorLoopError } from '../errors.ts';
import type { FetchedPage, NextPage, PageQuery, PagingOptions } from '../page.ts';
import type { PageSizes } from './paging.ts';
import { SeenTexts } from './seen-texts.ts';

/** The contract's largest page (specification: Limits). */
const LARGEST_PAGE = 100;

/** What a run over pages needs to know about each. */
type AnyPage = Pick<FetchedPage<unknown>, 'count' | 'next'> & Partial<Pick<FetchedPage<unknown>, 'mark'>>;

/** Fetches one page; the signal is aborted when the page is no longer needed. `prefetch` is given its text before it is read. */
export type FetchPage<P extends AnyPage> = (
  query: PageQuery,
  signal: AbortSignal,
  prefetch?: (text: string) => void,
) => Promise<P>;

/** How to read the pages of a list. */
type RunOptions = PagingOptions & PageSizes & { readonly canPrefetch?: boolean | undefined };

/**
 * The `next_cursor` at the end of a page, found without parsing the page: only the page itself is closed after it. A text that
 * is not a page may match, too.
 */
const CURSOR_AT_END = /"next_cursor"\s*:\s*"([^"\\]+)"[^\]}]*\}\s*$/;
/** More empty pages in a row than any search for items takes. */
export const MOST_EMPTY = 1000;
/** How many characters before the end of a page are looked at. */
const END = 1000;

/**
 * Yields page after page for as long as a page has a cursor that may be followed. The next page is requested before the present
 * one is handed out, so that the caller's work and the wait overlap; the request is aborted when the caller stops.
 * @throws CursorLoopError when a cursor is repeated, before its page is requested again, when the items of a page came before, before it is
 * handed out, and after 1000 empty pages in a row
 */
export async function* iteratePages<P extends AnyPage>(
  fetchPage: FetchPage<P>,
  query: PageQuery,
  options: RunOptions = {},
): AsyncGenerator<P, void, undefined> {
  const { maxItems = Number.POSITIVE_INFINITY, signal, canPrefetch = false } = options;
  if (!(maxItems >= 1))
    throw new UsageError('bad_max_items', `maxItems cannot be ${maxItems}; it starts at 1`);
  const controller = new AbortController();
  const joined = signal ? AbortSignal.any([signal, controller.signal]) : controller.signal;
  const size = query.limit ?? sizeOfPages(options, maxItems);
  const seen = new Set<string>(query.cursor === undefined ? [] : [query.cursor]);
  // Only the first and the last item of a page: of two pages they are not the same.
  const marks = new SeenTexts();
  let missing = maxItems;
  let emptyPages = 0;
  let awaited: Promise<P> | undefined;
  let early: { readonly cursor: string; readonly page: Promise<P> } | undefined;
  const ask = (cursor: string | undefined): Promise<P> => {
    const most = options.keepsSize ? size : Math.min(size, missing);
    const limit = Number.isFinite(size) ? most : undefined;
    // Only one page is fetched ahead, and only where the number of items decides nothing.
    const prefetch = (text: string) => {
      const next = CURSOR_AT_END.exec(text.slice(-END))?.[1];
      if (awaited !== page || next === undefined || seen.has(next)) return;
      early = { cursor: next, page: ask(next) };
    };
    const mayPrefetch = canPrefetch && missing === Number.POSITIVE_INFINITY;
    const page = fetchPage({ ...query, cursor, limit }, joined, mayPrefetch ? prefetch : undefined);
    // A failure is reported when its page's turn comes, after the present one was handed out.
    page.catch(() => {});
    return page;
  };
  let asked = query.cursor;
  let upcoming: Promise<P> | undefined = ask(asked);
  try {
    while (upcoming) {
      awaited = upcoming;
      const fetched: P = await upcoming;
      awaited = undefined;
      const { mark } = fetched;
      if (mark !== undefined && marks.add(mark)) throw new CursorLoopError(asked ?? '', { isPage: true });
      missing -= fetched.count;
      emptyPages = fetched.count === 0 ? emptyPages + 1 : 0;
      const cursor = missing > 0 ? cursorOf(fetched.next) : undefined;
      const loops = cursor !== undefined && seen.has(cursor);
      const isEndless = cursor !== undefined && emptyPages >= MOST_EMPTY;
      upcoming = undefined;
      if (cursor !== undefined && !loops && !isEndless && !fetched.next.refused) {
        seen.add(cursor);
        asked = cursor;
        upcoming = early?.cursor === cursor ? early.page : ask(cursor);
      }
      early = undefined;
      yield fetched;
      if (loops || isEndless) throw new CursorLoopError(cursor ?? '', isEndless ? { emptyPages } : {});
      if (cursor !== undefined && fetched.next.refused) throw fetched.next.refused;
    }
  } finally {
    controller.abort();
  }
}

/** The cursor that is followed: a blank one leads nowhere. */
function cursorOf({ cursor, lacksParameter }: NextPage): string | undefined {
  return lacksParameter ? undefined : cursor || undefined;
}

function sizeOfPages({ keepsSize, largestPage = LARGEST_PAGE }: PageSizes, maxItems: number): number {
  return keepsSize && Number.isFinite(largestPage) ? Math.min(largestPage, maxItems) : largestPage;
}
