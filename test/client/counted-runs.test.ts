import { describe, expect, it } from 'vitest';
import { ApiError } from '../../src/client/errors.ts';
import type { FetchOptions, NextPage, PageQuery } from '../../src/client/page.ts';
import { describedPaging } from '../../src/client/paging/described-paging.ts';
import { itemNumbers, numberOf, pageNumbers } from '../../src/client/paging/numbering.ts';
import type { PagedOperation } from '../../src/client/paging/paging.ts';
import { pagedResource } from '../../src/client/paging/resource.ts';
import type { RawResponse } from '../../src/client/response.ts';
import { operations } from '../../src/contract/generated/operations.ts';
import type { QueryParameter } from '../../src/contract/operation.ts';
import type { CountedPages } from '../../src/descriptions/counted-pages.ts';
import type { PageMembers } from '../../src/descriptions/imported-operation.ts';
import { countedHandler, type ServiceOptions, type ServicePage } from './counted-service.ts';

const integer: QueryParameter = { type: 'integer' };
const BY_PAGE: CountedPages = { parameter: 'page', counts: 'pages', size: 'per_page' };
const BY_ITEM: CountedPages = { parameter: 'offset', counts: 'items', size: 'per_page' };

type Counted = {
  readonly counted: CountedPages;
  readonly service: ServiceOptions;
  readonly members?: PageMembers;
  readonly list?: Partial<PagedOperation>;
  readonly query?: PageQuery;
  readonly options?: FetchOptions & { readonly maxItems?: number };
};

/** Reads such a list page by page: the ids of the pages, what asked for them, the last one, and what comes after it. */
async function read({ counted, service, members = {}, list = {}, query = {}, options }: Counted) {
  const { parameter, counts } = counted;
  const body = service.body ?? (({ items }: ServicePage) => ({ items }));
  const handle = countedHandler({ ...service, parameter, counts, body });
  const queries: string[] = [];
  const known = { [parameter]: integer, ...(counted.size !== undefined && { [counted.size]: integer }) };
  const described = {
    query: known,
    method: 'GET',
    listShape: 'envelope',
    paging: { members, counted },
    ...list,
  } as const;
  const resource = pagedResource<{ readonly id: number }, PageQuery>({
    operation: { ...operations.listBuyers, query: known, ...(list.envelope && { envelope: list.envelope }) },
    open: async () => describedPaging(described),
    async request({ query: asked = {} }) {
      const given = Object.entries(asked).filter(([, value]) => value !== undefined);
      const search = String(new URLSearchParams(given.map(([name, value]) => [name, String(value)])));
      queries.push(search);
      let text = '';
      const reply = { statusCode: 0, setHeader() {}, end: (sent: string) => (text = sent) };
      handle({ url: `/things?${search}` } as never, reply as never);
      const status = reply.statusCode;
      const request = { method: 'GET', path: '/things', origin: 'https://api.example.com' };
      if (status !== 200) throw new ApiError('code', 'message', { status, request, attempts: 1 });
      const response = { text, status, headers: {}, attempts: 1, request } as unknown as RawResponse;
      return { document: JSON.parse(text) as object, response };
    },
  });
  const ids: number[][] = [];
  let next: NextPage | undefined;
  let last: string | undefined;
  const run = async () => {
    for await (const page of resource.fetch(query, options)) {
      ids.push(page.items().map(({ id }) => id));
      next = page.next;
      last = page.response.text;
    }
  };
  const error: unknown = await run().then(
    () => undefined,
    (failure: unknown) => failure,
  );
  return { ids, queries, next, last, error };
}

const told =
  (members: (page: ServicePage) => object) =>
  ({ items, ...page }: ServicePage) => ({ items, ...members({ items, ...page }) });
const single = { options: { isSingle: true } } as const;
const END = { cursor: null, mayHaveMore: false, endedEarly: false };
const UNNAMED = { cursor: null, mayHaveMore: true, endedEarly: false };

