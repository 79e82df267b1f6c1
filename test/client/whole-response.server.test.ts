import { setImmediate as turn } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createReceiver } from '../../src/client/receive-body.ts';
import { responseOf } from '../../src/client/response.ts';
import { isNode22 } from '../harness/node-22.ts';
import { startProxy } from '../harness/proxy.ts';
import { clientAt } from './live-client.ts';
import { REPORT } from './report-operation.ts';
import {
  certificate,
  type Ending,
  head,
  SCHEMES,
  type Scheme,
  serveBytes,
  trustNoOthers,
} from './served-bytes.ts';

trustNoOthers();

const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const BODY = '{"first":"half","second":"half"}';
const json = 'content-type: application/json';
const plain = { network: { ca: certificate.cert }, maxRetries: 0 };

/** What payctl makes of such a response: the text of a document that is whole, or the code of the error. */
async function documentFrom(scheme: Scheme, bytes: string | Buffer, ending: Ending): Promise<string> {
  const { origin } = await serveBytes(scheme, ({ socket, end }) => socket.write(bytes, () => end(ending)));
  return await clientAt(origin, plain)
    .request(REPORT, { accept: 'application/json' })
    .then(
      (document) => `${responseOf(document).status} ${responseOf(document).text}`,
      (error: { code?: string }) => String(error.code ?? error),
    );
}

/** Takes the body in pieces: `taken` is called with each, and the next one is taken when that resolves. */
async function takeFrom(origin: string, taken: (piece: Uint8Array) => unknown, network = {}) {
  const receiver = createReceiver({
    takes: () => true,
    begin: async () => {},
    write: async (piece) => void (await taken(piece)),
    canBeginAgain: true,
  });
  return await clientAt(origin, { ...plain, network: { ...plain.network, ...network } })
    .request(REPORT, { accept: 'text/csv', receiver })
    .then(
      () => 'whole',
      (error: { code?: string }) => String(error.code ?? error),
    );
}

/** The text of a body that is taken in pieces, or the code of the error. */
async function downloadFrom(origin: string, network = {}) {
  let text = '';
  const outcome = await takeFrom(
    origin,
    (piece) => {
      text += Buffer.from(piece).toString('latin1');
    },
    network,
  );
  return outcome === 'whole' ? text : outcome;
}

const LOST = 'connection_lost';
const UNREADABLE = 'unreadable_response';
const sized = (length: number, body: string) => head('200 OK', json, `content-length: ${length}`) + body;
const chunked = (rest: string) => head('200 OK', json, 'transfer-encoding: chunked') + rest;
const unsized = head('200 OK', json, 'connection: close') + BODY;
const old = `HTTP/1.0 200 OK\r\n${json}\r\n\r\n${BODY}`;
const WHOLE = `200 ${BODY}`;
const ERROR = '{"type":"error","code":"x"}';
/** What a reset ends over http, if no length says that something is missing. */
const RESET = isNode22 ? WHOLE : LOST;
const LENGTH_LINE = '\r\ncontent-length: 32\r\n\r\n';

