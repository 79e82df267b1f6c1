import type {
  NeededScopes,
  QueryParameter,
  RequestCredentials,
  SecurityScheme,
} from '../contract/operation.ts';
import { MASK } from '../contract/secret-names.ts';
import type { BytesBody } from '../descriptions/byte-source.ts';
import { AbortedError, PayctlError, UsageError } from '../errors.ts';
import { stringifyExactJson } from '../json/exact.ts';
import { isObject, own } from '../json/is-object.ts';
import { FORM_TYPE } from '../text/format.ts';
import type { Call, QueryValue, RequestContext } from './call.ts';
import { elapsedMs } from './clock.ts';
import { toTypedError } from './connection-error.ts';
import { type Deadline, sleep, startDeadline } from './deadline.ts';
import { ApiError, type RequestSummary } from './errors.ts';
import { type RawResponse, type Received, readApiError, readDocument } from './response.ts';
import { delayBefore, isRetryable } from './retry.ts';
import { type Receive, type TransportResponse, UnsentError, untilSent } from './transport.ts';

const REQUEST_ID_HEADERS = ['x-request-id', 'request-id', 'x-correlation-id', 'x-amzn-requestid', 'cf-ray'];

/**
 * Sends a call, again where that is safe, and returns the parsed document with its response.
 * @throws ApiError, ConnectionError, ResponseError, AbortedError, UsageError, and what the token provider throws.
 */
export async function send(context: RequestContext, call: Call): Promise<object & Received> {
  const prepared = prepare(context, call);
  const { maxRetries = context.maxRetries } = call;
  let isUnknown = false;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await call.pace?.take(call.signal);
      const response = await attemptOnce(context, prepared, attempt).finally(() => call.pace?.ended());
      if (call.prefetch) {
        call.prefetch(response.text);
        await untilSent();
      }
      const document = readDocument(response, call);
      if (call.operation.method !== 'GET') context.hooks.onChanged?.({ document });
      return document;
    } catch (error) {
      if (
        !(error instanceof PayctlError) ||
        attempt > maxRetries ||
        call.receiver?.hasPassedOn ||
        isUsedUp(prepared) ||
        !isRetryable(call.operation.method, error, prepared)
      ) {
        throw afterAttempts(error, isUnknown, prepared);
      }
      isUnknown ||= error.outcomeUnknown;
      const delayMilliseconds = delayBefore(error, attempt, context.random);
      if (error instanceof ApiError && error.retryAfter !== undefined) call.pace?.pause(delayMilliseconds);
      context.hooks.onRetry?.({ error, retry: attempt, maxRetries, delayMilliseconds });
      await sleep(delayMilliseconds, call.signal).catch((aborted: unknown) => {
        throw afterAttempts(aborted, isUnknown, prepared);
      });
    }
  }
}

/** The error that ends a call, which tells of an earlier attempt that may have been processed. */
function afterAttempts(error: unknown, isUnknown: boolean, { summary }: Prepared): unknown {
  if (!(error instanceof PayctlError)) return error;
  if (isUnknown) error.outcomeUnknown = true;
  if (summary.idempotency) error.idempotencyKey = summary.idempotency.key;
  return error;
}

type Prepared = {
  readonly call: Call;
  readonly summary: RequestSummary & { readonly needed: NeededScopes };
  readonly body: string | BytesBody | undefined;
  /** All headers except those of the credentials, so that hooks never get them. */
  readonly headers: Readonly<Record<string, string>>;
  readonly hasKey: boolean;
};

/** Whether the body can be sent only once. */
function isUsedUp({ body }: Prepared): boolean {
  return typeof body === 'object' && !body.canRepeat;
}