describe('a run over a list whose pages are counted', () => {
  const counted = { ...BY_PAGE, first: 1 };

  it.each([
    [{ default: 1 }, 1, ['', 'page=2', 'page=3']],
    [{ default: 0 }, 0, ['', 'page=1', 'page=2']],
  ])('asks for numbers from the first one to an empty page: %j', async (_, first, queries) => {
    const done = await read({ counted: { ...BY_PAGE, first }, service: { total: 4, first } });
    expect(done).toMatchObject({ ids: [[1, 2], [3, 4], []], queries, error: undefined });
    expect(done.next).toEqual(END);
  });

  it.each([
    [0, ['', 'page=1', 'page=2'], [[1, 2], [3, 4], []]],
    [1, ['', 'page=1', 'page=2', 'page=3'], [[1, 2], [3, 4], []]],
  ])('finds out whether the first page is %i', async (first, queries, ids) => {
    const done = await read({ counted: BY_PAGE, service: { total: 4, first } });
    expect(done).toMatchObject({ ids, queries, error: undefined });
  });

  it.each([
    [1, ['', 'page=2', 'page=3']],
    [0, ['', 'page=1', 'page=2', 'page=3']],
  ])('finds that out by another request unless the first page calls itself 1: %i', async (name, queries) => {
    const body = told(({ page }) => ({ page: page - 1 + name }));
    const done = await read({ counted: BY_PAGE, service: { total: 4, body }, members: { page: ['page'] } });
    expect(done).toMatchObject({ ids: [[1, 2], [3, 4], []], queries, error: undefined });
  });

  const fromZero = { total: 4, first: 0, body: told(({ page }) => ({ page: page + 1 })) };

  it.each([
    ['which the page after it shows', fromZero, ['', 'page=2', 'page=1', 'page=2']],
    ['which its missing second page shows', { ...fromZero, beyond: 404 }, ['', 'page=2', 'page=1', 'page=2']],
    [
      'which its name for every page shows',
      { ...fromZero, body: told(() => ({ page: 1 })) },
      ['', 'page=2', 'page=1', 'page=2'],
    ],
  ])('loses no page of a service that calls its page 0 the first one, %s', async (_, service, queries) => {
    const done = await read({ counted: BY_PAGE, service, members: { page: ['page'] } });
    expect(done).toMatchObject({ ids: [[1, 2], [3, 4], []], error: undefined });
    expect(done.queries).toEqual(queries);
  });

  it('loses no item of a service that calls its item 0 the first one', async () => {
    const service = { total: 5, first: 0, body: told(({ offset }) => ({ from: offset + 1 })) };
    const done = await read({ counted: BY_ITEM, service, members: { offset: ['from'] } });
    expect(done).toMatchObject({ ids: [[1, 2], [3, 4], [5], []], error: undefined });
  });

  it('sends no such request where the first page is the last one, or begins within the list', async () => {
    const body = told(({ size, total }) => ({ pages: Math.ceil(total / size) }));
    const known = { counted: BY_PAGE, members: { totalPages: ['pages'] } };
    const alone = await read({ ...known, service: { total: 2, body } });
    expect(alone).toMatchObject({ ids: [[1, 2]], queries: [''], next: END });
    const within = await read({ ...known, service: { total: 6, body }, query: { cursor: '2' } });
    expect(within).toMatchObject({
      ids: [
        [3, 4],
        [5, 6],
      ],
      queries: ['page=2', 'page=3'],
      next: END,
    });
  });

  it('takes the page without one for the second one where that is not there', async () => {
    const service = { total: 2, first: 0, beyond: 404 };
    const done = await read({ counted: BY_PAGE, service });
    expect(done).toMatchObject({ ids: [[1, 2], []], queries: ['', 'page=1', 'page=1'], error: undefined });
  });

  it('does not hide a failure that is no missing page', async () => {
    const done = await read({ counted: BY_PAGE, service: { total: 2, first: 0, beyond: 500 } });
    expect(done).toMatchObject({ queries: ['', 'page=1'], error: { status: 500 } });
  });

  it.each<[Partial<PagedOperation>, (page: ServicePage) => unknown, string]>([
    [{}, ({ items }) => ({ items }), '{"items":[]}'],
    [{ listShape: 'array' }, ({ items }) => items, '[]'],
    [{ envelope: { items: 'data' } }, ({ items }) => ({ data: items }), '{"items":[]}'],
  ])(
    'ends with an empty page, written like the others, where the page after the last one is missing: %j',
    async (list, body, last) => {
      const done = await read({ counted, service: { total: 4, beyond: 404, body }, list });
      expect(done).toMatchObject({ ids: [[1, 2], [3, 4], []], last, error: undefined });
    },
  );

  it('ends with an error where the first page is missing, or one that was said to follow', async () => {
    const lost = await read({ counted, service: { total: 4, beyond: 404 }, query: { cursor: '9' } });
    expect(lost).toMatchObject({ ids: [], error: { status: 404 } });
    const service = { total: 2, beyond: 404, body: told(() => ({ more: true })) };
    const promised = await read({ counted, service, members: { hasMore: ['more'] } });
    expect(promised).toMatchObject({ ids: [[1, 2]], error: { status: 404 } });
  });

  it.each<[PageMembers, (page: ServicePage) => object]>([
    [{ hasMore: ['more'] }, ({ offset, size, total }) => ({ more: offset + size < total })],
    [{ isLast: ['last'] }, ({ offset, size, total }) => ({ last: offset + size >= total })],
    [{ totalPages: ['pages'] }, ({ size, total }) => ({ pages: Math.ceil(total / size) })],
    [{ total: ['total_count'] }, ({ total }) => ({ total_count: total })],
    [{ total: ['total'] }, ({ total }) => ({ total })],
  ])('ends where a page says so: %j', async (members, says) => {
    const service = { total: 5, body: told(says) };
    const done = await read({ counted, service, members });
    expect(done).toMatchObject({ ids: [[1, 2], [3, 4], [5]], next: END, error: undefined });
    const alone = await read({ counted, service, members, ...single });
    expect(alone.next).toEqual({ cursor: '2', mayHaveMore: false, endedEarly: false });
    const last = await read({ counted, service: { ...service, total: 1 }, members, ...single });
    expect(last.next?.cursor).toBe(null);
  });

  it.each<[object, NextPage, Partial<PagedOperation>?]>([
    [{ next: 2 }, { ...END, cursor: '2' }],
    [{ next: 1 }, { ...UNNAMED, cursor: '2' }],
    [{ next: 2, more: false }, END],
    [{ next: '/things?page=2' }, { ...END, cursor: '2' }, { method: 'POST' }],
    [{ next: null }, END],
    [{ next: null, count: 2 }, END],
    [
      { next: null, count: 3 },
      { ...END, cursor: '2' },
    ],
  ])(
    'believes a number above that of the page, and the total before a next that is null: %j',
    async (says, next, list = {}) => {
      const members = { next: [['next']], hasMore: ['more'], total: ['count'] };
      const service = { total: 2, body: told(() => says) };
      expect((await read({ counted, service, members, list, ...single })).next).toEqual(next);
    },
  );

  it.each<[object, NextPage]>([
    [{ more: true }, { ...END, cursor: '2' }],
    [{ next: 2 }, { ...END, cursor: '2' }],
    [{ pages: 2 }, { ...END, cursor: '2' }],
    [{ count: 2 }, { ...END, endedEarly: true }],
    [{ count: 0 }, END],
    [{}, END],
  ])('goes on after an empty page only where another page is said to follow: %j', async (says, next) => {
    const members = { next: [['next']], hasMore: ['more'], totalPages: ['pages'], total: ['count'] };
    const service = { total: 0, body: told(() => says) };
    expect((await read({ counted, service, members, ...single })).next).toEqual(next);
  });

  it('ends with an empty list without another request', async () => {
    const body = told(({ total }) => ({ total }));
    const done = await read({ counted, service: { total: 0, body }, members: { total: ['total'] } });
    expect(done).toMatchObject({ ids: [[]], next: END });
  });

  it('does not end by a total where it began within the list, as the items before are not known', async () => {
    const body = told(({ total }) => ({ count: total }));
    const members = { total: ['count'] };
    const done = await read({ counted, service: { total: 5, body }, members, query: { cursor: '2' } });
    expect(done).toMatchObject({ ids: [[3, 4], [5], []], next: END });
  });

  it('counts pages from 0 where the first one is 0', async () => {
    const body = told(({ size, total }) => ({ pages: Math.ceil(total / size) }));
    const done = await read({
      counted: { ...BY_PAGE, first: 0 },
      service: { total: 6, first: 0, body },
      members: { totalPages: ['pages'] },
    });
    expect(done).toMatchObject({
      ids: [
        [1, 2],
        [3, 4],
        [5, 6],
      ],
      queries: ['', 'page=1', 'page=2'],
    });
  });

  it('does not end where a total is that of the page', async () => {
    const body = told(({ items }) => ({ total: items.length }));
    const members = { total: ['total'] };
    const done = await read({ counted, service: { total: 4, body }, members });
    expect(done).toMatchObject({ ids: [[1, 2], [3, 4], []], error: undefined });
    const list = { query: { page: integer, per_page: { ...integer, default: 2 } } as const };
    const full = await read({ counted, service: { total: 4, body }, members, list, ...single });
    expect(full.next).toEqual({ cursor: '2', mayHaveMore: true, endedEarly: false });
    const short = await read({ counted, service: { total: 1, body }, members, list, ...single });
    expect(short.next).toEqual(END);
  });

  it('keeps the size that it began with, and names it in the cursor', async () => {
    const service = { total: 7 };
    const done = await read({ counted, service, query: { limit: 3 }, options: { maxItems: 4 } });
    expect(done).toMatchObject({ queries: ['per_page=3', 'per_page=3&page=2'], next: { cursor: '3:3' } });
    const rest = await read({ counted, service, query: { cursor: '3:3' } });
    expect(rest).toMatchObject({ ids: [[7], []], queries: ['page=3&per_page=3', 'page=4&per_page=3'] });
  });

  it.each<readonly [cursor: string, query: object | undefined, message: string, hint: unknown]>([
    [
      'x',
      undefined,
      'The cursor "x" is not valid for this list',
      'Use the number of a page, such as 3, or 3:100 for page 3 in pages of 100 items.',
    ],
    ...['2:0', '-1', '2:', '1.5', '2:3:4', '99999999999999999'].map(
      (cursor) =>
        [cursor, undefined, `The cursor "${cursor}" is not valid for this list`, expect.any(String)] as const,
    ),
    [
      '2:3',
      { per_page: 2 },
      'The cursor "2:3" counts pages of 3 items, not of 2',
      'Leave out "per_page": the cursor contains the page size.',
    ],
  ])('has no cursor %s with %j', async (cursor, query, message, hint) => {
    const { error } = await read({ counted, service: { total: 7 }, query: { cursor, ...query } });
    expect(error).toMatchObject({ code: 'bad_cursor', message, hint });
    const same = await read({
      counted,
      service: { total: 7 },
      query: { cursor: '2:3', per_page: 3 } as PageQuery,
    });
    expect(same.ids[0]).toEqual([4, 5, 6]);
  });

  it('has no size in its cursor where no parameter takes one', async () => {
    const plain = { parameter: 'page', counts: 'pages', first: 1 } as const;
    const { error } = await read({ counted: plain, service: { total: 7 }, query: { cursor: '2:3' } });
    expect(error).toMatchObject({ code: 'bad_cursor' });
    expect((await read({ counted: plain, service: { total: 7 }, ...single })).next?.cursor).toBe('2');
  });

  it('is refused with another parameter that says where a page begins, unless a page is read alone', async () => {
    const rivals = { ...counted, rivals: ['offset'] };
    for (const place of [{ query: { offset: 2 } as PageQuery }, { list: { path: '/things?offset=2' } }]) {
      const refused = await read({ counted: rivals, service: { total: 7 }, ...place });
      expect(refused).toMatchObject({
        queries: [],
        error: {
          code: 'bad_option',
          message: 'The pages of this list are counted by "page", not by "offset"',
          hint: 'Begin with "page", or leave out "offset" to begin with the first page.',
        },
      });
      const alone = await read({ counted: rivals, service: { total: 7 }, ...place, ...single });
      expect(alone).toMatchObject({ ids: [[1, 2]], next: { cursor: null, endedEarly: false } });
    }
    expect(await read({ counted: rivals, service: { total: 2 } })).toMatchObject({ ids: [[1, 2], []] });
  });

  it.each<[string, (isFirst: boolean) => readonly object[]]>([
    ['comes again', () => [{ id: 1 }, { id: 2 }]],
    [
      'comes again without IDs, in any order',
      (isFirst) => (isFirst ? [{ n: 1 }, { n: 2 }] : [{ n: 2 }, { n: 1 }]),
    ],
    [
      'has items of a first page with the whole list',
      (isFirst) => (isFirst ? [{ id: 1 }, { id: 2 }] : [{ id: 2 }]),
    ],
  ])('ends with an error where a page %s', async (_, itemsOf) => {
    const body = ({ url }: ServicePage) => ({ items: itemsOf(!url.searchParams.has('page')) });
    expect(await read({ counted, service: { total: 2, body } })).toMatchObject({
      ids: [{ length: 2 }],
      queries: ['', 'page=2'],
      error: {
        code: 'cursor_loop',
        message: 'The service returned the same page twice, so the list would never end',
        hint: expect.stringContaining('Report that "page" leads to no other page'),
      },
    });
  });

  it('goes on where items arrive, so that pages begin with items of the page before', async () => {
    const body = ({ page, total }: ServicePage) => ({
      items: [page, page + 1].filter((id) => id <= total).map((id) => ({ id })),
    });
    const done = await read({ counted, service: { total: 3, body } });
    expect(done).toMatchObject({ ids: [[1, 2], [2, 3], [3], []], error: undefined });
  });

  it('goes on after empty pages that say so, a hundred at most', async () => {
    const members = { hasMore: ['more'] };
    const body = told(() => ({ more: true }));
    const done = await read({ counted, service: { total: 2, body }, members });
    expect(done.next).toEqual({ cursor: null, mayHaveMore: false, endedEarly: true });
    expect(done.queries).toHaveLength(102);
  });

  it.each([
    [10 ** 15 - 2, '999999999999999'],
    [10 ** 15 - 1, null],
    [-1, '0'],
    [-2, null],
  ])('has a cursor only for a number that can be one: the page after %i', async (page, cursor) => {
    const service = { total: 1, body: () => ({ items: [{ id: 1 }], more: true }) };
    const query = { page } as PageQuery;
    const { next } = await read({ counted, service, members: { hasMore: ['more'] }, query, ...single });
    expect(next).toMatchObject({ cursor, mayHaveMore: cursor === null });
  });
});

