import type { Operation } from '../contract/operation.ts';
import type { CountedPages, ImportedOperation } from '../descriptions/imported-operation.ts';
import { UsageError } from '../errors.ts';
import { quote } from '../text/format.ts';
import type { Call } from './call.ts';
import { countPages } from './counted-pages.ts';
import type { CountedList } from './counted-run.ts';
import { ResponseError } from './errors.ts';
import { findLink } from './link-header.ts';
import type { PageQuery } from './page.ts';
import { type PageFacts, readPageFacts } from './page-facts.ts';
import type { RawResponse, Received } from './response.ts';

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

/** Whether one page is read alone. */
export type Alone = { readonly isAlone?: boolean | undefined };

/** What the request of a page asks for. */
export type Asks = Pick<Call, 'query' | 'target'>;

/** A list whose pages are followed, as far as its description says how. */
export type FollowedList = Pick<Operation, 'query'> &
  Partial<Pick<ImportedOperation, 'method' | 'path' | 'paging' | 'envelope' | 'listShape'>>;

/**
 * Follows the pages of a list by their `Link` headers with `rel="next"` (RFC 8288), or the addresses in the pages themselves, to
 * addresses of the same origin alone; where there are none, by counting the pages or their items. The cursor of a page is the
 * path and the query of its address, or its number; where the operation takes a `cursor`, it is that of the address.
 * With `orCursors`, for a request that no description names, a `next_cursor` is followed where there is no link.
 */
export function followLinks(
  list: FollowedList,
  { orCursors = false }: { readonly orCursors?: boolean } = {},
): Links {
  const { paging } = list;
  const hasParameter = Object.hasOwn(list.query, 'cursor') && !orCursors && !paging?.counted;
  const { factsOf, linkOf, leadsNowhere } = readerOf(list, { orCursors, hasParameter });
  const counter = paging?.counted && countPages(countedOf(list, paging.counted));
  let latest: string | undefined;
  let refused: Refused | undefined;
  let isLinked = false;
  const ask: Links['ask'] = (query) => {
    const { cursor } = query;
    if (cursor === undefined) return { query };
    if (refused && cursor === latest) throw linkRefused(refused);
    const isPath = counter
      ? isLinked || (cursor.startsWith('/') && paging.counted?.counts !== 'ids')
      : !hasParameter;
    const isTarget = orCursors ? cursor === latest || PATH_WITH_QUERY.test(cursor) : isPath;
    if (isTarget) return { query: {}, target: targetOf(cursor) };
    return { query: counter?.ask(query) ?? query };
  };
  return {
    orCursors,
    counted: paging?.counted,
    ask,
    async fetch(query, request, { isAlone } = {}) {
      const asks = ask(query);
      if (!counter || asks.target !== undefined) {
        isLinked ||= asks.target !== undefined;
        return await request(asks);
      }
      // A page that links to the next one is not counted, nor are the pages after it.
      return await counter.fetch(
        query,
        (counted) => request({ query: counted }),
        (response) => {
          isLinked ||= linkOf(response) !== undefined;
          return isLinked ? undefined : factsOf(response);
        },
        { isAlone },
      );
    },
    next(response) {
      const link = linkOf(response);
      if (link === undefined && isLinked) return undefined;
      if (link === undefined && counter?.next === undefined) return undefined;
      const isUsable = typeof link !== 'object';
      latest = isUsable ? (link ?? counter?.next) : link.address;
      refused = isUsable ? undefined : { ...link, response };
      return latest;
    },
    get haveLed() {
      return latest !== undefined;
    },
    get refusal() {
      return refused?.reason;
    },
    get isUnsure() {
      return !isLinked && counter?.isUnsure === true;
    },
    get isShort() {
      return counter ? !isLinked && counter.isShort : leadsNowhere();
    },
    leads: (cursor) => orCursors || cursor === latest,
  };
}

/** Reads what the pages of a list say, and the links that they have. */
function readerOf(
  { paging, method = 'GET', envelope }: FollowedList,
  { orCursors, hasParameter }: { readonly orCursors: boolean; readonly hasParameter: boolean },
) {
  const layout = { items: envelope?.items ?? 'items', members: paging?.members };
  let latest: { readonly text: string; readonly facts: PageFacts } | undefined;
  const factsOf = ({ text }: RawResponse) => {
    if (paging && latest?.text !== text) latest = { text, facts: readPageFacts(text, layout) };
    return latest?.facts;
  };
  const linkOf = (response: RawResponse) => {
    if (method !== 'GET' || (orCursors && CURSOR.test(response.text))) return undefined;
    const link = linkInHeader(response) ?? linkInBody(factsOf(response));
    return link && nextLink(link, { response, hasParameter });
  };
  /** Whether the last page has only the number of the next one, and no parameter takes it. */
  const leadsNowhere = () => !!latest?.facts.next && 'number' in latest.facts.next;
  return { factsOf, linkOf, leadsNowhere };
}

