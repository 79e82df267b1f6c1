import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { send } from '../../src/client/send.ts';
import { operations } from '../../src/contract/generated/operations.ts';
import type { Operation } from '../../src/contract/operation.ts';
import type { BytesBody } from '../../src/descriptions/byte-source.ts';
import { UsageError } from '../../src/errors.ts';
import { contextFor } from './live-client.ts';

const operation: Operation = {
  ...operations.listBuyers,
  id: 'upload',
  method: 'POST',
  path: '/files',
  merchantAccount: false,
  query: {},
};

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function bodyOf(pieces: BytesBody['pieces'], size?: number): BytesBody {
  return { contentType: 'a/b', size, canRepeat: true, parts: [], pieces };
}

const call = (body: BytesBody, signal?: AbortSignal) => ({
  operation,
  body: 'x',
  encode: () => body,
  ...(signal && { signal }),
});

describe('a body that is sent in pieces', () => {
  it('takes longer than the time limit, as long as each piece is in time', async () => {
    const origin = await listen((request, response) => {
      request
        .resume()
        .on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
    });
    const pieces = async function* () {
      for (let count = 0; count < 8; count += 1) {
        await wait(60);
        yield Buffer.from('x');
      }
    };
    const context = contextFor(origin, { timeoutMilliseconds: 300, maxRetries: 0 });
    expect(await send(context, call(bodyOf(pieces, 8)))).toEqual({});
  });

  it('ends where the service takes none of it within the time limit', async () => {
    const origin = await listen(() => {});
    let taken = 0;
    const pieces = async function* () {
      for (; taken < 10_000; taken += 1) yield Buffer.alloc(65_536);
    };
    const context = contextFor(origin, { timeoutMilliseconds: 300, maxRetries: 0 });
    await expect(send(context, call(bodyOf(pieces)))).rejects.toMatchObject({ code: 'timeout' });
    expect(taken).toBeLessThan(10_000);
  });

  it('ends with the error of its source, and the service gets no whole request', async () => {
    let isWhole = false;
    const origin = await listen((request) => {
      request.resume().on('end', () => {
        isWhole = true;
      });
      request.on('error', () => {});
    });
    const failure = new UsageError('file_changed', 'changed');
    for (const size of [undefined, 10]) {
      const pieces = async function* () {
        yield Buffer.from('x');
        throw failure;
      };
      const sent = send(contextFor(origin), call(bodyOf(pieces, size)));
      await expect(sent).rejects.toBe(failure);
    }
    expect(isWhole).toBe(false);
  });

  it.each([
    ['is unknown where the source fails after its first piece', 1, 'POST', true],
    ['is known where the source fails before its first piece, because nothing was sent', 0, 'POST', false],
    ['is known of a GET', 1, 'GET', false],
  ] as const)('has an outcome that %s', async (_, count, method, outcomeUnknown) => {
    const origin = await listen((request) => {
      request.on('error', () => {});
      request.resume();
    });
    const pieces = async function* () {
      for (let index = 0; index < count; index += 1) yield Buffer.from('x');
      throw new UsageError('file_changed', 'changed');
    };
    const sent = send(contextFor(origin), {
      ...call(bodyOf(pieces, 10)),
      operation: { ...operation, method },
    });
    await expect(sent).rejects.toMatchObject({ code: 'file_changed', outcomeUnknown });
  });

  it('is closed by an abort', async () => {
    const origin = await listen(() => {});
    const controller = new AbortController();
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const pieces = async function* () {
      // A body that was never begun has nothing to close.
      setTimeout(() => controller.abort(), 50);
      try {
        for (;;) yield Buffer.alloc(65_536);
      } finally {
        resolve();
      }
    };
    const sent = send(contextFor(origin), call(bodyOf(pieces), controller.signal));
    await expect(sent).rejects.toMatchObject({ code: 'aborted' });
    await closed;
  });

  it('takes the answer of a service that does not wait for its end', async () => {
    const origin = await listen((request, response) => {
      request.resume();
      response.writeHead(413, { 'content-type': 'application/json' }).end('{"code":"too_large"}');
    });
    const pieces = async function* () {
      for (let count = 0; count < 200; count += 1) yield Buffer.alloc(65_536);
    };
    const sent = send(contextFor(origin), call(bodyOf(pieces, 200 * 65_536)));
    await expect(sent).rejects.toMatchObject({ status: 413 });
  });
});
