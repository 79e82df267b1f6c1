import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A request as it arrived, its body read to the end. */
export type RecordedRequest = {
  readonly method: string;
  /** Path and query as on the wire. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The body unchanged. */
  readonly bytes: Buffer;
  /** `performance.now()` of its arrival, in milliseconds. */
  readonly at: number;
};

/** Answers a request, or leaves it unanswered. */
export type Handler = (request: RecordedRequest, response: ServerResponse) => void;

/** An answer that needs no code: an object as body is sent as JSON, text and bytes as they are. */
export type Answer = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | object;
};

/** A running server on a free port of 127.0.0.1. */
export type TestServer = {
  readonly origin: string;
  readonly requests: readonly RecordedRequest[];
  /** How many connections were opened to it so far. */
  connections(): number;
  /** Breaks what is still open. */
  close(): Promise<void>;
};

/** Certificate and private key as PEM; with them the server speaks https. */
type Credentials = { readonly cert: string; readonly key: string };

/** Starts a server that records every request and then calls `handler`. */
export async function startServer(handler: Handler, credentials?: Credentials): Promise<TestServer> {
  const requests: RecordedRequest[] = [];
  let connections = 0;
  const listener: RequestListener = async (request, response) => {
    const at = performance.now();
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      return; // The client went away in the middle of its request.
    }
    const { method = '', url = '', headers } = request;
    const bytes = Buffer.concat(chunks);
    const recorded = { method, url, headers, body: bytes.toString(), bytes, at };
    requests.push(recorded);
    handler(recorded, response);
  };
  const server = credentials ? createTlsServer(credentials, listener) : createServer(listener);
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `${credentials ? 'https' : 'http'}://127.0.0.1:${port}`,
    requests,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * A handler that gives one answer after the other. A request beyond the last one is answered with 418, which no test
 * expects and no client repeats.
 */
export function answers(script: readonly (Answer | Handler)[]): Handler {
  let next = 0;
  return (request, response) => {
    const answer = script[next] ?? { status: 418, body: `the script has ${script.length} answers` };
    next += 1;
    if (typeof answer === 'function') answer(request, response);
    else sendAnswer(answer, response);
  };
}

/** Sends an answer whole. */
export function sendAnswer(
  { status = 200, headers = {}, body = '' }: Answer,
  response: ServerResponse,
): void {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  const bytes = Buffer.from(isRaw ? body : JSON.stringify(body));
  const type = isRaw ? {} : { 'content-type': 'application/json' };
  response.writeHead(status, { ...type, 'content-length': bytes.length, ...headers });
  response.end(bytes);
}
