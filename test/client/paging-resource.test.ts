import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type ClientOptions,
  CursorLoopError,
  createClient,
  ResponseError,
  UsageError,
} from '../../src/client/client.ts';
import { guardNetwork } from '../harness/nock.ts';
import { answerOnce, ORIGIN } from './answer-once.ts';
import { failureOf } from './failure-of.ts';

guardNetwork();

function buyersClient(token: ClientOptions['token'] = 't') {
  const client = createClient({ baseUrl: ORIGIN, token, maxRetries: 0 });
  onTestFinished(() => client.close());
  return client.buyers;
}

const buyers = (...ids: string[]) => ids.map((id) => ({ type: 'buyer', id }));

async function collect<T>(iterable: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of iterable) items.push(item);
  return items;
}

/** Has nock answer with these pages, one after the other, and returns the paths that are asked for. */
function answerPages(pages: readonly object[]): () => string[] {
  const sent = pages.map((body) => answerOnce({ body }));
  return () => sent.flat().map(({ url }) => url.slice(ORIGIN.length));
}

describe('list()', () => {
  it('asks for one page, without a limit of its own', async () => {
    const paths = answerPages([{ items: buyers('a'), next_cursor: 'c1' }]);
    expect(await buyersClient().list()).toEqual({ items: buyers('a'), next_cursor: 'c1' });
    expect(paths()).toEqual(['/buyers']);
  });

  it('takes a page without cursors', async () => {
    answerPages([{ items: [] }]);
    expect(await buyersClient().list()).toEqual({ items: [] });
  });
});

describe('pages()', () => {
  it('yields every page with the filters kept and the cursor passed on', async () => {
    const bodies = [
      { items: buyers('a', 'b'), next_cursor: 'c/1' },
      { items: buyers('c'), next_cursor: null },
    ];
    const paths = answerPages(bodies);
    expect(await collect(buyersClient().pages({ search: 'x', limit: 2 }))).toEqual(bodies);
    expect(paths()).toEqual(['/buyers?search=x&limit=2', '/buyers?search=x&limit=2&cursor=c%2F1']);
  });

  it('asks for the largest page when no limit is given', async () => {
    const paths = answerPages([{ items: [] }]);
    await collect(buyersClient().pages());
    expect(paths()).toEqual(['/buyers?limit=100']);
  });

  it('reports a cursor that comes again', async () => {
    answerPages([
      { items: buyers('a'), next_cursor: 'c1' },
      { items: buyers('b'), next_cursor: 'c1' },
    ]);
    const error = await failureOf(collect(buyersClient().pages()));
    expect(error).toBeInstanceOf(CursorLoopError);
    expect(error).toMatchObject({ code: 'cursor_loop', cursor: 'c1' });
  });

  it.each([0, -1, Number.NaN])(
    'refuses %d as the largest number of items, and sends nothing',
    async (maxItems) => {
      const error = await failureOf(buyersClient().pages({}, { maxItems }).next());
      expect(error).toBeInstanceOf(UsageError);
      expect(error).toMatchObject({ code: 'bad_max_items' });
    },
  );
});

describe('items()', () => {
  it('yields the items of all pages in order', async () => {
    answerPages([{ items: buyers('a', 'b'), next_cursor: 'c1' }, { items: buyers('c') }]);
    expect(await collect(buyersClient().items())).toEqual(buyers('a', 'b', 'c'));
  });

  it('ends at the largest number of items, and asks the last page for no more than that', async () => {
    const paths = answerPages([
      { items: buyers('a', 'b'), next_cursor: 'c1' },
      { items: buyers('c', 'd'), next_cursor: 'c2' },
    ]);
    const items = await collect(buyersClient().items({ limit: 2 }, { maxItems: 3 }));
    expect(items).toEqual(buyers('a', 'b', 'c'));
    expect(paths()).toEqual(['/buyers?limit=2', '/buyers?limit=1&cursor=c1']);
  });
});

describe('the scope of personal data', () => {
  it('is asked for with every page of a list that reveals them, and with no other', async () => {
    const asked: (readonly string[])[] = [];
    const resource = buyersClient(({ scopes }) => String(asked.push(scopes)));
    const pages = [{ items: buyers('a'), next_cursor: 'c1' }, { items: buyers('b') }];
    answerPages([...pages, ...pages]);
    await collect(resource.pages());
    await collect(resource.pages({}, { revealPii: true }));
    const revealing = ['buyers.read', 'buyers.billing-details.read'];
    expect(asked).toEqual([['buyers.read'], ['buyers.read'], revealing, revealing]);
  });
});

describe('a blank next_cursor', () => {
  const last = { items: buyers('b'), next_cursor: '', previous_cursor: '' };

  it('ends a list, as null does', async () => {
    const paths = answerPages([{ items: buyers('a'), next_cursor: 'c1' }, last]);
    expect(await collect(buyersClient().items())).toEqual(buyers('a', 'b'));
    expect(paths()).toEqual(['/buyers?limit=100', '/buyers?cursor=c1&limit=100']);
  });

  it('is part of the page as the service sent it', async () => {
    answerPages([last]);
    expect(await buyersClient().list()).toEqual(last);
  });
});

describe('an answer that is not a page', () => {
  it.each([
    ['items', '{}'],
    ['items', '{"items":null}'],
    ['items', '{"items":{"0":{}},"next_cursor":null}'],
    ['items', '{"data":[],"next_cursor":1}'],
    ['next_cursor', '{"items":[],"next_cursor":7}'],
    ['next_cursor', '{"items":[],"next_cursor":false}'],
  ])('is refused for its %s: %s', async (field, body) => {
    answerOnce({ body, headers: { 'x-request-id': 'r-3' } });
    const error = await failureOf(buyersClient().list());
    expect(error).toBeInstanceOf(ResponseError);
    expect(error).toMatchObject({
      code: 'unexpected_shape',
      message: `The response is not a valid page: it has no usable \`${field}\``,
      status: 200,
      attempts: 1,
      requestId: 'r-3',
      request: { method: 'GET', path: '/buyers', origin: ORIGIN },
    });
  });

  it('ends a walk after the pages before it', async () => {
    answerPages([{ items: buyers('a'), next_cursor: 'c1' }, { items: 'none' }]);
    const seen: unknown[] = [];
    const walk = async () => {
      for await (const buyer of buyersClient().items()) seen.push(buyer);
    };
    await expect(walk()).rejects.toMatchObject({ code: 'unexpected_shape' });
    expect(seen).toEqual(buyers('a'));
  });
});
