import { describe, expect, it } from 'vitest';
import { type NeededScopes, type Operation, responseOf } from '../../src/client/client.ts';
import { queryString } from '../../src/client/send.ts';
import { answers } from '../harness/http-server.ts';
import { failureOf } from './failure-of.ts';
import { clientAt, serve } from './live-client.ts';

const operation: Operation = {
  id: 'list_refunds',
  method: 'GET',
  path: '/transactions/{transaction_id}/refunds',
  summary: 'List refunds',
  scopes: ['transactions.read'],
  merchantAccount: true,
  isList: false,
  paginated: true,
  pathParameters: ['transaction_id'],
  query: {
    cursor: { type: 'string' },
    limit: { type: 'integer', maximum: 10 },
    status: { type: 'string', multiple: true },
    kind: { type: 'string', multiple: true, separator: '|' },
  },
  hasBody: false,
  successStatus: 200,
  responseSchema: 'Refunds',
  errors: [],
};
const capture: Operation = {
  ...operation,
  id: 'capture',
  method: 'POST',
  path: '/transactions/{transaction_id}/capture',
  idempotencyHeader: 'Idempotency-Key',
  query: {},
  hasBody: true,
};
const path = { transaction_id: 'a/b' };

describe('client.request', () => {
  it('sends a call of any operation: path, query, body, and the scopes of the operation', async () => {
    const server = await serve(answers([{ body: { id: 'r1' } }]));
    const asked: unknown[] = [];
    const token = (needed: unknown) => {
      asked.push(needed);
      return 'secret-token';
    };
    const client = clientAt(server.origin, { token, merchantAccount: 'acme' });
    const call = {
      path,
      query: { status: ['new', 'done'], kind: ['a', 'b,c'], all: false },
      body: { amount: 5 },
    };
    const document = await client.request({ ...operation, method: 'POST' }, call);
    expect(document).toEqual({ id: 'r1' });
    expect(server.requests).toMatchObject([
      {
        method: 'POST',
        url: '/transactions/a%2Fb/refunds?status=new&status=done&kind=a%7Cb%2Cc&all=false',
        body: '{"amount":5}',
        headers: { 'x-service-merchant-account-id': 'acme', 'content-type': 'application/json' },
      },
    ]);
    expect(asked).toEqual([{ scopes: ['transactions.read'], accepted: ['transactions.read'] }]);
  });

  it.each([
    ['an array', '[1, 2]', [1, 2]],
    ['a single value', '"text"', {}],
  ])('takes %s for an answer, and keeps its text', async (_, body, document) => {
    const server = await serve(answers([{ body }]));
    const answer = await clientAt(server.origin).request(operation, { path });
    expect([answer, responseOf(answer).text]).toEqual([document, body]);
  });

  it('takes a 204 for the answer to a GET', async () => {
    const server = await serve(answers([{ status: 204 }]));
    expect(await clientAt(server.origin).request(operation, { path })).toEqual({});
  });

  it.each<readonly [string, Partial<Operation>, { scopes?: string[] }, NeededScopes]>([
    [
      'the scopes of the call',
      {},
      { scopes: ['a.read', 'b.read'] },
      { scopes: ['a.read', 'b.read'], accepted: [] },
    ],
    ['no scope where the call names none', {}, { scopes: [] }, { scopes: [], accepted: [] }],
    [
      'the first scope of the operation, and accepts the others',
      { scopes: ['c.read', 'd.read'] },
      {},
      { scopes: ['c.read'], accepted: ['c.read', 'd.read'] },
    ],
    [
      'all scopes of an operation that needs them all',
      { scopes: ['c.read', 'd.read'], needsAllScopes: true },
      {},
      { scopes: ['c.read', 'd.read'], accepted: [] },
    ],
  ])(
    'asks for %s, and also for that of personal data where it is revealed',
    async (_, parts, call, needed) => {
      const server = await serve(answers([{ body: {} }, { body: {} }, { body: {} }]));
      const asked: NeededScopes[] = [];
      const client = clientAt(server.origin, { token: (scopes) => String(asked.push(scopes)) });
      const named = { ...operation, ...parts };
      const personal = { ...named, piiScope: 'personal.read' };
      await client.request(personal, { path, ...call });
      await client.request(personal, { path, ...call, revealPii: true });
      await client.request(named, { path, ...call, revealPii: true });
      const withPersonal = { ...needed, scopes: [...needed.scopes, 'personal.read'] };
      expect(asked).toEqual([needed, withPersonal, needed]);
    },
  );
});

