import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { PayctlError } from '../../errors.ts';
import { decodeUtf8 } from '../../files/read-file.ts';
import { isNestedDeeper, MAX_DEPTH } from '../../json/depth.ts';
import { type EventFacts, readEvent } from '../../webhooks/event.ts';
import type { HeaderNames } from '../../webhooks/signature.ts';

/** The largest body, in bytes. */
const MOST_BODY = 1024 * 1024;

/** The bodies that are being received or stored at a moment, in bytes: a thousand large ones would take the memory. */
const MOST_IN_FLIGHT = 64 * 1024 * 1024;

/** The memory for a body at first; it doubles. */
const FIRST_BYTES = 4 * 1024;

/** The first byte of U+FEFF in UTF-8; no JSON text begins with it. */
const BYTE_ORDER_MARK = 0xef;

const MOST_HEADERS = 100;
const MOST_HEADER_BYTES = 16 * 1024;

/** More connections are closed at once. */
const MOST_CONNECTIONS = 1_000;

/** How long the rest of a refused body is read, so that its sender sees the response, in milliseconds. */
const LINGER_MS = 1_000;

/** How long a request may take to arrive, in milliseconds. */
const REQUEST_LIMIT_MS = 30_000;

/** A request that may be an event: its body is a JSON object. */
export type Incoming = {
  /** By their names in lower case; repeated ones are joined. */
  readonly headers: Readonly<Record<string, string>>;
  readonly deliveryId: string;
  readonly signature: string | undefined;
  /** The timestamp that the body was signed with. */
  readonly timestamp: string | undefined;
  readonly body: Uint8Array;
  readonly facts: EventFacts;
};

/** What a sender is told. */
export type Reply = { readonly status: number; readonly message: string };

/** How requests are received. */
export type ReceiverOptions = {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly path: string;
  readonly names: HeaderNames;
  /** What to respond. A sender tries again unless the status is 2xx. */
  readonly accept: (incoming: Incoming) => Promise<Reply>;
  /** How long a request may take to arrive, in milliseconds. */
  readonly limitMs?: number | undefined;
};

/** A server that receives events. */
export type Receiver = {
  /** Where it listens; the URL for a subscription. */
  readonly url: string;
  readonly port: number;
  /** Takes no more connections, lets requests that have arrived end within a time, in milliseconds, and ends the others. */
  close(graceMs: number): Promise<void>;
};

/**
 * Starts a server that takes requests of anybody: it gives those that may be events to `accept`, and refuses all others. Resolves when it
 * takes requests.
 * @throws PayctlError `port_in_use`, `port_forbidden`, `host_unusable`
 */
