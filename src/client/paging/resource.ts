import { type Operation, sizeParameter } from '../../contract/operation.ts';
import { own } from '../../json/is-object.ts';
import type { PageParts } from '../../json/mask.ts';
import type { Call, RequestContext } from '../call.ts';
import {
  type FetchedPage,
  type FetchOptions,
  itemsIn,
  type ListOptions,
  type PagedResource,
  type PageQuery,
  type PageSource,
  type RawPage,
  rawPage,
  type SinglePage,
  toPage,
} from '../page.ts';
import { withResponse } from '../response.ts';
import { send } from '../send.ts';
import { followCursors, takesCursor } from './cursor.ts';
import { iteratePages } from './iterate-pages.ts';
import {
  type Asked,
  type FetchedWith,
  isMissing,
  type PagedOperation,
  type Paging,
  type SendPage,
} from './paging.ts';

/** Who says how the pages of a list lead to one another: an imported description, or only the pages themselves. */
type PagingSource = 'description' | 'pages';

/** What the requests of a list have in common apart from their query, and how far its description goes. */
export type ListCall = Pick<
  Call,
  | 'path'
  | 'headers'
  | 'body'
  | 'encode'
  | 'contentType'
  | 'scopes'
  | 'idempotencyKey'
  | 'acceptsAny'
  | 'merchantAccount'
  | 'pace'
> & {
  /** False where no parameter takes a cursor: then there is no way to a second page. */
  readonly followsCursors?: boolean | undefined;
  /** Who says how the pages lead to one another in another way; by default their cursors do. */
  readonly pagedBy?: PagingSource | undefined;
};

type RequestOptions = FetchOptions & { readonly prefetch?: ((text: string) => void) | undefined };

/** A list: its paging, opened for each run, and how one request of it is sent. */
export type PagedList = {
  readonly operation: Operation & Pick<PagedOperation, 'envelope'>;
  readonly open: () => Promise<Paging>;
  readonly request: (asked: Asked, options: RequestOptions) => Promise<RawPage>;
};

/** Makes the methods that read the list of one operation. */
export function createPagedResource<T, Q extends PageQuery>(
  context: RequestContext,
  operation: PagedList['operation'] & PagedOperation,
  { pagedBy, followsCursors, ...call }: ListCall = {},
): PagedResource<T, Q> {
  return pagedResource({
    operation,
    open: async () =>
      pagedBy ? await openPaging(operation, pagedBy) : followCursors({ hasParameter: followsCursors }),
    async request(asked, { revealPii = false, readPage, prefetch, signal }) {
      // What reads pages looks for `items`.
      const reader = operation.envelope ? undefined : readPage;
      let parts: PageParts | undefined;
      const document = await send(context, {
        ...call,
        operation,
        ...asked,
        revealPii,
        readPage(response) {
          parts = reader?.(response);
          return parts && withResponse(JSON.parse(parts.envelope), response);
        },
        prefetch,
        signal,
      });
      return { ...rawPage(document), parts };
    },
  });
}

/** Opens the paging of one run over a list. What only lists without a `next_cursor` need is loaded for them. */
export async function openPaging(list: PagedOperation, source: PagingSource): Promise<Paging> {
  if (source === 'description' && list.paginated && !list.envelope)
    return followCursors({ hasParameter: takesCursor(list) });
  const { describedPaging, undescribedPaging } = await import('./described-paging.ts');
  return source === 'pages' ? undescribedPaging() : describedPaging(list);
}

/** The ways to read a list, by how one request of it is sent. A list without pages is asked for no limit. */
export function pagedResource<T, Q extends PageQuery>(list: PagedList): PagedResource<T, Q> {
  return resourceOf({ fetch: (query, options = {}) => fetchPages(list, query, options) });
}

/** The ways to read a list, by what fetches its pages; there is always a first one. */
export function resourceOf<T, Q>({ fetch }: PageSource<T, Q>): PagedResource<T, Q> {
  async function* pages(query?: Q, options?: ListOptions) {
    for await (const page of fetch(query ?? ({} as Q), options)) yield page.page();
  }
  return {
    fetch,
    pages,
    list: async (query, options) => (await fetchOne({ fetch }, query ?? ({} as Q), options)).page(),
    async *items(query, options = {}) {
      let missing = options.maxItems ?? Number.POSITIVE_INFINITY;
      for await (const { items } of pages(query, options)) {
        // A page may hold more items than were asked for.
        yield* items.slice(0, missing);
        missing -= items.length;
        if (missing <= 0) return;
      }
    },
  };
}

/** Fetches one page of a list, which is read alone. */
export async function fetchOne<T, Q>(
  list: PageSource<T, Q>,
  query: Q,
  options: FetchOptions = {},
): Promise<FetchedPage<T>> {
  const { value } = await list.fetch(query, { ...options, isSingle: true }).next();
  return value as FetchedPage<T>;
}

async function* fetchPages<T>(
  { operation, open, request }: PagedList,
  query: PageQuery,
  options: FetchOptions,
): AsyncGenerator<FetchedPage<T>, void, undefined> {
  const paging = await open();
  const { isSingle } = options;
  const { envelope } = operation;
  const parameter = sizeParameter(operation);
  const fetchNext = async (asked: PageQuery, signal = options.signal, prefetch?: (text: string) => void) => {
    const send = (one: Asked) => request(one, { ...options, signal, prefetch });
    const { page, fetched } = await fetchPage(paging, withSize(asked, parameter), { send, isSingle });
    const isPage = itemsIn(page.document, envelope) !== undefined;
    return toPage<T>(page, isPage ? await paging.next(page, fetched) : { cursor: null }, envelope);
  };
  if (isSingle) return yield await fetchNext(query);
  const chosen = parameter === undefined ? Number.NaN : Number(own(query, parameter));
  yield* iteratePages(fetchNext, chosen >= 1 ? { ...query, limit: chosen } : query, {
    ...options,
    canPrefetch: paging.canPrefetch,
    largestPage: (parameter && operation.query[parameter]?.maximum) || Number.POSITIVE_INFINITY,
    ...paging.sizes?.(query),
  });
}

/** Fetches the page of a query, and gives what to pass to `next` with it. @throws as `request` */
export async function fetchPage(
  paging: Paging,
  query: PageQuery,
  { send, isSingle }: SinglePage & { readonly send: SendPage },
): Promise<{ readonly page: RawPage; readonly fetched: FetchedWith }> {
  const { received, insteadOf404, ...asked } = paging.request(query, { isSingle });
  const page =
    received ??
    (await send(asked).catch((error: unknown) => {
      if (insteadOf404 && isMissing(error)) return insteadOf404;
      throw error;
    }));
  return { page, fetched: { query, asked, send, isSingle } };
}

/** The query with its limit under the name of the parameter that takes it. */
function withSize(asked: PageQuery, parameter: string | undefined): PageQuery {
  if (parameter === 'limit') return asked;
  const { limit, ...query } = asked;
  return parameter === undefined || limit === undefined ? query : { ...query, [parameter]: limit };
}
