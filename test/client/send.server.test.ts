import { describe, expect, it } from 'vitest';
import type { Call } from '../../src/client/call.ts';
import {
  ApiError,
  type ClientHooks,
  ConnectionError,
  ResponseError,
  responseOf,
  UsageError,
} from '../../src/client/client.ts';
import { send } from '../../src/client/send.ts';
import { operations } from '../../src/contract/generated/operations.ts';
import { type Answer, answers, type Handler } from '../harness/http-server.ts';
import { failureOf } from './failure-of.ts';
import { buyersAt, contextFor, serve } from './live-client.ts';

const page = { items: [{ type: 'buyer', id: 'b1' }], next_cursor: null };
const ok: Answer = { body: page };
const silence: Handler = () => {};

type Retry = Parameters<NonNullable<ClientHooks['onRetry']>>[0];

/** Hooks that keep what they are told about retries. */
function retryLog() {
  const retries: Retry[] = [];
  return { retries, hooks: { onRetry: (event: Retry) => void retries.push(event) } };
}

describe('retries of a GET', () => {
  it('go on after a 503 until an answer comes, each after the wait that was announced', async () => {
    const server = await serve(answers([{ status: 503 }, { status: 503 }, ok]));
    const { retries, hooks } = retryLog();
    const document = await buyersAt(server.origin, { hooks, random: () => 0.1 }).list();
    expect(responseOf(document)?.attempts).toBe(3);
    expect(retries).toMatchObject([
      { retry: 1, maxRetries: 3, delayMilliseconds: 50, error: { code: 'http_503', attempts: 1 } },
      { retry: 2, maxRetries: 3, delayMilliseconds: 100, error: { code: 'http_503', attempts: 2 } },
    ]);
    const [first = 0, second = 0, third = 0] = server.requests.map(({ at }) => at);
    expect(second - first).toBeGreaterThanOrEqual(45);
    expect(third - second).toBeGreaterThanOrEqual(95);
  });

  it('wait as long as Retry-After says in seconds', async () => {
    const server = await serve(answers([{ status: 429, headers: { 'retry-after': '1' } }, ok]));
    const { retries, hooks } = retryLog();
    await buyersAt(server.origin, { hooks }).list();
    expect(retries).toMatchObject([
      { delayMilliseconds: 1000, error: { code: 'http_429', retryAfter: '1' } },
    ]);
    const [first = 0, second = 0] = server.requests.map(({ at }) => at);
    expect(second - first).toBeGreaterThanOrEqual(990);
  });

  it('wait until the date that Retry-After names', async () => {
    const date = new Date(Math.ceil((Date.now() + 500) / 1000) * 1000);
    const server = await serve(
      answers([{ status: 503, headers: { 'retry-after': date.toUTCString() } }, ok]),
    );
    await buyersAt(server.origin).list();
    expect(server.requests.length).toBe(2);
    const arrived = performance.timeOrigin + (server.requests[1]?.at ?? 0);
    expect(arrived).toBeGreaterThanOrEqual(date.getTime() - 10);
  });

  it('end after the largest number of them with the last error', async () => {
    const server = await serve(answers([{ status: 500 }, { status: 502 }, { status: 504 }, ok]));
    const error = await failureOf(buyersAt(server.origin, { maxRetries: 2 }).list());
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 504, attempts: 3 });
    expect(server.requests.length).toBe(3);
  });

  it('are not made when none are allowed', async () => {
    const server = await serve(answers([{ status: 503 }, ok]));
    const { retries, hooks } = retryLog();
    const error = await failureOf(buyersAt(server.origin, { maxRetries: 0, hooks }).list());
    expect(error).toMatchObject({ status: 503, attempts: 1 });
    expect([server.requests.length, retries.length]).toEqual([1, 0]);
  });

  it('ask for a fresh token each time', async () => {
    const server = await serve(answers([{ status: 503 }, ok]));
    let count = 0;
    const token = () => `token-${++count}`;
    await buyersAt(server.origin, { token }).list();
    const sent = server.requests.map(({ headers }) => headers.authorization);
    expect(sent).toEqual(['Bearer token-1', 'Bearer token-2']);
  });
});

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])(
    'with status %i is refused, and its target receives nothing',
    async (status) => {
      const target = await serve(answers([ok]));
      const location = `${target.origin}/buyers`;
      const server = await serve(answers([{ status, headers: { location } }]));
      const error = await failureOf(buyersAt(server.origin, { merchantAccount: 'default' }).list());
      expect(error).toBeInstanceOf(ResponseError);
      expect(error).toMatchObject({
        code: 'redirect_refused',
        message: `The service returned a redirect (${status}), which is not followed`,
        hint: expect.stringContaining([301, 308].includes(status) ? target.origin : server.origin),
        status,
        attempts: 1,
      });
      expect([target.connections(), server.requests.length]).toEqual([0, 1]);
    },
  );

  it('within the same origin is refused as well', async () => {
    const server = await serve(answers([{ status: 302, headers: { location: '/v2/buyers' } }, ok]));
    expect(await failureOf(buyersAt(server.origin).list())).toMatchObject({ code: 'redirect_refused' });
    expect(server.requests.length).toBe(1);
  });
});

