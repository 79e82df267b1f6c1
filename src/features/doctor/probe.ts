import { describeFailure } from '../../cli/failure/describe.ts';
import { isPage } from '../../cli/failure/diagnosis.ts';
import { callProbe, type Outcome, type ProbeId } from '../../cli/routing/catalog/probes.ts';
import type { ClientHooks } from '../../client/call.ts';
import { type Client, type ClientOptions, createClient } from '../../client/client.ts';
import { toTypedError } from '../../client/connection-error.ts';
import { type Limits, startDeadline } from '../../client/deadline.ts';
import { ApiError, ResponseError } from '../../client/errors.ts';
import { parseHttpDate } from '../../client/http-date.ts';
import type { NetworkOptions } from '../../client/network/options.ts';
import { redirectHint } from '../../client/redirect.ts';
import { createTransport } from '../../client/transport.ts';
import { AbortedError, type PayctlError } from '../../errors.ts';
import { formatDuration } from '../../text/format.ts';
import { type CheckResult, fail, pass, warn } from './finding.ts';

/** A response of the service, whatever it says. */
export type ProbeResponse = Exchange & { readonly status: number };

/** What the first request to the service gave: its response, and with credentials the result of the call. */
export type FirstContact = { readonly response: ProbeResponse; readonly outcome?: Outcome | undefined };

/** Statuses of a service that does not have an operation, where the request names no record. */
const MISSING = new Set([404, 405, 501]);

/** Whether the service does not have the operation that was called. */
export function isMissing({ status }: Outcome): boolean {
  return status !== undefined && MISSING.has(status);
}

/**
 * Calls the first of these lists that the service has, for one item: a documented request, which leaves no entry in the
 * logs of a service where everything works. It tells whether the service responds, its time, and what it thinks of the token.
 * @throws ConnectionError or ResponseError without a response, AbortedError
 */
export async function callFirst(
  options: ClientOptions,
  ids: readonly ProbeId[],
  signal: AbortSignal,
): Promise<FirstContact> {
  let sentAt = 0;
  let response: ProbeResponse | undefined;
  let outcome: Outcome = { status: undefined };
  const hooks: ClientHooks = {
    ...options.hooks,
    async onRequest(event) {
      await options.hooks?.onRequest?.(event);
      sentAt = Date.now();
    },
    onResponse(event) {
      options.hooks?.onResponse?.(event);
      response = {
        status: event.reply.status,
        headers: event.reply.headers,
        sentAt,
        milliseconds: event.milliseconds,
      };
    },
  };
  await withClient({ ...options, hooks }, async (client) => {
    for (const id of ids) {
      outcome = await callProbe(client, id, signal);
      if (!isMissing(outcome)) return;
    }
  });
  if (response) return { response, outcome };
  throw outcome.error ?? new AbortedError();
}

