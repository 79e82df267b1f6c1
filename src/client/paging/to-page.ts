import type { Envelope as PageEnvelope } from '../../descriptions/imported-operation.ts';
import { splitItems } from '../../json/edit.ts';
import { memberAt } from '../../json/is-object.ts';
import { ResponseError } from '../errors.ts';
import { type Envelope, FetchedPage, type NextPage, type RawPage } from '../page.ts';
import { type Received, responseOf } from '../response.ts';

/** A response as a page that nothing has read yet. */
export function rawPage(document: object & Received): RawPage {
  return { document, response: responseOf(document) };
}

/** The items of a response: those of its envelope, of `items`, or of the array that it is; undefined for any other response. */
export function itemsIn(document: object, envelope?: PageEnvelope): readonly unknown[] | undefined {
  const items =
    Array.isArray(document) && !envelope ? document : memberAt(document, [envelope?.items ?? 'items']);
  return Array.isArray(items) ? items : undefined;
}

/**
 * The page that a response is. Its items and the cursor of the next page are in `items` and `next_cursor`, also in its text; its other
 * members stay, and every value as the service wrote it.
 * @throws ResponseError `unexpected_shape` where one of the two is missing
 */
export function toPage<T>(raw: RawPage, next: NextPage, envelope?: PageEnvelope): FetchedPage<T> {
  const { document, response } = raw;
  const items = itemsIn(document, envelope) as readonly T[] | undefined;
  const missing = items ? next.badMember : (envelope?.items ?? 'items');
  if (!items || missing !== undefined) {
    const message = `The response is not a valid page: it has no usable \`${missing}\``;
    throw new ResponseError('unexpected_shape', message, response);
  }
  const cursor = next.cursor === undefined ? {} : { next_cursor: next.cursor };
  if (envelope) {
    const text = pageText(response.text, envelope.items, next.cursor);
    return new FetchedPage({ response: { ...response, text } }, { items, ...cursor }, next);
  }
  if (Array.isArray(document)) return new FetchedPage(raw, { items, ...cursor }, next);
  const page = document as Envelope<T>;
  return new FetchedPage(raw, page.next_cursor === next.cursor ? page : { ...page, ...cursor }, next);
}

function pageText(text: string, name: string, cursor: NextPage['cursor']): string {
  const { texts, rest } = splitItems(text, name);
  const others = rest.filter(({ key }) => key !== 'items' && key !== 'next_cursor');
  const members = [
    `"items":[${texts.join(',')}]`,
    ...others.map(({ keyText, valueText }) => `${keyText}:${valueText}`),
    `"next_cursor":${JSON.stringify(cursor ?? null)}`,
  ];
  return `{${members.join(',')}}`;
}