function prepare(context: RequestContext, given: Call): Prepared {
  const { call, idempotency } = withKey(given);
  const { operation } = call;
  const merchantAccount = operation.merchantAccount
    ? (call.merchantAccount ?? context.merchantAccount)
    : undefined;
  if (operation.needsMerchantAccount && merchantAccount === undefined)
    throw new UsageError(
      'no_merchant_account',
      `${operation.method} ${operation.path} needs a merchant account`,
      {
        hint: 'Nothing was sent. Add --merchant-account ID, or store it: payctl profiles set NAME --merchant-account ID',
      },
    );
  const summary = {
    method: operation.method,
    path: call.target ?? pathAndQuery(context, call),
    origin: context.origin,
    merchantAccount,
    needed: neededScopes(call),
    idempotency,
  };
  const { body: value, encode = stringifyExactJson } = call;
  const body = value === undefined ? undefined : encode(value);
  const headers = publicHeaders(context, { call, summary, body });
  return { call, summary, body, headers, hasKey: summary.idempotency !== undefined };
}

function pathAndQuery({ prefix, hooks }: RequestContext, { operation, path, query }: Call): string {
  const own = prefix + fillPath(operation.path, path);
  return withQuery(own, { ...query, ...hooks.query?.(operation) }, operation.query);
}

/** A path with further parameters; it may have a query already. */
function withQuery(
  path: string,
  values: Parameters<typeof queryString>[0] = {},
  parameters?: Parameters<typeof queryString>[1],
): string {
  const text = queryString(values, parameters);
  return path + (path.includes('?') ? text.replace('?', '&') : text);
}

/** The credentials of a request with a mask instead of each value. */
function maskCredentials({ headers, query = {} }: RequestCredentials): RequestCredentials {
  const masked = (value: string) => (/^(?:Basic|Bearer) /.exec(value)?.[0] ?? '') + MASK;
  const all = (values: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, masked(value)]));
  return { headers: all(headers), query: all(query) };
}

/** One key for all attempts of a call, in the header, the body, or both. A body may have its own. */
function withKey(call: Call): { readonly call: Call } & Pick<RequestSummary, 'idempotency'> {
  const { operation, body } = call;
  const { idempotencyHeader: header, idempotencyMember: member } = operation;
  const isInBody = member !== undefined && isObject(body);
  if (header === undefined && !isInBody) return { call, idempotency: undefined };
  const { idempotencyKey = globalThis.crypto.randomUUID() } = call;
  if (!isInBody) return { call, idempotency: { header, key: idempotencyKey } };
  const whole = { [member]: idempotencyKey, ...body };
  const key = whole[member];
  const isKey = typeof key === 'string' && key !== '';
  return { call: { ...call, body: whole }, idempotency: isKey ? { header, key } : undefined };
}

async function attemptOnce(
  context: RequestContext,
  prepared: Prepared,
  attempt: number,
): Promise<RawResponse> {
  const { call, summary, body, headers } = prepared;
  const given = await context.token(summary.needed);
  const credentials = typeof given === 'string' ? { headers: { authorization: `Bearer ${given}` } } : given;
  if (call.signal?.aborted) throw new AbortedError();
  const shown = typeof body === 'object' ? { parts: body.parts } : { body };
  const masked = maskCredentials(credentials);
  await context.hooks.onRequest?.({
    request: summary,
    call,
    headers,
    credentials: masked,
    ...shown,
    attempt,
  });
  const started = elapsedMs();
  const received = await exchange(context, prepared, { credentials, attempt });
  const response = { ...received, requestId: requestId(received), request: summary, attempts: attempt };
  context.hooks.onResponse?.({ reply: response, milliseconds: elapsedMs() - started });
  if (!received.isUtf8) context.hooks.onReplacedBytes?.({ reply: response });
  if (response.status >= 400) throw readApiError(response);
  return response;
}

type Attempt = { readonly credentials: RequestCredentials; readonly attempt: number };

