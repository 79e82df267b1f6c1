import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AbortedError, createClient } from '../../src/client/client.ts';
import { send } from '../../src/client/send.ts';
import { operations } from '../../src/contract/generated/operations.ts';
import { CredentialsError } from '../../src/errors.ts';
import { type Answer, answers, type Handler } from '../harness/http-server.ts';
import { failureOf } from './failure-of.ts';
import { buyersAt, clientAt, contextFor, serve } from './live-client.ts';

/** A limit that only a call which does not notice the abort runs into. */
const PATIENCE = 15_000;

/** Something that happens once, and a promise of it. */
function moment() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { happened: promise, happen: () => resolve() };
}

/** Milliseconds that it takes a call to fail with `AbortedError` after `abort`. */
async function timeToFail(running: Promise<unknown>, abort: () => void): Promise<number> {
  const start = performance.now();
  abort();
  const error = await failureOf(running);
  expect(error).toBeInstanceOf(AbortedError);
  expect(error).toMatchObject({ code: 'aborted', message: 'Interrupted' });
  return performance.now() - start;
}

/** A server that accepts connections and never says a word, so that a TLS handshake with it never ends. */
async function muteServer() {
  const connected = moment();
  const disconnected = moment();
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.resume();
    socket.on('error', () => {});
    socket.on('close', disconnected.happen);
    connected.happen();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, connected: connected.happened, disconnected: disconnected.happened };
}

describe('a change whose connection is never established', () => {
  it('was not sent, as its error says after the time limit', async () => {
    const mute = await muteServer();
    const client = clientAt(mute.origin, { timeoutMilliseconds: 100, maxRetries: 0 });
    const error = await failureOf(client.checkoutSessions.update('s1', {}));
    expect(error).toMatchObject({ code: 'timeout', outcomeUnknown: false });
  });

  it('was not sent, as its error says after an abort', async () => {
    const mute = await muteServer();
    const controller = new AbortController();
    const { signal } = controller;
    const failure = failureOf(clientAt(mute.origin).checkoutSessions.update('s1', {}, { signal }));
    await mute.connected;
    controller.abort();
    expect(await failure).toMatchObject({ code: 'aborted', outcomeUnknown: false });
  });
});

