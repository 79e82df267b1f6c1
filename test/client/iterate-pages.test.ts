import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CursorLoopError } from '../../src/client/errors.ts';
import { FetchedPage, type NextPage, type PageQuery } from '../../src/client/page.ts';
import { iteratePages } from '../../src/client/paging/iterate-pages.ts';
import { resourceOf } from '../../src/client/paging/resource.ts';
import type { RawResponse } from '../../src/client/response.ts';

type Fetched<T> = { readonly items: readonly T[]; readonly count: number; readonly next: NextPage };

/** A page of these items with a cursor. */
const paged = <T>(items: readonly T[], cursor?: string | null): Fetched<T> => ({
  items,
  count: items.length,
  next: { cursor },
});

/** A service with so many items; its cursors are offsets. */
function service(total: number, options: { ignoresLimit?: boolean; loops?: boolean } = {}) {
  const queries: PageQuery[] = [];
  const fetchPage = async (query: PageQuery): Promise<Fetched<number>> => {
    queries.push(query);
    const start = Number(query.cursor ?? 0);
    const size = options.ignoresLimit ? 100 : Number(query.limit);
    const end = Math.min(total, start + size);
    const items = Array.from({ length: end - start }, (_, index) => start + index);
    return paged(items, options.loops ? '100' : end < total ? String(end) : null);
  };
  return { queries, fetchPage };
}

/** What happens with each page of a service that sends texts, in order; `read` gives the cursor that reading the text finds. */
function textService(texts: readonly string[], read = cursorIn, lacksParameter = false) {
  const events: string[] = [];
  const fetchPage = async (query: PageQuery, _: AbortSignal, prefetch?: (text: string) => void) => {
    const index = Number(query.cursor ?? 0);
    events.push(`ask ${index}`);
    for (let count = 0; count < 5; count += 1) await turn();
    prefetch?.(texts[index] ?? '');
    await turn();
    events.push(`read ${index}`);
    return { ...paged([index]), next: { cursor: read(texts[index] ?? ''), lacksParameter } };
  };
  return { events, fetchPage };
}

const cursorIn = (text: string): string | null => JSON.parse(text).next_cursor;
const turn = () => new Promise((resolve) => setImmediate(resolve));
const FIRST = '{"items":[0],"next_cursor":"1"}';
const LAST = '{"next_cursor":null}';

async function collect<T>(iterable: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of iterable) items.push(item);
  return items;
}

const PREFETCHING = { canPrefetch: true };

describe('the cursor at the end of a page', () => {
  it('is asked for before the page is read, and only once', async () => {
    const { events, fetchPage } = textService([FIRST, '{"a":[{}],"next_cursor":"2","b":1}\n', LAST]);
    expect(await collect(iteratePages(fetchPage, {}, PREFETCHING))).toHaveLength(3);
    expect(events).toEqual(['ask 0', 'ask 1', 'read 0', 'ask 2', 'read 1', 'read 2']);
  });

  it.each([
    ['with a maximum, which may ask for fewer items', [FIRST, LAST], { maxItems: 3 }, false],
    ['where cursors are not followed', [FIRST], { canPrefetch: false }, true],
    ['where it is not at the end', ['{"next_cursor":"1","items":[1]}', LAST], {}, false],
    [
      'where it may be that of an item',
      ['{"next_cursor":"1","items":[{"next_cursor":"7"}]}', LAST],
      {},
      false,
    ],
    ['where it is escaped', ['{"next_cursor":"\\u0031"}', LAST], {}, false],
  ])('is not prefetched %s', async (_, texts, options, lacksParameter) => {
    const { events, fetchPage } = textService(texts, cursorIn, lacksParameter);
    await collect(iteratePages(fetchPage, {}, { ...PREFETCHING, ...options }));
    expect(events).toEqual(texts.flatMap((_text, index) => [`ask ${index}`, `read ${index}`]));
  });

  it('is not followed where reading the page finds another', async () => {
    const { events, fetchPage } = textService(
      ['{"next_cursor":"9","next_cursor":"1"}', '{"next_cursor":"1"}', LAST],
      (text) => (text.includes('9') ? '2' : null),
    );
    expect((await collect(iteratePages(fetchPage, {}, PREFETCHING))).map(({ items }) => items)).toEqual([
      [0],
      [2],
    ]);
    expect(events.filter((event) => event.startsWith('ask'))).toEqual(['ask 0', 'ask 9', 'ask 2']);
  });

  it('is not prefetched of a page that nobody waits for yet', async () => {
    const { events, fetchPage } = textService([FIRST, '{"a":1,"next_cursor":"2"}', LAST]);
    const pages = iteratePages(fetchPage, {}, PREFETCHING);
    await pages.next();
    for (let count = 0; count < 9; count += 1) await turn();
    expect(events).toEqual(['ask 0', 'ask 1', 'read 0', 'read 1']);
    await pages.return();
  });
});

