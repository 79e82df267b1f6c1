import type { Operation } from '../contract/operation.ts';
import { UsageError } from '../errors.ts';
import { quote } from '../text/format.ts';
import { ResponseError } from './errors.ts';
import type { Links } from './paging.ts';
import type { RawResponse } from './response.ts';

/**
 * Follows the pages of a list by their `Link` headers with `rel="next"` (RFC 8288), to addresses of the same origin alone. The
 * cursor of a page is the path and the query of its address; where the operation takes a `cursor`, it is that of the address.
 * With `orCursors`, for a request that no description names, a `next_cursor` is followed where there is no link.
 */
export function followLinks(
  { query: parameters }: Pick<Operation, 'query'>,
  { orCursors = false }: { readonly orCursors?: boolean } = {},
): Links {
  const hasParameter = Object.hasOwn(parameters, 'cursor') && !orCursors;
  let latest: string | undefined;
  let refused: Refused | undefined;
  return {
    orCursors,
    next(response) {
      const link = orCursors && CURSOR.test(response.text) ? undefined : nextLink(response, hasParameter);
      if (link === undefined) return undefined;
      const isUsable = typeof link === 'string';
      latest = isUsable ? link : link.address;
      refused = isUsable ? undefined : { ...link, response };
      return latest;
    },
    get haveLed() {
      return latest !== undefined;
    },
    get refusal() {
      return refused?.reason;
    },
    leads: (cursor) => orCursors || cursor === latest,
    ask(query) {
      const { cursor } = query;
      if (cursor === undefined) return { query };
      if (refused && cursor === latest) throw linkRefused(refused);
      const isPath = orCursors ? cursor === latest || PATH_WITH_QUERY.test(cursor) : !hasParameter;
      return isPath ? { query: {}, target: targetOf(cursor) } : { query };
    },
  };
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

/** The cursor of the page that a response links to; undefined where it has no link to a next page, or one with a blank cursor. */
function nextLink(
  { headers: { link = '' }, request: { origin, path } }: RawResponse,
  hasParameter: boolean,
): string | Unusable | undefined {
  const { target, rest } = findLink(link, 'next');
  if (target === undefined)
    return /next/i.test(rest) ? { address: rest, reason: 'cannot be read' } : undefined;
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
  throw new UsageError('bad_cursor', `The cursor ${quote(cursor)} is no page of this list`, {
    hint: 'The cursor of this list is the path and the query of a page, as the command for the next page shows it.',
  });
}

/** More of a header than that is not read. */
const LONGEST = 20_000;

/**
 * The target of the first link with this relation in the value of a `Link` header, as it is written there. A link with an
 * `anchor` is about something else than the page. Nothing after what is no link is read.
 */
export function targetOfRelation(value: string, relation: string): string | undefined {
  return findLink(value, relation).target;
}

/** The target of a link, and what could not be read of a value. */
function findLink(
  value: string,
  relation: string,
): { readonly target?: string | undefined; readonly rest: string } {
  if (value.length > LONGEST) return { rest: value };
  const scan = { text: value, at: 0 };
  for (;;) {
    take(scan, /[\t ,]*/y);
    const rest = value.slice(scan.at);
    const target = take(scan, /<([^<>]*)>/y)?.[1];
    const parameters = target === undefined ? undefined : parametersAt(scan);
    if (!parameters || !take(scan, /[\t ]*(?=,|$)/y)) return { rest };
    const relations =
      parameters
        .get('rel')
        ?.toLowerCase()
        .split(/[\t ]+/) ?? [];
    if (relations.includes(relation) && !parameters.has('anchor')) return { target, rest };
  }
}

type Scan = { readonly text: string; at: number };

/** Reads a token where the scan stands, and goes on behind it. Each takes time in proportion to its length. */
function take(scan: Scan, token: RegExp): RegExpExecArray | undefined {
  token.lastIndex = scan.at;
  const match = token.exec(scan.text);
  if (match) scan.at = token.lastIndex;
  return match ?? undefined;
}

/** The parameters of a link by their names in lower case, of two with one name the first; undefined where a value is missing. */
function parametersAt(scan: Scan): ReadonlyMap<string, string> | undefined {
  const named = new Map<string, string>();
  while (take(scan, /[\t ]*;[\t ]*/y)) {
    const name = take(scan, /[!#$%&'*+.^_`|~\w-]+/y)?.[0].toLowerCase();
    if (name === undefined) continue;
    const hasValue = take(scan, /[\t ]*=[\t ]*/y) !== undefined;
    const value = hasValue ? take(scan, /[!#$%&'*+.^_`|~\w-]+|"((?:[^"\\]|\\.)*)"/sy) : undefined;
    if (hasValue && !value) return undefined;
    if (!named.has(name)) named.set(name, value?.[1]?.replace(/\\(.)/gs, '$1') ?? value?.[0] ?? '');
  }
  return named;
}
