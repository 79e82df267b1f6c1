import { describe, expect, it } from 'vitest';
import { FetchedPage, type PageReader } from '../../src/client/page.ts';
import { fetchOne } from '../../src/client/paging/resource.ts';
import { responseOf } from '../../src/client/response.ts';
import { JsonMasker } from '../../src/json/mask.ts';
import { clientAt, serve } from './live-client.ts';

const TEXT =
  '{"items":[{"id":"a","n":1.0},{"id":"b","n":12345678901234567890}],"next_cursor":"c","total":2.0}';

/** Fetches one page of this text. */
async function fetched(text = TEXT, readPage?: PageReader): Promise<FetchedPage<unknown>> {
  const { origin } = await serve((_, reply) => {
    reply.setHeader('content-type', 'application/json');
    reply.end(text);
  });
  return await fetchOne(clientAt(origin).buyers, {}, { readPage });
}

const masker = new JsonMasker({ mask: '***', marks: undefined, marksName: undefined, hides: undefined });

describe('a page that was fetched', () => {
  it('has its items as values and as exact texts, its response, and what comes after it', async () => {
    const page = await fetched();
    expect(page).toBeInstanceOf(FetchedPage);
    expect(page.count).toBe(2);
    expect(page.items()).toEqual([
      { id: 'a', n: 1 },
      { id: 'b', n: 12345678901234567890n },
    ]);
    expect(page.texts).toEqual(['{"id":"a","n":1.0}', '{"id":"b","n":12345678901234567890}']);
    expect(page.response).toMatchObject({ status: 200, text: TEXT });
    expect(page.next).toEqual({ cursor: 'c', lacksParameter: false });
    expect(page.parts).toBeUndefined();
  });

  it('is the same where a reader took it apart, and keeps what that made of it', async () => {
    const plain = await fetched();
    const page = await fetched(TEXT, ({ text }) => masker.page(text));
    expect(page.parts?.envelope).toBe('{"items":[],"next_cursor":"c","total":2.0}');
    expect([page.count, page.items(), page.texts, page.next]).toEqual([
      plain.count,
      plain.items(),
      plain.texts,
      plain.next,
    ]);
    expect(page.page()).toEqual(plain.page());
  });

  it('is a page of the library, which knows its response', async () => {
    const page = await fetched();
    expect(page.page()).toEqual({ items: page.items(), next_cursor: 'c', total: 2 });
    expect(responseOf(page.page())).toBe(page.response);
  });
});
