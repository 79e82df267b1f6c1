import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Incoming, type Receiver, startReceiver } from '../../../src/features/webhooks/receiver.ts';
import { headerNames } from '../../../src/webhooks/signature.ts';

async function start({ limitMs }: { readonly limitMs?: number } = {}) {
  const accepted: Incoming[] = [];
  const receiver: Receiver = await startReceiver({
    host: '127.0.0.1',
    port: 0,
    path: '/webhooks',
    names: headerNames('x-service-'),
    limitMs,
    async accept(incoming) {
      accepted.push(incoming);
      await wait(20);
      return { status: 200, message: 'stored' };
    },
  });
  onTestFinished(() => receiver.close(0));
  return { receiver, accepted };
}

/** What a connection gets for these bytes until it is closed. */
function exchange(port: number, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    let text = '';
    socket.on('data', (data) => {
      text += data.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
    socket.write(bytes);
  });
}

function request(
  lines: readonly string[],
  body: string | Buffer = '{}',
  start = 'POST /webhooks HTTP/1.1',
): Buffer {
  const length = lines.some((line) => /^(transfer-encoding|content-length):/i.test(line))
    ? []
    : [`content-length: ${Buffer.byteLength(body)}`];
  const head = [start, 'host: localhost', 'connection: close', ...length, ...lines, '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(body)]);
}

const ID = 'x-service-delivery: 0d1f3a52-6f0e-4d55-9a3b-2b7a0c1d4e5f';
const MIB = 1024 * 1024;

describe('a request that is no event', () => {
  it.each<readonly [name: string, status: number, bytes: Buffer]>([
    ['what is not HTTP', 400, Buffer.from('\x16\x03\x01\r\n\r\n', 'latin1')],
    ['another path', 404, request([ID], '{}', 'POST /webhooks/ HTTP/1.1')],
    ['the path of a proxy', 404, request([ID], '{}', 'POST http://other.example/webhooks HTTP/1.1')],
    ['another method', 405, request([ID], '{}', 'PUT /webhooks HTTP/1.1')],
    ['a tunnel', 405, request([], '', 'CONNECT localhost:80 HTTP/1.1')],
    ['a page of any site', 403, request([ID, 'origin: null'])],
    ['a page of another site', 403, request([ID, 'sec-fetch-site: cross-site'])],
    ['a body in another transfer encoding', 415, coded('gzip, chunked')],
    ['a body that names its transfer encoding twice', 415, coded('identity, chunked')],
    ['a compressed body', 415, request([ID, 'content-encoding: gzip'])],
    ['another expectation', 417, request([ID, 'expect: 200-ok'])],
    ['no delivery ID', 400, request([])],
    ['a delivery ID with a quote', 400, request(["x-service-delivery: a'b"])],
    ['a delivery ID that looks like a flag', 400, request(['x-service-delivery: --yes'])],
    ['a delivery ID of 201 characters', 400, request([`x-service-delivery: ${'a'.repeat(201)}`])],
    ['two delivery IDs', 400, request([ID, ID])],
    ['two signatures', 400, request([ID, 'x-service-signature: a', 'X-Service-Signature: b'])],
    ['two timestamps', 400, request([ID, 'x-service-timestamp: 1', 'x-service-timestamp: 2'])],
    ['101 headers', 431, request([ID, ...Array.from({ length: 98 }, (_, index) => `a${index}: b`)])],
    ['headers of more than 16 KiB', 431, request([ID, `a: ${'b'.repeat(16 * 1024)}`])],
    ['a body that says it is too large', 413, request([ID, `content-length: ${MIB + 1}`], '{')],
    ['a body that is too large', 413, chunked(MIB + 1)],
    ['two lengths', 400, request([ID, 'content-length: 2', 'content-length: 3'])],
    ['a length and chunks', 400, request([ID, 'content-length: 2', 'transfer-encoding: chunked'])],
    ['a body that is not UTF-8', 400, request([ID], Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))],
    ['a byte order mark', 400, request([ID], '\uFEFF{}')],
    ['an array', 400, request([ID], '[]')],
    ['an empty body', 400, request([ID], '')],
    [
      'JSON that is nested too deep',
      400,
      request([ID], `{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}`),
    ],
  ])('%s is refused and not accepted', async (_name, status, bytes) => {
    const { receiver, accepted } = await start();
    expect(await exchange(receiver.port, bytes)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(accepted).toEqual([]);
    expect(await exchange(receiver.port, request([ID]))).toMatch(/^HTTP\/1\.1 200 /);
  });
});

function coded(encoding: string): Buffer {
  return request([ID, `transfer-encoding: ${encoding}`], '2\r\n{}\r\n0\r\n\r\n');
}

function chunked(size: number): Buffer {
  const data = `${size.toString(16)}\r\n${' '.repeat(size)}\r\n0\r\n\r\n`;
  return request([ID, 'transfer-encoding: chunked'], data);
}

it('takes chunks of one byte, what comes after 100 Continue, and requests one after the other', async () => {
  const { receiver, accepted } = await start();
  const text = '{"event":"a\\ud800","__proto__":{"id":1},"n":1e999999}';
  const chunks = [...Buffer.from(text)].map((byte) => `1\r\n${String.fromCharCode(byte)}\r\n`);
  const first = request([ID, 'transfer-encoding: chunked'], `${chunks.join('')}0\r\n\r\n`);
  const keptOpen = Buffer.from(first.toString().replace('connection: close\r\n', ''));
  const both = Buffer.concat([keptOpen, request([ID, 'expect: 100-continue'], '{"event":"b.c"}')]);
  const received = await exchange(receiver.port, both);
  expect(received.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 100', 'HTTP/1.1 200']);
  expect(accepted.map(({ body }) => Buffer.from(body).toString())).toEqual([text, '{"event":"b.c"}']);
  expect(accepted[1]?.facts.event).toBe('b.c');
});

it('responds to an event before it refuses what comes after it, and closes the connection', async () => {
  const { receiver, accepted } = await start();
  const first = request([ID]).toString().replace('connection: close\r\n', '');
  const received = await exchange(receiver.port, `${first}\x16\x03\x01 no HTTP\r\n\r\n`);
  expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
  expect(accepted).toHaveLength(1);
});

it('sends no 100 Continue to HTTP/1.0', async () => {
  const { receiver } = await start();
  const bytes = request([ID, 'expect: 100-continue'], '{}', 'POST /webhooks HTTP/1.0');
  expect((await exchange(receiver.port, bytes)).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
});

it.each([
  ['says nothing', ''],
  ['does not end its headers', 'POST /webhooks HTTP/1.1\r\nhost: a\r\n'],
  ['does not end its body', request([ID, 'content-length: 100'], '{').toString()],
  ['does not end its chunks', request([ID, 'transfer-encoding: chunked'], '1\r\n{\r\n').toString()],
])('ends a connection that %s', async (_name, bytes) => {
  const { receiver, accepted } = await start({ limitMs: 200 });
  expect(await exchange(receiver.port, bytes)).toMatch(/^(HTTP\/1\.1 408 |$)/);
  expect(accepted).toEqual([]);
});

it('takes at most a thousand connections at once, and events again when they are closed', async () => {
  const { receiver } = await start();
  const sockets: Socket[] = [];
  // The queue of the system for connections that nobody has taken yet is shorter than a thousand.
  while (sockets.length < 1_000) {
    const socket = connect({ host: '127.0.0.1', port: receiver.port });
    await once(socket, 'connect');
    sockets.push(socket);
  }
  expect(await exchange(receiver.port, request([ID]))).toBe('');
  for (const socket of sockets) socket.destroy();
  await expect.poll(() => exchange(receiver.port, request([ID]))).toMatch(/^HTTP\/1\.1 200 /);
});