describe('the time limit', () => {
  it('ends an attempt that is never answered, and another one follows', async () => {
    const server = await serve(answers([silence, silence]));
    const options = { timeoutMilliseconds: 100, maxRetries: 1 };
    const error = await failureOf(buyersAt(server.origin, options).list());
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({
      code: 'timeout',
      message: `No response from ${server.origin}: no complete response within 100 ms`,
      attempts: 2,
      outcomeUnknown: false,
    });
    expect(server.requests.length).toBe(2);
  });

  it('starts anew with every attempt', async () => {
    const server = await serve(answers([silence, ok]));
    const document = await buyersAt(server.origin, { timeoutMilliseconds: 1_000, maxRetries: 1 }).list();
    expect(responseOf(document)?.attempts).toBe(2);
  });

  it('covers a body that trickles', async () => {
    const trickle: Handler = (_, response) => {
      const timer = setInterval(() => response.write(' '), 10);
      response.on('close', () => clearInterval(timer));
    };
    const server = await serve(trickle);
    const options = { timeoutMilliseconds: 150, maxRetries: 0 };
    expect(await failureOf(buyersAt(server.origin, options).list())).toMatchObject({ code: 'timeout' });
  });

  it('may be longer than any timer of Node', async () => {
    const server = await serve(answers([ok]));
    const options = { timeoutMilliseconds: Number.POSITIVE_INFINITY, maxRetries: 0 };
    expect(await buyersAt(server.origin, options).list()).toEqual(page);
  });
});

