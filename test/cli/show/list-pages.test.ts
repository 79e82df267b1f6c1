import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PagingFlagValues } from '../../../src/cli/flags/list.ts';
import { readPages, readsManyPages, type Selection } from '../../../src/cli/show/list-pages.ts';
import { FetchedPage, type PageQuery, type PageSource } from '../../../src/client/page.ts';
import { operations } from '../../../src/contract/generated/operations.ts';

type Call = { readonly query: PageQuery; readonly options: object };

const DATE = 'Sun, 01 Mar 2026 10:00:00 GMT';

/** A list of pages of these items; the cursor of each is its number. */
function fakeList(contents: readonly (readonly string[])[], date = DATE) {
  const calls: Call[] = [];
  const pages = contents.map((items, index): FetchedPage<string> => {
    const cursor = index + 1 < contents.length ? String(index + 1) : null;
    const request = { method: 'GET', path: '/x', origin: 'https://api.example.com' } as const;
    const headers = date === '' ? {} : { date };
    const response = { text: '', status: 200, requestId: undefined, headers, request, attempts: 1 };
    return new FetchedPage({ response }, { items }, { cursor });
  });
  const list: PageSource<string, PageQuery> = {
    async *fetch(query, options = {}) {
      calls.push({ query, options });
      yield* options.isSingle ? pages.slice(0, 1) : pages;
    },
  };
  return { calls, list };
}

/** Selects capital letters. */
const capitals: Selection = { keeps: (items) => items.map((item) => /[A-Z]/.test(String(item))) };

async function read(
  contents: readonly (readonly string[])[],
  flags: PagingFlagValues,
  selection?: Selection,
) {
  const { calls, list } = fakeList(contents);
  const request = { operation: operations.listAuditLogs, query: {}, flags, selection };
  const shown: string[] = [];
  let cursor: string | null | undefined;
  let read = 0;
  for await (const one of readPages(list, request, new AbortController().signal)) {
    const items = one.page.items().slice(0, one.count);
    shown.push(...items.filter((_, index) => one.kept?.[index] ?? true));
    cursor = one.cursor;
    read += 1;
  }
  return { shown: shown.join(''), cursor, read, calls };
}

const PAGES = [['A', 'x', 'B', 'y'], ['z', 'z'], ['C', 'w'], ['D']];

describe('pages without a selection', () => {
  it('are one, or many with --all and --max-items', async () => {
    expect(await read(PAGES, { limit: 3 })).toMatchObject({ shown: 'AxBy', cursor: '1', read: 1 });
    expect(await read(PAGES, { all: true })).toMatchObject({ shown: 'AxByzzCwD', cursor: null, read: 4 });
    expect(await read(PAGES, { 'max-items': 5 })).toMatchObject({ cursor: '1' });
  });
});

describe('pages with a selection', () => {
  it.each([
    [{}, 'ABCD', null, 4],
    [{ limit: 4 }, 'ABCD', null, 4],
    [{ limit: 3 }, 'ABC', '3', 3],
    // The rest of the first page, `y`, is not selected, so that the second page is where the rest begins.
    [{ limit: 2 }, 'AB', '1', 1],
    [{ limit: 1 }, 'A', undefined, 1],
    [{ limit: 1, cursor: 'c' }, 'A', 'c', 1],
    [{ 'max-items': 3 }, 'ABC', '3', 3],
    [{ 'max-items': 1, all: true }, 'A', undefined, 1],
    [{ all: true, limit: 1 }, 'ABCD', null, 4],
  ])('are read until there is enough: %j', async (flags, shown, cursor, count) => {
    expect(await read(PAGES, flags, capitals)).toMatchObject({ shown, cursor, read: count });
  });

  it('are the largest, unless a limit is the size of pages', async () => {
    const limits = async (flags: PagingFlagValues) =>
      (await read(PAGES, flags, capitals)).calls[0]?.query.limit;
    expect(await limits({ limit: 5 })).toBeUndefined();
    expect(await limits({ limit: 5, all: true })).toBe(5);
    expect(await limits({ limit: 5, 'max-items': 9 })).toBe(5);
  });

  it('end where no later one can hold an item to show', async () => {
    let pages = 0;
    const selection: Selection = { ...capitals, isOver: () => ++pages === 2 };
    expect(await read(PAGES, {}, selection)).toMatchObject({ shown: 'AB', cursor: null, read: 2 });
  });

  it('are cut where there is more in a page than is wanted, also in the last one that can hold an item', async () => {
    const selection: Selection = { ...capitals, isOver: () => true };
    expect(await read(PAGES, { limit: 1 }, selection)).toMatchObject({ shown: 'A', cursor: undefined });
    expect(await read(PAGES, { limit: 2 }, selection)).toMatchObject({ shown: 'AB', cursor: null });
  });

  it('are one where the contract has no cursors, unless --all follows those of the service', async () => {
    const operation = operations.listApiLogs;
    expect(readsManyPages({ operation, flags: {}, selection: capitals })).toBe(false);
    expect(readsManyPages({ operation, flags: { all: true }, selection: capitals })).toBe(true);
    const { list } = fakeList([Array.from({ length: 30 }, () => 'A')]);
    const request = { operation, query: {}, flags: {}, selection: capitals };
    for await (const { count } of readPages(list, request, new AbortController().signal)) {
      expect(count).toBe(30);
    }
  });

  it('know the time of the service, or else of this machine', async () => {
    const times: number[] = [];
    const selection: Selection = {
      keeps: (items, now) => {
        times.push(now);
        return items.map(() => true);
      },
    };
    for (const date of [DATE, '', 'soon']) {
      const { list } = fakeList([['a'], ['b']], date);
      const request = { operation: operations.listAuditLogs, query: {}, flags: {}, selection };
      for await (const { cursor } of readPages(list, request, new AbortController().signal)) void cursor;
    }
    expect(times.slice(0, 2)).toEqual([Date.parse(DATE), Date.parse(DATE)]);
    for (const time of times.slice(2)) expect(Math.abs(time - Date.now())).toBeLessThan(60_000);
    expect(times[2]).toBe(times[3]);
  });

  it('show no item twice and lose none, whatever is selected and however often a list is continued', async () => {
    const content = fc.array(fc.array(fc.constantFrom('A', 'b'), { maxLength: 5 }), {
      minLength: 1,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(content, fc.integer({ min: 1, max: 6 }), async (contents, limit) => {
        const all = contents.flat().filter((item) => item === 'A').length;
        const { shown, cursor } = await read(contents, { limit }, capitals);
        expect(shown.length).toBe(Math.min(limit, all));
        const rest = cursor === null ? [] : contents.slice(Number(cursor ?? 0)).flat();
        // A page that was cut is read again.
        expect(shown.length + rest.filter((item) => item === 'A').length).toBeGreaterThanOrEqual(all);
      }),
    );
  });
});