describe('iteratePages', () => {
  it('follows the cursors to the end with the largest page size', async () => {
    const { fetchPage, queries } = service(250);
    const pages = await collect(iteratePages(fetchPage, { search: 'a' }));
    expect(pages.map(({ count }) => count)).toEqual([100, 100, 50]);
    expect(queries).toEqual([
      { search: 'a', limit: 100 },
      { search: 'a', limit: 100, cursor: '100' },
      { search: 'a', limit: 100, cursor: '200' },
    ]);
  });

  it('asks the last page for just the items that are missing', async () => {
    const { fetchPage, queries } = service(1000);
    await collect(iteratePages(fetchPage, {}, { maxItems: 130 }));
    expect(queries).toEqual([{ limit: 100 }, { limit: 30, cursor: '100' }]);
  });

  it('requests the next page before the present one is handed out, and no further one', async () => {
    const { fetchPage, queries } = service(1000);
    const pages = iteratePages(fetchPage, {});
    await pages.next();
    expect(queries.length).toBe(2);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(queries.length).toBe(2);
    await pages.return();
  });

  it('gives up the page in flight when the caller stops', async () => {
    const signals: AbortSignal[] = [];
    const fetchPage = async (_: PageQuery, signal: AbortSignal) => {
      signals.push(signal);
      return paged([1], String(signals.length));
    };
    for await (const _ of iteratePages(fetchPage, {})) break;
    expect(signals.at(-1)?.aborted).toBe(true);
  });

  it('hands out every page before it reports a repeating cursor, and never asks for it again', async () => {
    const { fetchPage, queries } = service(1000, { loops: true });
    const seen: number[] = [];
    const run = (async () => {
      for await (const { count } of iteratePages(fetchPage, {})) seen.push(count);
    })();
    await expect(run).rejects.toThrow(CursorLoopError);
    expect(seen).toEqual([100, 100]);
    expect(queries.length).toBe(2);
  });

  it('reports a cursor that points back at the page it started from', async () => {
    const fetchPage = async () => paged([1], 'start');
    await expect(collect(iteratePages(fetchPage, { cursor: 'start' }))).rejects.toThrow(CursorLoopError);
  });

  it('never asks again for the page that it started from', async () => {
    const queries: PageQuery[] = [];
    const seen: number[][] = [];
    const fetchPage = async (query: PageQuery) => {
      queries.push(query);
      return paged([1], 'start');
    };
    const run = (async () => {
      for await (const { items } of iteratePages(fetchPage, { cursor: 'start' })) seen.push([...items]);
    })();
    await expect(run).rejects.toMatchObject({ code: 'cursor_loop', cursor: 'start' });
    expect({ queries, seen }).toEqual({ queries: [{ cursor: 'start', limit: 100 }], seen: [[1]] });
  });

  it.each([
    ['with a new cursor each time', ['a'], ['a']],
    ['after another one', ['a', 'b'], ['a', 'b']],
  ])('reports a page that came before %s, and does not hand it out', async (_, names, expected) => {
    let calls = 0;
    const fetchPage = async () => {
      const name = names[calls % names.length];
      calls += 1;
      return { ...paged([name], `c${calls}`), mark: name };
    };
    const seen: unknown[] = [];
    const run = (async () => {
      for await (const { items } of iteratePages(fetchPage, {})) seen.push(...items);
    })();
    await expect(run).rejects.toMatchObject({
      code: 'cursor_loop',
      message: 'The service returned the same page twice, so the list would never end',
      hint: 'No items before this point are missing. Report that another cursor leads to no other page to the operator of the service.',
      cursor: `c${names.length}`,
    });
    expect(seen).toEqual(expected);
  });

  it('hands out the pages before a failing one, then fails', async () => {
    let calls = 0;
    const fetchPage = async () => {
      calls += 1;
      if (calls === 3) throw new Error('broken');
      return paged([calls], `c${calls}`);
    };
    const seen: unknown[] = [];
    const run = (async () => {
      for await (const { items } of iteratePages(fetchPage, {})) seen.push(...items);
    })();
    await expect(run).rejects.toThrow('broken');
    expect(seen).toEqual([1, 2]);
  });

  it('goes on after an empty page that has a successor', async () => {
    const answers = [paged<number>([], 'a'), paged([1], null)];
    const fetchPage = async () => answers.shift() ?? paged<number>([]);
    expect((await collect(iteratePages(fetchPage, {}))).flatMap(({ items }) => items)).toEqual([1]);
  });

  it('follows a thousand empty pages in a row, and no more', async () => {
    let asked = 0;
    const fetchPage = async () => {
      asked += 1;
      return paged(asked % 1000 === 1 && asked < 3000 ? [asked] : [], String(asked));
    };
    await expect(collect(iteratePages(fetchPage, {}))).rejects.toMatchObject({
      code: 'cursor_loop',
      message: 'The service returned 1000 empty pages in a row, so the list would never end',
      hint: 'No items before this point are missing. Report the empty pages to the operator of the service.',
    });
    expect(asked).toBe(3001);
  });

  it('gives every item once and in order, for any number of items, limit and maximum', async () => {
    const positive = fc.integer({ min: 1, max: 400 });
    await fc.assert(
      fc.asyncProperty(
        fc.nat(400),
        fc.option(fc.integer({ min: 1, max: 100 })),
        fc.option(positive),
        async (total, limit, max) => {
          const { fetchPage } = service(total);
          const query = limit === null ? {} : { limit };
          const pages = iteratePages(fetchPage, query, { maxItems: max ?? undefined });
          const items = (await collect(pages)).flatMap(({ items }) => items);
          expect(items).toEqual(Array.from({ length: Math.min(total, max ?? total) }, (_, index) => index));
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe('the items of a list', () => {
  it('stop at the maximum even where the service sends more than it was asked for', async () => {
    const { fetchPage } = service(1000, { ignoresLimit: true });
    const resource = resourceOf<number, PageQuery>({
      async *fetch(query, options) {
        for await (const { items, next } of iteratePages(fetchPage, query, options))
          yield new FetchedPage({ response: {} as RawResponse }, { items }, next);
      },
    });
    const items = await collect(resource.items({}, { maxItems: 30 }));
    expect(items.length).toBe(30);
  });
});