/** One request and its response within the time limit. */
async function exchange(
  context: RequestContext,
  { call, summary, body, headers }: Prepared,
  { credentials, attempt }: Attempt,
): Promise<TransportResponse> {
  const limit = startDeadline(context.timeoutMilliseconds, call.signal);
  const isChange = call.operation.method !== 'GET';
  let hasBegun = false;
  let hasPieces = false;
  const onPiece = () => {
    hasPieces = true;
  };
  try {
    const { method } = call.operation;
    const { receiver } = call;
    const receive: Receive = (start) => {
      const bytes = receiver?.receive(start, limit);
      hasBegun = bytes !== undefined;
      return bytes;
    };
    return await context.transport.send({
      method,
      path: withQuery(summary.path, credentials.query),
      headers: { ...headers, ...credentials.headers },
      body: typeof body === 'object' ? withinLimit(body, limit, onPiece) : body,
      signal: limit.signal,
      receive,
    });
  } catch (caught) {
    const isUnsent = caught instanceof UnsentError;
    const error = isUnsent ? caught.cause : caught;
    if (error instanceof PayctlError)
      error.outcomeUnknown = !isUnsent && (error.outcomeUnknown || (isChange && hasPieces));
    if (error instanceof PayctlError || (call.receiver && error === call.receiver.failure)) throw error;
    if (call.signal?.aborted) throw new AbortedError(isChange && !isUnsent);
    throw toTypedError(error, {
      summary,
      attempt,
      timedOutAfter: limit.expired() ? context.timeoutMilliseconds : undefined,
      hasBegun,
      isUnsent,
      withoutProxy: context.withoutProxy,
    });
  } finally {
    limit.clear();
  }
}

/** The pieces of a body: the time limit is one for each of them, and for the response after the last. */
async function* withinLimit(
  body: BytesBody,
  limit: Deadline,
  onPiece: () => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const piece of body.pieces()) {
    onPiece();
    yield piece;
    limit.restart();
  }
}

function publicHeaders(
  context: RequestContext,
  { call, summary, body }: Pick<Prepared, 'call' | 'summary' | 'body'>,
): Record<string, string> {
  const { header, key = '' } = summary.idempotency ?? {};
  return {
    ...withoutOwn(call.headers),
    accept: call.accept ?? call.operation.responseType ?? 'application/json',
    'accept-encoding': 'gzip',
    'user-agent': context.userAgent,
    ...(summary.merchantAccount === undefined ? {} : { [context.merchantHeader]: summary.merchantAccount }),
    ...contentHeaders(body, call),
    ...(header === undefined ? {} : { [header.toLowerCase()]: key }),
  };
}

function contentHeaders(
  body: string | BytesBody | undefined,
  { contentType, operation: { method } }: Call,
): Record<string, string> {
  // Services refuse a form without fields if its type is missing.
  if (body === undefined)
    return contentType === FORM_TYPE && method !== 'DELETE' ? { 'content-type': FORM_TYPE } : {};
  if (typeof body === 'string') return { 'content-type': contentType ?? 'application/json' };
  const { size } = body;
  return {
    'content-type': body.contentType,
    ...(size !== undefined && { 'content-length': String(size) }),
  };
}

/** Headers that a call never decides: where the request goes, who sends it, and where it ends. */
const OWN_HEADER = /^(?:authorization|host|connection|transfer-encoding|content-(?:length|type))$/i;

/** Names in lower case, as the client writes its own: a header must not be sent twice. */
function withoutOwn(headers: Call['headers'] = {}): Record<string, string> {
  const others = Object.entries(headers).filter(([name]) => !OWN_HEADER.test(name));
  return Object.fromEntries(others.map(([name, value]) => [name.toLowerCase(), value]));
}

function neededScopes(call: Call): NeededScopes {
  const { security } = call.operation;
  return { ...scopesOf(call), ...(security && { security: security.map((all) => withoutGiven(all, call)) }) };
}

/** The credentials that are not among the headers and parameters of the call. */
function withoutGiven(schemes: readonly SecurityScheme[], { headers = {}, query = {} }: Call) {
  const given = {
    header: new Set(Object.keys(headers).map((name) => name.toLowerCase())),
    query: new Set(Object.keys(query)),
  };
  return schemes.filter(
    (scheme) => scheme.type !== 'apiKey' || scheme.in === 'cookie' || !given[scheme.in].has(scheme.name),
  );
}

