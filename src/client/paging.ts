import { type Operation, sizeParameter } from '../contract/operation.ts';
import type { CountedPages, ImportedOperation } from '../descriptions/imported-operation.ts';
import { UsageError } from '../errors.ts';
import type { Call, QueryValue, RequestContext } from './call.ts';
import { CursorLoopError, ResponseError } from './errors.ts';
import { type RawResponse, type ReadPage, type Received, responseOf, withResponse } from './response.ts';
import { send } from './send.ts';

/** Options of every list. */
export type ListOptions = PagingOptions & {
  /** Ask for personal data in full, where the operation knows a scope for it (`buyers.billing-details.read`). */
  readonly revealPii?: boolean;
  /** Reads each page in place of `JSON.parse`; what it gives as `items` are the items of the page. */
  readonly readPage?: ReadPage | undefined;
};

/**
 * The three ways to read a list: one page, every page, every item. A list without cursors in the contract has one page;
 * a cursor that the service sends all the same is followed.
 */
export type PagedResource<T, Q> = {
  /** One page, as the service sent it. */
  list(query?: Q, options?: Omit<ListOptions, 'maxItems'>): Promise<Page<T>>;
  /** Page after page to the end or to `maxItems`; the next page is fetched while the present one is used. */
  pages(query?: Q, options?: ListOptions): AsyncGenerator<Page<T>, void, undefined>;
  /** Item after item, at most `maxItems`. */
  items(query?: Q, options?: ListOptions): AsyncGenerator<T, void, undefined>;
};

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

/** How the pages of a list lead to one another, where it is not by a `next_cursor`; of one run over the list. */
export type Links = {
  /** The cursor of the page after this one, which was fetched last; undefined where nothing leads to one. */
  next(response: RawResponse): string | undefined;
  /** Whether a page led to a next one. */
  readonly haveLed: boolean;
  /** Why the link that `next` gave last is not followed: `cannot be read`. Undefined for one that is. */
  readonly refusal: string | undefined;
  /** Whether only asking can tell that there is the page that `next` gave last. */
  readonly isUnsure: boolean;
  /** Whether the list ended although the service says that there is more. */
  readonly isShort: boolean;
  /** Whether a `next_cursor` is followed where there is no link. */
  readonly orCursors: boolean;
  /** What counts the pages, where they are counted: their size must not change within a run then. */
  readonly counted: CountedPages | undefined;
  /** Whether a cursor is to be followed: the one that `next` gave last, or with `orCursors` any. */
  leads(cursor: string): boolean;
  /** What the page of a query is asked for with. @throws UsageError `bad_cursor`; ResponseError `link_refused` */
  ask(query: PageQuery): Asks;
  /**
   * Fetches the page of a query with what sends one request. A page that is read alone is worth no further request: it may be unsure and
   * have no `next` then. @throws as `ask`; CursorLoopError for a page that came before
   */
  fetch(
    query: PageQuery,
    request: (asks: Asks) => Promise<object & Received>,
    options?: Alone,
  ): Promise<object & Received>;
};

type Alone = { readonly isAlone?: boolean | undefined };

type Asks = Pick<Call, 'query' | 'target'>;

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

/**
 * One page of a list (specification: Paginated list envelope). Fields that the contract does not name are kept;
 * `responseOf(page).text` is the page exactly as the service sent it.
 */
export type Page<T> = Envelope<T> & Received;

/** What the service sends as a page. */
export type Envelope<T> = {
  readonly items: readonly T[];
  readonly limit?: number;
  /** Null, blank or missing at the end. */
  readonly next_cursor?: string | null;
  readonly previous_cursor?: string | null;
  readonly [field: string]: unknown;
};

/** What every paginated list can be asked. */
export type PageQuery = {
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
  readonly [name: string]: QueryValue;
};

/** How far to go. */
export type PagingOptions = {
  /** Stop after this many items. The last page is limited to what is missing, so nothing is fetched in vain. */
  readonly maxItems?: number | undefined;
  readonly signal?: AbortSignal | undefined;
};

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
