import { describe, expect, it } from 'vitest';
import type { QueryParameter } from '../../src/contract/operation.ts';
import { Issues } from '../../src/descriptions/issues.ts';
import { pagingOf } from '../../src/descriptions/operation-paging.ts';
import type { ResponseShape } from '../../src/descriptions/response-shape.ts';
import type { ReadResponse } from '../../src/descriptions/responses.ts';
import { SchemaViews } from '../../src/schemas/schema-view.ts';

type Query = Readonly<Record<string, QueryParameter>>;

const TEXT: QueryParameter = { type: 'string' };
const NUMBER: QueryParameter = { type: 'integer' };
const NONE: ResponseShape = {
  path: [],
  record: new SchemaViews(new Map()).of(undefined),
  hasNextCursor: false,
  shown: { columns: [], fields: [] },
};
const LIST: ResponseShape = { ...NONE, listShape: 'envelope' };
const WITH_CURSOR: ResponseShape = { ...LIST, hasNextCursor: true };
const WITH_MORE: ResponseShape = { ...LIST, itemId: 'id', members: { hasMore: ['has_more'] } };

/** The paging of an operation, and what was reported of it. */
function read(
  query: Query,
  shape: ResponseShape,
  others: { isLinked?: boolean; method?: 'GET' | 'POST' } = {},
) {
  const issues = new Issues();
  const paging = pagingOf(
    { query: new Map(Object.entries(query)), path: new Map(), headers: new Map() },
    { shape, isLinked: false, headers: [], ...others } as unknown as ReadResponse,
    {
      method: others.method ?? 'GET',
      path: '/search',
      location: { above: undefined, name: 'get' },
      issues,
    },
  );
  return { paging, issues: issues.list() };
}

const reported = (message: string) => [{ code: 'paging_not_followed', pointer: '/get', message }];

describe('a list whose pages name the next cursor', () => {
  it.each([
    ...['pageToken', 'next_token', 'page_cursor', 'next-cursor', 'nextPageToken', 'startCursor'],
    ...['continuation_token', 'Marker', 'starting_after', 'page[after]', 'after'],
  ])('is followed by its parameter %s', (name) => {
    expect(read({ [name]: TEXT }, WITH_CURSOR)).toEqual({
      paging: {
        paginated: true,
        envelope: { items: 'items', nextCursor: 'next_cursor', cursorParameter: name },
      },
      issues: [],
    });
  });

  it('needs no envelope of its own where everything has its usual name', () => {
    expect(read({ cursor: TEXT }, WITH_CURSOR)).toEqual({ paging: { paginated: true }, issues: [] });
  });

  it('keeps its envelope, and takes the parameter that most surely is the cursor', () => {
    const envelope = { items: 'data', nextCursor: 'meta.next' };
    expect(read({ after: TEXT, cursor: TEXT }, { ...WITH_CURSOR, envelope }).paging).toEqual({
      paginated: true,
      envelope,
    });
    expect(read({ after: TEXT, marker: TEXT }, { ...WITH_CURSOR, envelope }).paging).toEqual({
      paginated: true,
      envelope: { ...envelope, cursorParameter: 'marker' },
    });
  });

  it('is asked for the largest page that its description allows', () => {
    const query = { cursor: TEXT, limit: { ...NUMBER, maximum: 50 } };
    expect(read(query, WITH_CURSOR).paging).toEqual({ paginated: true, largestPage: 50 });
  });

  it.each<[string, QueryParameter]>([
    ['a number', NUMBER],
    ['a time', { type: 'string', format: 'date-time' }],
    ['a day', { type: 'string', format: 'date' }],
    ['several values', { type: 'string', multiple: true }],
  ])('is not followed by a parameter that takes %s', (_, parameter) => {
    expect(read({ cursor: parameter }, WITH_CURSOR)).toEqual({
      paging: { paginated: false },
      issues: reported(
        'Its pages name a next cursor, but it takes no "cursor": payctl prints one page, or follows a Link header',
      ),
    });
  });

  it('is followed by a parameter of another format', () => {
    for (const format of ['uuid', 'update']) {
      expect(read({ cursor: { ...TEXT, format } }, WITH_CURSOR).paging).toEqual({ paginated: true });
    }
  });

  it('is followed by links alone where it is an array', () => {
    expect(read({ cursor: TEXT }, { ...WITH_CURSOR, listShape: 'array' }).paging).toEqual({
      paginated: false,
      isLinked: true,
    });
  });
});

