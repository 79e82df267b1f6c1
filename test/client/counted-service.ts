import type { CountedPages } from '../../src/descriptions/counted-pages.ts';
import type { Handler } from '../harness/http-server.ts';
import { serve } from './live-client.ts';

/** What a parameter of such a service counts. */
type Counts = CountedPages['counts'] | 'nothing';

/** How a test service pages its records. */
export type ServiceOptions = {
  readonly total: number;
  /** The size of a page where none is asked for, and the largest one. */
  readonly usual?: number;
  readonly largest?: number;
  /** The parameter that the service reads, and the number of its first page or item. */
  readonly parameter?: string;
  readonly counts?: Counts;
  readonly first?: number;
  readonly size?: string;
  /** The answer for a page: by default its items as an array. */
  readonly body?: (page: ServicePage) => unknown;
  /** The status of a page without items. */
  readonly beyond?: number;
};

/** One page of such a service. */
export type ServicePage = {
  readonly items: readonly { readonly id: number }[];
  /** The number of the page, counted as the service does. */
  readonly page: number;
  readonly offset: number;
  readonly size: number;
  readonly total: number;
  readonly url: URL;
};

/** Serves records with the ids 1 to `total` in pages. The end of the present test closes it. */
export async function countedService(options: ServiceOptions) {
  const server = await serve(countedHandler(options));
  return {
    ...server,
    /** The query of each request. */
    queries: () => server.requests.map(({ url }) => url.split('?')[1] ?? ''),
  };
}

/** What such a service answers. */
export function countedHandler(options: ServiceOptions): Handler {
  const { total, usual = 2, largest = 1000, parameter = 'page', counts = 'pages' } = options;
  const { first = counts === 'items' ? 0 : 1, size: sizeName = 'per_page', beyond = 200 } = options;
  const { body = ({ items }) => items } = options;
  return ({ url }, reply) => {
    const address = new URL(url, 'http://service.invalid');
    const asked = address.searchParams;
    const size = Math.min(Number(asked.get(sizeName) ?? usual), largest);
    const value = Number(asked.get(parameter) ?? first);
    const offsets: Readonly<Record<Counts, number>> = {
      pages: (value - first) * size,
      items: value - first,
      ids: Number(asked.get(parameter) ?? 0),
      nothing: 0,
    };
    const offset = offsets[counts];
    const ids = Array.from({ length: total }, (_, index) => index + 1).slice(offset, offset + size);
    const page = { items: ids.map((id) => ({ id })), page: value, offset, size, total, url: address };
    reply.statusCode = ids.length === 0 && offset > 0 ? beyond : 200;
    reply.setHeader('content-type', 'application/json');
    reply.end(JSON.stringify(body(page)));
  };
}