describe('a run over a list whose items are counted', () => {
  const counted = { ...BY_ITEM, first: 0 };

  it.each([
    [0, ['', 'offset=2', 'offset=4']],
    [1, ['', 'offset=2', 'offset=3', 'offset=5']],
  ])('finds out whether the first item is %i', async (first, queries) => {
    const done = await read({ counted: BY_ITEM, service: { total: 4, first } });
    expect(done).toMatchObject({ ids: [[1, 2], [3, 4], []], queries, error: undefined });
  });

  it('begins where a page says that it does', async () => {
    for (const first of [0, 1]) {
      const body = told(({ offset }) => ({ offset: offset + first }));
      const done = await read({
        counted: BY_ITEM,
        service: { total: 4, first, body },
        members: { offset: ['offset'] },
      });
      expect(done.queries).toEqual(['', `offset=${2 + first}`, `offset=${4 + first}`]);
    }
  });

  it.each<[number | undefined, NextPage]>([
    [0, { ...UNNAMED, cursor: '2' }],
    [1, { ...UNNAMED, cursor: '3' }],
    [7, UNNAMED],
    [undefined, UNNAMED],
  ])(
    'names the second page of a first one that is read alone and says that it begins at 0 or 1: %j',
    async (offset, next) => {
      const service = { total: 4, body: told(() => ({ offset })) };
      const done = await read({ counted: BY_ITEM, service, members: { offset: ['offset'] }, ...single });
      expect(done).toMatchObject({ queries: [''], next });
    },
  );

  it.each([0, 1])('ends at the total, also from within a list that begins with %i', async (first) => {
    const body = told(({ total }) => ({ total }));
    const members = { total: ['total'] };
    const query = { cursor: String(first + 2) };
    const done = await read({
      counted: { ...counted, first },
      service: { total: 5, first, body },
      members,
      query,
    });
    expect(done).toMatchObject({
      ids: [[3, 4], [5]],
      queries: [`offset=${first + 2}`, `offset=${first + 4}`],
      next: END,
    });
  });

  it.each<[object, NextPage]>([
    [{ next_offset: 2 }, { ...END, cursor: '2' }],
    [
      { next_offset: 0, more: true },
      { ...END, endedEarly: true },
    ],
    [{ more: true }, { ...END, endedEarly: true }],
  ])('goes on after an empty page only where the next one begins further on: %j', async (says, next) => {
    const members = { nextNumber: [['next_offset']], hasMore: ['more'] };
    const service = { total: 0, body: told(() => says) };
    expect((await read({ counted, service, members, ...single })).next).toEqual(next);
  });

  it('says where it ends before the total', async () => {
    const body = told(() => ({ count: 9 }));
    const done = await read({ counted, service: { total: 3, body }, members: { total: ['count'] } });
    expect(done.next).toEqual({ cursor: null, mayHaveMore: false, endedEarly: true });
  });

  it.each<[string, number, string]>([
    ['next_offset', 5, '5'],
    ['next_offset', 1, '2'],
    ['next_page', 5, '2'],
    ['next', 2, '2'],
  ])('goes on at %s %i by %s', async (name, number, cursor) => {
    const body = told(() => ({ [name]: number }));
    const { next } = await read({
      counted,
      service: { total: 9, body },
      members: { nextNumber: [[name]] },
      ...single,
    });
    expect(next?.cursor).toBe(cursor);
  });

  it('keeps no size, and has a cursor of digits alone', async () => {
    const done = await read({
      counted,
      service: { total: 9 },
      query: { limit: 3 },
      options: { maxItems: 4 },
    });
    expect(done).toMatchObject({ queries: ['per_page=3', 'per_page=1&offset=3'], next: { cursor: '4' } });
    const { error } = await read({ counted, service: { total: 9 }, query: { cursor: '2:3' } });
    expect(error).toMatchObject({ code: 'bad_cursor', hint: 'Use the number of items to skip, such as 40.' });
  });
});

