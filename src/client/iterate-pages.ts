import { UsageError } from '../errors.ts';
import { CursorLoopError } from './errors.ts';
import type { Links } from './links.ts';
import type { Envelope, PageQuery, PagingOptions } from './page.ts';

/** Which cursors are followed: all, none where the description names no parameter for them, or those that links gave. */
export type Follows = boolean | Pick<Links, 'leads' | 'orCursors' | 'counted'>;

/** What the description of a list says of its pages. */
type PageLimits = {
  /** The size of a page that is asked for where nobody chooses one: by default 100, with `Infinity` the service's own. */
  readonly largestPage?: number;
  readonly followsCursors?: Follows | undefined;
  /** All pages have the same size, although `maxItems` may then cut the last one. */
  readonly keepsSize?: boolean | undefined;
};

/** The contract's largest page (specification: Limits). */
const LARGEST_PAGE = 100;

/** Fetches one page; the signal is aborted when the page is no longer needed. `foresee` is given its text before it is read. */
export type FetchPage<P extends Envelope<unknown>> = (
  query: PageQuery,
  signal: AbortSignal,
  foresee?: (text: string) => void,
) => Promise<P>;

/**
 * The `next_cursor` at the end of a page, found without reading the page: nothing is closed after it but the page itself. What
 * is no page may have one, too.
 */
const CURSOR_AT_END = /"next_cursor"\s*:\s*"([^"\\]+)"[^\]}]*\}\s*$/;
/** More empty pages in a row than any search for items takes. */
const MOST_EMPTY = 1000;
/** How many characters before the end of a page are looked at. */
const END = 1000;

/**
 * Yields page after page until there is no `next_cursor`, or a blank one. The next page is requested before the present one is handed
 * out, so that the caller's work and the wait overlap; it is aborted when the caller stops.
 * @throws CursorLoopError when a cursor comes a second time, before the page is asked for again, and after 1000 empty pages in a row
 */
export async function* iteratePages<P extends Envelope<unknown>>(
  fetchPage: FetchPage<P>,
  query: PageQuery,
  options: PagingOptions & PageLimits = {},
): AsyncGenerator<P, void, undefined> {
  const { maxItems = Number.POSITIVE_INFINITY, signal, followsCursors = true } = options;
  if (!(maxItems >= 1))
    throw new UsageError('bad_max_items', `maxItems cannot be ${maxItems}; it starts at 1`);
  const controller = new AbortController();
  const joined = signal ? AbortSignal.any([signal, controller.signal]) : controller.signal;
  const size = query.limit ?? sizeOfPages(options, maxItems);
  const seen = new Set<string>(query.cursor === undefined ? [] : [query.cursor]);
  const follows = (cursor: string) =>
    typeof followsCursors === 'object' ? followsCursors.leads(cursor) : followsCursors;
  const mayHaveCursor = typeof followsCursors === 'object' ? followsCursors.orCursors : followsCursors;
  let missing = maxItems;
  let emptyPages = 0;
  let awaited: Promise<P> | undefined;
  let early: { readonly cursor: string; readonly page: Promise<P> } | undefined;
  const ask = (cursor: string | undefined): Promise<P> => {
    const most = options.keepsSize ? size : Math.min(size, missing);
    const limit = Number.isFinite(size) ? most : undefined;
    // Only one page is fetched ahead, and only where the number of items decides nothing.
    const foresee = (text: string) => {
      const next = CURSOR_AT_END.exec(text.slice(-END))?.[1];
      if (awaited !== page || next === undefined || seen.has(next)) return;
      early = { cursor: next, page: ask(next) };
    };
    const mayForesee = mayHaveCursor && missing === Number.POSITIVE_INFINITY;
    const page = fetchPage({ ...query, cursor, limit }, joined, mayForesee ? foresee : undefined);
    // A failure is reported when its page's turn comes, after the present one was handed out.
    page.catch(() => {});
    return page;
  };
  let upcoming: Promise<P> | undefined = ask(query.cursor);
  try {
    while (upcoming) {
      awaited = upcoming;
      const page: P = await upcoming;
      awaited = undefined;
      missing -= page.items.length;
      emptyPages = page.items.length === 0 ? emptyPages + 1 : 0;
      const next = missing > 0 ? page.next_cursor || undefined : undefined;
      const cursor = next !== undefined && follows(next) ? next : undefined;
      const loops = cursor !== undefined && seen.has(cursor);
      upcoming = undefined;
      const isEndless = cursor !== undefined && emptyPages >= MOST_EMPTY;
      if (cursor !== undefined && !loops && !isEndless) {
        seen.add(cursor);
        upcoming = early?.cursor === cursor ? early.page : ask(cursor);
      }
      early = undefined;
      yield page;
      if (loops || isEndless) throw new CursorLoopError(cursor ?? '', isEndless ? { emptyPages } : {});
    }
  } finally {
    controller.abort();
  }
}

function sizeOfPages({ keepsSize, largestPage = LARGEST_PAGE }: PageLimits, maxItems: number): number {
  return keepsSize && Number.isFinite(largestPage) ? Math.min(largestPage, maxItems) : largestPage;
}

/** Yields the single items of pages, at most `maxItems` of them even where a page holds more than was asked for. */
export async function* iterateItems<T>(
  pages: AsyncIterable<Envelope<T>>,
  maxItems = Number.POSITIVE_INFINITY,
): AsyncGenerator<T, void, undefined> {
  let missing = maxItems;
  for await (const page of pages) {
    for (const item of page.items) {
      if (missing <= 0) return;
      missing -= 1;
      yield item;
    }
  }
}
