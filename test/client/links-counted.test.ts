import { describe, expect, it } from 'vitest';
import { describedPaging, undescribedPaging } from '../../src/client/paging/described-paging.ts';
import type { PagedOperation } from '../../src/client/paging/paging.ts';
import type { RawResponse } from '../../src/client/response.ts';
import type { QueryParameter } from '../../src/contract/operation.ts';
import type { CountedPages } from '../../src/descriptions/counted-pages.ts';
import { fetched } from './paging-run.ts';

const ORIGIN = 'https://api.example.com';
const PAGES: CountedPages = { parameter: 'page', counts: 'pages', first: 1, size: 'size' };
const integer = { type: 'integer' } as unknown as QueryParameter;
const list = (changes: Partial<PagedOperation> = {}): PagedOperation => ({
  query: { page: integer, size: { ...integer, default: 2 } as QueryParameter },
  method: 'GET',
  path: '/things',
  listShape: 'envelope',
  paging: { members: {}, counted: PAGES },
  ...changes,
});

const response = (body: unknown, link = ''): RawResponse => ({
  text: JSON.stringify(body),
  status: 200,
  requestId: undefined,
  headers: link === '' ? {} : { link },
  request: { method: 'GET', path: '/things?size=2', origin: ORIGIN },
  attempts: 1,
});

const two = { items: [{ id: 1 }, { id: 2 }] };
const one = { items: [{ id: 3 }] };
const linked = '</things?after=2>; rel="next"';
const END = { cursor: null, endedEarly: false };

describe('a list that is counted', () => {
  it('goes on by its numbers, and is unsure of a page after one that is not full', async () => {
    const paging = describedPaging(list());
    const first = await fetched(paging, response(two));
    expect(first.next).toEqual({ cursor: '2', mayHaveMore: true, endedEarly: false });
    const second = await fetched(paging, response(one), '2');
    expect(second.asked).toEqual([{ query: expect.objectContaining({ page: '2' }) }]);
    expect(second.next).toEqual({ cursor: '3', mayHaveMore: true, endedEarly: false });
  });

  it('is no longer counted after a page with a link, whose path is its cursor', async () => {
    const paging = describedPaging(list());
    expect((await fetched(paging, response(two, linked))).next).toEqual({ cursor: '/things?after=2' });
    const second = await fetched(paging, response(two), '/things?after=2');
    expect(second).toEqual({ asked: [{ query: {}, target: '/things?after=2' }], next: END });
  });

  it('goes on from the path of a page in another run', async () => {
    expect(await fetched(describedPaging(list()), response(two), '/things?after=2')).toEqual({
      asked: [{ query: {}, target: '/things?after=2' }],
      next: END,
    });
  });

  it('by IDs may have one that looks like a path', () => {
    const byIds: CountedPages = { parameter: 'after', counts: 'ids' };
    const paging = describedPaging(list({ paging: { members: {}, counted: byIds } }));
    expect(paging.request({ cursor: '/a' }, {})).toEqual({ query: { after: '/a' } });
  });

  it('names a link that it cannot follow', async () => {
    const { next } = await fetched(
      describedPaging(list()),
      response(two, '<https://evil.example/x>; rel="next"'),
    );
    expect(next.cursor).toBe('https://evil.example/x');
    expect(next.refused?.message).toBe(
      'The link to the next page leads to another origin, "https://evil.example", and is not followed',
    );
  });

  it('follows no link of a request that changes data', async () => {
    const { next } = await fetched(describedPaging(list({ method: 'POST' })), response(two, linked));
    expect(next.cursor).toBe('2');
  });
});

describe('a list that is not counted', () => {
  const plain = { query: {}, method: 'GET', path: '/things', listShape: 'envelope' } as const;

  it('leads nowhere without a link', async () => {
    expect(await fetched(describedPaging(plain), response(two))).toEqual({
      asked: [{ query: {} }],
      next: { cursor: undefined, lacksParameter: true, endedEarly: false },
    });
  });

  describe('with the next page in its pages', () => {
    const named = {
      ...plain,
      paging: { members: { next: [['next']], hasMore: ['has_more'] } },
    } as const;
    const nextOf = async (members: object, link?: string) =>
      (await fetched(describedPaging(named), response({ ...two, ...members }, link))).next;

    it.each([
      ['/things?page=2', '/things?page=2'],
      [`${ORIGIN}/a`, '/a'],
      ['?page=2', '/things?page=2'],
      ['./a', '/a'],
      ['../b', '/b'],
    ])('follows its address: %s', async (next, cursor) => {
      expect(await nextOf({ next })).toEqual({ cursor });
      expect(await nextOf({ next, has_more: true, next_cursor: 'abc' })).toEqual({ cursor });
      expect(await nextOf({ next }, linked)).toEqual({ cursor: '/things?after=2' });
    });

    it('ends where a page says so, whatever address it has', async () => {
      const ended = { cursor: undefined, lacksParameter: true, endedEarly: false };
      expect(await nextOf({ next: '/things?page=2', has_more: false })).toEqual(ended);
      expect(await nextOf({ next: null })).toEqual(ended);
    });

    it.each(['eyJvIjoyfQ', 'x/y', 'ahttps://api.example.com'])(
      'names what is no address: %s',
      async (next) => {
        const { cursor, refused } = await nextOf({ next });
        expect([cursor, refused?.message]).toEqual([
          next,
          'The link to the next page is not an address and is not followed',
        ]);
      },
    );

    it('has more items than its numbers lead to', async () => {
      expect(await nextOf({ next: 2 })).toMatchObject({ lacksParameter: true, endedEarly: true });
    });
  });

  it('follows a cursor where no description names the request, and a path with a query', async () => {
    const paging = undescribedPaging();
    expect(paging.request({ cursor: 'abc' }, {})).toEqual({ query: { cursor: 'abc' } });
    for (const cursor of ['/abc', 'abc/d?e'])
      expect(paging.request({ cursor }, {})).toEqual({ query: { cursor } });
    expect(paging.request({ cursor: '/abc?page=2' }, {})).toEqual({ query: {}, target: '/abc?page=2' });
    const withCursor = await fetched(paging, response({ ...two, next_cursor: 'abc' }, linked));
    expect(withCursor.next).toEqual({ cursor: 'abc', lacksParameter: false, endedEarly: false });
    const blank = await fetched(paging, response({ ...two, next_cursor: '' }, '</things>; rel="next"'));
    expect(blank.next).toEqual({ cursor: '/things' });
    expect(paging.request({ cursor: '/things' }, {})).toEqual({ query: {}, target: '/things' });
  });
});
