import type { CountedPages } from '../../descriptions/counted-pages.ts';
import { onlyReads } from '../../descriptions/reads.ts';
import { followLastItems, itemIds } from './after-item.ts';
import { CountedPaging } from './counted.ts';
import { followCursors, followHeader, mayBeCursor, takesCursor } from './cursor.ts';
import { followLinks } from './link.ts';
import { itemNumbers, type Numbering, pageNumbers } from './numbering.ts';
import { createFactsReader } from './page-facts.ts';
import { mayBeLinked, type PagedOperation, type Paging } from './paging.ts';

/** What a parameter of each kind counts. */
const NUMBERINGS: Readonly<Record<CountedPages['counts'], Numbering>> = {
  pages: pageNumbers,
  items: itemNumbers,
  ids: itemIds,
};

/** A request that must not be repeated has one page. */
const ONE_PAGE: Paging = { request: (query) => ({ query }), next: () => ({ cursor: null }) };

/** The paging of one run over a list of a description: by links or counting, after its last item, or by its cursors. */
export function describedPaging(list: PagedOperation): Paging {
  const { envelope, paging, method = 'GET', path = '' } = list;
  if (!paging && !list.paginated && !onlyReads({ method, path })) return ONE_PAGE;
  if (mayBeLinked(list)) return paging?.counted ? countPages(list, paging.counted) : linkPages(list);
  const isAfterItem = (envelope?.hasMore ?? envelope?.isLast) !== undefined && !envelope?.nextCursor;
  return isAfterItem && envelope
    ? followLastItems(envelope)
    : followCursors({ envelope, hasParameter: takesCursor(list) });
}

/** The paging of a list that no description names: by what its pages name, links or cursors. */
export function undescribedPaging(): Paging {
  return followLinks({
    otherwise: followCursors(),
    prefersCursors: true,
    isPath: isPathWithQuery,
  });
}

/** No cursor that a service gives is written so. */
function isPathWithQuery(text: string): boolean {
  return /^\/[^?]*\?/.test(text);
}

/** An address in the place of a cursor: one of an origin, or with a query. */
const WITH_QUERY = /^(?:https?:\/\/|(?:\.{0,2}\/[^?]*)?\?)/i;

function linkPages(list: PagedOperation): Paging {
  const { header } = list.paging ?? {};
  const hasCursors = takesCursor(list) && mayBeCursor(list);
  return followLinks({
    otherwise: header
      ? followHeader(header)
      : followCursors({ envelope: list.envelope, hasParameter: hasCursors }),
    hasLinks: hasLinks(list),
    isPath: hasCursors ? isPathWithQuery : (cursor) => !header || cursor.startsWith('/'),
    isCursor: (text) => hasCursors && !WITH_QUERY.test(text),
    hasParameter: Object.hasOwn(list.query, 'cursor'),
    factsOf: list.paging && factsReader(list),
  });
}

/** A page that links to the next one is not counted, nor are the pages after it. */
function countPages(list: PagedOperation, counted: CountedPages): Paging {
  const { query, path = '', envelope, listShape } = list;
  const numbering = NUMBERINGS[counted.counts];
  const factsOf = factsReader(list);
  const otherwise = new CountedPaging({
    ...counted,
    numbering,
    emptyPage: JSON.stringify(listShape === 'array' ? [] : nested(envelope?.items ?? 'items', [])),
    usualSize: counted.size === undefined ? undefined : query[counted.size]?.default,
    typed: new URLSearchParams(path.split('?', 2)[1]),
    factsOf,
  });
  const isPath = (cursor: string) => cursor.startsWith('/') && numbering.start !== undefined;
  return followLinks({ otherwise, hasLinks: hasLinks(list), isPath, factsOf });
}

/** The object that has a value at a dotted path and nothing else. */
function nested(path: string, value: unknown): unknown {
  return path.split('.').reduceRight((inner, name) => ({ [name]: inner }), value);
}

function hasLinks({ method = 'GET' }: PagedOperation): boolean {
  return method === 'GET';
}

function factsReader({ envelope, paging }: PagedOperation) {
  const { members, counted } = paging ?? {};
  return createFactsReader({ items: envelope?.items ?? 'items', members, itemId: counted?.itemId });
}