/** Makes a client for some calls and closes it. */
export async function withClient<T>(options: ClientOptions, use: (client: Client) => Promise<T>): Promise<T> {
  const client = createClient(options);
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

/**
 * Asks for a URL without a token, whether anything speaks HTTP there.
 * @throws ConnectionError or ResponseError without a response, AbortedError
 */
export async function probe(
  url: URL,
  userAgent: string,
  limits: Limits & { readonly network?: NetworkOptions | undefined },
): Promise<ProbeResponse> {
  const { origin } = url;
  const path = url.pathname + url.search;
  const transport = createTransport(origin, limits.timeoutMs, limits.network);
  const limit = startDeadline(limits.timeoutMs, limits.signal);
  const sentAt = Date.now();
  const started = performance.now();
  try {
    const headers = { accept: 'application/json', 'user-agent': userAgent };
    const reply = await transport.send({ method: 'GET', path, headers, signal: limit.signal });
    return { ...reply, sentAt, milliseconds: performance.now() - started };
  } catch (error) {
    if (limits.signal.aborted) throw new AbortedError();
    throw toTypedError(error, {
      summary: { method: 'GET', path, origin },
      attempt: 1,
      timedOutAfter: limit.expired() ? limits.timeoutMs : undefined,
      withoutProxy: limits.network?.withoutProxy,
    });
  } finally {
    limit.clear();
    await transport.close();
  }
}

/** Whether the responses seem to come from the service. */
export type Responder = 'service' | 'failing' | 'elsewhere';

/** Evaluates the first response: that of the service passes, unless it is a 5xx; that of a portal, a proxy or another server fails. */
export function evaluateResponse(
  contact: FirstContact,
  baseUrl: URL,
): CheckResult & { readonly from: Responder } {
  const { status, milliseconds } = contact.response;
  const facts = { status, milliseconds: Math.round(milliseconds) };
  const speed = `in ${facts.milliseconds} ms`;
  const other = otherThanService(contact, baseUrl);
  if (other) {
    const message = `${other.what} responds ${speed} instead of the service (${status})`;
    return { ...fail(message, other.remedy, facts), from: 'elsewhere' };
  }
  if (status < 500) return { ...pass(`the service responds ${speed}`, facts), from: 'service' };
  const message = `the service responds ${speed} with an error (${status})`;
  const remedy = 'Try again later, or contact the operator of the service.';
  return { ...fail(message, remedy, facts), from: 'failing' };
}

type Other = { readonly what: string; readonly remedy: string };

/** What responds instead of the service, and what to do about it; undefined if it may be the service. */
function otherThanService({ response, outcome }: FirstContact, baseUrl: URL): Other | undefined {
  const { status, headers } = response;
  if (status === 407) {
    const remedy =
      'Add the credentials to the address of the proxy: HTTPS_PROXY=http://USER:PASSWORD@HOST:PORT';
    return { what: 'a proxy that requires credentials', remedy };
  }
  if (status >= 300 && status < 400 && status !== 304) {
    return { what: 'a redirect', remedy: redirectHint({ status, headers, request: baseUrl }) };
  }
  const { error } = outcome ?? {};
  const hasPage = (error instanceof ApiError || error instanceof ResponseError) && isPage(error.bodyExcerpt);
  const isHtml = hasPage || /^text\/html\b/i.test(headers['content-type'] ?? '');
  if (isHtml && status < 500) return { what: 'a web page', remedy: remedyForPage(status) };
  if (!(error instanceof ResponseError) || status >= 300) return undefined;
  return { what: 'another server', remedy: CHECK_BASE_URL };
}

/** What to do where the base URL leads to something else. */
export const CHECK_BASE_URL = 'Check that the base URL points to the service.';

function remedyForPage(status: number): string {
  if (status < 300) {
    return 'Open the base URL in a browser: the network may require you to sign in, or the base URL is wrong.';
  }
  if (MISSING.has(status)) return CHECK_BASE_URL;
  return 'Ask the operator of the proxy or firewall in front of the service to let this machine through.';
}

/** Evaluates a request without a usable response. */
export function evaluateNoResponse(error: PayctlError): CheckResult {
  const { message, hint, probably } = describeFailure(error);
  const [reason] = probably ?? [];
  return fail(message, hint ?? (reason && `Probably ${reason}.`));
}

/** When a request was sent and how long its response took, by the clock of this machine. */
export type Exchange = {
  /** Milliseconds since 1970. */
  readonly sentAt: number;
  readonly milliseconds: number;
  /** Of the response; lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
};

const GOOD_SECONDS = 5;
const BEARABLE_SECONDS = 60;
/** How long a token that payctl signs is valid. */
const LIFETIME_SECONDS = 300;

const SET_CLOCK: Readonly<Record<string, string>> = {
  darwin: 'Set the clock of this machine: sudo sntp -sS time.apple.com',
  linux: 'Set the clock of this machine: sudo timedatectl set-ntp true',
  win32: 'Set the clock of this machine: w32tm /resync',
};

/**
 * Seconds that this machine's clock is ahead of the service's, negative when it is behind; undefined without a usable
 * `Date` header. The header has whole seconds; the estimate assumes the middle of that second and of the round trip.
 */
export function clockSkew({ sentAt, milliseconds, headers }: Exchange): number | undefined {
  const { date = '', age = '' } = headers;
  const serverTime = parseHttpDate(date, sentAt);
  if (serverTime === undefined) return undefined;
  // A cache sends the date of the original response, and its age in seconds.
  const stored = /^\d{1,9}$/.test(age) ? Number(age) * 1000 : 0;
  return (sentAt + milliseconds / 2 - (serverTime + stored + 500)) / 1000;
}

/** Evaluates the seconds that this machine's clock is ahead of the service's: it passes up to 5 s and warns up to a minute. */
export function evaluateClock(skewSeconds: number, platform: string = process.platform): CheckResult {
  const seconds = Math.abs(skewSeconds);
  const isAhead = skewSeconds > 0;
  const facts = { skew_seconds: Math.round(skewSeconds) || 0 };
  if (seconds < 1.5) return pass('matches the clock of the service', facts);
  const skew = `${formatDuration(seconds * 1000)} ${isAhead ? 'ahead of' : 'behind'} the service`;
  if (seconds <= GOOD_SECONDS) return pass(skew, facts);
  const remedy = SET_CLOCK[platform] ?? 'Set the clock of this machine.';
  if (seconds <= BEARABLE_SECONDS) {
    return warn(`${skew}: tokens signed here may be rejected`, remedy, facts);
  }
  return fail(`${skew}: ${consequence(isAhead, seconds)}`, remedy, facts);
}

function consequence(isAhead: boolean, seconds: number): string {
  if (isAhead) return 'tokens signed here are not valid yet when they arrive';
  return seconds >= LIFETIME_SECONDS
    ? 'tokens signed here have expired when they arrive'
    : 'tokens signed here expire too early';
}