describe('an abort', () => {
  it('before the call sends nothing and tells no hook of a request', async () => {
    const server = await serve(answers([]));
    const told: unknown[] = [];
    const hooks = { onRequest: (event: unknown) => void told.push(event) };
    const running = buyersAt(server.origin, { hooks }).list({}, { signal: AbortSignal.abort() });
    expect(await timeToFail(running, () => {})).toBeLessThan(PATIENCE);
    expect([server.connections(), told]).toEqual([0, []]);
  });

  it('while the token is fetched sends nothing', async () => {
    const server = await serve(answers([]));
    const controller = new AbortController();
    const token = async () => {
      controller.abort();
      return 't';
    };
    const running = buyersAt(server.origin, { token }).list({}, { signal: controller.signal });
    expect(await timeToFail(running, () => {})).toBeLessThan(PATIENCE);
    expect(server.connections()).toBe(0);
  });

  it('while the connection is made ends the call at once', async () => {
    const { origin, connected } = await muteServer();
    const controller = new AbortController();
    const running = buyersAt(origin).list({}, { signal: controller.signal });
    await connected;
    expect(await timeToFail(running, () => controller.abort())).toBeLessThan(PATIENCE);
  });

  it('just before a request is sent opens no connection', async () => {
    const server = await serve(answers([]));
    const controller = new AbortController();
    const hooks = { onRequest: () => controller.abort() };
    const running = buyersAt(server.origin, { hooks }).list({}, { signal: controller.signal });
    expect(await timeToFail(running, () => {})).toBeLessThan(PATIENCE);
    await sleep(100);
    expect(server.connections()).toBe(0);
  });

  it.each<[string, (arrived: () => void) => Handler]>([
    ['while the headers are awaited', (arrived) => () => arrived()],
    [
      'in the middle of the body',
      (arrived) => (_, response) => {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('{"items":[', arrived);
      },
    ],
  ])('%s ends the call at once and closes its connection', async (_, handlerFor) => {
    const arrived = moment();
    const closed = moment();
    const server = await serve((request, response) => {
      response.on('close', closed.happen);
      handlerFor(arrived.happen)(request, response);
    });
    const controller = new AbortController();
    const running = buyersAt(server.origin).list({}, { signal: controller.signal });
    await arrived.happened;
    expect(await timeToFail(running, () => controller.abort())).toBeLessThan(PATIENCE);
    await closed.happened;
    expect(server.requests.length).toBe(1);
  });

  it.each([
    ['a POST under way leaves its outcome unknown', operations.createShippingDetail, true],
    ['a PUT under way leaves its outcome unknown', operations.updateCheckoutSession, true],
    ['a GET under way leaves nothing unknown', operations.getCheckoutSession, false],
  ])('of %s', async (_, operation, outcomeUnknown) => {
    const arrived = moment();
    const server = await serve(() => arrived.happen());
    const controller = new AbortController();
    const { signal } = controller;
    const path = { buyer_id: 'b', checkout_session_id: 's' };
    const running = send(contextFor(server.origin), { operation, path, signal });
    await arrived.happened;
    controller.abort();
    expect(await failureOf(running)).toMatchObject({ code: 'aborted', outcomeUnknown });
  });

  it('of a POST before it is sent leaves nothing unknown', async () => {
    const call = { operation: operations.createShippingDetail, path: { buyer_id: 'b' } };
    const running = send(contextFor('http://127.0.0.1:1'), { ...call, signal: AbortSignal.abort() });
    expect(await failureOf(running)).toMatchObject({ code: 'aborted', outcomeUnknown: false });
  });

  it('in the wait for a retry ends the call at once', async () => {
    const server = await serve(answers([{ status: 429, headers: { 'retry-after': '60' } }]));
    const waiting = moment();
    const hooks = { onRetry: () => waiting.happen() };
    const controller = new AbortController();
    const running = buyersAt(server.origin, { hooks }).list({}, { signal: controller.signal });
    await waiting.happened;
    expect(await timeToFail(running, () => controller.abort())).toBeLessThan(PATIENCE);
    expect(server.requests.length).toBe(1);
  });

  it('of the walk through a listing closes the connection of the page in flight', async () => {
    const closed = moment();
    const arrived = moment();
    const server = await serve(
      answers([
        { body: { items: [{ id: 'a' }], next_cursor: 'c1' } },
        (_, response) => {
          response.on('close', closed.happen);
          arrived.happen();
        },
      ]),
    );
    for await (const buyer of buyersAt(server.origin).items()) {
      expect(buyer).toEqual({ id: 'a' });
      await arrived.happened;
      break;
    }
    await closed.happened;
    expect(server.requests.length).toBe(2);
  });

  it('of a whole walk ends it in the page in flight', async () => {
    const arrived = moment();
    const page = { body: { items: [{ id: 'a' }], next_cursor: 'c1' } };
    const server = await serve(answers([page, () => arrived.happen()]));
    const controller = new AbortController();
    const walk = Array.fromAsync(buyersAt(server.origin).items({}, { signal: controller.signal }));
    await arrived.happened;
    expect(await timeToFail(walk, () => controller.abort())).toBeLessThan(PATIENCE);
    expect(await failureOf(walk)).toMatchObject({ code: 'aborted' });
  });
});

describe('the time limit', () => {
  it('covers the making of the connection', async () => {
    const { origin } = await muteServer();
    const error = await failureOf(buyersAt(origin, { timeoutMilliseconds: 100, maxRetries: 1 }).list());
    expect(error).toMatchObject({ code: 'timeout', attempts: 2 });
  });

  it('frees a connection that was never made', async () => {
    const { origin, disconnected } = await muteServer();
    await failureOf(buyersAt(origin, { timeoutMilliseconds: 100, maxRetries: 0 }).list());
    await disconnected;
  });
});

describe('closing the client', () => {
  it('ends a running request without a retry, and closes its connection', async () => {
    const arrived = moment();
    const closed = moment();
    const server = await serve((_, response) => {
      response.on('close', closed.happen);
      arrived.happen();
    });
    const client = createClient({ baseUrl: server.origin, token: 't' });
    const running = client.buyers.list();
    await arrived.happened;
    expect(await timeToFail(running, () => void client.close())).toBeLessThan(PATIENCE);
    await closed.happened;
    expect(server.requests.length).toBe(1);
  });

  it.each([
    ['a change leaves its outcome unknown', operations.createShippingDetail, true],
    ['a GET leaves nothing unknown', operations.getCheckoutSession, false],
  ])('during %s', async (_, operation, outcomeUnknown) => {
    const arrived = moment();
    const server = await serve(() => arrived.happen());
    const context = contextFor(server.origin);
    const running = send(context, { operation, path: { buyer_id: 'b', checkout_session_id: 's' } });
    await arrived.happened;
    void context.transport.close();
    expect(await failureOf(running)).toMatchObject({ code: 'aborted', outcomeUnknown });
  });

  it('closes a connection that is still being made', async () => {
    const { origin, connected, disconnected } = await muteServer();
    const client = createClient({ baseUrl: origin, token: 't' });
    const running = client.buyers.list();
    await connected;
    expect(await timeToFail(running, () => void client.close())).toBeLessThan(PATIENCE);
    await disconnected;
  });

  it('makes later calls fail, and may be repeated', async () => {
    const server = await serve(answers([]));
    const client = createClient({ baseUrl: server.origin, token: 't' });
    await client.close();
    expect(await timeToFail(client.buyers.list(), () => {})).toBeLessThan(PATIENCE);
    await client.close();
    expect(server.connections()).toBe(0);
  });
});

