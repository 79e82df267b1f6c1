import { describe, expect, it } from 'vitest';
import { ApiError } from '../../src/client/errors.ts';
import type { FetchOptions, NextPage, PageQuery } from '../../src/client/page.ts';
import { describedPaging } from '../../src/client/paging/described-paging.ts';
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

/** Reads such a list page by page: the ids of the pages, what asked for them, and what comes after the last one. */
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
    operation: { ...operations.listBuyers, query: known },
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
  const run = async () => {
    for await (const page of resource.fetch(query, options)) {
      ids.push(page.items().map(({ id }) => id));
      next = page.next;
    }
  };
  const error: unknown = await run().then(
    () => undefined,
    (failure: unknown) => failure,
  );
  return { ids, queries, next, error };
}

const told =
  (members: (page: ServicePage) => object) =>
  ({ items, ...page }: ServicePage) => ({ items, ...members({ items, ...page }) });
const single = { options: { isSingle: true } } as const;
const END = { cursor: null, mayHaveMore: false, endedEarly: false };

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

  it('takes the page without one for the second one where that is not there', async () => {
    const service = { total: 2, first: 0, beyond: 404 };
    const done = await read({ counted: BY_PAGE, service });
    expect(done).toMatchObject({ ids: [[1, 2], []], queries: ['', 'page=1', 'page=1'], error: undefined });
  });

  it('does not hide a failure that is no missing page', async () => {
    const done = await read({ counted: BY_PAGE, service: { total: 2, first: 0, beyond: 500 } });
    expect(done).toMatchObject({ queries: ['', 'page=1'], error: { status: 500 } });
  });

  it('ends without an error where the page after the last one is missing', async () => {
    const done = await read({ counted, service: { total: 4, beyond: 404 } });
    expect(done).toMatchObject({ ids: [[1, 2], [3, 4], []], error: undefined });
    const lost = await read({ counted, service: { total: 4, beyond: 404 }, query: { cursor: '9' } });
    expect(lost).toMatchObject({ ids: [], error: { status: 404 } });
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

  it.each([
    ['x', undefined, 'Use the number of a page, such as 3, or 3:100 for page 3 in pages of 100 items.'],
    ['2:0', undefined, expect.any(String)],
    ['2:3', { per_page: 2 }, 'Leave out "per_page": the cursor contains the page size.'],
  ])('has no cursor %s with %j', async (cursor, query, hint) => {
    const { error } = await read({ counted, service: { total: 7 }, query: { cursor, ...query } });
    expect(error).toMatchObject({ code: 'bad_cursor', hint });
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
  });

  it('ends with an error where a page comes again', async () => {
    const service = { total: 2, body: () => ({ items: [{ id: 1 }, { id: 2 }] }) };
    const done = await read({ counted, service });
    expect(done).toMatchObject({ ids: [[1, 2]], queries: ['', 'page=2'], error: { code: 'cursor_loop' } });
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

  it('ends at the total, also from within the list', async () => {
    const body = told(({ total }) => ({ total }));
    const members = { total: ['total'] };
    const done = await read({ counted, service: { total: 5, body }, members, query: { cursor: '2' } });
    expect(done).toMatchObject({ ids: [[3, 4], [5]], queries: ['offset=2', 'offset=4'], next: END });
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

  it('ends with an error where the last item has no ID', async () => {
    const done = await read({ counted, service: { total: 3, body: () => ({ items: [{}] }) } });
    expect(done.error).toMatchObject({
      code: 'unexpected_shape',
      message: 'The response is not a valid page: its last item has no usable `id`',
    });
  });
});