/** Name, bytes, how the connection ends, what becomes of that over http and, where it differs, over https. */
const FRAMINGS: readonly (readonly [string, string, Ending, string, string?])[] = [
  ['a length, FIN', sized(BODY.length, BODY), 'end', WHOLE],
  ['a length, FIN alone', sized(BODY.length, BODY), 'truncate', WHOLE],
  ['a length, RST', sized(BODY.length, BODY), 'reset', WHOLE],
  ['a length, nothing', sized(BODY.length, BODY), 'stay', WHOLE],
  ['a length that is too large, FIN', sized(BODY.length + 1, BODY), 'end', LOST],
  ['a length that is too large, RST', sized(BODY.length + 1, BODY), 'reset', LOST],
  ['a length that is too small', sized(BODY.length, `${BODY}{}`), 'end', WHOLE],
  ['a length that is too small, nothing', sized(BODY.length, `${BODY}HTTP/1.1 200 OK`), 'stay', WHOLE],
  ['a length that is no number', head('200 OK', json, 'content-length: 1x') + BODY, 'end', LOST],
  ['a negative length', head('200 OK', json, 'content-length: -1') + BODY, 'end', LOST],
  ['two lengths', head('200 OK', json, 'content-length: 32', 'content-length: 2') + BODY, 'end', LOST],
  ['two lengths in one', head('200 OK', json, 'content-length: 32, 2') + BODY, 'end', LOST],
  ['chunks', chunked(`${chunk(BODY)}0\r\n\r\n`), 'stay', WHOLE],
  ['chunks, FIN', chunked(`${chunk(BODY)}0\r\n\r\n`), 'end', WHOLE],
  ['chunks, FIN alone', chunked(`${chunk(BODY)}0\r\n\r\n`), 'truncate', WHOLE],
  ['chunks, RST', chunked(`${chunk(BODY)}0\r\n\r\n`), 'reset', WHOLE],
  ['chunks and trailers', chunked(`${chunk(BODY)}0\r\nx-sum: 1\r\n\r\n`), 'end', WHOLE],
  ['chunks without the last one, FIN', chunked(chunk(BODY)), 'end', LOST],
  ['chunks without the last one, RST', chunked(chunk(BODY)), 'reset', LOST],
  [
    'chunks without the last one, close',
    head('200 OK', json, 'connection: close', 'transfer-encoding: chunked') + chunk(BODY),
    'end',
    LOST,
  ],
  [
    'chunks without the last one, close, RST',
    head('200 OK', json, 'connection: close', 'transfer-encoding: chunked') + chunk(BODY),
    'reset',
    LOST,
  ],
  ['chunks cut in a chunk', chunked(chunk(BODY).slice(0, 20)), 'end', LOST],
  ['chunks cut in the size', chunked(`${chunk(BODY)}1`), 'end', LOST],
  ['chunks cut before the trailers', chunked(`${chunk(BODY)}0\r\n`), 'end', LOST],
  ['chunks cut in the trailers', chunked(`${chunk(BODY)}0\r\nx-sum: 1`), 'end', LOST],
  ['chunks cut after a trailer', chunked(`${chunk(BODY)}0\r\nx-sum: 1\r\n`), 'reset', LOST],
  ['a chunk of no size', chunked(`x\r\n${BODY}\r\n0\r\n\r\n`), 'end', LOST],
  [
    'a length and chunks',
    head('200 OK', json, `content-length: 2`, 'transfer-encoding: chunked') + chunk(BODY),
    'end',
    LOST,
  ],
  ['no length, FIN', unsized, 'end', WHOLE],
  ['no length, FIN alone', unsized, 'truncate', WHOLE, LOST],
  ['no length, FIN within a TLS record', unsized, 'cut', WHOLE, LOST],
  ['no length, RST', unsized, 'reset', RESET, LOST],
  ['no length, keep-alive, FIN', head('200 OK', json, 'connection: keep-alive') + BODY, 'end', WHOLE],
  [
    'no length, keep-alive, FIN alone',
    head('200 OK', json, 'connection: keep-alive') + BODY,
    'truncate',
    WHOLE,
    LOST,
  ],
  ['no length, keep-alive, RST', head('200 OK', json, 'connection: keep-alive') + BODY, 'reset', RESET, LOST],
  ['HTTP/1.0, FIN', old, 'end', WHOLE],
  ['HTTP/1.0, FIN alone', old, 'truncate', WHOLE, LOST],
  ['HTTP/1.0, RST', old, 'reset', RESET, LOST],
  ['HTTP/1.0, a length, RST', old.replace(json, `${json}\r\nContent-Length: 32`), 'reset', WHOLE],
  ['a length in the body only, FIN alone', unsized + LENGTH_LINE, 'truncate', UNREADABLE, LOST],
  [
    'coding gzip, chunked',
    `${head('200 OK', json, 'transfer-encoding: gzip, chunked')}${chunk(BODY)}0\r\n\r\n`,
    'end',
    UNREADABLE,
  ],
  ['coding gzip', head('200 OK', json, 'transfer-encoding: gzip') + BODY, 'end', UNREADABLE],
  ['coding identity', head('200 OK', json, 'transfer-encoding: identity') + BODY, 'end', UNREADABLE],
  [
    'coding chunked in capitals',
    `${head('200 OK', json, 'Transfer-Encoding: Chunked')}${chunk(BODY)}0\r\n\r\n`,
    'end',
    WHOLE,
  ],
  [
    'a part',
    head('206 Partial Content', json, 'content-range: bytes 0-31/64', 'content-length: 32') + BODY,
    'end',
    UNREADABLE,
  ],
  [
    'a part of which nothing is said',
    head('206 Partial Content', json, 'content-length: 32') + BODY,
    'end',
    UNREADABLE,
  ],
  [
    'a range that has no meaning',
    head('200 OK', json, 'content-range: bytes 0-31/64', 'content-length: 32') + BODY,
    'end',
    WHOLE,
  ],
  ['204 and a body', head('204 No Content', 'content-length: 32') + BODY, 'end', '204 '],
  ['204 and chunks', head('204 No Content', 'transfer-encoding: chunked') + chunk(BODY), 'reset', '204 '],
  ['204, RST', head('204 No Content'), 'reset', '204 '],
  ['304 and a body', head('304 Not Modified', 'content-length: 32') + BODY, 'end', 'not_modified'],
  ['a head that is cut, FIN', unsized.slice(0, 30), 'end', LOST],
  ['a head that is cut, RST', unsized.slice(0, 30), 'reset', LOST],
  ['nothing, FIN', '', 'end', LOST],
  ['nothing, FIN alone', '', 'truncate', LOST],
  ['an error that is cut', head('400 Bad Request', json, 'content-length: 99') + ERROR, 'reset', 'http_400'],
  [
    'an error without a length, RST',
    head('409 Conflict', json, 'connection: close') + ERROR,
    'reset',
    isNode22 ? 'x' : 'http_409',
    'http_409',
  ],
  ['an error without a length, FIN', head('409 Conflict', json, 'connection: close') + ERROR, 'end', 'x'],
];