describe('the outcome of a change whose first attempt was lost', () => {
  const change = {
    operation: operations.updateCheckoutSession,
    path: { checkout_session_id: 's1' },
    body: {},
  };
  const lose: Handler = (_, response) => void response.destroy();

  it('stays unknown when the next attempt is refused', async () => {
    const server = await serve(lose);
    const hooks = { onRetry: () => void server.close() };
    const context = contextFor(server.origin, { hooks, maxRetries: 1, random: () => 0.2 });
    const error = await failureOf(send(context, change));
    expect(error).toMatchObject({ code: 'connection_refused', attempts: 2, outcomeUnknown: true });
  });

  it('stays unknown over every later attempt, however surely those were not processed', async () => {
    const server = await serve(answers([{ status: 502 }, { status: 429 }, { status: 425 }, { status: 404 }]));
    const context = contextFor(server.origin, { random: () => 0 });
    expect(await failureOf(send(context, change))).toMatchObject({
      status: 404,
      attempts: 4,
      outcomeUnknown: true,
    });
  });

  it('is known where every attempt was surely not processed', async () => {
    const server = await serve(answers([{ status: 429 }, { status: 425 }, { status: 429 }, { status: 404 }]));
    const context = contextFor(server.origin, { random: () => 0 });
    const error = await failureOf(send(context, change));
    expect(error).toMatchObject({ status: 404, attempts: 4, outcomeUnknown: false });
  });

  it('stays unknown when the wait for the next attempt is interrupted', async () => {
    const server = await serve(lose);
    const abort = new AbortController();
    const hooks = { onRetry: () => void setImmediate(() => abort.abort()) };
    const context = contextFor(server.origin, { hooks, random: () => 0.99 });
    const error = await failureOf(send(context, { ...change, signal: abort.signal }));
    expect(error).toMatchObject({ code: 'aborted', outcomeUnknown: true });
  });

  it.each<[string, Answer]>([
    ['a redirect', { status: 307 }],
    ['a 404', { status: 404 }],
    ['a 409', { status: 409 }],
    ['a 429', { status: 429 }],
    ['a 422', { status: 422, body: { detail: [] } }],
  ])('stays unknown when the next attempt is answered with %s', async (_, answer) => {
    for (const first of [lose, { status: 502 }]) {
      const server = await serve(answers([first, answer]));
      const context = contextFor(server.origin, { maxRetries: 1, random: () => 0 });
      expect(await failureOf(send(context, change))).toMatchObject({
        status: answer.status,
        attempts: 2,
        outcomeUnknown: true,
      });
    }
  });

  it('stays unknown when there is no token for the next attempt', async () => {
    const server = await serve(answers([{ status: 500 }]));
    let tokens = 0;
    const token = () => {
      tokens += 1;
      if (tokens > 1) throw new CredentialsError('no_credentials', 'No token');
      return 't';
    };
    const context = { ...contextFor(server.origin, { random: () => 0 }), token };
    const error = await failureOf(send(context, change));
    expect(error).toMatchObject({ code: 'no_credentials', outcomeUnknown: true });
  });

  it('stays unknown after a 504 when the wait that it asks for is interrupted', async () => {
    const server = await serve(answers([{ status: 504, headers: { 'retry-after': '30' } }]));
    const abort = new AbortController();
    const hooks = { onRetry: () => void setImmediate(() => abort.abort()) };
    const error = await failureOf(
      send(contextFor(server.origin, { hooks }), { ...change, signal: abort.signal }),
    );
    expect(error).toMatchObject({ code: 'aborted', outcomeUnknown: true });
  });

  it('is unknown after the last retry that is answered with a 5xx, but never that of a GET', async () => {
    const server = await serve(answers(Array(4).fill({ status: 503 })));
    const context = contextFor(server.origin, { maxRetries: 1, random: () => 0 });
    expect(await failureOf(send(context, change))).toMatchObject({ attempts: 2, outcomeUnknown: true });
    const read = { operation: operations.getCheckoutSession, path: change.path };
    expect(await failureOf(send(context, read))).toMatchObject({ attempts: 2, outcomeUnknown: false });
  });

  it('is known where nothing was lost', async () => {
    const server = await serve(answers([{ status: 429 }]));
    const abort = new AbortController();
    const hooks = { onRetry: () => void setImmediate(() => abort.abort()) };
    const context = contextFor(server.origin, { hooks, random: () => 0.99 });
    const error = await failureOf(send(context, { ...change, signal: abort.signal }));
    expect(error).toMatchObject({ code: 'aborted', outcomeUnknown: false });
  });
});