describe('a POST', () => {
  const call: Call = {
    operation: operations.createShippingDetail,
    path: { buyer_id: 'b/1' },
    body: { first_name: 'Zoë' },
  };
  const created = { type: 'shipping-details', id: 's1' };

  it('carries its body as JSON to the path of the contract', async () => {
    const server = await serve(answers([{ status: 201, body: created }]));
    expect(await send(contextFor(server.origin), call)).toEqual(created);
    const [request] = server.requests;
    expect(request).toMatchObject({
      method: 'POST',
      url: '/buyers/b%2F1/shipping-details',
      body: '{"first_name":"Zoë"}',
    });
    expect(request?.headers).toMatchObject({ 'content-type': 'application/json', 'content-length': '21' });
  });

  it.each([408, 500, 502, 503, 504])('is not sent again after %i', async (status) => {
    const server = await serve(answers([{ status }, ok]));
    const error = await failureOf(send(contextFor(server.origin), call));
    expect(error).toMatchObject({ status, attempts: 1 });
    expect(server.requests.length).toBe(1);
  });

  it.each([425, 429])('is sent again with the same body after %i', async (status) => {
    const server = await serve(answers([{ status }, { status: 201, body: created }]));
    expect(await send(contextFor(server.origin), call)).toEqual(created);
    expect(server.requests.map(({ body }) => body)).toEqual(['{"first_name":"Zoë"}', '{"first_name":"Zoë"}']);
  });

  it('is not sent again after a timeout, and its outcome is unknown', async () => {
    const server = await serve(silence);
    const error = await failureOf(send(contextFor(server.origin, { timeoutMilliseconds: 100 }), call));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ code: 'timeout', attempts: 1, outcomeUnknown: true });
    expect(server.requests.length).toBe(1);
  });

  it('is not sent again after the connection broke, and its outcome is unknown', async () => {
    const server = await serve((_, response) => void response.destroy());
    const error = await failureOf(send(contextFor(server.origin), call));
    expect(error).toMatchObject({ code: 'connection_lost', attempts: 1, outcomeUnknown: true });
    expect(server.requests.length).toBe(1);
  });

  it('is sent again when the connection was refused, and has surely not been carried out', async () => {
    const server = await serve(silence);
    await server.close();
    const error = await failureOf(send(contextFor(server.origin), call));
    expect(error).toMatchObject({ code: 'connection_refused', attempts: 4, outcomeUnknown: false });
  });

  it('that was answered with something unreadable may have been carried out', async () => {
    const server = await serve(answers([{ body: '<html>' }, { status: 303 }, { status: 304 }]));
    const context = contextFor(server.origin);
    const unreadable = await failureOf(send(context, call));
    expect(unreadable).toMatchObject({ code: 'unreadable_response', outcomeUnknown: true });
    for (const status of [303, 304]) {
      const error = await failureOf(send(context, call));
      expect(error).toMatchObject({ code: 'redirect_refused', status, outcomeUnknown: true });
    }
  });

  it.each([408, 500, 501, 502, 503, 504, 524])(
    'that was answered with %i may have been processed, and is not sent again',
    async (status) => {
      const server = await serve(answers([{ status }]));
      const error = await failureOf(send(contextFor(server.origin), call));
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({ status, attempts: 1, outcomeUnknown: true });
    },
  );

  it.each([301, 307, 308, 400, 401, 403, 404, 409, 422, 425, 429, 511])(
    'that was answered with %i has not been processed',
    async (status) => {
      const server = await serve(answers([{ status }]));
      const error = await failureOf(send(contextFor(server.origin, { maxRetries: 0 }), call));
      expect(error).toMatchObject({ status, outcomeUnknown: false });
    },
  );

  it('is not sent when a value of its path is missing', async () => {
    const server = await serve(answers([]));
    const error = await failureOf(send(contextFor(server.origin), { ...call, path: {} }));
    expect(error).toBeInstanceOf(UsageError);
    expect(error).toMatchObject({ code: 'bad_path_value' });
    expect(server.requests.length).toBe(0);
  });
});

