import { stringifyExactJson } from '../json/exact-json.ts';
import { readApiError } from './api-error.ts';
import type { Call, RequestContext } from './call.ts';
import { AbortedError, ApiError, PayctlError, type RequestSummary } from './errors.ts';
import { explainFault } from './explain-fault.ts';
import { fillPath, queryString } from './paths.ts';
import { readDocument } from './read-document.ts';
import type { Reply } from './reply.ts';
import { backoff, isRetryable, parseRetryAfter } from './retry.ts';
import type { TransportResponse } from './transport.ts';
import { sleep, startTimeLimit } from './waiting.ts';

const REQUEST_ID_HEADERS = ['x-request-id', 'request-id', 'x-correlation-id', 'x-amzn-requestid', 'cf-ray'];

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
  readonly body: string | undefined;
};

function prepare(context: RequestContext, call: Call): Prepared {
  const path = context.prefix + fillPath(call.operation.path, call.path) + queryString(call.query ?? {});
  const merchantAccount = call.operation.merchantAccount ? context.merchantAccount : undefined;
  const summary = { method: call.operation.method, path, origin: context.origin, merchantAccount };
  const body = call.body === undefined ? undefined : stringifyExactJson(call.body);
  return { call, summary, body };
}

async function attemptOnce(context: RequestContext, prepared: Prepared, attempt: number): Promise<Reply> {
  const { call, summary, body } = prepared;
  const headers = publicHeaders(context, prepared);
  const authorization = await authorize(context, call);
  if (call.signal?.aborted) throw new AbortedError();
  await context.hooks.onRequest?.({ request: summary, headers, body, attempt });
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
  { call, summary, body }: Prepared,
  { headers, attempt }: Attempt,
): Promise<TransportResponse> {
  const limit = startTimeLimit(context.timeoutMilliseconds, call.signal);
  try {
    const { method } = call.operation;
    return await context.transport.send({ method, path: summary.path, headers, body, signal: limit.signal });
  } catch (error) {
    if (error instanceof PayctlError) throw error;
    if (call.signal?.aborted) throw new AbortedError(call.operation.method !== 'GET');
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

function requestId(response: TransportResponse): string | undefined {
  const name = REQUEST_ID_HEADERS.find((candidate) => response.headers[candidate] !== undefined);
  return name === undefined ? undefined : response.headers[name];
}

function delayBefore(error: PayctlError, retry: number, random: () => number): number {
  const asked = error instanceof ApiError ? parseRetryAfter(error.retryAfter, Date.now()) : undefined;
  return asked ?? backoff(retry, random);
}
