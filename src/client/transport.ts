import type { Readable } from 'node:stream';
import type { Gunzip } from 'node:zlib';
import { type Dispatcher, Pool } from 'undici';
import { AbortedError } from '../errors.ts';
import { untilAborted } from '../signals.ts';
import { elapsedMs } from './clock.ts';
import { createConnector } from './network/connect.ts';
import type { NetworkOptions } from './network/options.ts';

/** One attempt of a request, ready for the wire. */
export type TransportRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH';
  /** Path and query, percent-encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A text or bytes, or pieces that are taken as the connection takes them. */
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array> | undefined;
  readonly signal: AbortSignal;
  /** The largest body to read of the response, in bytes; 32 MiB by default. */
  readonly largestBody?: number | undefined;
  readonly receive?: Receive | undefined;
};

type Head = Pick<TransportResponse, 'status' | 'headers'>;

/** The head of a response, and its body, of which nothing was read. */
export type ResponseStart = Head & { readonly body: Readable };

/** Reads the body of a successful response in the place of the transport, and resolves to its bytes; undefined leaves it to that. */
export type Receive = (start: ResponseStart) => Promise<number> | undefined;

/** A complete response: the body was read to its end. */
export type TransportResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** False where bytes that are not UTF-8 were replaced by U+FFFD. */
  readonly isUtf8: boolean;
  /** The length of a body that `receive` has read, in bytes as they were received from it; `text` is empty then. */
  readonly bytes?: number | undefined;
  /** Why the body of an error response is missing, which does not make its status any less true. */
  readonly bodyProblem?: string | undefined;
};

/** A response came, but its body cannot be used: it exceeds the limit, or it cannot be decompressed. */
export class BodyError extends Error {
  readonly code: 'response_too_large' | 'unreadable_response';
  readonly status: number;