describe('a list whose pages say only whether there are more', () => {
  it.each(['starting_after', 'start-after', 'afterId', 'after'])(
    'is followed by %s, with the ID of the last item',
    (name) => {
      expect(read({ [name]: TEXT }, WITH_MORE)).toEqual({
        paging: {
          paginated: true,
          envelope: { items: 'items', hasMore: 'has_more', cursorParameter: name },
        },
        issues: [],
      });
    },
  );

  it('names the path of the member, and keeps its envelope', () => {
    const shape = { ...WITH_MORE, envelope: { items: 'data' }, members: { hasMore: ['page', 'more'] } };
    expect(read({ after: TEXT }, shape).paging).toEqual({
      paginated: true,
      envelope: { items: 'data', hasMore: 'page.more', cursorParameter: 'after' },
    });
  });

  it('is not followed by a cursor, without IDs, or where nothing says that there are more', () => {
    const telling = { paginated: false, paging: { members: { hasMore: ['has_more'] } } };
    expect(read({ cursor: TEXT }, WITH_MORE)).toEqual({
      paging: telling,
      issues: reported(
        'It takes a "cursor", but its pages name no next cursor: payctl prints one page, or follows a Link header',
      ),
    });
    const problem = 'It pages by "after", which payctl does not follow by itself';
    expect(read({ after: TEXT }, { ...LIST, members: { hasMore: ['has_more'] } })).toEqual({
      paging: telling,
      issues: reported(problem),
    });
    expect(read({ after: TEXT }, { ...LIST, itemId: 'id' })).toEqual({
      paging: { paginated: false },
      issues: reported(problem),
    });
  });

  it('keeps what says so beside a cursor', () => {
    const envelope = { items: 'data', nextCursor: 'next' };
    const shape = { ...WITH_CURSOR, envelope, members: { hasMore: ['meta', 'more'] } };
    expect(read({ cursor: TEXT }, shape).paging).toEqual({
      paginated: true,
      envelope: { ...envelope, hasMore: 'meta.more' },
    });
    expect(read({ cursor: TEXT }, { ...WITH_CURSOR, members: { hasMore: ['more'] } }).paging).toEqual({
      paginated: true,
    });
    expect(read({ cursor: TEXT }, { ...shape, members: { next: [['next']] } }).paging).toEqual({
      paginated: true,
      envelope,
    });
  });
});

describe('a list with a text `next`, which may be a cursor or an address', () => {
  const shape: ResponseShape = {
    ...WITH_MORE,
    members: { ...WITH_MORE.members, next: [['next']] },
    tokens: { next: 'next' },
  };
  const envelope = { items: 'items', nextCursor: 'next', hasMore: 'has_more', cursorParameter: 'after' };

  it('is followed by both, and not by the IDs of its items', () => {
    expect(read({ after: TEXT }, shape)).toEqual({
      paging: { paginated: false, envelope, paging: { members: shape.members } },
      issues: [],
    });
  });

  it('is followed by the cursor alone in a search, which no address leads to', () => {
    expect(read({ after: TEXT }, shape, { method: 'POST' })).toEqual({
      paging: { paginated: true, envelope },
      issues: [],
    });
  });
});

