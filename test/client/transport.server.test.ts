import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  ApiError,
  ConnectionError,
  type RawResponse,
  ResponseError,
  responseOf,
} from '../../src/client/client.ts';
import { answers, type Handler } from '../harness/http-server.ts';
import { failureOf } from './failure-of.ts';
import { buyersAt, clientAt, serve } from './live-client.ts';

const MEBIBYTE = 1024 * 1024;
const page = { items: [{ type: 'buyer', id: 'b1', display_name: 'Zoë 😀 株式会社' }], next_cursor: null };
const pageBytes = Buffer.from(JSON.stringify(page));

/** The error of a single attempt against a server that answers in this way, and how many requests it saw. */
async function faultFrom(handler: Handler, maxRetries = 0) {
  const server = await serve(handler);
  const error = await failureOf(buyersAt(server.origin, { maxRetries }).list());
  return { error, origin: server.origin, seen: server.requests.length };
}

describe('connections', () => {
  it('are kept: two requests after one another use one', async () => {
    const server = await serve(answers([{ body: page }, { body: page }]));
    const buyers = buyersAt(server.origin);
    await buyers.list();
    await buyers.list();
    expect([server.requests.length, server.connections()]).toEqual([2, 1]);
  });

  it('are kept after an error of the service, whose body is read to its end', async () => {
    const server = await serve(answers([{ status: 503, body: 'x'.repeat(100_000) }, { body: page }]));
    await buyersAt(server.origin).list();
    expect([server.requests.length, server.connections()]).toEqual([2, 1]);
  });

  it('are not shared by requests that change data: each attempt has one of its own, which ends with it', async () => {
    const session = { id: 's1' };
    const closed: Promise<void>[] = [];
    const handler = answers([
      { body: page },
      { status: 503 },
      { body: session },
      { status: 429 },
      { body: session },
    ]);
    const server = await serve((request, response) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      if (request.method !== 'GET') closed.push(promise);
      response.socket?.on('close', resolve);
      handler(request, response);
    });
    const client = clientAt(server.origin);
    await client.buyers.list();
    await client.checkoutSessions.update('s1', {});
    await client.buyers.shippingDetails.create('b1', {});
    expect([server.requests.length, server.connections()]).toEqual([5, 5]);
    expect(server.requests.map(({ headers }) => headers.connection)).toEqual([
      'keep-alive',
      ...Array(4).fill('close'),
    ]);
    await Promise.all(closed);
  });

  it('that the server closes when they are idle lose no request that changes data', async () => {
    const server = await serve((_, response) => {
      response.on('finish', () => setImmediate(() => response.socket?.destroy()));
      response.end('{"items":[]}');
    });
    const client = clientAt(server.origin);
    for (let round = 0; round < 20; round += 1) {
      await client.buyers.list();
      await client.buyers.shippingDetails.create('b1', {});
    }
    expect(server.requests.length).toBe(40);
  });

  it('are left to the end of the process where nothing is asked on them', async () => {
    const sockets: Socket[] = [];
    const server = await serve((_, response) => {
      if (response.socket) sockets.push(response.socket);
      response.end('{"items":[]}');
    });
    const client = clientAt(server.origin);
    await client.lists.listBuyers.list();
    await client.close({ atExit: true });
    expect(await failureOf(client.lists.listBuyers.list())).toMatchObject({ code: 'aborted' });
    await sleep(100);
    expect(sockets.map(({ destroyed, readableEnded }) => destroyed || readableEnded)).toEqual([false]);
    const closed = once(sockets[0] as Socket, 'close');
    await client.close();
    await closed;
  });

  it('are closed before the end of the process where a request is running', async () => {
    const asked = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    const server = await serve((_, response) => {
      response.socket?.on('close', ended.resolve);
      asked.resolve();
    });
    const client = clientAt(server.origin);
    const running = failureOf(client.lists.listBuyers.list());
    await asked.promise;
    await client.close({ atExit: true });
    expect(await running).toMatchObject({ code: 'aborted' });
    await ended.promise;
  });

  it('are closed before the end of the process where they are being opened', async () => {
    const silent = createTcpServer();
    onTestFinished(() => void silent.close());
    await new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve));
    const client = clientAt(`https://127.0.0.1:${(silent.address() as AddressInfo).port}`);
    const opening = failureOf(client.lists.listBuyers.list());
    const [socket] = (await once(silent, 'connection')) as [Socket];
    await client.close({ atExit: true });
    expect(await opening).toMatchObject({ code: 'aborted' });
    socket.resume();
    await once(socket, 'close');
  });

  it('of a request that changes data are closed with the client', async () => {
    const arrived = Promise.withResolvers<void>();
    const server = await serve(() => arrived.resolve());
    const client = clientAt(server.origin);
    const failure = failureOf(client.checkoutSessions.update('s1', {}));
    await arrived.promise;
    await client.close();
    expect(await failure).toMatchObject({ code: 'aborted' });
  });

  it('refused give connection_refused after every retry', async () => {
    const port = await closedPort();
    const retries: number[] = [];
    const hooks = { onRetry: ({ retry }: { retry: number }) => retries.push(retry) };
    const error = await failureOf(buyersAt(`http://127.0.0.1:${port}`, { maxRetries: 2, hooks }).list());
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({
      code: 'connection_refused',
      message: `No response from http://127.0.0.1:${port}: the connection was refused (ECONNREFUSED)`,
      attempts: 3,
      outcomeUnknown: false,
    });
    expect(retries).toEqual([1, 2]);
  });

  it('to a host that does not exist give dns', async () => {
    const error = await failureOf(buyersAt('http://no-such-host.invalid', { maxRetries: 1 }).list());
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ code: 'dns', attempts: 2, outcomeUnknown: false });
  });

  it('reset by the server give connection_lost', async () => {
    const { error } = await faultFrom((_, response) => response.socket?.resetAndDestroy());
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ code: 'connection_lost', outcomeUnknown: false });
  });

  it('with a certificate that nobody vouches for give tls, and no retry', async () => {
    const server = await serve(answers([]), {
      cert: fixture('localhost.cert.pem'),
      key: fixture('localhost.key.pem'),
    });
    const error = await failureOf(buyersAt(server.origin, { maxRetries: 3 }).list());
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ code: 'tls', attempts: 1, outcomeUnknown: false });
    expect(server.requests).toEqual([]);
  });
});

