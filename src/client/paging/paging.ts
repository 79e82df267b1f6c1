import type { Operation } from '../../contract/operation.ts';
import type { ImportedOperation } from '../../descriptions/imported-operation.ts';
import type { Call } from '../call.ts';
import { ApiError } from '../errors.ts';
import type { NextPage, PageQuery, RawPage, SinglePage } from '../page.ts';

/** How the pages of a list lead to one another. An object belongs to one run over the list. */
export type Paging = {
  /** What to request for the page of a query, which is the first one without a cursor. @throws UsageError `bad_cursor` */
  request(query: PageQuery, options: SinglePage): PageRequest;
  /** What comes after the page that was fetched last. @throws CursorLoopError for a page that came before */
  next(page: RawPage, fetched: FetchedWith): NextPage | Promise<NextPage>;
  /** Whether the text of a page shows its cursor before the page is read. */
  readonly canPrefetch?: boolean | undefined;
  /** The size of the pages of a run over a query, where it is not the largest one. */
  sizes?(query: PageQuery): PageSizes;
};

/** The query of a page, or the address in its place. */
export type Asked = Pick<Call, 'query' | 'target'>;

/** The request of a page. */
export type PageRequest = Asked & {
  /** The page, where an earlier request brought it. */
  readonly received?: RawPage | undefined;
  /** The page that a 404 stands for. */
  readonly insteadOf404?: RawPage | undefined;
};

/** Sends one request of a run. */
export type SendPage = (asked: Asked) => Promise<RawPage>;

/** How a page was fetched. */
export type FetchedWith = SinglePage & {
  readonly query: PageQuery;
  readonly asked: Asked;
  readonly send: SendPage;
};

/** The sizes of the pages of a run. */
export type PageSizes = {
  /** The size of a page that is asked for where nobody chooses one: by default 100, with `Infinity` the service's own. */
  readonly largestPage?: number;
  /** All pages have the same size, although `maxItems` may then cut the last one. */
  readonly keepsSize?: boolean;
};

/** A list, as far as its description says how its pages lead to one another. */
export type PagedOperation = Pick<Operation, 'query'> &
  Partial<Pick<ImportedOperation, 'method' | 'path' | 'paginated' | 'paging' | 'envelope' | 'listShape'>>;

/** Whether the pages of an operation can lead to one another by links, or by counting: nothing else leads there. */
export function mayBeLinked({
  method,
  listShape,
  paginated,
  paging,
}: Omit<PagedOperation, 'query'>): boolean {
  return (method === 'GET' || paging !== undefined) && listShape !== undefined && !paginated;
}

/** Whether the service said that the page does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}