function scopesOf({ operation, revealPii, scopes }: Call): NeededScopes {
  const pii = revealPii && operation.piiScope ? [operation.piiScope] : [];
  if (scopes) return { scopes: [...scopes, ...pii], accepted: [] };
  if (operation.needsAllScopes) return { scopes: [...operation.scopes, ...pii], accepted: [] };
  return { scopes: [...operation.scopes.slice(0, 1), ...pii], accepted: operation.scopes };
}

function requestId(response: TransportResponse): string | undefined {
  const name = REQUEST_ID_HEADERS.find((candidate) => response.headers[candidate] !== undefined);
  return name && response.headers[name];
}

/**
 * Fills the `{name}` parts of a path of the contract with percent-encoded values.
 * @throws UsageError `bad_path_value` for a value that is missing, empty, `.` or `..`, which would address another
 * resource than the caller meant.
 */
export function fillPath(template: string, values: NonNullable<Call['path']> = {}): string {
  return template.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const value = own(values, name) ?? '';
    if (typeof value === 'string') return segmentOf(name, value);
    return value.length === 0 ? segmentOf(name, '') : value.map((one) => segmentOf(name, one)).join(',');
  });
}

function segmentOf(name: string, value: string): string {
  if (value !== '' && value !== '.' && value !== '..' && value.isWellFormed())
    return encodeURIComponent(value);
  throw new UsageError('bad_path_value', `${name} cannot be ${JSON.stringify(value)}`, {
    hint: `Use the ${name} as the service shows it, for example 8b1f5c0e-6c1d-4b52-9a53-2f1f0d9c8f11.`,
  });
}

/**
 * The query string (with its `?`) of the values that are set, in the order given; empty when there are none. The key of a
 * list is repeated for each of its values, unless its parameter has a separator.
 */
export function queryString(
  query: Readonly<Record<string, QueryValue | null>>,
  parameters: Readonly<Record<string, Pick<QueryParameter, 'separator' | 'pairs'>>> = {},
): string {
  let text = '';
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    const { separator, pairs } = (Object.hasOwn(parameters, name) && parameters[name]) || {};
    if (pairs) {
      text += pairsText(name, [value].flat(), text === '' ? '?' : '&');
      continue;
    }
    const key = encodeURIComponent(name);
    const values = (Array.isArray(value) ? value : [value]).map(encodeQueryValue);
    const texts = separator && values.length > 0 ? [values.join(SEPARATORS[separator])] : values;
    for (const one of texts) text += `${text === '' ? '?' : '&'}${key}=${one}`;
  }
  return text;
}

/** Values of the form `KEY=VALUE` as `name[KEY]=VALUE`. */
function pairsText(name: string, values: readonly unknown[], start: '?' | '&'): string {
  const texts = values.map((value) => {
    const [, key = '', rest = ''] = /([^=]*)=?(.*)/s.exec(String(value)) ?? [];
    return `${encodeQueryValue(`${name}[${key}]`)}=${encodeQueryValue(rest)}`;
  });
  return texts.length === 0 ? '' : start + texts.join('&');
}

/** Separators as they are written in a query; a comma needs no encoding. */
const SEPARATORS = { ',': ',', ' ': '%20', '|': '%7C' } as const;

function encodeQueryValue(value: unknown): string {
  return encodeURIComponent(String(value).toWellFormed());
}

/** Options of every call that gives one document. */
export type DocumentOptions = { readonly signal?: AbortSignal | undefined };

/**
 * Sends a call whose response is one document of the contract. The shape is the service's word: fields that it adds or
 * leaves out are not an error.
 */
export async function callDocument<T extends object>(context: RequestContext, call: Call): Promise<T> {
  return (await send(context, call)) as T;
}
