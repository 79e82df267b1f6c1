import { describe, expect, it } from 'vitest';
import { callProbes, PROBE_IDS, type ProbeId } from '../../../../src/cli/routing/catalog/probes.ts';
import { createClient } from '../../../../src/client/client.ts';
import { operations } from '../../../../src/contract/generated/operations.ts';
import { AbortedError } from '../../../../src/errors.ts';
import { serve } from '../../../e2e/paged-service.ts';

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
    expect(PROBE_IDS.toSorted()).toEqual(harmless.map(({ id }) => id).sort());
  });

  it('begin with the one that belongs to no merchant account, and end with personal data', () => {
    expect(PROBE_IDS[0]).toBe('listRoles');
    expect(PROBE_IDS.slice(-2)).toEqual(['listBuyers', 'listPaymentMethods']);
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
    const outcomes = await callProbes(client, PROBE_IDS, new AbortController().signal);
    await client.close();
    expect(most).toBe(3);
    expect([...outcomes.values()]).toEqual(PROBE_IDS.map(() => ({ status: 200 })));
    const seen = server.requests.map(({ url, headers }) => `${url} ${headers.authorization}`);
    const expected = PROBE_IDS.map((id) => {
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
    const ids: ProbeId[] = ['listBuyers', 'listRoles', 'listAuditLogs'];
    const outcomes = await callProbes(client, ids, new AbortController().signal);
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
    await expect(callProbes(client, PROBE_IDS, abort.signal)).rejects.toThrow(AbortedError);
    await client.close();
  });
});
