import { type Answer, answers, type Handler, type TestServer } from '../harness/http-server.ts';
import { serve } from '../harness/serve.ts';

export { serve };

/** A token that no trace, no error and no output may hold. */
export const SECRET_TOKEN = 'secret-token-that-nobody-may-see';

/** Starts a server that gives one answer after the other. */
export function serveAnswers(...script: readonly (Answer | Handler)[]): Promise<TestServer> {
  return serve(answers(script));
}

/** The settings of a run against a test server. */
export function against({ origin }: { readonly origin: string }): Record<string, string> {
  return { PAYCTL_BASE_URL: origin, PAYCTL_TOKEN: SECRET_TOKEN };
}

/** A plain buyer with a number, as a token that may not read billing details gets it. */
export function buyer(number: number, changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    type: 'buyer',
    id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    display_name: `Buyer ${number}`,
    external_identifier: `customer-${number}`,
    billing_details: null,
    created_at: '2026-03-01T14:05:59.123+00:00',
    ...changes,
  };
}

/** One page of buyers as the service answers it; its cursors are null unless given. */
export function page(
  items: readonly unknown[],
  cursors: { readonly next?: string | null; readonly previous?: string | null; readonly limit?: number } = {},
): Record<string, unknown> {
  return {
    items,
    limit: cursors.limit ?? 20,
    next_cursor: cursors.next ?? null,
    previous_cursor: cursors.previous ?? null,
  };
}

/**
 * Starts a service of so many buyers, paged as the contract says: `limit` items (default 20) from the cursor
 * `from-N` on. `instead` answers some requests otherwise, by their number from 1.
 */
export function serveBuyers(
  count: number,
  instead: Readonly<Record<number, Handler>> = {},
): Promise<TestServer> {
  return serve(answeringBuyers(count, instead));
}

/** The handler of such a service. */
export function answeringBuyers(count: number, instead: Readonly<Record<number, Handler>> = {}): Handler {
  let requests = 0;
  return (request, response) => {
    requests += 1;
    const special = instead[requests];
    if (special) return special(request, response);
    const query = new URL(request.url, 'http://service').searchParams;
    const limit = Number(query.get('limit') ?? 20);
    const start = Number(query.get('cursor')?.slice('from-'.length) ?? 0);
    const end = Math.min(start + limit, count);
    const items = Array.from({ length: end - start }, (_, index) => buyer(start + index + 1));
    const cursors = {
      limit,
      next: end < count ? `from-${end}` : null,
      previous: start > 0 ? `from-${Math.max(0, start - limit)}` : null,
    };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(page(items, cursors)));
  };
}
