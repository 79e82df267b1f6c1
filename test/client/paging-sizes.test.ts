import { describe, expect, it } from 'vitest';
import { type NextPage, type PageQuery, type PagingOptions, toPage } from '../../src/client/page.ts';
import { cursorParameter, followCursors, takesCursor } from '../../src/client/paging/cursor.ts';
import { describedPaging } from '../../src/client/paging/described-paging.ts';
import { mayBeLinked, type PagedOperation, type Paging } from '../../src/client/paging/paging.ts';
import { openPaging, pagedResource } from '../../src/client/paging/resource.ts';
import { type RawResponse, responseOf } from '../../src/client/response.ts';
import { operations } from '../../src/contract/generated/operations.ts';
import type { Operation, QueryParameter } from '../../src/contract/operation.ts';

const NUMBER: QueryParameter = { type: 'integer' };
const CURSOR: QueryParameter = { type: 'string' };

const request = { method: 'GET', path: '/', origin: 'https://api.example.com' };
const response = { status: 200, text: '', request } as RawResponse;
const received = (document: object) => ({ document, response });

type Sized = { readonly query?: Operation['query']; readonly paging?: Paging };

/** A list of three pages of two items, and the queries that ask for them. */
function listOf({ query = {}, paging = followCursors() }: Sized = {}) {
  const asked: (PageQuery & { readonly isSingle?: boolean })[] = [];
  const resource = pagedResource<number, PageQuery>({
    operation: { ...operations.listBuyers, query },
    open: async () => paging,
    request: async ({ query: pageQuery = {} }, { isSingle }) => {
      asked.push({ ...pageQuery, ...(isSingle && { isSingle }) });
      const number = Number(pageQuery.cursor ?? 1);
      const items = [2 * number - 1, 2 * number];
      return received({ items, next_cursor: number < 3 ? String(number + 1) : null });
    },
  });
  const queries = async (pageQuery?: PageQuery, options?: PagingOptions) => {
    asked.length = 0;
    for await (const page of resource.pages(pageQuery, options)) expect(page.items).toHaveLength(2);
    return asked.map((one) => JSON.parse(JSON.stringify(one)) as unknown);
  };
  return { resource, asked, queries };
}

/** Follows cursors, with the sizes of pages that are counted. */
function followed(counts?: 'pages' | 'items'): Paging {
  const counted = counts && { parameter: 'page', counts, size: 'per_page' };
  const list = { query: {}, method: 'GET', listShape: 'envelope', paging: counted && { counted } } as const;
  const { sizes } = describedPaging(list as PagedOperation);
  return { ...followCursors(), ...(sizes && { sizes }) };
}

describe('the size of the pages of a run', () => {
  const query = { page: NUMBER, per_page: { ...NUMBER, maximum: 50 }, cursor: CURSOR };

  it('is the largest that the description allows, and its last page has what is missing', async () => {
    const { queries } = listOf({ query });
    expect(await queries()).toEqual([
      { per_page: 50 },
      { cursor: '2', per_page: 50 },
      { cursor: '3', per_page: 50 },
    ]);
    expect(await queries({}, { maxItems: 3 })).toEqual([{ per_page: 3 }, { cursor: '2', per_page: 1 }]);
  });

  it('is that of the query, by the name of the service or by that of the client', async () => {
    const { queries } = listOf({ query });
    for (const chosen of [{ per_page: 7 }, { limit: 7 }, { per_page: '7' }]) {
      expect((await queries({ ...chosen, cursor: '3' }))[0]).toEqual({ cursor: '3', per_page: 7 });
    }
    expect((await queries({ per_page: 1, cursor: '3' }))[0]).toEqual({ cursor: '3', per_page: 1 });
    expect((await queries({ per_page: 0, cursor: '3' }))[0]).toEqual({ cursor: '3', per_page: 50 });
  });

  it('is asked for as `limit` where that is the parameter', async () => {
    const { queries } = listOf({ query: { limit: { ...NUMBER, maximum: 20 } } });
    expect((await queries({ cursor: '3' }))[0]).toEqual({ cursor: '3', limit: 20 });
    expect((await queries({ cursor: '3', limit: 4 }))[0]).toEqual({ cursor: '3', limit: 4 });
  });

  it('is not asked for where no parameter takes it, or none says how large it may be', async () => {
    expect(await listOf().queries({ cursor: '3', limit: 4 })).toEqual([{ cursor: '3' }]);
    expect(await listOf({ query: { per_page: NUMBER } }).queries({ cursor: '3' })).toEqual([{ cursor: '3' }]);
  });

  it('stays the same for pages that are counted, also where fewer items are asked for', async () => {
    const { queries } = listOf({ query, paging: followed('pages') });
    expect(await queries({}, { maxItems: 3 })).toEqual([{ per_page: 3 }, { cursor: '2', per_page: 3 }]);
    expect(await queries({ cursor: '3' })).toEqual([{ cursor: '3' }]);
    expect(await queries({ page: 3, cursor: '3' }, { maxItems: 1 })).toEqual([{ page: 3, cursor: '3' }]);
  });

  it('is that of the service for pages that are counted from within the list', async () => {
    const { queries } = listOf({ query, paging: followed('pages') });
    expect(await queries({ cursor: '2' })).toEqual([{ cursor: '2' }, { cursor: '3' }]);
    expect((await queries({ page: 2 }))[0]).toEqual({ page: 2 });
    expect((await queries({ cursor: '2', per_page: 5 }, { maxItems: 3 }))[1]).toEqual({
      cursor: '3',
      per_page: 5,
    });
  });

  it('does not matter where items are counted, or links lead on', async () => {
    for (const paging of [followed('items'), followed()]) {
      const { queries } = listOf({ query, paging });
      expect(await queries({ cursor: '2', page: 2 }, { maxItems: 3 })).toEqual([
        { cursor: '2', page: 2, per_page: 3 },
        { cursor: '3', page: 2, per_page: 1 },
      ]);
    }
  });
});

