import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Faults } from './faults/inject.ts';
import { merchantAccountOf } from './http/access.ts';
import { answerRequest, type Service } from './http/answer-request.ts';
import { type EmulatorResponse, errorAnswer, HttpError, jsonType, sendAnswer } from './http/response.ts';
import { instancePath, proveInstance } from './instance.ts';
import { type FailedExchange, recordApiLog } from './resources/api-logs.ts';

/** One line of the request log. `path` is path and query as the client sent them, to be shown only sanitised. */
export type RequestLine = {
  readonly method: string;
  readonly path: string;
  /** 0 where a planned fault ended the connection without an answer. */
  readonly status: number;
  readonly milliseconds: number;
};

type ListenerOptions = {
  /** Secret of this run, see `proveInstance`. */
  readonly nonce: string;
  /** Base URL that the API logs are written with. */
  readonly baseUrl: () => string;
  readonly onRequest: ((line: RequestLine) => void) | undefined;
  /** The faults that were asked for, if any. */
  readonly faults: Faults | undefined;
};

/** Makes the function that serves every request of an emulator: answers, keeps the API log, tells `onRequest`. */
export function createRequestListener(service: Service, options: ListenerOptions) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    // What fails here fails beside an answer, or in the caller's `onRequest`; the emulator lives on.
    serve(service, options, { request, response }).catch(() => response.destroy());
  };
}

type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse };

async function serve(service: Service, options: ListenerOptions, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const start = performance.now();
  const receivedAt = service.now();
  const [method, path] = [request.method ?? '', request.url ?? ''];
  if (method === 'GET' && path.split('?', 1)[0] === instancePath) {
    sendAnswer(response, identify(options.nonce, path));
    return;
  }
  const fault = options.faults?.(method, path);
  const run = () => answerRequest(service, request);
  const answer = fault === undefined ? await run() : await fault.answer(run, response);
  // Nobody is there to be answered: the client has gone, or the emulator is closing.
  if (response.destroyed || request.socket.destroyed) return;
  const tell = (status: number) =>
    options.onRequest?.({ method, path, status, milliseconds: performance.now() - start });
  if (fault?.isDropped) {
    request.socket.destroy();
    tell(0);
    return;
  }
  const { status, body } = answer;
  if (status >= 400) {
    const url = options.baseUrl() + path;
    const merchantAccount = merchantAccountOf(request, service.merchantHeader);
    const sentAt = service.now();
    keepLog(service, { method, url, receivedAt, sentAt, status, body: body.toString(), merchantAccount });
  }
  if (fault === undefined) sendAnswer(response, answer);
  else await fault.send(response, answer);
  tell(status);
}

function keepLog(service: Service, failed: FailedExchange): void {
  try {
    recordApiLog(service.database, failed);
  } catch {
    // A full disk or a locked database costs the log, never the answer.
  }
}

function identify(nonce: string, path: string): EmulatorResponse {
  const challenge = /[?&]challenge=([\w-]+)/.exec(path)?.[1] ?? '';
  return { status: 200, body: JSON.stringify({ type: 'emulator', proof: proveInstance(nonce, challenge) }) };
}

/**
 * Answers what is not HTTP, or has headers beyond Node's limits, with a 400 of the contract's shape. There is no
 * request to speak of, so no API log is kept.
 */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const message = 'the request is not valid HTTP, or its headers are too large';
  const details = [{ type: 'value_error.http', pointer: '', message, location: 'header' }];
  const { body } = errorAnswer(new HttpError('bad_request', { details }));
  const head = [
    'HTTP/1.1 400 Bad Request',
    `content-type: ${jsonType}`,
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${process.getBuiltinModule('node:crypto').randomUUID()}`,
    `date: ${new Date().toUTCString()}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
