import { describe, expect, it } from 'vitest';
import { ResponseError } from '../../../src/client/errors.ts';
import type { FetchedPage, PageQuery } from '../../../src/client/page.ts';
import type { QueryParameter } from '../../../src/contract/operation.ts';
import { pagesInSizes, type SmallerPages } from '../../../src/features/export/smaller-pages.ts';

const request = { method: 'GET', origin: 'https://api.example.com', path: '/things' } as never;
const tooLarge = new ResponseError('response_too_large', 'too large', { request, status: 200, attempts: 1 });
const limit: QueryParameter = { type: 'integer' };
const counted = { counted: { parameter: 'page', counts: 'pages' } } as const;
const byItems = { counted: { parameter: 'offset', counts: 'items' } } as const;

type List = Partial<Pick<SmallerPages, 'size'> & SmallerPages['operation']> & {
  readonly begins?: PageQuery;
  readonly cursors?: readonly string[];
  /** The most items of the last page that are not too large. */
  readonly fits?: number;
  /** The error for more of them. */
  readonly thrown?: Error;
};

/** Reads a list of three pages, of which the last one is too large; returns the queries, and the sizes that were chosen. */
async function read({ size, query = { limit }, paging, begins = {}, ...list }: List) {
  const { cursors = ['a', 'b'], fits = 10, thrown = tooLarge } = list;
  const asked: PageQuery[] = [];
  const sizes: number[] = [];
  const fetch = async function* (given: PageQuery) {
    for (let at: PageQuery | undefined = given; at; ) {
      asked.push(at);
      const page: number = at.cursor === undefined ? 0 : cursors.indexOf(at.cursor) + 1;
      if (page === cursors.length && !((at.limit ?? 100) <= fits)) throw thrown;
      const next: { readonly cursor: string | null } = { cursor: cursors[page] ?? null };
      yield { count: 40, next } as FetchedPage<unknown>;
      at = next.cursor === null ? undefined : { ...at, cursor: next.cursor };
    }
  };
  const smaller = {
    operation: { query, ...(paging && { paging }) },
    size,
    onSmaller: (one: number) => sizes.push(one),
  };
  const outcome = { asked, sizes };
  try {
    for await (const _page of pagesInSizes({ fetch }, begins, {}, smaller)) void _page;
    return { ...outcome, error: undefined };
  } catch (error) {
    return { ...outcome, error };
  }
}

describe('a page that is too large', () => {
  it.each<[string, List, readonly number[]]>([
    ['the largest size', { query: { limit: { ...limit, maximum: 50 } } }, [25, 12, 6]],
    [
      'the largest size, down to the least',
      { query: { limit: { ...limit, minimum: 9, maximum: 30 } } },
      [15, 9],
    ],
    ['the chosen size', { begins: { limit: 30 } }, [15, 7]],
    ['the size of the last page', {}, [20, 10]],
    ['an earlier smaller size', { size: 16 }, [8]],
    ['the usual size', { cursors: [] }, [50, 25, 12, 6]],
    ['the usual size, as the first of counted pages', { cursors: [], paging: counted }, [50, 25, 12, 6]],
    ['the size of the last page, also of counted items', { paging: byItems }, [20, 10]],
  ])('is asked for again in half of %s', async (_, list, expected) => {
    const { asked, sizes, error } = await read(list);
    expect({ sizes, error }).toEqual({ sizes: expected, error: undefined });
    const [last] = (list.cursors ?? ['a', 'b']).slice(-1);
    expect(asked.at(-1)).toEqual({ ...list.begins, cursor: last, limit: expected.at(-1) });
    expect(asked.filter(({ cursor }) => cursor === 'a').length).toBe(last === undefined ? 0 : 1);
  });

  it.each<[string, List, readonly number[]]>([
    ['no parameter takes the size', { query: {} }, []],
    ['it has a single item', { begins: { limit: 3 }, fits: 0 }, [1]],
    ['the size is the least', { query: { limit: { ...limit, minimum: 20, maximum: 30 } } }, [20]],
    ['the cursor is an address', { cursors: ['/things?page=2'] }, []],
    ['the cursor counts pages', { paging: counted, cursors: ['2:40'] }, []],
  ])('is an error where %s', async (_, list, expected) => {
    const { error, sizes } = await read(list);
    expect({ error, sizes }).toEqual({ error: tooLarge, sizes: expected });
  });

  it.each([
    new ResponseError('unreadable_response', 'unreadable', { request, status: 200, attempts: 1 }),
    Object.assign(new Error('too large'), { code: 'response_too_large' }),
  ])('is not any other error: %s', async (thrown) => {
    expect(await read({ thrown })).toMatchObject({ error: thrown, sizes: [] });
  });
});