function countedOf(
  { query, path = '', envelope, listShape }: FollowedList,
  counted: CountedPages,
): CountedList {
  const usualSize = counted.size === undefined ? undefined : query[counted.size]?.default;
  const emptyPage = listShape === 'array' ? '[]' : JSON.stringify({ [envelope?.items ?? 'items']: [] });
  const [, typed] = path.split('?', 2);
  return { ...counted, usualSize, emptyPage, typed: new URLSearchParams(typed) };
}

/** An object with a cursor that is not blank, wherever in it. */
const CURSOR = /^\s*\{.*"next_cursor"\s*:\s*"[^"]/s;
/** No cursor that a service gives is written so. */
const PATH_WITH_QUERY = /^\/[^?]*\?/;

function pathOf({ pathname, search }: URL): string {
  return pathname + search;
}

/** A link to a next page that is not followed, and why: the list goes on there, so that its end must not be taken for that. */
type Unusable = { readonly address: string; readonly reason: string; readonly hint?: string };
type Refused = Unusable & { readonly response: RawResponse };

/** Where a page says that the next one is, and why that is of no use. */
type FoundLink = { readonly address: string; readonly problem?: string };

function linkInHeader({ headers: { link = '' } }: RawResponse): FoundLink | undefined {
  const { target, rest } = findLink(link, 'next');
  if (target !== undefined) return { address: target };
  return /next/i.test(rest) ? { address: rest, problem: 'cannot be read' } : undefined;
}

/** What a relative address begins with: other texts that are called `next` are none. */
const ADDRESS = /^(?:https?:|[/?]|\.\.?\/)/i;

function linkInBody(facts: PageFacts | undefined): FoundLink | undefined {
  // Some services send an address with the last page, too.
  if (!facts?.next || !('address' in facts.next) || facts.more === false) return undefined;
  const { address } = facts.next;
  return { address, ...(!ADDRESS.test(address) && { problem: 'is not an address' }) };
}

/** The cursor of the page that a response links to; undefined for a link with a blank cursor. */
function nextLink(
  { address: target, problem }: FoundLink,
  { response, hasParameter }: { readonly response: RawResponse; readonly hasParameter: boolean },
): string | Unusable | undefined {
  const { origin, path } = response.request;
  if (problem !== undefined) return { address: target, reason: problem };
  const base = origin + path;
  if (!URL.canParse(target, base)) return { address: target, reason: 'is not an address' };
  const url = new URL(target, base);
  const { href: address } = url;
  if (url.origin !== origin || url.protocol === 'blob:') return elsewhere(url, origin);
  // Where a path alone is read, such a one names another host.
  if (url.pathname.startsWith('//')) return { address, reason: 'has a path that begins with //' };
  if (!hasParameter) return pathOf(url);
  const cursor = url.searchParams.get('cursor');
  return cursor === null ? { address, reason: 'has no cursor' } : cursor || undefined;
}

function elsewhere({ href: address, origin }: URL, own: string): Unusable {
  const hint = `The token is sent only to ${own}. If the service moved, set the base URL to its address.`;
  return { address, reason: `leads to another origin, ${quote(origin)},`, hint };
}

function linkRefused({ reason, hint = UNUSABLE, response }: Refused): ResponseError {
  const message = `The link to the next page ${reason} and is not followed`;
  return new ResponseError('link_refused', message, { ...response, hint });
}

const UNUSABLE = 'No items before this point are missing. Report the link to the operator of the service.';

/** Takes the place of the origin where only a path is read. */
const NOWHERE = 'http://nowhere.invalid';

/** @throws UsageError `bad_cursor` for what is no path of the service */
function targetOf(cursor: string): string {
  const isPath = cursor.startsWith('/') && URL.canParse(cursor, NOWHERE);
  const url = isPath ? new URL(cursor, NOWHERE) : undefined;
  if (url?.origin === NOWHERE && !url.pathname.startsWith('//')) return pathOf(url);
  throw new UsageError('bad_cursor', `The cursor ${quote(cursor)} is not valid for this list`, {
    hint: 'Use the path and query of a page, as the command for the next page shows them.',
  });
}
