import { CursorLoopError, UsageError } from './errors.ts';

/** One page of a listing (specification: Paginated list envelope). Fields that the contract does not name are kept. */
export type Page<T> = {
  readonly items: readonly T[];
  readonly limit?: number;
  readonly next_cursor?: string | null;
  readonly previous_cursor?: string | null;
  readonly [field: string]: unknown;
};

/** What every paginated listing can be asked. */
export type PageQuery = {
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
  readonly [name: string]: string | number | undefined;
};

/** How far to go. */
export type PagingOptions = {
  /** Stop after this many items; the last page is asked for with what is missing, so nothing is fetched in vain. */
  readonly maxItems?: number | undefined;
  readonly signal?: AbortSignal | undefined;
};

/** Fetches one page; the signal is given up when nobody wants the page any more. */
export type FetchPage<T> = (query: PageQuery, signal: AbortSignal) => Promise<Page<T>>;

/** The contract's largest page (specification: Limits). */
export const LARGEST_PAGE = 100;

/**
 * Yields page after page until there is no `next_cursor`. The next page is requested before the present one is handed
 * out, so that the caller's work and the wait overlap; it is given up when the caller stops.
 * @throws CursorLoopError when a cursor comes a second time, before the page is asked for again.
 */
export async function* iteratePages<T>(
  fetchPage: FetchPage<T>,
  query: PageQuery,
  { maxItems = Number.POSITIVE_INFINITY, signal }: PagingOptions = {},
): AsyncGenerator<Page<T>, void, undefined> {
  if (!(maxItems >= 1))
    throw new UsageError('bad_max_items', `maxItems cannot be ${maxItems}; it starts at 1`);
  const controller = new AbortController();
  const joined = signal ? AbortSignal.any([signal, controller.signal]) : controller.signal;
  const size = query.limit ?? LARGEST_PAGE;
  const seen = new Set<string>(query.cursor === undefined ? [] : [query.cursor]);
  let missing = maxItems;
  let upcoming: Promise<Page<T>> | undefined = fetchPage(
    { ...query, limit: Math.min(size, missing) },
    joined,
  );
  try {
    while (upcoming) {
      const page: Page<T> = await upcoming;
      missing -= page.items.length;
      const cursor = missing > 0 ? (page.next_cursor ?? undefined) : undefined;
      const loops = cursor !== undefined && seen.has(cursor);
      upcoming = undefined;
      if (cursor !== undefined && !loops) {
        seen.add(cursor);
        upcoming = fetchPage({ ...query, cursor, limit: Math.min(size, missing) }, joined);
        // A failure is reported when its page's turn comes, after the present one was handed out.
        upcoming.catch(() => {});
      }
      yield page;
      if (loops) throw new CursorLoopError(cursor);
    }
  } finally {
    controller.abort();
  }
}

/** Yields the single items of pages, at most `maxItems` of them even where a page holds more than was asked for. */
export async function* iterateItems<T>(
  pages: AsyncIterable<Page<T>>,
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
