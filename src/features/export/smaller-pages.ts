import { ResponseError } from '../../client/errors.ts';
import type { FetchedPage, FetchOptions, PageQuery, PageSource } from '../../client/page.ts';
import { sizeParameter } from '../../contract/operation.ts';
import type { CopyTarget } from './target.ts';

/** How the pages of a list are asked for in a smaller size. */
export type SmallerPages = {
  readonly operation: Pick<CopyTarget['operation'], 'query' | 'paging'>;
  /** The size, once a page was too large; it holds for the rest of the list, and for each time that the list is read again. */
  readonly size: number | undefined;
  /** Called before a page is asked for again, with the size of the pages from then on. */
  readonly onSmaller: (size: number) => void;
};

/**
 * The pages of a list. One that is larger than a response may be is asked for again from its cursor in half the size, where a parameter
 * takes the size and the cursor does not contain it.
 * @throws as `fetch`
 */
export async function* pagesInSizes<T>(
  { fetch }: PageSource<T, PageQuery>,
  query: PageQuery,
  options: FetchOptions,
  { operation, size, onSmaller }: SmallerPages,
): AsyncGenerator<FetchedPage<T>, void, undefined> {
  const parameter = sizeParameter(operation);
  if (parameter === undefined) return yield* fetch(query, options);
  const { minimum = 1, maximum, default: usual = USUAL } = operation.query[parameter] ?? {};
  let { cursor } = query;
  let sent = 0;
  for (let current = size; ; ) {
    const sized = current === undefined ? {} : { [parameter]: current };
    try {
      for await (const page of fetch({ ...query, cursor, ...sized }, options)) {
        cursor = page.next.cursor ?? undefined;
        sent = Math.max(sent, page.count);
        yield page;
      }
      return;
    } catch (error) {
      const known = current ?? Number(query[parameter] ?? maximum ?? (sent || usual));
      const isTooLarge = error instanceof ResponseError && error.code === 'response_too_large';
      // A cursor with a slash at its beginning is an address, or looks like one.
      const isBound = operation.paging?.counted?.counts === 'pages' || cursor?.startsWith('/');
      // Not `known <= minimum`: what is not a number cannot be halved.
      if (!isTooLarge || !(known > minimum) || (cursor !== undefined && isBound)) throw error;
      current = Math.max(minimum, Math.floor(known / 2));
      onSmaller(current);
    }
  }
}

/** The size of a page that nothing tells. */
const USUAL = 100;
