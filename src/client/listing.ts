import type { Operation } from '../contract/operations.ts';
import type { RequestContext } from './call.ts';
import { ResponseError } from './errors.ts';
import { iterateItems, iteratePages, type Page, type PageQuery, type PagingOptions } from './pages.ts';
import { replyOf } from './reply.ts';
import { send } from './send.ts';

/** Options of every listing. */
export type ListOptions = PagingOptions & {
  /** Ask for personal data in full, where the operation knows a scope for it (`buyers.billing-details.read`). */
  readonly revealPii?: boolean;
};

/**
 * The three ways to read a listing: one page, every page, every item. A listing that the contract knows no cursors of
 * has one page; should the service send a cursor all the same, it is followed.
 */
export type Listing<T, Q> = {
  /** One page, as the service sent it. */
  list(query?: Q, options?: Omit<ListOptions, 'maxItems'>): Promise<Page<T>>;
  /** Page after page to the end or to `maxItems`; the next page is fetched while the present one is used. */
  pages(query?: Q, options?: ListOptions): AsyncGenerator<Page<T>, void, undefined>;
  /** Item after item, at most `maxItems`. */
  items(query?: Q, options?: ListOptions): AsyncGenerator<T, void, undefined>;
};

/** Makes the listing methods of one operation of the contract. */
export function createListing<T, Q extends PageQuery>(
  context: RequestContext,
  operation: Operation,
): Listing<T, Q> {
  const fetchPage = async (
    asked: PageQuery,
    { revealPii = false, signal }: ListOptions,
  ): Promise<Page<T>> => {
    const query = operation.paginated ? asked : { ...asked, limit: undefined };
    return asPage<T>(await send(context, { operation, query, revealPii, signal }));
  };
  const pages = (query: PageQuery, options: ListOptions) =>
    iteratePages((pageQuery, signal) => fetchPage(pageQuery, { ...options, signal }), query, options);
  return {
    list: (query, options = {}) => fetchPage(query ?? {}, options),
    pages: (query, options = {}) => pages(query ?? {}, options),
    items: (query, options = {}) => iterateItems(pages(query ?? {}, options), options.maxItems),
  };
}

function asPage<T>(document: object): Page<T> {
  const cursor: unknown = 'next_cursor' in document ? document.next_cursor : null;
  const cursorFits = cursor === null || (typeof cursor === 'string' && cursor !== '');
  const itemsFit = 'items' in document && Array.isArray(document.items);
  if (itemsFit && cursorFits) return document as Page<T>;
  const reply = replyOf(document);
  if (!reply) throw new TypeError('only documents of a response can be read as a page');
  throw new ResponseError(
    'unexpected_shape',
    `The answer of the service is not a page: it has no usable \`${itemsFit ? 'next_cursor' : 'items'}\``,
    reply,
  );
}
