import { describe, expect, it } from 'vitest';
import { HARMLESS_LISTS } from '../../../src/cli/catalog/operations.ts';
import { createClient } from '../../../src/client/client.ts';
import { type ListId, operations } from '../../../src/contract/generated/operations.ts';
import { AbortedError } from '../../../src/errors.ts';
import { askLists } from '../../../src/features/doctor/try-lists.ts';
import { serve } from '../../e2e/paged-service.ts';

function clientOf(baseUrl: string) {
  return createClient({
    baseUrl,
    token: ({ scopes }) => scopes.join(' '),
    maxRetries: 0,
    timeoutMilliseconds: 2_000,
  });
}

describe('the lists that are tried out', () => {
  it('are all operations that change nothing and need no id', () => {
    const harmless = Object.values(operations).filter(
      ({ method, pathParameters }) => method === 'GET' && pathParameters.length === 0,
    );
    expect(HARMLESS_LISTS.toSorted()).toEqual(harmless.map(({ id }) => id).sort());
  });

  it('are asked for one item each, with the scope of the one, and no more than three at a time', async () => {
    let open = 0;
    let most = 0;
    const server = await serve((_, response) => {
      open += 1;
      most = Math.max(most, open);
      setTimeout(() => {
        open -= 1;
        response.end('{"items":[]}');
      }, 30);
    });
    const client = clientOf(server.origin);
    const outcomes = await askLists(client, HARMLESS_LISTS, new AbortController().signal);
    await client.close();
    expect(most).toBe(3);
    expect([...outcomes.values()]).toEqual(HARMLESS_LISTS.map(() => ({ status: 200 })));
    const seen = server.requests.map(({ url, headers }) => `${url} ${headers.authorization}`);
    const expected = HARMLESS_LISTS.map((id) => {
      const { path, paginated, scopes } = operations[id];
      return `${path}${paginated ? '?limit=1' : ''} Bearer ${scopes[0]}`;
    });
    expect(seen.toSorted()).toEqual(expected.sort());
  });

  it('are each judged alone: refusals, nonsense and broken connections', async () => {
    const server = await serve(({ url }, response) => {
      if (url.startsWith('/buyers')) response.writeHead(403).end();
      else if (url.startsWith('/roles')) response.end('<html>');
      else response.destroy();
    });
    const client = clientOf(server.origin);
    const ids: ListId[] = ['listBuyers', 'listRoles', 'listAuditLogs'];
    const outcomes = await askLists(client, ids, new AbortController().signal);
    await client.close();
    expect([...outcomes].map(([id, { status, error }]) => [id, status, error?.code]).sort()).toEqual([
      ['listAuditLogs', undefined, 'connection_lost'],
      ['listBuyers', 403, 'http_403'],
      ['listRoles', 200, 'unreadable_response'],
    ]);
  });

  it('end at once with the run', async () => {
    const abort = new AbortController();
    const server = await serve(() => abort.abort());
    const client = clientOf(server.origin);
    await expect(askLists(client, HARMLESS_LISTS, abort.signal)).rejects.toThrow(AbortedError);
    await client.close();
  });
});