describe('a body', () => {
  it('is put together before it is decoded, so that split characters stay whole', async () => {
    const server = await serve((_, response) => {
      for (const byte of pageBytes) response.write(Uint8Array.of(byte));
      response.end();
    });
    expect(await buyersAt(server.origin).list()).toEqual(page);
  });

  it('may begin with a byte order mark, which is not part of its text', async () => {
    const server = await serve(answers([{ body: `\uFEFF${pageBytes}` }]));
    const document = await buyersAt(server.origin).list();
    expect(document).toEqual(page);
    expect(responseOf(document)?.text).toBe(pageBytes.toString());
  });

  it.each(['gzip', 'GZIP', 'x-gzip'])('is decompressed when it is encoded as %s', async (encoding) => {
    const server = await serve(
      answers([{ headers: { 'content-encoding': encoding }, body: gzipSync(pageBytes) }]),
    );
    const document = await buyersAt(server.origin).list();
    expect(document).toEqual(page);
    expect(responseOf(document)?.text).toBe(pageBytes.toString());
  });

  it('that is empty needs no decompression: the status decides', async () => {
    const { error } = await faultFrom(answers([{ status: 403, headers: { 'content-encoding': 'gzip' } }]));
    expect(error).toMatchObject({ code: 'http_403', status: 403 });
  });

  it.each([
    ['content-length', { 'content-length': '200' }],
    ['chunked encoding', {}],
  ])('cut in half with %s gives connection_lost, and a GET is sent again', async (_, headers) => {
    const cut: Handler = (_request, response) => {
      response.writeHead(200, headers);
      response.write(pageBytes.subarray(0, 40), () => response.destroy());
    };
    const { error, seen } = await faultFrom(cut, 2);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ code: 'connection_lost', attempts: 3, outcomeUnknown: false });
    expect(seen).toBe(3);
    const server = await serve(answers([cut, { body: page }]));
    expect(await buyersAt(server.origin).list()).toEqual(page);
  });
});

describe('bytes that are not UTF-8', () => {
  const bytes = Buffer.concat([Buffer.from('{"items":[{"id":"Zo'), Buffer.of(0xeb), Buffer.from('"}]}')]);

  it('are replaced, and a hook is told', async () => {
    const server = await serve(answers([{ body: bytes }, { body: page }]));
    const seen: string[] = [];
    const hooks = { onReplacedBytes: ({ reply }: { reply: RawResponse }) => seen.push(reply.request.path) };
    const buyers = buyersAt(server.origin, { hooks });
    const document = await buyers.list();
    expect(document.items).toEqual([{ id: 'Zo\uFFFD' }]);
    expect(responseOf(document)?.isUtf8).toBe(false);
    expect(responseOf(await buyers.list())?.isUtf8).toBe(true);
    expect(seen).toEqual(['/buyers']);
  });

  it('do not hide the error that they are in', async () => {
    const body = Buffer.concat([
      Buffer.from('{"type":"error","code":"x","message":"'),
      Buffer.of(0xff),
      Buffer.from('"}'),
    ]);
    const { error } = await faultFrom(answers([{ status: 409, body }]));
    expect(error).toMatchObject({ status: 409, code: 'x', message: '\uFFFD' });
  });
});

