import type { Operation } from '../contract/operation.ts';
import type { Envelope } from '../descriptions/imported-operation.ts';
import { splitItems } from '../json/edit.ts';
import type { RequestOptions } from './call.ts';
import { ResponseError } from './errors.ts';
import type { Links } from './links.ts';
import type { ListOptions, Page, PagedResource, PageQuery } from './page.ts';
import { valueAt } from './page-facts.ts';
import { cursorParameter, pagedResource } from './paging.ts';
import { type RawResponse, type Received, responseOf, withResponse } from './response.ts';

/** How the pages of a list are asked for. */
export type EnvelopeCall = {
  readonly operation: Operation;
  readonly envelope: Envelope;
  /** Sends one request with this query. */
  readonly request: (
    query: PageQuery,
    options: ListOptions & Pick<RequestOptions, 'target'>,
  ) => Promise<object & Received>;
  /** False where the description names no parameter for a cursor. */
  readonly followsCursors: boolean;
  /** What leads from page to page where it is no member of the envelope. */
  readonly links?: Links | undefined;
};

/**
 * The methods that read a list whose pages have their items or their cursor elsewhere than in `items` and `next_cursor`. Pages
 * have them there, in their text, too; their other members stay, and every value as the service wrote it.
 * @throws ResponseError `unexpected_shape` for an answer that is no such page
 */
export function createEnvelopeResource(call: EnvelopeCall): PagedResource<unknown, PageQuery> {
  const { operation, envelope, request, followsCursors, links } = call;
  return pagedResource({
    operation,
    followsCursors: links ?? followsCursors,
    fetchPage: async (asked, options) => {
      if (links) {
        const ask = ({ query = {}, target }: Pick<RequestOptions, 'query' | 'target'>) =>
          request(query, { ...options, target });
        return pageOf(await links.fetch(asked, ask, options), { ...envelope, links });
      }
      const { cursor, limit, ...query } = asked;
      const from = cursor === undefined ? {} : { [cursorParameter({ envelope })]: cursor };
      return pageOf(await request({ ...query, ...from, limit }, options), envelope);
    },
  });
}

type LinkedEnvelope = Envelope & Pick<EnvelopeCall, 'links'>;

function pageOf(document: object & Received, envelope: LinkedEnvelope): Page<unknown> {
  const { items: name, links } = envelope;
  const response = responseOf(document);
  const items = valueAt(document, [name]);
  if (!Array.isArray(items)) throw unusable(name, response);
  const linked = links?.next(response);
  const { path, cursor } =
    linked === undefined ? nextCursorOf(document, items, envelope) : { path: '', cursor: linked };
  // A number that JavaScript would round is a bigint.
  if (cursor !== null && !['string', 'number', 'bigint'].includes(typeof cursor))
    throw unusable(path, response);
  const next = cursor === null ? null : String(cursor);
  const { texts, rest } = splitItems(response.text, name);
  const others = rest.filter(({ key }) => key !== 'items' && key !== 'next_cursor');
  const members = [
    `"items":[${texts.join(',')}]`,
    ...others.map(({ keyText, valueText }) => `${keyText}:${valueText}`),
    `"next_cursor":${JSON.stringify(next)}`,
  ];
  return withResponse({ items, next_cursor: next }, { ...response, text: `{${members.join(',')}}` });
}

/** The cursor of the next page, null at the end, and where the page has it. */
function nextCursorOf(
  document: object,
  items: readonly unknown[],
  { items: name, nextCursor, hasMore }: Envelope,
): { readonly path: string; readonly cursor: unknown } {
  const more = hasMore === undefined ? undefined : valueAt(document, hasMore.split('.'));
  if (nextCursor === undefined) {
    // An empty page with more behind it leads nowhere.
    return more === true
      ? { path: `${name}[].id`, cursor: valueAt(items.at(-1), ['id']) }
      : { path: '', cursor: null };
  }
  // Some services give a cursor with the last page, too.
  if (more === false) return { path: '', cursor: null };
  return { path: nextCursor, cursor: valueAt(document, nextCursor.split('.')) ?? null };
}

function unusable(name: string, response: RawResponse): ResponseError {
  const message = `The response is not a valid page: it has no usable \`${name}\``;
  return new ResponseError('unexpected_shape', message, response);
}
