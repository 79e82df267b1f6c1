import { describe, expect, it } from 'vitest';
import { AbortedError, ConnectionError } from '../../src/client/client.ts';
import { createReceiver } from '../../src/client/receive-body.ts';
import { callDocument, send } from '../../src/client/send.ts';
import { operations } from '../../src/contract/generated/operations.ts';
import type { Operation } from '../../src/contract/operation.ts';
import type { BytesBody } from '../../src/descriptions/byte-source.ts';
import { answers } from '../harness/http-server.ts';
import { failureOf } from './failure-of.ts';
import { contextFor, serve } from './live-client.ts';

const read: Operation = { ...operations.listBuyers, id: 'read', path: '/things', query: {} };
const upload: Operation = { ...read, id: 'upload', method: 'PUT', idempotencyHeader: 'Idempotency-Key' };
const ok = { body: { id: '1' } };

describe('the address of a request', () => {
  it('has the prefix of the base URL, and the parameters that a hook adds', async () => {
    const server = await serve(answers([ok]));
    const hooks = { query: ({ id }: Operation) => ({ of: id, a: 2 }) };
    await send(contextFor(server.origin, { prefix: '/v1', hooks }), { operation: read, query: { a: 1 } });
    expect(server.requests[0]?.url).toBe('/v1/things?a=2&of=read');
  });

  it('goes on with the query that its path has already', async () => {
    const server = await serve(answers([ok]));
    const operation = { ...read, path: '/things?a=b' };
    await send(contextFor(server.origin), { operation, query: { c: ['d', 'e'] } });
    expect(server.requests[0]?.url).toBe('/things?a=b&c=d&c=e');
  });

  it('is that of a link in its place', async () => {
    const server = await serve(answers([ok]));
    const call = { operation: read, target: '/next?page=2', query: { a: 1 } };
    await send(contextFor(server.origin, { prefix: '/v1' }), call);
    expect(server.requests[0]?.url).toBe('/next?page=2');
  });
});

describe('the headers of a call', () => {
  it('are sent in lower case, but for those that the client decides', async () => {
    const server = await serve(answers([ok]));
    const own = [
      'Authorization',
      'host',
      'Connection',
      'TRANSFER-ENCODING',
      'Content-Length',
      'content-type',
    ];
    const headers = {
      ...Object.fromEntries(own.map((name) => [name, '1'])),
      'X-Trace': 'a',
      'X-Content-Type': 'b',
      'User-Agent': 'nobody',
    };
    await send(contextFor(server.origin), { operation: read, headers, accept: 'text/csv' });
    expect(server.requests[0]?.headers).toEqual({
      accept: 'text/csv',
      'accept-encoding': 'gzip',
      authorization: 'Bearer secret-token',
      connection: 'keep-alive',
      host: server.origin.slice('http://'.length),
      'user-agent': 'payctl-test',
      'x-content-type': 'b',
      'x-trace': 'a',
    });
  });

  it('are told to hooks in lower case, with the key of the request', async () => {
    const server = await serve(answers([ok]));
    const told: unknown[] = [];
    const hooks = { onRequest: ({ headers }: { readonly headers: object }) => void told.push(headers) };
    const call = { operation: upload, body: {}, contentType: 'a/b+json', idempotencyKey: 'k-1' };
    await send(contextFor(server.origin, { hooks }), call);
    expect(told).toEqual([
      {
        accept: 'application/json',
        'accept-encoding': 'gzip',
        'content-type': 'a/b+json',
        'idempotency-key': 'k-1',
        'user-agent': 'payctl-test',
      },
    ]);
  });
});

describe('a body of pieces', () => {
  const bytes = (changes: Partial<BytesBody>): BytesBody => ({
    contentType: 'text/csv',
    size: 2,
    canRepeat: true,
    parts: [{ name: undefined, type: 'text/csv', size: 2 }],
    async *pieces() {
      yield Buffer.from('ab');
    },
    ...changes,
  });
  const call = (body: BytesBody) => ({ operation: upload, body: 'x', encode: () => body });

  it('is sent with its type and length, and told to hooks as its parts', async () => {
    const server = await serve(answers([ok]));
    const told: unknown[] = [];
    const hooks = { onRequest: (event: object) => void told.push(event) };
    await send(contextFor(server.origin, { hooks }), call(bytes({})));
    expect(server.requests).toMatchObject([
      { body: 'ab', headers: { 'content-type': 'text/csv', 'content-length': '2' } },
    ]);
    expect(told).toMatchObject([{ parts: [{ type: 'text/csv', size: 2 }] }]);
    expect(told[0]).not.toHaveProperty('body');
  });

  it.each([
    [true, 2],
    [false, 1],
  ])('is sent again only if it can be: %j', async (canRepeat, requests) => {
    const server = await serve(answers([{ status: 503 }, ok]));
    await send(contextFor(server.origin), call(bytes({ canRepeat }))).catch(() => {});
    expect(server.requests.length).toBe(requests);
  });
});

