import { type Operation, sizeParameter } from '../contract/operation.ts';
import type { CountedPages, ImportedOperation } from '../descriptions/imported-operation.ts';
import type { Call, RequestContext } from './call.ts';
import { ResponseError } from './errors.ts';
import { type Follows, iterateItems, iteratePages } from './iterate-pages.ts';
import type { Alone, Asks, Links } from './links.ts';
import type { Envelope, ListOptions, Page, PagedResource, PageQuery } from './page.ts';
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