describe('one page', () => {
  it('is asked for as the query says, and as one that no other follows', async () => {
    const { resource, asked } = listOf({ query: { per_page: NUMBER } });
    await resource.list();
    await resource.list({ limit: 5, search: 'x' });
    await resource.list({ per_page: 6 });
    expect(asked).toEqual([
      { isSingle: true },
      { search: 'x', per_page: 5, isSingle: true },
      { per_page: 6, isSingle: true },
    ]);
  });
});

describe('the items of a list', () => {
  it('are as many as are asked for', async () => {
    const { resource } = listOf();
    const items: number[] = [];
    for await (const item of resource.items(undefined, { maxItems: 3 })) items.push(item);
    expect(items).toEqual([1, 2, 3]);
  });
});

describe('what leads from page to page', () => {
  const linkable = { method: 'GET', listShape: 'array', paginated: false } as const;

  it('may be links or counting in a list that is read, and has no cursor', () => {
    expect(mayBeLinked(linkable)).toBe(true);
    expect(mayBeLinked({ ...linkable, method: 'POST', paging: {} })).toBe(true);
    expect(mayBeLinked({ ...linkable, method: 'POST' })).toBe(false);
    expect(mayBeLinked({ ...linkable, paginated: true })).toBe(false);
    expect(mayBeLinked({ method: 'GET', paginated: false })).toBe(false);
  });

  it('is a cursor where the description names its parameter', () => {
    const plain = { items: 'items' };
    const envelope = { ...plain, cursorParameter: 'page_token' };
    expect([
      cursorParameter({}),
      cursorParameter({ envelope: plain }),
      cursorParameter({ envelope }),
    ]).toEqual(['cursor', 'cursor', 'page_token']);
    expect(takesCursor({ query: { cursor: CURSOR } })).toBe(true);
    expect(takesCursor({ query: { page_token: CURSOR }, envelope })).toBe(true);
    expect(takesCursor({ query: { cursor: CURSOR }, envelope })).toBe(false);
    expect(takesCursor({ query: {} })).toBe(false);
  });
});