describe.each(SCHEMES)('over %s, a document is whole only if its framing says so', (scheme) => {
  for (const [name, bytes, ending, plainly, overTls = plainly] of FRAMINGS) {
    it(name, async () => {
      expect(await documentFrom(scheme, bytes, ending)).toBe(scheme === 'https' ? overTls : plainly);
    });
  }
});

it('a part is whole where it was asked for', async () => {
  const bytes = head('206 Partial Content', json, 'content-length: 32') + BODY;
  const { origin } = await serveBytes('http', ({ socket }) => socket.write(bytes));
  const document = await clientAt(origin).request(REPORT, { headers: { range: 'bytes=0-31' } });
  expect(responseOf(document).text).toBe(BODY);
});

const ENCODED = Buffer.from(BODY);
const encoded = (encoding: string, body: Buffer) =>
  Buffer.concat([
    Buffer.from(head('200 OK', json, `content-encoding: ${encoding}`, `content-length: ${body.length}`)),
    body,
  ]);
const ZIPPED = gzipSync(ENCODED);

/** Name, encoding, body, what becomes of it. */
const ENCODINGS: readonly (readonly [string, string, Buffer, string])[] = [
  ['gzip', 'gzip', ZIPPED, BODY],
  ['x-gzip', 'X-Gzip', ZIPPED, BODY],
  ['gzip in two members', 'gzip', Buffer.concat([gzipSync(BODY.slice(0, 9)), gzipSync(BODY.slice(9))]), BODY],
  ['gzip cut in its data', 'gzip', ZIPPED.subarray(0, 20), UNREADABLE],
  ['gzip without its last byte', 'gzip', ZIPPED.subarray(0, -1), UNREADABLE],
  ['gzip and a byte', 'gzip', Buffer.concat([ZIPPED, Buffer.of(0)]), UNREADABLE],
  ['gzip and text', 'gzip', Buffer.concat([ZIPPED, ENCODED]), UNREADABLE],
  ['gzip and half a member', 'gzip', Buffer.concat([ZIPPED, ZIPPED.subarray(0, 20)]), UNREADABLE],
  ['no gzip', 'gzip', ENCODED, UNREADABLE],
  ['gzip twice', 'gzip, gzip', gzipSync(ZIPPED), UNREADABLE],
  ['deflate', 'deflate', deflateSync(ENCODED), UNREADABLE],
  ['brotli', 'br', brotliCompressSync(ENCODED), UNREADABLE],
  ['identity', 'identity', ENCODED, BODY],
];