describe('a change with a precondition', () => {
  const lost: Handler = (_, response) => void response.destroy();
  const version = { etag: '"v2"' };
  /** Lets only the first request through, as a service does whose record has another version after it. */
  const once = (first: Answer | Handler) => answers([first, { status: 412 }, { status: 412 }]);
  const put = (headers: Call['headers']): Call => ({
    operation: operations.updateCheckoutSession,
    path: { checkout_session_id: 's1' },
    body: {},
    headers,
  });

  it.each(['If-Match', 'if-none-match', 'IF-UNMODIFIED-SINCE', 'If-Modified-Since', 'If'])(
    'is not sent again after a lost connection, because it would be refused although it was done: %s',
    async (name) => {
      const server = await serve(once(lost));
      const error = await failureOf(send(contextFor(server.origin), put({ [name]: '"v1"' })));
      expect(error).toMatchObject({ code: 'connection_lost', attempts: 1, outcomeUnknown: true });
      expect(server.requests.length).toBe(1);
    },
  );

  it.each([408, 500, 502, 503, 504])(
    'is not sent again after a %i, which may follow the change',
    async (status) => {
      const server = await serve(once({ status }));
      const error = await failureOf(send(contextFor(server.origin), put({ 'if-match': '"v1"' })));
      expect(error).toMatchObject({ status, attempts: 1, outcomeUnknown: true });
    },
  );

  it('is not sent again with an idempotency key either', async () => {
    const server = await serve(once(lost));
    const operation = { ...operations.createShippingDetail, idempotencyHeader: 'Idempotency-Key' };
    const call = { operation, path: { buyer_id: 'b' }, headers: { 'if-none-match': '*' }, body: {} };
    expect(await failureOf(send(contextFor(server.origin), call))).toMatchObject({ attempts: 1 });
  });

  it.each([425, 429])('is sent again after a %i, which says that it was not processed', async (status) => {
    const server = await serve(answers([{ status }, { body: { id: 's1' }, headers: version }]));
    const sent = await send(contextFor(server.origin), put({ 'if-match': '"v1"' }));
    expect([sent, server.requests.length]).toEqual([{ id: 's1' }, 2]);
  });

  it('is sent again like any other where the header only begins with the same letters', async () => {
    const server = await serve(answers([lost, { body: { id: 's1' } }]));
    await send(contextFor(server.origin), put({ iffy: '1', 'x-if': '2' }));
    expect(server.requests.length).toBe(2);
  });

  it('does not keep a GET with a condition from being sent again', async () => {
    const server = await serve(answers([lost, { body: { id: 's1' } }]));
    const operation = operations.getCheckoutSession;
    const call = { ...put({ 'if-none-match': '"v1"' }), operation, body: undefined };
    expect(await send(contextFor(server.origin), call)).toEqual({ id: 's1' });
  });
});

describe('an operation without a merchant account', () => {
  it('carries no such header even where one is chosen', async () => {
    const server = await serve(answers([{ body: page }]));
    await send(contextFor(server.origin, { merchantAccount: 'default' }), {
      operation: operations.listRoles,
    });
    expect(server.requests[0]?.headers).not.toHaveProperty('x-service-merchant-account-id');
  });
});