describe('an idempotency key', () => {
  const keysOf = (requests: readonly { headers: object }[]) =>
    requests.map(({ headers }) => (headers as Record<string, string>)['idempotency-key']);

  it('is the same in every attempt, and makes a POST safe to repeat', async () => {
    const server = await serve(answers([{ status: 503 }, { status: 500 }, { body: {} }]));
    await clientAt(server.origin).request(capture, { path, body: {} });
    const keys = keysOf(server.requests);
    expect(new Set(keys).size).toBe(1);
    expect(keys).toHaveLength(3);
    expect(keys[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('differs from call to call', async () => {
    const server = await serve(answers([{ body: {} }, { body: {} }]));
    const client = clientAt(server.origin);
    await client.request(capture, { path });
    await client.request(capture, { path });
    expect(new Set(keysOf(server.requests)).size).toBe(2);
  });

  it('can be chosen, and the error of a call says which it was', async () => {
    const server = await serve(answers([{ status: 503 }]));
    const call = { path, idempotencyKey: 'order-17' };
    const error = await failureOf(clientAt(server.origin, { maxRetries: 0 }).request(capture, call));
    expect(error).toMatchObject({
      outcomeUnknown: true,
      request: { idempotency: { header: 'Idempotency-Key', key: 'order-17' } },
    });
  });

  it('is not sent where the operation takes none, and its POST is not repeated', async () => {
    const server = await serve(answers([{ status: 503 }]));
    const plain = { ...capture, idempotencyHeader: undefined } as unknown as Operation;
    await failureOf(clientAt(server.origin).request(plain, { path, idempotencyKey: 'order-17' }));
    expect(keysOf(server.requests)).toEqual([undefined]);
  });
});

describe('client.list', () => {
  it('follows cursors with the largest page that the description allows', async () => {
    const server = await serve(
      answers([{ body: { items: [1], next_cursor: 'b' } }, { body: { items: [2], next_cursor: null } }]),
    );
    const items = await Array.fromAsync(
      clientAt(server.origin).list(operation, { path }).items({ status: 'new' }),
    );
    expect(items).toEqual([1, 2]);
    expect(server.requests.map(({ url }) => url.split('?')[1])).toEqual([
      'status=new&limit=10',
      'status=new&cursor=b&limit=10',
    ]);
  });

  it('asks for no size of a page that no description names', async () => {
    const server = await serve(answers([{ body: { items: [1] } }]));
    const query = { ...operation.query, limit: { type: 'integer' } } as const;
    await Array.fromAsync(
      clientAt(server.origin)
        .list({ ...operation, query }, { path })
        .pages({}, { maxItems: 5 }),
    );
    expect(server.requests.map(({ url }) => url)).toEqual(['/transactions/a%2Fb/refunds']);
  });

  it('takes an array for a page of its own', async () => {
    const server = await serve(answers([{ body: '[{"id":1}]' }]));
    const page = await clientAt(server.origin).list(operation, { path }).list();
    expect([page.items, responseOf(page).text]).toEqual([[{ id: 1 }], '[{"id":1}]']);
  });

  it('stops after one page where there is no parameter for a cursor', async () => {
    const server = await serve(answers([{ body: { items: [1], next_cursor: 'b' } }]));
    const list = clientAt(server.origin).list(operation, { path, followsCursors: false });
    expect(await Array.fromAsync(list.items())).toEqual([1]);
  });

  it('sends a list that is asked for with a body page by page', async () => {
    const server = await serve(
      answers([{ body: { items: [1], next_cursor: 'b' } }, { body: { items: [2] } }]),
    );
    const list = clientAt(server.origin).list({ ...operation, method: 'POST' }, { path, body: { q: 1 } });
    expect(await Array.fromAsync(list.items())).toEqual([1, 2]);
    expect(server.requests.map(({ method, body }) => [method, body])).toEqual([
      ['POST', '{"q":1}'],
      ['POST', '{"q":1}'],
    ]);
  });
});

describe('the query of a call', () => {
  it.each([
    [{ a: [1, 2] }, {}, '?a=1&a=2'],
    [{ a: ['x y', 'z'] }, { a: { separator: ',' } }, '?a=x%20y,z'],
    [{ a: ['x', 'y'] }, { a: { separator: ' ' } }, '?a=x%20y'],
    [{ a: [] }, { a: { separator: ',' } }, ''],
    [{ a: true, b: undefined, c: null, d: '' }, {}, '?a=true&d='],
    [{ 'filter[name]': 'ü' }, {}, '?filter%5Bname%5D=%C3%BC'],
  ] as const)('writes %j with %j', (query, parameters, text) => {
    expect(queryString(query, parameters)).toBe(text);
  });
});