describe('bytes that are not a response', () => {
  const LOST_MESSAGE = 'the connection broke before the response was complete';
  const NO_HTTP = 'the response is not HTTP';

  it.each([
    ['the greeting of another protocol', 'SSH-2.0-OpenSSH_9.9\r\n', 'stay', NO_HTTP],
    ['an alert of TLS', '\x15\x03\x01\x00\x02\x02\x16', 'end', NO_HTTP],
    ['a page without a head', '<html>Log in</html>', 'end', NO_HTTP],
    ['chunks without their lengths', chunked('not a length\r\n'), 'stay', NO_HTTP],
    ['nothing', '', 'end', LOST_MESSAGE],
    ['half a head', 'HTTP/1.1 200 OK\r\ncontent-', 'end', LOST_MESSAGE],
    ['half a chunk', chunked(chunk(BODY).slice(0, 20)), 'end', LOST_MESSAGE],
    ['half a length', chunked('f'), 'end', LOST_MESSAGE],
  ] as const)('are named as what they are: %s', async (_name, bytes, ending, message) => {
    const { origin } = await serveBytes('http', ({ socket, end }) => socket.write(bytes, () => end(ending)));
    await expect(clientAt(origin, plain).request(REPORT, {})).rejects.toMatchObject({
      code: LOST,
      message: expect.stringContaining(`: ${message}`),
    });
  });
});

describe('a body whose framing is whole is read only if its encoding is whole', () => {
  it.each(ENCODINGS)('%s', async (_name, encoding, body, expected) => {
    const bytes = encoded(encoding, body);
    expect(await documentFrom('http', bytes, 'end')).toBe(expected === BODY ? WHOLE : expected);
    const { origin } = await serveBytes('http', ({ socket, end }) => socket.write(bytes, () => end('end')));
    expect(await downloadFrom(origin)).toBe(expected);
  });

  it('gzip that ends before the connection breaks', async () => {
    const start = head('200 OK', 'content-encoding: gzip', 'content-length: 9999');
    const bytes = Buffer.concat([Buffer.from(start), ZIPPED]);
    const { origin } = await serveBytes('http', ({ socket, end }) => socket.write(bytes, () => end('end')));
    expect(await downloadFrom(origin)).toBe(LOST);
  });
});

/** More than undici, Node and the system keep for a reader that takes nothing. */
const LARGE = Buffer.alloc(8 * 1024 * 1024, 'x');
/** Bytes of which undici holds two pieces, and asks for no more. */
const PIECE = LARGE.toString('latin1', 0, 48 * 1024);

/** Name, head, what is after the body, and whether that is all of it. */
const LARGE_FRAMINGS: readonly (readonly [string, string, string, boolean])[] = [
  ['a length', head('200 OK', `content-length: ${LARGE.length}`), '', true],
  [
    'chunks, close',
    `${head('200 OK', 'connection: close', 'transfer-encoding: chunked')}${LARGE.length.toString(16)}\r\n`,
    '\r\n0\r\n\r\n',
    true,
  ],
  ['no length', head('200 OK', 'connection: close'), '', true],
  ['a length that is too large', head('200 OK', `content-length: ${LARGE.length + 1}`), '', false],
];

/** A service that sends this around the large body, and closes the connection at once. */
const serveLarge = (scheme: Scheme, before: string, after: string) =>
  serveBytes(scheme, ({ socket, end }) => {
    socket.write(before);
    socket.write(LARGE);
    socket.write(after, () => end('end'));
  });

/** Turns of the event loop, in which the client gets everything that the system has for it. */
async function turns(): Promise<void> {
  for (let count = 0; count < 50; count += 1) await turn();
}