  constructor(code: BodyError['code'], status: number, message: string) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/** The connection of a change was never established, so nothing was sent. */
export class UnsentError extends Error {
  constructor(cause: unknown) {
    super('not sent', { cause });
  }
}

/**
 * Connections to one origin, kept open between requests that only read. A request that changes data has a connection of its
 * own: on one that was idle, it could be lost without anybody knowing whether it was processed.
 */
export type Transport = {
  send(request: TransportRequest): Promise<TransportResponse>;
  /** Closes every connection, also one that is still being opened; running and later requests are aborted. */
  close(options?: CloseOptions): Promise<void>;
};

/** How to close connections. */
export type CloseOptions = {
  /**
   * The process is about to end by itself: idle connections do not keep it running and stay open until it ends, which takes
   * less time than closing them.
   */
  readonly atExit?: boolean;
};

export const LARGEST_BODY = 32 * 1024 * 1024;
/** Of the headers of a response together, in bytes: what Node reads by default. */
export const LARGEST_HEAD = 16 * 1024;
const GZIP = new Set(['gzip', 'x-gzip']);
/** Servers are known to send a charset here by mistake; it says nothing about the bytes. */
const UNENCODED = new Set(['', 'identity', 'none', 'utf-8', 'utf8']);

/**
 * Connections to `origin` and to nothing else: a redirect is returned as the response that it is, so no header ever
 * reaches another host. `connectTimeout` (ms) closes a connection that no request is waiting for.
 * `send` rejects with what undici or the signal raises, with `BodyError`, and with `AbortedError` after `close`; for a change that was not sent, with an
 * `UnsentError` that has it as its cause.
 */
export function createTransport(
  origin: string,
  connectTimeout: number,
  network: NetworkOptions = {},
): Transport {
  const closing = new AbortController();
  const connector = createConnector(network, { timeout: connectTimeout, signal: closing.signal });
  /** Running requests, and connections that are being opened. */
  let busy = 0;
  const connectThen =
    (onConnection: () => void): typeof connector.connect =>
    (options, callback) => {
      busy += 1;
      connector.connect(options, (...connected) => {
        busy -= 1;
        if (connected[1]) onConnection();
        callback(...connected);
      });
    };
  const rethrow = async (error: unknown, { method, signal }: TransportRequest): Promise<never> => {
    if (closing.signal.aborted) throw new AbortedError(method !== 'GET');
    throw await connector.explain(error, { timeIsUp: signal.aborted });
  };
  const open = (onConnection = () => {}) =>
    new Pool(origin, {
      allowH2: false,
      maxHeaderSize: LARGEST_HEAD,
      // The signal of each attempt carries the one time limit; undici's own limits would add others to it.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: connectThen(onConnection),
    });
  let shared = open();
  const pools = new Set([shared]);
  const awake = watchSleep(() => {
    const dead = shared;
    shared = open();
    pools.add(shared).delete(dead);
    // Without a code: undici takes `ECONNRESET` for the end of a response without a length.
    void dead.destroy(new Error('the machine has slept'));
  });
  let isClosed = false;
  const sendOn = async (pool: Pool, request: TransportRequest): Promise<TransportResponse> => {
    busy += 1;
    try {
      return await exchange(pool, request);
    } catch (error) {
      return await rethrow(error, request);
    } finally {
      busy -= 1;
    }
  };
  return {
    async send(request) {
      request.signal.throwIfAborted();
      if (isClosed) throw new AbortedError();
      if (request.method === 'GET') return await awake.during(() => sendOn(shared, request));
      let isConnected = false;
      const own = open(() => {
        isConnected = true;
      });
      pools.add(own);
      try {
        return await sendOn(own, request);
      } catch (error) {
        throw isConnected ? error : new UnsentError(error);
      } finally {
        pools.delete(own);
        await own.destroy();
      }
    },
    async close({ atExit = false } = {}) {
      isClosed = true;
      // undici does not let an idle connection keep the process running. A connection through a tunnel has more than one socket.
      if (atExit && busy === 0 && !network.proxy) return;
      const closed = [...pools].map((pool) => pool.destroy());
      // After that, so that only connections that are still being opened end with an error.
      closing.abort(new AbortedError());
      await Promise.all(closed);
    },
  };
}

/** How far the clocks must be apart to say that the machine has slept, and how often they are compared, in milliseconds. */
const LEAST_SLEEP = 5_000;
const LOOK_INTERVAL = 1_000;

/** Notices that the machine has slept: its clock went on, and the process did not. */
type SleepWatch = {
  /** Does the work, and watches before and meanwhile. */
  during<T>(work: () => Promise<T>): Promise<T>;
};

/**
 * Calls `onSleep` each time the machine has slept. Its connections are most likely dead then, which nothing else would detect
 * before the time limit of a request. Where the clock of the process keeps running during sleep (macOS, Windows), the time
 * limits detect it.
 */
function watchSleep(onSleep: () => void): SleepWatch {
  const lag = () => Date.now() - elapsedMs();
  let before = lag();
  let running = 0;
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    // Not at the end of each request: the next one most often follows at once.
    if (running === 0) {
      clearInterval(timer);
      timer = undefined;
    }
    const now = lag();
    const hasSlept = now - before > LEAST_SLEEP;
    before = now;
    if (hasSlept) onSleep();
  };
  return {
    async during(work) {
      running += 1;
      look();
      timer ??= setInterval(look, LOOK_INTERVAL).unref();
      try {
        return await work();
      } finally {
        running -= 1;
      }
    },
  };
}

async function exchange(
  pool: Pool,
  { body, largestBody = LARGEST_BODY, receive, ...request }: TransportRequest,
): Promise<TransportResponse> {
  const { signal } = request;
  // Rejects as soon as the signal is aborted: undici checks it only once the connection is established, which may be never.
  const asked = pool.request({ ...request, body: toUndici(body), reset: request.method !== 'GET' });
  const response = await untilAborted(asked, signal, () => signal.reason);
  const headers = flattenHeaders(response.headers);
  const { statusCode: status } = response;
  // It may fail before anybody reads it.
  response.body.on('error', () => {});
  try {
    requireWhole({ status, headers }, request.headers);
    const isSuccess = status >= 200 && status < 300;
    const bytes = isSuccess ? await receive?.({ status, headers, body: response.body }) : undefined;
    const received = bytes === undefined ? await readBody(response, largestBody) : undefined;
    await nextTurn();
    if (!received) return { status, headers, text: '', isUtf8: true, bytes };
    const zipped = received.length > 0 && isGzip({ status, headers });
    const decoded = decode(zipped ? await gunzip(received, status, largestBody) : received);
    free(received);
    return { status, headers, ...decoded };
  } catch (error) {
    response.body.destroy();
    if (status < 400 || signal.aborted || pool.destroyed) throw error;
    const bodyProblem = error instanceof BodyError ? error.message : 'the connection broke before its end';
    return { status, headers, text: '', isUtf8: true, bodyProblem };
  }
}