describe('a run over a list that goes on after an ID', () => {
  const counted = { parameter: 'after', counts: 'ids' } as const;

  it('asks for what is after the last item, to an empty page', async () => {
    const done = await read({ counted, service: { total: 3 } });
    expect(done).toMatchObject({ ids: [[1, 2], [3], []], queries: ['', 'after=2', 'after=3'], next: END });
  });

  it('has the ID as its cursor, whatever it looks like', async () => {
    const service = { total: 3, body: () => ({ items: [{ id: 'b' }] }) };
    expect((await read({ counted, service, ...single })).next).toEqual({ ...UNNAMED, cursor: 'b' });
  });

  it('ends with an error where the last item has no ID', async () => {
    const done = await read({ counted, service: { total: 3, body: () => ({ items: [{}] }) } });
    expect(done.error).toMatchObject({
      code: 'unexpected_shape',
      message: 'The response is not a valid page: its last item has no usable `id`',
    });
  });
});

describe('the first number of a list', () => {
  const keys = (words: string) => words.split(' ').filter(Boolean);

  it.each([
    ['1 2 3 4', '1 2 3 4', true],
    ['1 2 3 4', '0 1 2 3', true],
    ['1 2 3 4', '1 2', true],
    ['1 2 3 4', '3 4 5 6', false],
    ['1 2 3 4', '', false],
  ])('is 1 where page 1 has most items of the first page: %s, then %s', (first, second, isOne) => {
    expect(pageNumbers.start?.isOne(keys(first), keys(second))).toBe(isOne);
  });

  it.each([
    ['1 2 3', '3 4 5', true],
    ['1 2 3', '4 5 6', false],
    ['1 2 3', '', false],
    ['', '', false],
  ])(
    'is 1 where the second page begins with the last item of the first: %s, then %s',
    (first, second, isOne) => {
      expect(itemNumbers.start?.isOne(keys(first), keys(second))).toBe(isOne);
    },
  );
});

describe('the number of a page', () => {
  it.each([
    [3, 3],
    ['12', 12],
    ['-2', -2],
    ['a12', 0],
    ['12a', 0],
    ['abc', 0],
    [undefined, 0],
  ])('is that by which it was asked for, 0 for an ID that is none: %j', (at, number) => {
    expect(numberOf({ at })).toBe(number);
  });
});
