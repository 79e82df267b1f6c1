import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type BodyTarget, createReceiver } from '../../src/client/receive-body.ts';
import { responseOf } from '../../src/client/response.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { type Answer, answers, type Handler } from '../harness/http-server.ts';
import { clientAt, serve } from './live-client.ts';
import { REPORT } from './report-operation.ts';

const BYTES = Buffer.from([0, 0xff, 0xfe, 0x0d, 0x0a, 0xc3, 0x28]);

type Taken = { readonly begun: number; readonly body: Buffer };

/** Sends one request, and gives what its target got with the answer or the error. */
async function receive(
  script: readonly (Answer | Handler)[],
  {
    target = {},
    timeout = 30_000,
    maxRetries = 3,
    method = 'GET' as Operation['method'],
    signal,
  }: {
    readonly target?: Partial<BodyTarget>;
    readonly timeout?: number;
    readonly maxRetries?: number;
    readonly method?: Operation['method'];
    readonly signal?: AbortSignal;
  } = {},
) {
  const server = await serve(answers(script));
  const client = clientAt(server.origin, { timeoutMilliseconds: timeout, maxRetries });
  let pieces: Buffer[] = [];
  let begun = 0;
  const receiver = createReceiver({
    takes: () => true,
    begin: async () => {
      begun += 1;
      pieces = [];
    },
    write: async (piece) => {
      pieces.push(Buffer.from(piece));
    },
    canBeginAgain: true,
    ...target,
  });
  const call = { accept: 'text/csv', receiver, signal };
  const result = await client.request({ ...REPORT, method }, call).then(
    (document) => ({ response: responseOf(document), error: undefined }),
    (error: unknown) => ({ response: undefined, error }),
  );
  const taken: Taken = { begun, body: Buffer.concat(pieces) };
  return { ...result, ...taken, requests: server.requests };
}

/** Answers with a length that the body does not have: the connection breaks before its end. */
const cut: Handler = (_, response) => {
  response.writeHead(200, { 'content-length': 100 });
  response.write('the first half', () => response.destroy());
};

/** Sends pieces of the body, each so many milliseconds after the one before. */
function slowly(pieces: readonly string[], milliseconds: number, end = true): Handler {
  return (_, response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/csv' });
    const next = (index: number) => {
      const piece = pieces[index];
      if (piece === undefined) {
        if (end) response.end();
        return;
      }
      response.write(piece);
      setTimeout(() => next(index + 1), milliseconds);
    };
    next(0);
  };
}

