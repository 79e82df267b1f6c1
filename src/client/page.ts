import type { QueryValue } from './call.ts';
import type { ReadPage, Received } from './response.ts';

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
