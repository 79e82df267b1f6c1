import { excerpt, readApiError } from './api-error.ts';
import type { Call, RequestContext } from './call.ts';
import { connectionFault, errorCode, faultMeaning } from './connection-fault.ts';
import {
  AbortedError,
  ApiError,
  ConnectionError,
  PayctlError,
  type RequestSummary,
  ResponseError,
  UsageError,
} from './errors.ts';
import { parseExactJson } from './exact-json.ts';
import { fillPath, queryString } from './paths.ts';
import { type Reply, rememberReply } from './reply.ts';
import { backoff, isRetryable, parseRetryAfter } from './retry.ts';
import { BodyError, type TransportResponse } from './transport.ts';

const REQUEST_ID_HEADERS = ['x-request-id', 'request-id', 'x-correlation-id', 'x-amzn-requestid', 'cf-ray'];
/** A longer one would fire at once (the timers of Node count in 32 bits). */
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * Sends a call, again where that is safe, and returns the parsed document; `replyOf` knows its exact text.
 * @throws ApiError, ConnectionError, ResponseError, AbortedError, UsageError, and what the token provider throws.
 */
export async function send(context: RequestContext, call: Call): Promise<object> {
  const prepared = prepare(context, call);
  for (let attempt = 1; ; attempt += 1) {
    try {
      const reply = await attemptOnce(context, prepared, attempt);
      return readDocument(reply);
    } catch (error) {
      if (
        !(error instanceof PayctlError) ||
        attempt > context.maxRetries ||
        !isRetryable(call.operation.method, error)
      ) {
        throw error;
      }
      const delayMilliseconds = delayBefore(error, attempt, context.random);
      context.hooks.onRetry?.({ error, retry: attempt, maxRetries: context.maxRetries, delayMilliseconds });
      await sleep(delayMilliseconds, call.signal);
    }
  }
}

type Prepared = {
  readonly call: Call;
  readonly summary: RequestSummary;
  readonly path: string;
  readonly body: string | undefined;
};

function prepare(context: RequestContext, call: Call): Prepared {
  const path = fillPath(call.operation.path, call.path) + queryString(call.query ?? {});
  const merchantAccount = call.operation.merchantAccount ? context.merchantAccount : undefined;
  const summary = { method: call.operation.method, path, origin: context.origin, merchantAccount };
  const body = call.body === undefined ? undefined : JSON.stringify(call.body);
  return { call, summary, path: context.prefix + path, body };
}

async function attemptOnce(context: RequestContext, prepared: Prepared, attempt: number): Promise<Reply> {
  const { call, summary, body } = prepared;
  const headers = publicHeaders(context, prepared);
  const authorization = await authorize(context, call);
  if (call.signal?.aborted) throw new AbortedError();
  context.hooks.onRequest?.({ request: summary, headers, body, attempt });
  const started = performance.now();
  const response = await exchange(context, prepared, { headers: { ...headers, authorization }, attempt });
  const reply = { ...response, requestId: requestId(response), request: summary, attempts: attempt };
  context.hooks.onResponse?.({ reply, milliseconds: performance.now() - started });
  if (reply.status >= 400) throw readApiError(reply);
  return reply;
}

type Attempt = { readonly headers: Readonly<Record<string, string>>; readonly attempt: number };

/** One request and its response within the time limit. */
async function exchange(
  context: RequestContext,
  { call, summary, path, body }: Prepared,
  { headers, attempt }: Attempt,
): Promise<TransportResponse> {
  const limit = timeLimit(context.timeoutMilliseconds, call.signal);
  try {
    const { method } = call.operation;
    return await context.transport.send({ method, path, headers, body, signal: limit.signal });
  } catch (error) {
    if (error instanceof PayctlError) throw error;
    if (call.signal?.aborted) throw new AbortedError();
    throw explainFault(error, {
      summary,
      attempt,
      timedOutAfter: limit.expired() ? context.timeoutMilliseconds : undefined,
    });
  } finally {
    limit.clear();
  }
}

