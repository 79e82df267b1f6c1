import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { insertBuyer, type StoredBuyer } from '../../../src/emulator/resources/buyers.ts';
import { anyText } from '../../harness/any-text.ts';
import { startTestEmulator, type TestEmulator, temporaryDirectory } from '../test-emulator.ts';

type Page = { items: StoredBuyer[]; next_cursor: string | null; previous_cursor: string | null };

async function page(test: TestEmulator, query: string): Promise<Page> {
  const { status, body } = await test.send(`/buyers?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body as Page;
}

const ids = (pages: readonly Page[]) => pages.flatMap(({ items }) => items.map(({ id }) => id));

/** Walks from a page to the end of the list; `between` runs after each page. */
async function walk(
  test: TestEmulator,
  query: string,
  options: {
    readonly by: 'next_cursor' | 'previous_cursor';
    readonly between?: () => void;
    readonly from?: Page | undefined;
  },
): Promise<Page[]> {
  const pages = [options.from ?? (await page(test, query))];
  for (let cursor = pages[0]?.[options.by]; cursor; cursor = pages.at(-1)?.[options.by]) {
    options.between?.();
    pages.push(await page(test, `${query}&cursor=${cursor}`));
  }
  return pages;
}

function storedIds(test: TestEmulator, account = 'default'): string[] {
  const sql = 'SELECT id FROM buyers WHERE merchant_account_id = ? ORDER BY created_ms DESC, id DESC';
  return test.emulator.database
    .prepare(sql)
    .all(account)
    .map((row) => String(row.id));
}

function addBuyer(test: TestEmulator, number: number, createdAt: string): void {
  insertBuyer(test.emulator.database, {
    type: 'buyer',
    id: `ffffffff-0000-4000-8000-${String(number).padStart(12, '0')}`,
    merchant_account_id: 'default',
    created_at: createdAt,
    display_name: 'Added',
  });
}

describe('walking the pages of GET /buyers', () => {
  it('shows each buyer once forwards, and the same pages backwards, for any page size and number of buyers', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 1, max: 25 }),
        async (buyers, limit) => {
          await using test = await startTestEmulator({ buyers });
          const forwards = await walk(test, `limit=${limit}`, { by: 'next_cursor' });
          expect(ids(forwards)).toEqual(storedIds(test));
          expect(forwards[0]?.previous_cursor).toBeNull();
          const backwards = await walk(test, `limit=${limit}`, {
            by: 'previous_cursor',
            from: forwards.at(-1),
          });
          expect(backwards.map(({ items }) => items)).toEqual(forwards.map(({ items }) => items).reverse());
        },
      ),
      { numRuns: 8 },
    );
  }, 60_000);

  it('shows each buyer of a search once, in order, with another page size from page to page', async () => {
    await using test = await startTestEmulator({ buyers: 400 });
    const all = ids(await walk(test, 'limit=100&search=1', { by: 'next_cursor' }));
    expect(all.length).toBeGreaterThan(100);
    const seen: string[] = [];
    let cursor = '';
    for (let limit = 1; limit < 30; limit += 1) {
      const found = await page(test, `limit=${limit}&search=1${cursor}`);
      seen.push(...ids([found]));
      if (found.next_cursor === null) break;
      cursor = `&cursor=${found.next_cursor}`;
    }
    expect(seen).toEqual(all);
  });

  it('neither repeats nor loses a buyer while others are added before, between and after', async () => {
    await using test = await startTestEmulator({ buyers: 120 });
    const before = storedIds(test);
    let number = 0;
    const addEverywhere = () => {
      for (const year of ['1999', '2024', '2026'])
        addBuyer(test, ++number, `${year}-06-01T00:00:00.000+00:00`);
    };
    const forwards = await walk(test, 'limit=9', { by: 'next_cursor', between: addEverywhere });
    const backwards = await walk(test, 'limit=9', {
      by: 'previous_cursor',
      from: forwards.at(-1),
      // Only buyers that are added after the position of the walk let it come to an end.
      between: () => addBuyer(test, ++number, '1999-01-01T00:00:00.000+00:00'),
    });
    const isOld = (id: string) => !id.startsWith('ffffffff');
    expect(new Set(ids(forwards)).size).toBe(ids(forwards).length);
    expect(ids(forwards).filter(isOld)).toEqual(before);
    const backwardIds = backwards.toReversed().flatMap((found) => ids([found]));
    expect(new Set(backwardIds).size).toBe(backwardIds.length);
    expect(backwardIds.filter(isOld)).toEqual(before);
  });

  it('leads back to the list from a page that has become empty', async () => {
    await using test = await startTestEmulator({ buyers: 30 });
    const first = await page(test, 'limit=5');
    const last = (await walk(test, 'limit=5', { by: 'next_cursor' })).at(-1);
    const { database } = test.emulator;
    const kept = ids([first]);
    database.execute(`DELETE FROM buyers WHERE id NOT IN (${kept.map((id) => `'${id}'`).join()})`);
    const beyond = await page(test, `limit=5&cursor=${first.next_cursor}`);
    expect(beyond).toMatchObject({ items: [], next_cursor: null });
    expect(ids([await page(test, `limit=5&cursor=${beyond.previous_cursor}`)])).toEqual(kept);
    const ahead = await page(test, `limit=5&cursor=${last?.previous_cursor}`);
    expect(ids([ahead])).toEqual(kept);
    expect(ahead).toMatchObject({ next_cursor: null, previous_cursor: null });
  });

  it('refuses a cursor of other filters, of another merchant account and of another database with 400', async () => {
    await using test = await startTestEmulator();
    using directory = temporaryDirectory();
    await using other = await startTestEmulator({}, directory.path);
    const { next_cursor: cursor } = await page(test, 'limit=5');
    const headers = { 'x-service-merchant-account-id': 'outlet' };
    const refused = await Promise.all([
      test.send(`/buyers?cursor=${cursor}&search=a`),
      test.send(`/buyers?cursor=${cursor}&external_identifier=a`),
      test.send(`/buyers?cursor=${cursor}`, { headers }),
      other.send(`/buyers?cursor=${cursor}`),
      test.send(`/buyers?cursor=${cursor}A`),
      test.send(`/buyers?cursor=${cursor}%3D`),
      test.send(`/buyers?cursor=!${cursor}`),
    ]);
    const details = [
      {
        type: 'value_error.cursor',
        pointer: '/cursor',
        message: 'is not a valid cursor for this list and these filters',
        location: 'query',
      },
    ];
    for (const { status, body } of refused) {
      expect([status, body]).toEqual([
        400,
        { type: 'error', code: 'bad_request', status: 400, message: 'Generic error', details },
      ]);
    }
  });

  it('never answers 5xx, and only 200, 400 or 422, to any query whatever', async () => {
    await using test = await startTestEmulator({ buyers: 20 });
    const { next_cursor: cursor } = await page(test, 'limit=3');
    const altered = fc
      .tuple(fc.nat(String(cursor).length - 1), fc.constantFrom(...'AZaz09-_'))
      .map(([at, letter]) => `cursor=${String(cursor).slice(0, at)}${letter}${String(cursor).slice(at + 1)}`);
    const pair = fc
      .tuple(
        fc.constantFrom('cursor', 'limit', 'search', 'external_identifier', 'x', '__proto__', ''),
        fc.oneof(anyText(), fc.base64String(), fc.integer().map(String)),
      )
      .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`);
    const raw = fc.string({ unit: fc.constantFrom(..."%&=+abcF0;/?:@!$'()*,") });
    const query = fc.oneof(
      altered,
      raw,
      fc.array(pair, { maxLength: 5 }).map((pairs) => pairs.join('&')),
    );
    await fc.assert(
      fc.asyncProperty(query, async (text) => {
        const { status } = await test.send(`/buyers?${text}`);
        expect([200, 400, 422]).toContain(status);
      }),
      { numRuns: 100 },
    );
  }, 60_000);
});
