import { UsageError } from '../../errors.ts';
import { quote } from '../../text/format.ts';
import { ResponseError } from '../errors.ts';
import type { NextPage } from '../page.ts';
import type { RawResponse } from '../response.ts';
import { findLink } from './link-header.ts';
import type { PageFacts } from './page-facts.ts';
import type { Paging } from './paging.ts';

/** Where the links of a list are, and what its pages are found by where there is none. */
export type LinkedList = {
  readonly otherwise: Paging;
  /** Whether a cursor is the path of an address, and none that `otherwise` takes. */
  readonly isPath: (cursor: string) => boolean;
  /** Whether the text in the place of an address is a cursor that `otherwise` takes. */
  readonly isCursor?: (text: string) => boolean;
  /** Whether a parameter of the operation takes the `cursor` of an address. */
  readonly hasParameter?: boolean;
  /** Whether links are followed, which a request that changes data has none of. */
  readonly hasLinks?: boolean;
  /** Whether a `next_cursor` counts before a link. */
  readonly prefersCursors?: boolean;
  /** What a page says about itself, where the description names it. */
  readonly factsOf?: ((response: RawResponse) => PageFacts) | undefined;
};

/**
 * Follows the pages of a list by their `Link` headers with `rel="next"` (RFC 8288), or the addresses in the pages themselves, to
 * addresses of the same origin alone. The cursor of a page is the path and the query of its address; where the operation takes a
 * `cursor`, it is that of the address.
 */
export function followLinks(list: LinkedList): Paging {
  const { otherwise, isPath, hasParameter = false, factsOf } = list;
  let latest: string | undefined;
  return {
    canPrefetch: otherwise.canPrefetch,
    sizes: (query) => otherwise.sizes?.(query) ?? {},
    request(query, options) {
      const { cursor } = query;
      const isTarget = cursor !== undefined && !hasParameter && (cursor === latest || isPath(cursor));
      return isTarget ? { query: {}, target: targetOf(cursor) } : otherwise.request(query, options);
    },
    async next(page, fetched) {
      const { response } = page;
      const facts = factsOf?.(response);
      const link = linkIn(response, facts, list);
      if (link === END) return { cursor: null, hasEnded: true };
      const next = link && nextLink(link, { response, hasParameter });
      if (next) {
        latest = next.refused ? undefined : (next.cursor ?? undefined);
        return next;
      }
      const hasNumber = !!facts?.next && 'number' in facts.next;
      // A number leads nowhere where no parameter takes it.
      const endedEarly = hasNumber || facts?.more === true;
      return { endedEarly, ...(await otherwise.next(page, fetched)) };
    },
  };
}

function linkIn(
  response: RawResponse,
  facts: PageFacts | undefined,
  { hasLinks = true, prefersCursors = false, isCursor }: LinkedList,
): FoundLink | typeof END | undefined {
  if (!hasLinks || (prefersCursors && CURSOR.test(response.text))) return undefined;
  return linkInHeader(response) ?? linkInBody(facts, isCursor);
}

/** An object with a cursor that is not blank, wherever in it. */
const CURSOR = /^\s*\{.*"next_cursor"\s*:\s*"[^"]/s;

function pathOf({ pathname, search }: URL): string {
  return pathname + search;
}

/** A page says that nothing follows it. */
const END = 'end';

/** Where a page says that the next one is, and why that address cannot be used. */
type FoundLink = { readonly address: string; readonly problem?: string };

function linkInHeader({ headers: { link = '' } }: RawResponse): FoundLink | typeof END | undefined {
  const { target, rest, isEmpty } = findLink(link, 'next');
  if (isEmpty) return END;
  if (target !== undefined) return { address: target };
  return /next/i.test(rest) ? { address: rest, problem: 'cannot be read' } : undefined;
}

/** What an address begins with: any other text called `next` is not an address. */
const ADDRESS = /^(?:https?:|[/?]|\.\.?\/)/i;

function linkInBody(facts: PageFacts | undefined, isCursor: LinkedList['isCursor']): FoundLink | undefined {
  // Some services send an address with the last page, too.
  if (!facts?.next || !('address' in facts.next) || facts.more === false) return undefined;
  const { address } = facts.next;
  if (isCursor?.(address)) return undefined;
  return { address, ...(!ADDRESS.test(address) && { problem: 'is not an address' }) };
}

/** The page that a link leads to; undefined for a link with a blank cursor. */
function nextLink(
  { address: target, problem }: FoundLink,
  { response, hasParameter }: { readonly response: RawResponse; readonly hasParameter: boolean },
): NextPage | undefined {
  const { origin, path } = response.request;
  // The list continues there, so this must not be treated as its end.
  const refused = (cursor: string, reason: string, hint = UNUSABLE) => {
    const message = `The link to the next page ${reason} and is not followed`;
    return { cursor, refused: new ResponseError('link_refused', message, { ...response, hint }) };
  };
  if (problem !== undefined) return refused(target, problem);
  const base = origin + path;
  if (!URL.canParse(target, base)) return refused(target, 'is not an address');
  const url = new URL(target, base);
  if (url.origin !== origin || url.protocol === 'blob:') {
    const hint = `The token is sent only to ${origin}. If the service moved, set the base URL to its address.`;
    return refused(url.href, `leads to another origin, ${quote(url.origin)},`, hint);
  }
  // Where a path alone is read, such a one names another host.
  if (url.pathname.startsWith('//')) return refused(url.href, 'has a path that begins with //');
  if (!hasParameter) return { cursor: pathOf(withoutKeys(url, response.request)) };
  const cursor = url.searchParams.get('cursor');
  if (cursor === null) return refused(url.href, 'has no cursor');
  return cursor === '' ? undefined : { cursor };
}

/** An address without the credentials of the request: cursors are shown, and the next request adds the credentials again. */
function withoutKeys(url: URL, { needed }: RawResponse['request']): URL {
  for (const scheme of (needed?.security ?? []).flat())
    if (scheme.type === 'apiKey' && scheme.in === 'query' && url.searchParams.has(scheme.name))
      url.searchParams.delete(scheme.name);
  return url;
}

const UNUSABLE = 'No items before this point are missing. Report the link to the operator of the service.';

/** Takes the place of the origin where only a path is read. */
const NOWHERE = 'http://nowhere.invalid';

/** @throws UsageError `bad_cursor` for a cursor that is not a path of the service */
function targetOf(cursor: string): string {
  const isPath = cursor.startsWith('/') && URL.canParse(cursor, NOWHERE);
  const url = isPath ? new URL(cursor, NOWHERE) : undefined;
  if (url?.origin === NOWHERE && !url.pathname.startsWith('//')) return pathOf(url);
  throw new UsageError('bad_cursor', `The cursor ${quote(cursor)} is not valid for this list`, {
    hint: 'Use the path and query of a page, as the command for the next page shows them.',
  });
}
