import { type Operation, sizeParameter } from '../contract/operation.ts';
import type { CountedPages, ImportedOperation } from '../descriptions/imported-operation.ts';
import { UsageError } from '../errors.ts';
import type { Call, RequestContext } from './call.ts';
import { CursorLoopError, ResponseError } from './errors.ts';
import type { Alone, Asks, Links } from './links.ts';
import type { Envelope, ListOptions, Page, PagedResource, PageQuery, PagingOptions } from './page.ts';
import { type Received, responseOf, withResponse } from './response.ts';
import { send } from './send.ts';

/** What the requests of a list have in common beside their query, and how far its description goes. */
export type ListCall = Pick<
  Call,
  'path' | 'headers' | 'body' | 'encode' | 'contentType' | 'scopes' | 'idempotencyKey' | 'acceptsAny'
> & {
  /** False where the description names no parameter for a cursor: then there is no way to a second page. */
  readonly followsCursors?: boolean | undefined;
  /** What leads from page to page where it is no `next_cursor`. */
  readonly links?: Links | undefined;
};

/** Whether the pages of an operation can lead to one another by links, or by counting: nothing else leads there. */
export function mayBeLinked({ method, listShape, paginated, paging }: Linkable): boolean {
  return (method === 'GET' || paging !== undefined) && listShape !== undefined && !paginated;
}

type Linkable = Pick<ImportedOperation, 'method' | 'listShape' | 'paginated' | 'paging'>;

/** Makes the methods that read the list of one operation. */
export function createPagedResource<T, Q extends PageQuery>(
  context: RequestContext,
  operation: Operation,
  { followsCursors = true, links, ...call }: ListCall = {},
): PagedResource<T, Q> {
  return pagedResource({
    operation,
    followsCursors: links ?? followsCursors,
    fetchPage: async (query, { revealPii = false, readPage, signal, isAlone }, foresee) => {
      const request = (asks: Asks) =>
        send(context, { ...call, operation, ...asks, revealPii, readPage, foresee, signal });
      return asPage<T>(await (links?.fetch(query, request, { isAlone }) ?? request({ query })), links);
    },
  });
}

/** The parameter of an operation that takes the cursor of a page, whether the description names it or not. */
export function cursorParameter({
  envelope,
}: {
  readonly envelope?: { readonly cursorParameter?: string } | undefined;
}): string {
  return envelope?.cursorParameter ?? 'cursor';
}

/** Which cursors are followed: all, none where the description names no parameter for them, or those that links gave. */
type Follows = boolean | Pick<Links, 'leads' | 'orCursors' | 'counted'>;

/** Whether the description of a list names the parameter for a cursor: without one, no cursor leads to a second page. */
export function takesCursor(
  operation: Pick<Operation, 'query'> & Parameters<typeof cursorParameter>[0],
): boolean {
  return Object.hasOwn(operation.query, cursorParameter(operation));
}

/** How the pages of one list are fetched, and how far. */
type PagedList<T> = {
  readonly operation: Operation;
  readonly followsCursors: Follows;
  readonly fetchPage: (
    query: PageQuery,
    options: ListOptions & Alone,
    foresee?: (text: string) => void,
  ) => Promise<Page<T>>;
};

/**
 * Pages that are counted keep the size that their numbers are for: of a run that begins within the list it is that of its first page.
 */
function sizesOf({ parameter }: CountedPages, query: PageQuery) {
  const beginsWithin = query.cursor !== undefined || query[parameter] !== undefined;
  return { keepsSize: true, ...(beginsWithin && { largestPage: Number.POSITIVE_INFINITY }) };
}

/** The three ways to read a list, by what fetches one page of it. A list without pages is asked for no limit. */
export function pagedResource<T, Q extends PageQuery>(list: PagedList<T>): PagedResource<T, Q> {
  const { operation, followsCursors } = list;
  const counted = typeof followsCursors === 'object' ? followsCursors.counted : undefined;
  const parameter = sizeParameter(operation);
  const fetchPage: PagedList<T>['fetchPage'] = (asked, options, foresee) => {
    if (parameter === 'limit') return list.fetchPage(asked, options, foresee);
    const { limit, ...query } = asked;
    const sized = parameter === undefined || limit === undefined ? query : { ...query, [parameter]: limit };
    return list.fetchPage(sized, options, foresee);
  };
  const largestPage = (parameter && operation.query[parameter]?.maximum) || Number.POSITIVE_INFINITY;
  const pages = (query: PageQuery, options: ListOptions) => {
    const chosen = parameter === undefined ? Number.NaN : Number(query[parameter]);
    return iteratePages(
      (pageQuery, signal, foresee) => fetchPage(pageQuery, { ...options, signal }, foresee),
      chosen >= 1 ? { ...query, limit: chosen } : query,
      {
        ...options,
        largestPage,
        followsCursors,
        ...(counted?.counts === 'pages' && sizesOf(counted, query)),
      },
    );
  };
  return {
    list: (query, options = {}) => fetchPage(query ?? {}, { ...options, isAlone: true }),
    pages: (query, options = {}) => pages(query ?? {}, options),
    items: (query, options = {}) => iterateItems(pages(query ?? {}, options), options.maxItems),
  };
}

/** The page that an answer is, with the cursor of a link that leads to the next, or null; undefined for one without `items`. */
export function toPage<T>(document: object & Received, linked?: string | null): Page<T> | undefined {
  const isArray = Array.isArray(document);
  if (!isArray && !('items' in document && Array.isArray(document.items))) return undefined;
  if (!isArray && linked === undefined) return document as Page<T>;
  const page: Envelope<T> = isArray ? { items: document } : (document as Page<T>);
  const next = linked === undefined ? {} : { next_cursor: linked };
  return withResponse({ ...page, ...next }, responseOf(document));
}

function asPage<T>(document: object & Received, links?: Links): Page<T> {
  const linked = links?.next(responseOf(document));
  // Where pages are counted, nothing else leads to one.
  const page = toPage<T>(document, linked ?? (links?.counted ? null : undefined));
  const cursor: unknown = page?.next_cursor ?? null;
  if (page && (cursor === null || typeof cursor === 'string')) return page;
  throw new ResponseError(
    'unexpected_shape',
    `The response is not a valid page: it has no usable \`${page ? 'next_cursor' : 'items'}\``,
    responseOf(document),
  );
}

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
