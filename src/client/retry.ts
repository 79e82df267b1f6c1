import { ApiError, ConnectionError } from './errors.ts';
import { parseHttpDate } from './http-date.ts';

/** The longest wait that a `Retry-After` of the service can ask for, in milliseconds. */
export const RETRY_AFTER_CAP = 60_000;

const BACKOFF_BASE = 500;
const BACKOFF_CAP = 20_000;
const RETRIED_STATUSES = new Set([408, 425, 429, 500, 502, 503, 504]);
const UNPROCESSED_STATUSES = new Set([425, 429]);
const UNPROCESSED_ERRORS = new Set([
  'dns',
  'connection_refused',
  'unreachable',
  'proxy_unreachable',
  'proxy_failed',
]);
/** They fail again until somebody changes something. */
const LASTING_ERRORS = new Set(['tls', 'headers_too_large', 'proxy_refused', 'proxy_credentials']);

/** Headers that make a request depend on the version of what it changes (RFC 9110, 13.1). */
const PRECONDITION = /^if(?:-|$)/;

/** The properties of a request, in addition to its method, that decide whether it may be sent again. */
export type Repeatable = {
  /** It has an idempotency key. */
  readonly hasKey?: boolean;
  /** Its headers; names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
};

/**
 * Whether sending the request again is safe and may help. GET, PUT and what has an idempotency key are repeated after
 * connection errors and temporary statuses; anything else only when the service provably did not process it. So is a change
 * with a precondition: if it was processed, the precondition no longer holds, and the service would refuse the repetition.
 */
export function isRetryable(
  method: string,
  error: unknown,
  { hasKey = false, headers = {} }: Repeatable = {},
): boolean {
  const isConditional = Object.keys(headers).some((name) => PRECONDITION.test(name));
  const idempotent = method === 'GET' || (!isConditional && (hasKey || method === 'PUT'));
  if (error instanceof ApiError)
    return (idempotent ? RETRIED_STATUSES : UNPROCESSED_STATUSES).has(error.status);
  if (!(error instanceof ConnectionError) || LASTING_ERRORS.has(error.code)) return false;
  return idempotent || UNPROCESSED_ERRORS.has(error.code);
}

/**
 * Milliseconds that a `Retry-After` header asks to wait (RFC 9110, 10.2.3): whole seconds or an HTTP date, never
 * negative, at most `RETRY_AFTER_CAP`. `undefined` for a missing or unreadable header.
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim();
  if (!text) return undefined;
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, RETRY_AFTER_CAP);
  const date = parseHttpDate(text, now);
  if (date === undefined) return undefined;
  return Math.min(Math.max(0, date - now), RETRY_AFTER_CAP);
}

/**
 * Milliseconds before retry number `retry` (counted from 1) when the service names none: exponential with full
 * jitter, so that many clients do not come back together. `random` yields 0 (included) to 1 (excluded).
 */
export function backoff(retry: number, random: () => number): number {
  return Math.round(random() * Math.min(BACKOFF_CAP, BACKOFF_BASE * 2 ** (retry - 1)));
}

/** How long to wait before a retry, counted from 1: as long as the service asks for, else a random time. In milliseconds. */
export function delayBefore(error: unknown, retry: number, random: () => number): number {
  const asked = error instanceof ApiError ? parseRetryAfter(error.retryAfter, Date.now()) : undefined;
  return asked ?? backoff(retry, random);
}