/** @throws BodyError for a partial response that was not requested, and for a transfer coding that no request allows (RFC 9112, 7.4) */
function requireWhole({ status, headers }: Head, asked: TransportRequest['headers']): void {
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    throw unreadable(status, `its transfer coding is ${JSON.stringify(coding)}`);
  if (status === 206 && asked.range === undefined)
    throw unreadable(status, 'it is only a part, although the whole was requested');
}

/** Whether a body is gzip, the only encoding that is requested. @throws BodyError for another encoding */
export function isGzip({ status, headers }: Head): boolean {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (GZIP.has(encoding)) return true;
  if (UNENCODED.has(encoding)) return false;
  throw unreadable(status, `its content encoding is ${JSON.stringify(encoding)}`);
}

/** undici takes anything that can be iterated, which its types do not say. */
function toUndici(body: TransportRequest['body']): string | Uint8Array | Readable | null {
  return (body as string | Uint8Array | Readable | undefined) ?? null;
}

/** Resolves one turn of the event loop later: undici frees a connection then, and an earlier request opens another one. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Resolves when a new request is on the wire: undici first waits one turn of the event loop for unexpected bytes. */
export async function untilSent(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

/** Listens to the stream, because its asynchronous iterator takes longer than a small body. */
function readBody({ body, statusCode }: Dispatcher.ResponseData, largest: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    body.on('data', (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > largest) body.destroy(tooLarge(statusCode, largest));
    });
    body.on('end', () => {
      if (chunks.length === 1 && chunks[0]) return resolve(chunks[0]);
      resolve(Buffer.concat(chunks, size));
      for (const chunk of chunks) free(chunk);
    });
    body.on('error', reject);
  });
}

/** Frees the memory of bytes that were read from a connection at once, and not when V8 next looks for it. */
function free({ buffer, byteLength }: Buffer): void {
  // Smaller ones may share their memory.
  if (byteLength > LARGEST_SHARED && byteLength * 2 > buffer.byteLength) (buffer as ArrayBuffer).transfer(0);
}

/** In bytes. Node has a pool of 64 KiB or less for small buffers, of which one takes half at most. */
const LARGEST_SHARED = 2 ** 15;

async function gunzip(body: Buffer, status: number, largest: number): Promise<Buffer> {
  const { gunzip: inflate } = process.getBuiltinModule('node:zlib');
  return new Promise((resolve, reject) => {
    inflate(body, { maxOutputLength: largest, info: true }, (error, result) => {
      if ((error as NodeJS.ErrnoException | null)?.code === 'ERR_BUFFER_TOO_LARGE')
        return reject(tooLarge(status, largest));
      if (error) return reject(invalidGzip(status, error.message));
      // With `info`, which its type lacks.
      const { buffer, engine } = result as unknown as { buffer: Buffer; engine: Gunzip };
      if (engine.bytesWritten === body.length) resolve(buffer);
      else reject(invalidGzip(status, TRAILING_BYTES));
    });
  });
}

/** The problem with gzip data that Node decompresses without an error although more bytes follow. */
export const TRAILING_BYTES = 'more bytes follow its end';

/** The error for a body that says it is gzip and is not. */
export function invalidGzip(status: number, problem: string): BodyError {
  return unreadable(status, `it is not valid gzip (${problem})`);
}

function unreadable(status: number, message: string): BodyError {
  return new BodyError('unreadable_response', status, message);
}

function tooLarge(status: number, largest: number): BodyError {
  return new BodyError('response_too_large', status, `it is larger than ${largest} bytes`);
}

/** A byte order mark is no part of the text; `JSON.parse` refuses it. */
function decode(bytes: Buffer): Pick<TransportResponse, 'text' | 'isUtf8'> {
  const { isUtf8 } = process.getBuiltinModule('node:buffer');
  const text = bytes.toString('utf8');
  return { text: text.startsWith('\uFEFF') ? text.slice(1) : text, isUtf8: isUtf8(bytes) };
}

function flattenHeaders(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}