describe('the body of an answer that is taken in pieces', () => {
  it('is exact, also where it is no UTF-8, and asks for its media type', async () => {
    const { response, body, requests } = await receive([{ body: BYTES }]);
    expect(body).toEqual(BYTES);
    expect(response).toMatchObject({ status: 200, text: '', bytes: BYTES.length });
    expect(requests[0]?.headers.accept).toBe('text/csv');
  });

  it('may be larger than what is held in memory of an answer', async () => {
    const size = 40 * 1024 * 1024;
    let got = 0;
    const { response, error } = await receive([{ body: new Uint8Array(size) }], {
      target: {
        write: async (piece) => {
          got += piece.length;
        },
      },
    });
    expect(error).toBeUndefined();
    expect([response?.bytes, got]).toEqual([size, size]);
  });

  it('is decoded from gzip', async () => {
    const headers = { 'content-encoding': 'gzip' };
    expect((await receive([{ headers, body: gzipSync(BYTES) }])).body).toEqual(BYTES);
    expect((await receive([{ headers, body: '' }])).body).toEqual(Buffer.alloc(0));
  });

  it.each([
    ['gzip that is cut', { 'content-encoding': 'gzip' }, gzipSync(BYTES).subarray(0, 15)],
    ['what is no gzip', { 'content-encoding': 'gzip' }, BYTES],
    ['an encoding that was not asked for', { 'content-encoding': 'br' }, BYTES],
  ])('is unreadable where it is %s', async (_, headers, body) => {
    const { error } = await receive([{ headers, body }]);
    expect(error).toMatchObject({ name: 'ResponseError', code: 'unreadable_response', status: 200 });
  });

  it('is incomplete where it is shorter than its length says', async () => {
    const { error, requests } = await receive([cut], { maxRetries: 0 });
    expect(error).toMatchObject({ name: 'ConnectionError', code: 'connection_lost', outcomeUnknown: false });
    expect(requests).toHaveLength(1);
  });

  it('is incomplete where the connection breaks while its target begins', async () => {
    const begun = Promise.withResolvers<void>();
    const broken = Promise.withResolvers<void>();
    const breaks: Handler = async (_, response) => {
      response.writeHead(200, { 'content-length': 100 }).flushHeaders();
      await begun.promise;
      response.destroy();
      setTimeout(broken.resolve, 50);
    };
    const { error, body } = await receive([breaks], {
      target: {
        begin: () => {
          begun.resolve();
          return broken.promise;
        },
      },
      maxRetries: 0,
    });
    expect(error).toMatchObject({ code: 'connection_lost' });
    expect(body).toHaveLength(0);
  });

  it('is asked for again where the target can begin again', async () => {
    const { body, begun, error } = await receive([cut, { body: 'whole' }]);
    expect([error, begun, body.toString()]).toEqual([undefined, 2, 'whole']);
  });

  it('is not asked for again after a piece went where it cannot be taken back', async () => {
    const { error, requests } = await receive([cut, { body: 'whole' }], { target: { canBeginAgain: false } });
    expect(error).toMatchObject({ code: 'connection_lost' });
    expect(requests).toHaveLength(1);
  });

  it('is asked for again before the first piece', async () => {
    const broken: Handler = (_, response) => response.destroy();
    const { body, requests } = await receive([broken, { status: 503 }, { body: 'whole' }], {
      target: { canBeginAgain: false },
    });
    expect([body.toString(), requests.length]).toEqual(['whole', 3]);
  });

  it('may take longer than the time limit, as long as it goes on', async () => {
    const pieces = Array.from({ length: 8 }, (_, index) => `${index}\n`);
    const { body, error } = await receive([slowly(pieces, 100)], { timeout: 600, maxRetries: 0 });
    expect([error, body.toString()]).toEqual([undefined, pieces.join('')]);
  });

  it('ends with the time limit where nothing more comes', async () => {
    const { error } = await receive([slowly(['first'], 10, false)], { timeout: 200, maxRetries: 0 });
    expect(error).toMatchObject({
      code: 'timeout',
      message: expect.stringMatching(/the response stalled for 200 ms$/),
    });
  });

  it('is not said to have stalled where an attempt before it did, and this one got no response', async () => {
    const { error, requests } = await receive([slowly(['first'], 10, false), () => {}], {
      timeout: 200,
      maxRetries: 1,
    });
    expect(error).toMatchObject({ message: expect.stringMatching(/no complete response within 200 ms$/) });
    expect(requests).toHaveLength(2);
  });

  it('does not count the time that its target takes', async () => {
    const write = () => new Promise<void>((resolve) => setTimeout(resolve, 600));
    const { error } = await receive([{ body: 'one piece' }], {
      target: { write },
      timeout: 300,
      maxRetries: 0,
    });
    expect(error).toBeUndefined();
  });

  it('ends as soon as the signal is aborted, also while the target is full', async () => {
    const abort = new AbortController();
    const write = () => {
      abort.abort();
      return new Promise<void>(() => {});
    };
    const { error } = await receive([slowly(['first'], 10, false)], {
      target: { write },
      signal: abort.signal,
    });
    expect(error).toMatchObject({ name: 'AbortedError' });
  });

  it('ends with the error of the target as it is, and is not asked for again', async () => {
    const failure = Object.assign(new Error('write ENOSPC'), { code: 'ENOSPC', syscall: 'write' });
    const { error, requests } = await receive([{ body: 'whole' }, { body: 'whole' }], {
      target: { write: () => Promise.reject(failure) },
    });
    expect(error).toBe(failure);
    expect(requests).toHaveLength(1);
  });

  it('is read as text where it is not taken, where there is none, and of an error', async () => {
    const json = await receive([{ body: { a: 1 } }], { target: { takes: () => false } });
    expect([json.response?.text, json.response?.bytes, json.begun]).toEqual(['{"a":1}', undefined, 0]);
    const none = await receive([{ status: 204 }]);
    expect([none.response?.status, none.response?.bytes, none.begun]).toEqual([204, undefined, 0]);
    const failed = await receive([
      { status: 404, body: { type: 'error', code: 'not_found', status: 404, message: 'No', details: [] } },
    ]);
    expect(failed.error).toMatchObject({ name: 'ApiError', code: 'not_found' });
    expect(failed.begun).toBe(0);
  });

  it('leaves the connection for the next request', async () => {
    const server = await serve(answers([{ body: BYTES }, { body: BYTES }]));
    const client = clientAt(server.origin);
    for (let index = 0; index < 2; index += 1) {
      const receiver = createReceiver({
        takes: () => true,
        begin: async () => {},
        write: async () => {},
        canBeginAgain: true,
      });
      await client.request(REPORT, { receiver });
    }
    expect(server.connections()).toBe(1);
  });
});