describe('an error response with a body that is of no use', () => {
  const bomb = () => Buffer.concat(Array<Buffer>(33).fill(gzipSync(Buffer.alloc(MEBIBYTE, ' '))));
  it.each([
    ['cut gzip', () => gzipSync(pageBytes).subarray(0, 30), /^Service Unavailable \(.*it is not valid gzip/],
    ['too much gzip', bomb, /^Service Unavailable \(.*it is larger than 33554432 bytes\)$/],
  ])('keeps its status, Retry-After and retries: %s', async (_, body, message) => {
    const headers = { 'content-encoding': 'gzip', 'retry-after': '0' };
    const bad = { status: 503, headers, body: body() };
    const { error, seen } = await faultFrom(answers([bad, bad]), 1);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 503, code: 'http_503', retryAfter: '0', attempts: 2 });
    expect(error).toHaveProperty('message', expect.stringMatching(message));
    expect(seen).toBe(2);
  });
});

describe('headers that are too large', () => {
  it('give headers_too_large without a retry', async () => {
    const headers = Object.fromEntries(['a', 'b'].map((name) => [name, name.repeat(10_000)]));
    const { error, seen } = await faultFrom(answers([{ headers }]), 3);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({
      code: 'headers_too_large',
      message: expect.stringMatching(/: the headers of the response are larger than 16 KiB$/),
      attempts: 1,
    });
    expect(seen).toBe(1);
  });
});

describe('a body that is of no use', () => {
  it.each([
    ['text', 'all is well', 'all is well'],
    ['HTML', '<html>Sign in</html>', '<html>Sign in</html>'],
    ['JSON cut short', '{"items":[{"id":', '{"items":[{"id":'],
    ['nothing at all', '', undefined],
  ])('gives unreadable_response without a retry: %s', async (_, body, bodyExcerpt) => {
    const { error, seen } = await faultFrom(answers([{ body, headers: { 'x-request-id': 'r-2' } }]), 3);
    expect(error).toBeInstanceOf(ResponseError);
    expect(error).toMatchObject({
      code: 'unreadable_response',
      message: 'The response is not JSON',
      status: 200,
      attempts: 1,
      requestId: 'r-2',
      bodyExcerpt,
    });
    expect(seen).toBe(1);
  });

  it.each(['[]', '7', '"items"', 'null', 'true'])(
    'gives unexpected_shape without a retry: %s',
    async (body) => {
      const { error, seen } = await faultFrom(answers([{ body }]), 3);
      expect(error).toBeInstanceOf(ResponseError);
      expect(error).toMatchObject({ code: 'unexpected_shape', status: 200, bodyExcerpt: body });
      expect(seen).toBe(1);
    },
  );

  it.each([
    ['cut', gzipSync(pageBytes).subarray(0, 30)],
    ['not gzip', pageBytes],
  ])('gives unreadable_response without a retry: gzip that is %s', async (_, body) => {
    const { error, seen } = await faultFrom(answers([{ headers: { 'content-encoding': 'gzip' }, body }]), 3);
    expect(error).toBeInstanceOf(ResponseError);
    expect(error).toMatchObject({ code: 'unreadable_response', status: 200, attempts: 1 });
    expect(seen).toBe(1);
  });

  it('gives unreadable_response when it has an encoding that was not asked for', async () => {
    const body = Buffer.from([0x1b, 0x0c, 0x00, 0xf8, 0xff]);
    const { error } = await faultFrom(answers([{ headers: { 'content-encoding': 'br' }, body }]), 3);
    expect(error).toMatchObject({
      code: 'unreadable_response',
      message: 'The response body (200) cannot be read: its content encoding is "br"',
      status: 200,
      attempts: 1,
    });
  });

  it('gives response_too_large when little gzip becomes more than the limit', async () => {
    const body = Buffer.concat(Array<Buffer>(129).fill(gzipSync(Buffer.alloc(MEBIBYTE, ' '))));
    const { error, seen } = await faultFrom(answers([{ headers: { 'content-encoding': 'gzip' }, body }]), 3);
    expect(error).toBeInstanceOf(ResponseError);
    expect(error).toMatchObject({
      code: 'response_too_large',
      message: 'The response body (200) cannot be read: it is larger than 33554432 bytes',
      status: 200,
    });
    expect(seen).toBe(1);
  });

  it('is not read past the limit', async () => {
    const chunk = Buffer.alloc(MEBIBYTE, ' ');
    const closed = Promise.withResolvers<boolean>();
    const { error } = await faultFrom((_, response) => {
      const fill = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', fill);
      response.on('close', () => closed.resolve(response.writableFinished));
      fill();
    });
    expect(error).toMatchObject({ code: 'response_too_large', status: 200 });
    expect(await closed.promise).toBe(false);
  });
});

function fixture(name: string): string {
  return readFileSync(join(import.meta.dirname, '../fixtures/tls', name), 'utf8');
}

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