describe('hooks', () => {
  it('are told of a change that was carried out, after its response was read, and of no other request', async () => {
    const created = { id: 's1' };
    const server = await serve(
      answers([{ body: created }, { body: page }, { status: 404 }, { body: '<html>' }]),
    );
    const changed: object[] = [];
    const context = contextFor(server.origin, {
      hooks: { onChanged: ({ document }) => void changed.push(document) },
    });
    const change = { operation: operations.createShippingDetail, path: { buyer_id: 'b' }, body: {} };
    await send(context, change);
    await send(context, { operation: operations.listRoles });
    await failureOf(send(context, change));
    await failureOf(send(context, change));
    expect(changed).toEqual([created]);
  });

  it('are told of every request, response and retry, and never of the token', async () => {
    const server = await serve(answers([{ status: 503, body: 'busy' }, ok]));
    const events: { kind: string; event: object }[] = [];
    const hooks: ClientHooks = {
      onRequest: (event) => void events.push({ kind: 'request', event }),
      onResponse: (event) => void events.push({ kind: 'response', event }),
      onRetry: (event) => void events.push({ kind: 'retry', event }),
    };
    await buyersAt(server.origin, { hooks, merchantAccount: 'default' }).list({ limit: 1 });
    const request = {
      method: 'GET',
      path: '/buyers?limit=1',
      origin: server.origin,
      merchantAccount: 'default',
    };
    const headers = {
      accept: 'application/json',
      'accept-encoding': 'gzip',
      'user-agent': 'payctl-client',
      'x-service-merchant-account-id': 'default',
    };
    const milliseconds = expect.any(Number);
    const text = JSON.stringify(page);
    expect(events).toMatchObject([
      { kind: 'request', event: { request, headers, attempt: 1 } },
      { kind: 'response', event: { reply: { status: 503, text: 'busy', attempts: 1 }, milliseconds } },
      { kind: 'retry', event: { retry: 1, maxRetries: 3, delayMilliseconds: 0, error: { status: 503 } } },
      { kind: 'request', event: { request, headers, attempt: 2 } },
      { kind: 'response', event: { reply: { status: 200, text, attempts: 2 }, milliseconds } },
    ]);
    expect(events.map(({ event }) => ('headers' in event ? event.headers : headers))).toEqual(
      Array(5).fill(headers),
    );
    expect(events[0]).toMatchObject({
      event: { credentials: { headers: { authorization: 'Bearer ********' } } },
    });
    expect(JSON.stringify(events)).not.toContain('secret-token');
    expect(server.requests[0]?.headers.authorization).toBe('Bearer secret-token');
  });

  it('never see other credentials either, nor do errors', async () => {
    const server = await serve(answers([ok, { status: 503 }]));
    const events: object[] = [];
    const hooks: ClientHooks = {
      onRequest: (event) => void events.push(event),
      onResponse: (event) => void events.push(event),
    };
    const token = () => ({ headers: { 'x-key': 'secret-one' }, query: { k: 'secret two&=' } });
    const buyers = buyersAt(server.origin, { hooks, token, maxRetries: 0 });
    await buyers.list({ limit: 1 });
    const error = await failureOf(buyers.list());
    expect(error).toMatchObject({ request: { path: '/buyers' } });
    expect(server.requests).toMatchObject([
      { url: '/buyers?limit=1&k=secret%20two%26%3D', headers: { 'x-key': 'secret-one' } },
      { url: '/buyers?k=secret%20two%26%3D', headers: { 'x-key': 'secret-one' } },
    ]);
    for (const { headers } of server.requests) expect(headers.authorization).toBeUndefined();
    expect(events[0]).toMatchObject({
      credentials: { headers: { 'x-key': '********' }, query: { k: '********' } },
    });
    expect(JSON.stringify([events, error])).not.toContain('secret');
  });

  it('are told the body that a request carries', async () => {
    const server = await serve(answers([{ body: page }]));
    const bodies: unknown[] = [];
    const hooks: ClientHooks = { onRequest: ({ body }) => void bodies.push(body) };
    const call = { operation: operations.createShippingDetail, path: { buyer_id: 'b' }, body: { a: 1 } };
    await send(contextFor(server.origin, { hooks }), call);
    expect(bodies).toEqual(['{"a":1}']);
  });

  it.each(['onRequest', 'onResponse'] as const)(
    'that fail end the call with their own error, without a retry: %s',
    async (name) => {
      const failure = new Error('the log is full');
      const server = await serve(answers([ok, ok]));
      const hooks = {
        [name]: () => {
          throw failure;
        },
      };
      expect(await failureOf(buyersAt(server.origin, { hooks }).list())).toBe(failure);
      expect(server.requests.length).toBe(name === 'onRequest' ? 0 : 1);
    },
  );
});

describe('the request id', () => {
  const NAMES = ['x-request-id', 'request-id', 'x-correlation-id', 'x-amzn-requestid', 'cf-ray'];

  it.each(NAMES.map((name, index) => [name, NAMES.slice(index)] as const))(
    'is that of %s where the headers after it are there, too',
    async (name, present) => {
      // Sent in the reverse order: it is the name that decides.
      const headers = Object.fromEntries(present.toReversed().map((header) => [header, `id of ${header}`]));
      const server = await serve(answers([{ body: page, headers }]));
      expect(responseOf(await buyersAt(server.origin).list())?.requestId).toBe(`id of ${name}`);
    },
  );
});