describe('what a call tells of a response', () => {
  it('is that bytes were replaced, only where they were', async () => {
    const server = await serve((_request, reply) => {
      const isFirst = server.requests.length === 1;
      reply.setHeader('content-type', 'application/json');
      reply.end(isFirst ? Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]) : '{}');
    });
    const replaced: string[] = [];
    const hooks = {
      onReplacedBytes: ({ reply }: { readonly reply: { readonly text: string } }) =>
        void replaced.push(reply.text),
    };
    const context = contextFor(server.origin, { hooks });
    await send(context, { operation: read });
    await send(context, { operation: read });
    expect(replaced).toEqual(['{"\ufffd":1}']);
    expect(await callDocument(contextFor(server.origin), { operation: read })).toEqual({});
  });

  it('is how long it took', async () => {
    const server = await serve(answers([ok]));
    const times: number[] = [];
    const hooks = {
      onResponse: (event: { readonly milliseconds: number }) => void times.push(event.milliseconds),
    };
    const started = performance.now();
    await send(contextFor(server.origin, { hooks }), { operation: read });
    expect(times[0]).toBeLessThanOrEqual(performance.now() - started + 1);
  });

  it('is its text, before it is read', async () => {
    const server = await serve(answers([{ body: 'no JSON' }]));
    const seen: string[] = [];
    const call = { operation: read, prefetch: (text: string) => void seen.push(text) };
    expect(await failureOf(send(contextFor(server.origin), call))).toMatchObject({
      code: 'unreadable_response',
    });
    expect(seen).toEqual(['no JSON']);
  });

  it('is an error from status 400 on', async () => {
    const server = await serve(answers([{ status: 400, body: {} }]));
    expect(await failureOf(send(contextFor(server.origin), { operation: read }))).toMatchObject({
      code: 'http_400',
    });
  });
});

describe('the error that ends a call', () => {
  it('names the key with which the request may be repeated', async () => {
    const server = await serve(answers([{ status: 422, body: {} }]));
    const call = { operation: upload, idempotencyKey: 'k-1' };
    expect(await failureOf(send(contextFor(server.origin), call))).toMatchObject({ idempotencyKey: 'k-1' });
  });

  it.each([['a text'], [undefined]])('is what a hook throws, whatever that is: %j', async (thrown) => {
    const hooks = {
      onRequest() {
        throw thrown;
      },
    };
    const context = contextFor('http://127.0.0.1:1', { hooks });
    const call = { operation: upload, idempotencyKey: 'k-1' };
    const outcome = await send(context, call).then(
      () => 'done',
      (error: unknown) => ({ error }),
    );
    expect(outcome).toEqual({ error: thrown });
  });

  it('is the abort of the wait for the next attempt, for which no token is asked', async () => {
    const server = await serve(answers([{ status: 503, headers: { 'retry-after': '60' } }]));
    const controller = new AbortController();
    let tokens = 0;
    const context = contextFor(server.origin, {
      token: () => `token-${++tokens}`,
      hooks: { onRetry: () => setImmediate(() => controller.abort()) },
    });
    const running = send(context, { operation: read, signal: controller.signal });
    expect(await failureOf(running)).toBeInstanceOf(AbortedError);
    expect(tokens).toBe(1);
  });
});

describe('a receiver', () => {
  const receiving = (write: (piece: Uint8Array) => Promise<void>) =>
    createReceiver({ takes: () => true, begin: async () => {}, write, canBeginAgain: false });

  it('gets the body in pieces', async () => {
    const server = await serve(answers([{ body: 'a,b' }]));
    const pieces: Uint8Array[] = [];
    const receiver = receiving(async (piece) => void pieces.push(piece));
    await send(contextFor(server.origin), { operation: read, receiver });
    expect(Buffer.concat(pieces).toString()).toBe('a,b');
  });

  it('ends the call with what its own place fails with', async () => {
    const server = await serve(answers([{ body: 'a,b' }]));
    const full = new Error('no space left');
    const receiver = receiving(() => Promise.reject(full));
    expect(await failureOf(send(contextFor(server.origin), { operation: read, receiver }))).toBe(full);
  });

  it('does not hide that the connection failed', async () => {
    const server = await serve((_request, reply) => {
      reply.setHeader('content-length', '10');
      reply.write('a,b', () => reply.destroy());
    });
    const receiver = receiving(async () => {});
    expect(await failureOf(send(contextFor(server.origin), { operation: read, receiver }))).toBeInstanceOf(
      ConnectionError,
    );
  });
});