/** What a slow reader gets of a body of so many bytes of `LARGE`: `whole`, the code of the error, or too much or too little. */
async function readSlowly(origin: string, size: number, begun = () => {}, network = {}): Promise<string> {
  let at = 0;
  const take = async (piece: Uint8Array) => {
    begun();
    expect(LARGE.compare(piece, 0, piece.length, 0, piece.length)).toBe(0);
    at += piece.length;
    await turns();
  };
  const outcome = await takeFrom(origin, take, network);
  return outcome === 'whole' && at !== size ? `${at} bytes` : outcome;
}

describe.each(SCHEMES)('over %s, a slow reader gets all of a download', (scheme) => {
  it.each(LARGE_FRAMINGS)(
    'with %s, after which the service closes at once',
    async (_name, before, after, isWhole) => {
      const { origin } = await serveLarge(scheme, before, after);
      expect(await readSlowly(origin, LARGE.length)).toBe(isWhole ? 'whole' : LOST);
    },
  );

  it.each(['end', 'truncate', 'reset'] as const)(
    'that is held by undici when the connection ends: %s',
    async (ending) => {
      for (const connection of ['keep-alive', 'close']) {
        for (const isChunked of [false, true]) {
          const begun = Promise.withResolvers<void>();
          const [framing, first, second]: readonly [string, string, string] = isChunked
            ? ['transfer-encoding: chunked', chunk(PIECE), `${chunk(PIECE)}0\r\n\r\n`]
            : [`content-length: ${2 * PIECE.length}`, PIECE, PIECE];
          const { origin } = await serveBytes(scheme, async ({ socket, end }) => {
            socket.write(head('200 OK', `connection: ${connection}`, framing) + first);
            await begun.promise;
            await turns();
            socket.write(second, () => end(ending));
          });
          expect(await readSlowly(origin, 2 * PIECE.length, begun.resolve)).toBe('whole');
        }
      }
    },
  );

  it.each([131_072, 200_000, 1_048_576])(
    'of %i bytes, after which the service closes at once',
    async (size) => {
      const { origin } = await serveBytes(scheme, ({ socket, end }) => {
        socket.write(head('200 OK', `content-length: ${size}`));
        socket.write(LARGE.subarray(0, size), () => end('end'));
      });
      expect(await readSlowly(origin, size)).toBe('whole');
    },
  );

  it.each([
    ['end', 'whole', 'whole'],
    ['truncate', 'whole', LOST],
    ['cut', 'whole', LOST],
    ['reset', isNode22 ? 'whole' : LOST, LOST],
  ] as const)('without a length, if it was ended: %s', async (ending, plainly, overTls) => {
    const begun = Promise.withResolvers<void>();
    const { origin } = await serveBytes(scheme, async ({ socket, end }) => {
      socket.write(head('200 OK') + PIECE);
      await begun.promise;
      await turns();
      socket.write(PIECE, () => end(ending));
    });
    const expected = scheme === 'https' ? overTls : plainly;
    expect(await readSlowly(origin, 2 * PIECE.length, begun.resolve)).toBe(expected);
  });
});

describe.each(['an http', 'an https'])('through a tunnel of %s proxy', (kind) => {
  const tunnel = async () => ({
    proxy: { url: (await startProxy(kind === 'an https' ? { certificate } : {})).url },
  });

  it.each(LARGE_FRAMINGS)(
    'a slow reader gets all of a download with %s',
    async (_name, before, after, isWhole) => {
      const { origin } = await serveLarge('https', before, after);
      const received = await readSlowly(origin, LARGE.length, undefined, await tunnel());
      expect(received).toBe(isWhole ? 'whole' : LOST);
    },
  );

  it.each(['end', 'truncate', 'cut', 'reset'] as const)(
    'a document without a length is whole only after close_notify: %s',
    async (ending) => {
      const { origin } = await serveBytes('https', ({ socket, end }) =>
        socket.write(unsized, () => end(ending)),
      );
      expect(await downloadFrom(origin, await tunnel())).toBe(ending === 'end' ? BODY : LOST);
    },
  );
});
