import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Faults } from './faults/inject.ts';
import { merchantAccountOf } from './http/access.ts';
import { handleRequest, type Interference, loggedTarget, type Service } from './http/handle-request.ts';
import {
  badRequest,
  type EmulatorResponse,
  errorResponse,
  HttpError,
  jsonType,
  sendResponse,
} from './http/response.ts';
import { instancePath, proveInstance, proveQuestion, proveStop } from './instance.ts';
import { type FailedExchange, recordApiLog } from './resources/api-logs.ts';
import { descriptionServed } from './served-description.ts';

/** One line of the request log. `path` is path and query as the client sent them, without API keys, to be shown only sanitised. */
export type RequestLine = {
  readonly method: string;
  readonly path: string;
  /** 0 without a response: a planned fault ended the connection, or the client did. */
  readonly status: number;
  /** When the request arrived. */
  readonly receivedAt: Date;
  readonly milliseconds: number;
};

type ListenerOptions = {
  /** Secret of this run, see `proveInstance`. */
  readonly nonce: string;
  /** Base URL that the API logs are written with. */
  readonly baseUrl: () => string;
  readonly onRequest: ((line: RequestLine) => void) | undefined;
  readonly onStop: (() => void) | undefined;
  /** The faults that were asked for, if any. */
  readonly faults: Faults | undefined;
  /** What it does as traffic, in words. */
  readonly traffic: string | undefined;
};

/** Makes the function that serves every request of an emulator: responds, keeps the API log, calls `onRequest`. */
export function createRequestListener(service: Service, options: ListenerOptions) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    // What fails here is the writing of a response, or the caller's `onRequest`; the emulator keeps running.
    serve(service, options, { request, response }).catch(() => response.destroy());
  };
}

type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse };

async function serve(service: Service, options: ListenerOptions, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const start = performance.now();
  const receivedAt = service.now();
  const [method, path] = [request.method ?? '', request.url ?? ''];
  if (isOfForeignPage(request)) {
    const message = 'The emulator does not take requests from web pages of other sites';
    sendResponse(response, errorResponse(new HttpError('forbidden', { message })));
    options.onRequest?.({ method, path, status: 403, receivedAt, milliseconds: performance.now() - start });
    return;
  }
  const isOfInstance = path.split('?', 1)[0] === instancePath;
  if (isOfInstance && method === 'GET') {
    sendResponse(response, await identify(service, options, path));
    return;
  }
  if (isOfInstance && method === 'POST') {
    stop(options, path, response);
    return;
  }
  const fault = options.faults?.(method, path);
  const requestId = process.getBuiltinModule('node:crypto').randomUUID();
  const run = (interference?: Interference) =>
    handleRequest(service, request, { ...interference, requestId });
  const prepared = fault === undefined ? await run() : await fault.prepare(run, response);
  const outgoing = { ...prepared, requestId };
  const { status, body, logged = body.toString() } = outgoing;
  const target = status >= 400 || options.onRequest ? await loggedTarget(service, path) : path;
  const report = (status: number) =>
    options.onRequest?.({
      method,
      path: target,
      status,
      receivedAt,
      milliseconds: performance.now() - start,
    });
  // The client has gone, or the emulator is closing.
  const isGone = response.destroyed || request.socket.destroyed;
  if (isGone || fault?.isDropped) {
    request.socket.destroy();
    report(0);
    return;
  }
  if (status >= 400) {
    const url = options.baseUrl() + target;
    const merchantAccount = merchantAccountOf(request, service.merchantHeader);
    const sentAt = service.now();
    const exchange = { requestId, method, url, receivedAt, sentAt, status, merchantAccount };
    keepLog(service, { ...exchange, body: logged });
  }
  if (fault === undefined) sendResponse(response, outgoing);
  else await fault.send(response, outgoing);
  report(status);
}

const loopback = /^(localhost|([\w-]+\.)+localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/**
 * Whether a browser says that a page of another site sends the request, or the request is for another host than this
 * machine, as one of a page is whose name was made to lead here. Such requests leave nothing behind, not even a log.
 */
function isOfForeignPage({ headers }: IncomingMessage): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (host !== undefined && !loopback.test(host)) return true;
  if (origin !== undefined && origin !== `http://${host ?? ''}`) return true;
  return site === 'cross-site' || site === 'same-site';
}

function keepLog(service: Service, failed: FailedExchange): void {
  try {
    recordApiLog(service.database, failed);
  } catch {
    // A full disk or a locked database costs the log, never the response.
  }
}

/** Proves which instance it is. If the request proves knowledge of the nonce, says which description the emulator serves, and its traffic. */
async function identify(
  { imported }: Service,
  { nonce, traffic }: ListenerOptions,
  path: string,
): Promise<EmulatorResponse> {
  const challenge = /[?&]challenge=([\w-]+)/.exec(path)?.[1] ?? '';
  const isAsked = /[?&]question=([\w-]+)/.exec(path)?.[1] === proveQuestion(nonce);
  const open = isAsked ? await imported?.().catch(() => undefined) : undefined;
  const description = open && descriptionServed(open.index);
  const asked = isAsked && { description, traffic };
  const members = { type: 'emulator', proof: proveInstance(nonce, challenge), ...asked };
  return { status: 200, body: JSON.stringify(members) };
}

/** Ends the emulator after the response, if the request proves that it comes from a holder of the nonce. */
function stop({ nonce, onStop }: ListenerOptions, path: string, response: ServerResponse): void {
  const given = /[?&]stop=([\w-]+)/.exec(path)?.[1];
  const accepted = onStop !== undefined && given === proveStop(nonce);
  if (accepted) response.once('close', onStop);
  sendResponse(response, { status: accepted ? 202 : 403, body: JSON.stringify({ type: 'emulator' }) });
}

/**
 * Rejects what is not HTTP, or has headers beyond Node's limits, with a 400 of the contract's shape. There is no
 * request to speak of, so no API log is kept.
 */
export function rejectBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const message = 'the request is not valid HTTP, or its headers are too large';
  endConnection(socket, '400 Bad Request', badRequest('header', 'value_error.http', message));
}

/** Rejects a request for a tunnel with a 405 of the contract's shape: Node would end the connection without a response. */
export function rejectTunnel(_request: IncomingMessage, socket: Socket): void {
  endConnection(socket, '405 Method Not Allowed\r\nallow:', new HttpError('method_not_allowed'));
}

function endConnection(socket: Socket, status: string, error: HttpError): void {
  const { body } = errorResponse(error);
  const head = [
    `HTTP/1.1 ${status}`,
    `content-type: ${jsonType}`,
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${process.getBuiltinModule('node:crypto').randomUUID()}`,
    `date: ${new Date().toUTCString()}`,
    'connection: close',
  ];
  // The socket of a tunnel has no other listener: an error would end the process. Nothing but this closes it.
  socket.on('error', () => {});
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
