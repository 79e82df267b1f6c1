import type { Envelope as PageEnvelope } from '../descriptions/imported-operation.ts';
import type { PayctlError } from '../errors.ts';
import { splitItems } from '../json/edit.ts';
import { parseExactJson } from '../json/exact.ts';
import { memberAt } from '../json/is-object.ts';
import type { PageParts } from '../json/mask.ts';
import type { QueryValue } from './call.ts';
import { ResponseError } from './errors.ts';
import { type RawResponse, type Received, responseOf, withResponse } from './response.ts';

/** Options of every list. */
export type ListOptions = PagingOptions & {
  /** Ask for personal data in full, where the operation knows a scope for it (`buyers.billing-details.read`). */
  readonly revealPii?: boolean;
};

/**
 * The three ways to read a list: one page, every page, every item. A list without cursors in the contract has one page;
 * a cursor that the service sends anyway is followed.
 */
export type PagedResource<T, Q> = PageSource<T, Q> & {
  /** One page, as the service sent it. */
  list(query?: Q, options?: Omit<ListOptions, 'maxItems'>): Promise<Page<T>>;
  /** Page after page to the end or to `maxItems`; the next page is fetched while the present one is used. */
  pages(query?: Q, options?: ListOptions): AsyncGenerator<Page<T>, void, undefined>;
  /** Item after item, at most `maxItems`. */
  items(query?: Q, options?: ListOptions): AsyncGenerator<T, void, undefined>;
};

/** A list whose pages come with what follows each of them. */
export type PageSource<T, Q> = {
  /** Page after page as `pages` does, or a single one that no other follows. */
  fetch(query: Q, options?: FetchOptions): AsyncGenerator<FetchedPage<T>, void, undefined>;
};

/** How the pages of a list are fetched. */
export type FetchOptions = ListOptions & SinglePage & { readonly readPage?: PageReader | undefined };

/** Whether one page is read alone: nobody needs to know more of the list than the page says. */
export type SinglePage = { readonly isSingle?: boolean | undefined };

/** What reads the pages of a list in place of `JSON.parse`; undefined where a page is to be read as any other document. */
export type PageReader = (response: RawResponse) => PageParts | undefined;

/** A page before its items are read: its members, without the items if a reader has taken them out. */
export type RawPage = {
  readonly response: RawResponse;
  readonly document: object;
  readonly parts?: PageParts | undefined;
};

/** A page of a list, as the service sent it or as a reader took it apart, and what comes after it. */
export class FetchedPage<T> {
  readonly response: RawResponse;
  /** What the reader of the pages made of it. */
  readonly parts: PageParts | undefined;
  readonly next: NextPage;
  readonly #document: Envelope<T>;
  #texts: readonly string[] | undefined;

  constructor(
    { response, parts }: Pick<RawPage, 'response' | 'parts'>,
    document: Envelope<T>,
    next: NextPage,
  ) {
    this.response = response;
    this.parts = parts;
    this.next = next;
    this.#document = document;
  }

  /** How many items there are. */
  get count(): number {
    return this.parts?.texts.length ?? this.#document.items.length;
  }

  /** What the page has in common with no other one: its number of items, the first and the last of them; undefined where it has none. */
  get mark(): string | undefined {
    if (this.count === 0) return undefined;
    const items = this.parts?.texts ?? this.#document.items;
    const whole = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value);
    return JSON.stringify([this.count, items[0], items.at(-1)], whole);
  }

  /** The items as values. */
  items(): readonly T[] {
    return this.parts ? this.parts.texts.map((text) => parseExactJson(text) as T) : this.#document.items;
  }

  /** The exact text of each item. */
  get texts(): readonly string[] {
    this.#texts ??= this.parts?.texts ?? splitItems(this.response.text).texts;
    return this.#texts;
  }

  /** The page as the library gives it. */
  page(): Page<T> {
    const document = this.parts ? { ...this.#document, items: this.items() } : this.#document;
    return withResponse(document, this.response);
  }
}

/** A response as a page that nothing has read yet. */
export function rawPage(document: object & Received): RawPage {
  return { document, response: responseOf(document) };
}

/** The items of a response: those of its envelope, of `items`, or of the array that it is; undefined for any other response. */
export function itemsIn(document: object, envelope?: PageEnvelope): readonly unknown[] | undefined {
  const path = envelope?.items.split('.') ?? ['items'];
  const items = Array.isArray(document) && !envelope ? document : memberAt(document, path);
  return Array.isArray(items) ? items : undefined;
}

/**
 * The page that a response is. Its items and the cursor of the next page, if there is one, are in `items` and `next_cursor`, also in its
 * text; its other members stay, and every value as the service wrote it.
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
  const hasCursor = cursor || rest.some(({ key }) => key === 'next_cursor');
  const members = [
    `"items":[${texts.join(',')}]`,
    ...others.map(({ keyText, valueText }) => `${keyText}:${valueText}`),
    ...(hasCursor ? [`"next_cursor":${JSON.stringify(cursor ?? null)}`] : []),
  ];
  return `{${members.join(',')}}`;
}

/** What comes after a page. */
export type NextPage = {
  /** The cursor of the next page: null or blank at the end, undefined where nothing leads to one. */
  readonly cursor: string | null | undefined;
  /** No parameter of the request takes the cursor. */
  readonly lacksParameter?: boolean;
  /** The page says that it is the last one, whatever the description says. */
  readonly hasEnded?: boolean;
  /** Only requesting the next page can tell whether there is one. */
  readonly mayHaveMore?: boolean;
  /** The list ended although the service says that it has more items. */
  readonly endedEarly?: boolean;
  /** Why the cursor is not followed. */
  readonly refused?: PayctlError;
  /** The member that should hold the cursor and holds something else. */
  readonly badMember?: string | undefined;
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
  /** Stop after this many items. The last page is limited to what is missing, so nothing is fetched needlessly. */
  readonly maxItems?: number | undefined;
  readonly signal?: AbortSignal | undefined;
};