export async function startReceiver(options: ReceiverOptions): Promise<Receiver> {
  const { host, port, path, limitMs = REQUEST_LIMIT_MS } = options;
  const server = process.getBuiltinModule('node:http').createServer({
    maxHeaderSize: MOST_HEADER_BYTES,
    headersTimeout: limitMs,
    requestTimeout: limitMs,
    keepAliveTimeout: limitMs,
    connectionsCheckingInterval: Math.min(1_000, limitMs),
  });
  server.maxConnections = MOST_CONNECTIONS;
  // Otherwise Node drops the others silently, and with them one that is there twice.
  server.maxHeadersCount = 0;
  // Ends connections whose other side does not read what it is sent.
  server.timeout = 2 * limitMs;
  const requests = new Requests(options);
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    requests.serve(request, response).catch(() => response.destroy());
  };
  server.on('request', serve);
  server.on('checkContinue', serve);
  server.on('checkExpectation', serve);
  // Without a listener, Node ends the connection without a response.
  server.on('connect', (_request, socket) =>
    endConnection(socket as Socket, ['405 Method Not Allowed', REFUSALS.notPost.message], 'allow: POST'),
  );
  server.on('clientError', (error, socket) => requests.refuseBroken(error, socket as Socket));
  const actual = await listen(server, host, port);
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actual}${path}`,
    port: actual,
    async close(graceMs) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearTimeout(timer);
    },
  };
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    // The listener stays: without it, an error of the listening socket later on would end the process.
    server.on('error', (error) => reject(listenError(error, host, port)));
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

function listenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const other = 'Choose another port with --port; 0 selects any free port.';
  switch (error.code) {
    case 'EADDRINUSE':
      return new PayctlError('port_in_use', `Port ${port} on ${host} is in use`, {
        hint: other,
        cause: error,
      });
    case 'EACCES':
      return new PayctlError('port_forbidden', `Port ${port} on ${host} requires elevated privileges`, {
        hint: other,
        cause: error,
      });
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new PayctlError('host_unusable', `This machine has no address ${host}`, {
        hint: 'Use an address of this machine with --host, or 0.0.0.0 for all of them.',
        cause: error,
      });
    default:
      return error;
  }
}

/** A refusal before the body is read, or one of the body. */
const REFUSALS = {
  fromPage: { status: 403, message: 'requests of web pages are not taken' },
  notFound: { status: 404, message: 'there is nothing at this path' },
  notPost: { status: 405, message: 'only POST is taken here' },
  encoded: { status: 415, message: 'the body must not be encoded' },
  expectation: { status: 417, message: 'this expectation is not supported' },
  tooManyHeaders: { status: 431, message: `there are more than ${MOST_HEADERS} headers` },
  tooLarge: { status: 413, message: 'the body is larger than 1 MiB' },
  busy: { status: 503, message: 'too many bodies are being received; try again' },
  notObject: {
    status: 400,
    message: `the body is not a JSON object in UTF-8 with at most ${MAX_DEPTH} levels`,
  },
} as const satisfies Record<string, Reply>;

class Requests {
  readonly #options: ReceiverOptions;
  /** The bytes of the bodies in memory. */
  #inFlight = 0;
  /** The last request of each connection that has no response yet. */
  readonly #pending = new Map<Socket, readonly [IncomingMessage, ServerResponse]>();

  constructor(options: ReceiverOptions) {
    this.#options = options;
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = this.#refusalOf(request);
    if (refusal) return refuse(request, response, refusal);
    // HTTP/1.0 knows none (RFC 9110, 10.1.1).
    if (request.headers.expect !== undefined && request.httpVersion !== '1.0') response.writeContinue();
    const { socket } = request;
    const pending = [request, response] as const;
    this.#pending.set(socket, pending);
    const read = this.#read(request);
    try {
      const body = await read.done;
      if (body === undefined) return;
      if (!(body instanceof Uint8Array)) return refuse(request, response, body);
      const facts = factsOf(body);
      if (!facts) return refuse(request, response, REFUSALS.notObject);
      const { names, accept } = this.#options;
      const headers = headersOf(request);
      const deliveryId = headers[names.delivery] ?? '';
      const signature = headers[names.signature];
      const timestamp = headers[names.timestamp];
      send(response, await accept({ headers, deliveryId, signature, timestamp, body, facts }));
    } finally {
      this.#inFlight -= read.length;
      if (this.#pending.get(socket) === pending) this.#pending.delete(socket);
    }
  }

  /** Refuses what is not HTTP and ends the connection; but what arrived whole before it gets its own response. */
  refuseBroken(error: Error & { code?: string }, socket: Socket): void {
    const [request, response] = this.#pending.get(socket) ?? [];
    if (request?.complete && response && socket.writable) response.shouldKeepAlive = false;
    else refuseBrokenRequest(error, socket);
  }

  #refusalOf(request: IncomingMessage): Reply | undefined {
    const { method, url = '', headers, rawHeaders } = request;
    const site = headers['sec-fetch-site'];
    if (headers.origin !== undefined || site === 'cross-site' || site === 'same-site')
      return REFUSALS.fromPage;
    if (url.split('?', 1)[0] !== this.#options.path) return REFUSALS.notFound;
    if (method !== 'POST') return REFUSALS.notPost;
    if (rawHeaders.length > 2 * MOST_HEADERS) return REFUSALS.tooManyHeaders;
    const coding = headers['transfer-encoding'] ?? 'chunked';
    if (headers['content-encoding'] !== undefined || coding.toLowerCase() !== 'chunked')
      return REFUSALS.encoded;
    if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue')
      return REFUSALS.expectation;
    if (Number(headers['content-length'] ?? 0) > MOST_BODY) return REFUSALS.tooLarge;
    const { names } = this.#options;
    const given = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
    const repeated = Object.values(names).find((name) => given.indexOf(name) !== given.lastIndexOf(name));
    if (repeated !== undefined) return { status: 400, message: `the header ${repeated} is there twice` };
    const id = headers[names.delivery];
    if (typeof id === 'string' && /^(?!-)[\w.:-]{1,200}$/.test(id)) return undefined;
    return {
      status: 400,
      message:
        id === undefined
          ? `the header ${names.delivery} is missing`
          : `the header ${names.delivery} is not an ID of at most 200 letters, digits and ._:- that does not begin with a hyphen`,
    };
  }

  /** Reads a body of limited size; undefined where its sender went away. */
  #read(request: IncomingMessage): {
    readonly done: Promise<Uint8Array | Reply | undefined>;
    readonly length: number;
  } {
    // Pieces of one byte would take a hundred times their size, so they are not kept.
    let bytes = Buffer.allocUnsafe(FIRST_BYTES);
    let length = 0;
    const done = new Promise<Uint8Array | Reply | undefined>((resolve) => {
      const onData = (piece: Buffer) => {
        const end = length + piece.length;
        this.#inFlight += piece.length;
        const refusal =
          end > MOST_BODY ? REFUSALS.tooLarge : this.#inFlight > MOST_IN_FLIGHT ? REFUSALS.busy : undefined;
        if (refusal) {
          request.off('data', onData);
          bytes = Buffer.alloc(0);
          resolve(refusal);
        } else {
          if (end > bytes.length) bytes = Buffer.concat([bytes], Math.max(end, 2 * bytes.length));
          piece.copy(bytes, length);
        }
        length = end;
      };
      request.on('data', onData);
      request.on('end', () => resolve(bytes.subarray(0, length)));
      request.on('error', () => resolve(undefined));
      request.on('close', () => resolve(undefined));
    });
    return {
      done,
      get length() {
        return length;
      },
    };
  }
}

function factsOf(body: Uint8Array): EventFacts | undefined {
  try {
    const text = decodeUtf8(body);
    // It is dropped here, and would not be where the bytes are printed (RFC 8259, 8.1).
    if (body[0] === BYTE_ORDER_MARK) return undefined;
    return isNestedDeeper(text, MAX_DEPTH) ? undefined : readEvent(text);
  } catch {
    return undefined;
  }
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'string' ? value : value.join(', ')]],
    ),
  );
}

function send(response: ServerResponse, reply: Reply): void {
  if (response.destroyed) return;
  response.writeHead(reply.status, headersFor(reply));
  response.end(bodyOf(reply));
}

/** Refuses a request and closes its connection, which may still carry the rest of a body. */
function refuse(request: IncomingMessage, response: ServerResponse, reply: Reply): void {
  if (response.destroyed) return;
  response.writeHead(reply.status, { ...headersFor(reply), connection: 'close' });
  response.write(bodyOf(reply));
  if (request.complete) {
    response.end();
    return;
  }
  // A connection that is closed with bytes that nobody has read takes the response with it.
  const timer = setTimeout(() => response.end(), LINGER_MS);
  request.once('end', () => {
    clearTimeout(timer);
    response.end();
  });
  request.resume();
}

function bodyOf({ message }: Reply): string {
  return `${JSON.stringify({ message })}\n`;
}

function headersFor(reply: Reply): Record<string, string | number> {
  return {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(bodyOf(reply)),
    ...(reply.status === 405 && { allow: 'POST' }),
    ...(reply.status === 503 && { 'retry-after': 1 }),
  };
}

/** Responds to what is not HTTP, has headers beyond the limits, or takes too long, and ends the connection. */
function refuseBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  endConnection(socket, brokenBy(error.code));
}

type StatusLine = readonly [status: string, message: string];

function endConnection(socket: Socket, [status, message]: StatusLine, ...headers: readonly string[]): void {
  const body = bodyOf({ status: 0, message });
  const head = [
    `HTTP/1.1 ${status}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    ...headers,
    'connection: close',
  ];
  // The socket of a tunnel has no other listener: an error would end the process.
  socket.on('error', () => {});
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}

function brokenBy(code: string | undefined): StatusLine {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return ['408 Request Timeout', 'the request took too long'];
  if (code === 'HPE_HEADER_OVERFLOW')
    return ['431 Request Header Fields Too Large', 'the headers are larger than 16 KiB'];
  return ['400 Bad Request', 'the request is not valid HTTP'];
}
