import { describe, expect, it } from 'vitest';
import { type ListBeside, readList } from '../../../src/features/bulk/reconcile/list-beside.ts';
import { clientAt, serve } from '../../client/live-client.ts';
import { type Answer, answers } from '../../harness/http-server.ts';

const DATE = 'Sun, 01 Mar 2026 12:00:00 GMT';

const LIST: ListBeside = {
  id: 'list_refunds',
  method: 'GET',
  path: '/transactions/{id}/refunds',
  summary: '',
  scopes: [],
  merchantAccount: false,
  isList: true,
  paginated: false,
  pathParameters: ['id'],
  query: {},
  hasBody: false,
  successStatus: 200,
  responseSchema: '',
  errors: [],
  listShape: 'envelope',
};

const items = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => ({ id: `r${from + index}` }));

/** Reads a list of which the service sends these pages. */
async function read(list: Partial<ListBeside>, pages: readonly object[], headers?: Answer['headers']) {
  const script = pages.map((body): Answer => ({ body, headers: headers ?? { date: DATE } }));
  const server = await serve(answers(script));
  const ids: unknown[] = [];
  const parts = {
    client: clientAt(server.origin),
    path: { id: 't1' },
    headers: { 'x-sub-account': 'a1' },
    isOwn: false,
    signal: new AbortController().signal,
  };
  const result = await readList({ ...LIST, ...list }, parts, ({ id }) => ids.push(id));
  return { ...result, ids, requests: server.requests };
}

const CURSORS: Partial<ListBeside> = {
  paginated: true,
  query: { cursor: { type: 'string' }, limit: { type: 'integer', maximum: 2 } },
};

describe('a list that is searched for records', () => {
  it('is read to its end, with the headers of the plan, and past every cache', async () => {
    const pages = [
      { items: items(2), next_cursor: 'c1' },
      { items: items(1, 2), next_cursor: null },
    ];
    const { isWhole, ids, requests, beganMs, offset } = await read(CURSORS, pages);
    expect({ isWhole, ids, beganMs }).toEqual({
      isWhole: true,
      ids: ['r0', 'r1', 'r2'],
      beganMs: Date.parse(DATE),
    });
    expect(offset && offset.most - offset.least).toBeGreaterThanOrEqual(1000);
    expect(requests[0]?.headers).toMatchObject({ 'x-sub-account': 'a1', 'cache-control': 'no-cache' });
  });

  it.each([
    ['names a cursor that no parameter takes', {}, { items: items(1), next_cursor: 'c1' }, false],
    ['has something else than objects', {}, { items: ['r0'] }, false],
    [
      'takes a size and no cursor, and its page may be full',
      { query: { limit: { type: 'integer' } } },
      { items: items(1) },
      false,
    ],
    [
      'takes a size and no cursor, and its page is full',
      { query: { limit: { type: 'integer', maximum: 2 } } },
      { items: items(2) },
      false,
    ],
    [
      'takes a size and no cursor, and its page is not full',
      { query: { limit: { type: 'integer', maximum: 2 } } },
      { items: items(1) },
      true,
    ],
    [
      'takes the number of a page that payctl does not follow',
      { query: { page: { type: 'integer' } } },
      { items: items(3) },
      false,
    ],
    ['has no pages, and as many items as a page', {}, { items: items(20) }, false],
    ['has no pages, and another number of items', {}, { items: items(21) }, true],
    ['has no items', {}, { items: [] }, true],
  ] as const)('that %s', async (_, list, page, expected) => {
    expect((await read(list, [page])).isWhole).toBe(expected);
  });

  it('by number is read twice, because what is deleted meanwhile would hide another item', async () => {
    const counted: Partial<ListBeside> = {
      query: { page: { type: 'integer' }, per_page: { type: 'integer', maximum: 2 } },
      paging: { counted: { counts: 'pages', parameter: 'page', size: 'per_page', first: 1 } },
    };
    // `r1` is deleted after the first page was read, so that `r2` moves there.
    const first = [{ items: items(2) }, { items: items(1, 3) }, { items: [] }];
    const second = [{ items: [{ id: 'r0' }, { id: 'r2' }] }, { items: items(1, 3) }, { items: [] }];
    const pages = [...first, ...second];
    const { ids, isWhole } = await read(counted, pages);
    expect(isWhole).toBe(true);
    expect(new Set(ids)).toEqual(new Set(['r0', 'r1', 'r2', 'r3']));
  });

  it('says nothing about the clock of a service that sends no date', async () => {
    const { beganMs, offset } = await read({}, [{ items: [] }], { date: 'yesterday' });
    expect({ beganMs, offset }).toEqual({ beganMs: undefined, offset: undefined });
  });
});