/** Every header but `authorization`, so that what hooks are shown cannot hold the token. */
function publicHeaders(context: RequestContext, { summary, body }: Prepared): Record<string, string> {
  return {
    accept: 'application/json',
    'accept-encoding': 'gzip',
    'user-agent': context.userAgent,
    ...(summary.merchantAccount === undefined ? {} : { [context.merchantHeader]: summary.merchantAccount }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
}

async function authorize(context: RequestContext, { operation, revealPii }: Call): Promise<string> {
  const pii = revealPii && operation.piiScope ? [operation.piiScope] : [];
  const token = await context.token({
    scopes: [...operation.scopes.slice(0, 1), ...pii],
    accepted: operation.scopes,
  });
  return `Bearer ${token}`;
}

type Failure = {
  readonly summary: RequestSummary;
  readonly attempt: number;
  readonly timedOutAfter: number | undefined;
};

function explainFault(error: unknown, { summary, attempt, timedOutAfter }: Failure): PayctlError {
  if (error instanceof BodyError) {
    const fields = { request: summary, status: error.status, attempts: attempt };
    const message = `The body of the response (${error.status}) cannot be used: ${error.message}`;
    return new ResponseError(error.code, message, fields);
  }
  if (error instanceof Error && errorCode(error) === 'UND_ERR_INVALID_ARG') {
    return new UsageError('bad_header', `The request cannot be sent: ${error.message}`, {
      hint: 'Look for line breaks and unusual characters in the token, the merchant account and its header name.',
    });
  }
  const code = timedOutAfter === undefined ? connectionFault(error) : 'timeout';
  const reason =
    timedOutAfter === undefined
      ? faultMeaning(code, error)
      : `no complete response within ${timedOutAfter} ms`;
  const outcomeUnknown =
    summary.method !== 'GET' && code !== 'dns' && code !== 'connection_refused' && code !== 'tls';
  return new ConnectionError(code, `No answer from ${summary.origin}: ${reason}`, {
    request: summary,
    attempts: attempt,
    outcomeUnknown,
    cause: error,
  });
}

function readDocument(reply: Reply): object {
  const fields = { ...reply, bodyExcerpt: excerpt(reply.text) };
  if (reply.status >= 300) {
    throw new ResponseError(
      'redirect_refused',
      `The service answered ${reply.status} with a redirect, which is not followed`,
      {
        ...fields,
        hint: 'The token goes to the configured base URL alone. Set the base URL to the final address.',
      },
    );
  }
  let document: unknown;
  try {
    document = parseExactJson(reply.text);
  } catch {
    throw new ResponseError(
      'unreadable_response',
      `The answer of the service (${reply.status}) is not JSON`,
      fields,
    );
  }
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    throw new ResponseError(
      'unexpected_shape',
      'The answer of the service is JSON, but not an object',
      fields,
    );
  }
  return rememberReply(document, reply);
}

function requestId(response: TransportResponse): string | undefined {
  const name = REQUEST_ID_HEADERS.find((candidate) => response.headers[candidate] !== undefined);
  return name === undefined ? undefined : response.headers[name];
}

function delayBefore(error: PayctlError, retry: number, random: () => number): number {
  const asked = error instanceof ApiError ? parseRetryAfter(error.retryAfter, Date.now()) : undefined;
  return asked ?? backoff(retry, random);
}

/** One time limit for connection, headers and body together, joined with the caller's own signal. */
function timeLimit(milliseconds: number, outer: AbortSignal | undefined) {
  const controller = new AbortController();
  let expired = false;
  const abort = () => controller.abort();
  const timer = setTimeout(
    () => {
      expired = true;
      abort();
    },
    Math.min(milliseconds, LONGEST_TIMER),
  );
  if (outer?.aborted) abort();
  outer?.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    expired: () => expired,
    clear: () => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', abort);
    },
  };
}

function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(new AbortedError());
    const timer = setTimeout(done, milliseconds);
    const abort = () => {
      clearTimeout(timer);
      reject(new AbortedError());
    };
    function done() {
      signal?.removeEventListener('abort', abort);
      resolve();
    }
    signal?.addEventListener('abort', abort, { once: true });
  });
}