describe('a list without a cursor', () => {
  it('is followed by the links of its header before anything else, and its envelope is kept', () => {
    const envelope = { items: 'data' };
    expect(read({ offset: NUMBER }, { ...LIST, envelope }, { isLinked: true })).toEqual({
      paging: { paginated: false, isLinked: true, envelope },
      issues: [],
    });
  });

  it('is counted', () => {
    const members = { total: ['total'] };
    const counted = { parameter: 'offset', counts: 'items', first: 0, size: 'limit' };
    const query = { offset: NUMBER, limit: { ...NUMBER, maximum: 20 } };
    for (const method of ['GET', 'POST'] as const) {
      expect(read(query, { ...LIST, members }, { method })).toEqual({
        paging: { paginated: false, paging: { counted, members }, largestPage: 20 },
        issues: [],
      });
    }
    expect(read(query, { ...LIST, listShape: 'array' }).paging).toEqual({
      paginated: false,
      paging: { counted },
      largestPage: 20,
    });
  });

  it('is counted by its IDs where they are there', () => {
    const shape: ResponseShape = { ...NONE, listShape: 'array', itemId: 'id' };
    expect(read({ after_id: TEXT }, shape).paging).toEqual({
      paginated: false,
      paging: { counted: { parameter: 'after_id', counts: 'ids' } },
    });
  });

  it('is counted also where its pages name a cursor that no parameter takes', () => {
    expect(read({ offset: NUMBER }, WITH_CURSOR)).toEqual({
      paging: {
        paginated: false,
        paging: { counted: { parameter: 'offset', counts: 'items', first: 0 } },
      },
      issues: [],
    });
  });

  it('is followed by what its pages link to, with GET alone', () => {
    const members = { next: [['links', 'next']] };
    expect(read({}, { ...LIST, members }).paging).toEqual({ paginated: false, paging: { members } });
    expect(read({}, { ...LIST, members }, { method: 'POST' }).paging).toEqual({ paginated: false });
    expect(read({}, { ...LIST, members: { total: ['total'] } }).paging).toEqual({ paginated: false });
  });

  it('is reported by the parameter that pages it', () => {
    expect(read({ q: TEXT, page: TEXT }, LIST)).toEqual({
      paging: { paginated: false },
      issues: reported('It pages by "page", which payctl does not follow by itself'),
    });
    expect(read({ q: TEXT }, LIST)).toEqual({ paging: { paginated: false }, issues: [] });
  });
});

it('is no list: nothing is followed and nothing reported', () => {
  const query = { cursor: TEXT, offset: NUMBER, limit: { ...NUMBER, maximum: 5 } };
  expect(read(query, { ...NONE, hasNextCursor: true }, { isLinked: true })).toEqual({
    paging: { paginated: false },
    issues: [],
  });
  expect(read(query, NONE)).toEqual({ paging: { paginated: false }, issues: [] });
});

describe('a list whose page is an array', () => {
  const ARRAY: ResponseShape = { ...NONE, listShape: 'array' };
  const described = (summary: string): QueryParameter => ({ ...TEXT, summary });

  it.each<[string, Query, { method?: 'POST' }, boolean]>([
    ['takes a cursor', { cursor: TEXT }, {}, true],
    ['takes a page token', { page_token: TEXT }, {}, true],
    ['takes a cursor beside other texts', { q: TEXT, cursor: TEXT }, {}, true],
    ['says where the page of a "marker" begins', { marker: described('Begins the page') }, {}, true],
    ['says nothing of a "marker"', { marker: TEXT }, {}, false],
    ['says that "after" is a cursor', { after: described('The pagination cursor') }, {}, true],
    ['says nothing of "after"', { after: TEXT }, {}, false],
    ['filters by a time', { after: described('Created after this time') }, {}, false],
    ['counts its pages', { page: NUMBER, cursor: TEXT }, {}, false],
    ['is a search', { cursor: TEXT }, { method: 'POST' }, false],
  ])('has a Link header with the cursor of the next one, if it %s', (_, query, others, isLinked) => {
    expect(read(query, ARRAY, others).paging).toMatchObject({ paginated: false });
    expect('isLinked' in read(query, ARRAY, others).paging).toBe(isLinked);
    // There, a page has a place for the cursor.
    expect('isLinked' in read(query, LIST, others).paging).toBe(false);
  });
});