describe('an envelope that the description names', () => {
  const envelope = { items: 'data', nextCursor: 'meta.next', hasMore: 'meta.more', cursorParameter: 'token' };
  const list = { query: { token: CURSOR }, method: 'GET', listShape: 'envelope', paginated: true } as const;
  const fetched = { query: {}, asked: {}, send: () => Promise.reject(new Error('not asked')) };

  it.each<[object, NextPage]>([
    [{ meta: { next: 'b' } }, { cursor: 'b' }],
    [{ meta: { next: 7 } }, { cursor: '7' }],
    [{ meta: { next: 9007199254740993n } }, { cursor: '9007199254740993' }],
    [{ meta: { next: 'b', more: true } }, { cursor: 'b' }],
    [{ meta: { next: 'b', more: false } }, { cursor: null }],
    [{ meta: { next: null } }, { cursor: null }],
    [{}, { cursor: null }],
    [{ meta: { next: true } }, { cursor: undefined, badMember: 'meta.next' }],
  ])('has the cursor of the next page: %o', async (document, next) => {
    for (const [query, lacksParameter] of [
      [{ token: CURSOR }, false],
      [{ cursor: CURSOR }, true],
    ] as const) {
      const paging = describedPaging({ ...list, envelope, query });
      expect(await paging.next(received(document), fetched)).toEqual({ ...next, lacksParameter });
    }
  });

  it('is asked for by the parameter that takes the cursor, and not ahead', async () => {
    const paging = describedPaging({ ...list, envelope });
    expect(paging.request({ cursor: 'b', limit: 5, q: 'x' }, {})).toEqual({
      query: { q: 'x', token: 'b', limit: 5 },
    });
    expect(paging.request({ limit: 5 }, {}).query).toStrictEqual({ limit: 5 });
    expect(paging.canPrefetch).toBe(false);
    expect(followCursors().canPrefetch).toBe(true);
    expect(followCursors({ hasParameter: false }).canPrefetch).toBe(false);
  });

  it('leads nowhere where it has no cursor', async () => {
    const paging = describedPaging({ ...list, envelope: { items: 'data' } });
    expect(await paging.next(received({ data: [1] }), fetched)).toMatchObject({ cursor: null });
  });

  it.each<[object, NextPage]>([
    [{ data: [{ id: 'a' }, { id: 'z' }], more: true }, { cursor: 'z' }],
    [{ data: [{ id: 1 }], more: true }, { cursor: '1' }],
    [{ data: [{ id: 'a' }], more: false }, { cursor: null }],
    [{ data: [{ id: 'a' }] }, { cursor: null }],
    [
      { data: [{ id: 'a' }], more: 'yes' },
      { cursor: undefined, badMember: 'more' },
    ],
    [
      { data: [], more: true },
      { cursor: undefined, badMember: 'data[].id' },
    ],
    [
      { data: 'none', more: true },
      { cursor: undefined, badMember: 'data[].id' },
    ],
  ])('goes on after its last item where it says that there is more: %j', async (document, next) => {
    const byItem = { items: 'data', hasMore: 'more', cursorParameter: 'after' };
    const paging = describedPaging({ ...list, envelope: byItem });
    expect(await paging.next(received(document), fetched)).toEqual(next);
    expect(paging.request({ cursor: 'z' }, {})).toEqual({ query: { after: 'z' } });
  });
});

describe('the paging of a list', () => {
  it('is that of its description, or that of its pages', async () => {
    const plain = { query: { cursor: CURSOR }, paginated: true } as const;
    expect((await openPaging(plain, 'description')).canPrefetch).toBe(true);
    expect((await openPaging({ ...plain, query: {} }, 'description')).canPrefetch).toBe(false);
    const enveloped = { ...plain, envelope: { items: 'data', nextCursor: 'next', cursorParameter: 'token' } };
    expect((await openPaging(enveloped, 'description')).request({ cursor: 'b' }, {})).toEqual({
      query: { token: 'b' },
    });
    const unnamed = await openPaging({ query: { cursor: CURSOR }, method: 'POST' }, 'description');
    expect(unnamed.request({ cursor: 'b' }, {})).toEqual({ query: { cursor: 'b' } });
    const linked = await openPaging({ query: {}, method: 'GET', listShape: 'array' }, 'description');
    expect(linked.request({ cursor: '/a' }, {})).toEqual({ query: {}, target: '/a' });
    for (const [cursor, asked] of [
      ['/a', { query: { cursor: '/a' } }],
      ['/a?b', { query: {}, target: '/a?b' }],
    ] as const)
      expect((await openPaging(plain, 'pages')).request({ cursor }, {})).toEqual(asked);
  });
});

describe('the page that a response is', () => {
  it('is the response itself, where nothing else leads to the next page', () => {
    const document = received({ items: [1], next_cursor: 'a' });
    expect(toPage(document, { cursor: 'a' }).page()).toBe(document.document);
  });

  it('is a page of an array', () => {
    const page = toPage(received([1, 2]), { cursor: undefined }).page();
    expect(page).toEqual({ items: [1, 2] });
    expect(responseOf(page)).toBe(response);
  });

  it.each(['/next?page=2', null])('has the cursor of a link in place of its own: %j', (cursor) => {
    const page = toPage(received({ items: [1], next_cursor: 'a', total: 3 }), { cursor }).page();
    expect(page).toEqual({ items: [1], next_cursor: cursor, total: 3 });
    expect(responseOf(page)).toBe(response);
    expect(toPage(received([1]), { cursor }).page()).toEqual({ items: [1], next_cursor: cursor });
  });

  it.each([{}, { items: null }, { items: { length: 1 } }])('is none without a list: %j', (document) => {
    expect(() => toPage(received(document), { cursor: null })).toThrow('it has no usable `items`');
    expect(() => toPage(received(document), { cursor: 'next' })).toThrow('it has no usable `items`');
  });
});
