import type { ClientHooks, RequestEvent } from '../../client/call.ts';
import type { RawResponse } from '../../client/response.ts';
import type { Settings } from '../../config/settings.ts';
import { parseKeepingNumbers } from '../../json/exact.ts';
import { prettyJson } from '../../json/pretty.ts';
import { escapeJsonText, sanitizeText } from '../../output/sanitize.ts';
import { FORM_TYPE, MULTIPART_TYPE } from '../../text/format.ts';
import type { GivenAmount } from '../money/change-in-words.ts';
import { redactBody, redactHeaders, redactPath } from '../secrets/redact.ts';
import type { Display, WarningCode } from '../show/display.ts';

/** A path with the query parameters that are credentials, masked as they are. */
function pathWithKeys(path: string, credentials: RequestEvent['credentials']): string {
  const pairs = Object.entries(credentials.query ?? {}).map(
    ([name, value]) => `${encodeURIComponent(name)}=${value}`,
  );
  return pairs.length === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}${pairs.join('&')}`;
}

/** Whether a body is a form, by the headers of its request. */
function isForm(headers: Readonly<Record<string, string>>): boolean {
  return headers['content-type'] === FORM_TYPE;
}

/** How much of a body --verbose shows, in characters. */
const BODY_LIMIT = 2000;

/**
 * Hooks that log each request and response for --verbose, line by line, with secrets and personal data redacted.
 */
export function traceHooks(log: (line: string) => void): ClientHooks {
  return {
    async onRequest({ request, headers, credentials, body, parts, attempt }) {
      const path = pathWithKeys(redactPath(request.path), credentials);
      log(`> ${request.method} ${request.origin}${path}${attempt > 1 ? ` (attempt ${attempt})` : ''}`);
      logHeaders(log, '>', { ...headers, ...credentials.headers });
      if (parts)
        for (const line of (await import('../show/show-parts.ts')).partLines(parts, 'texts'))
          log(`> ${line}`);
      if (body === undefined) return;
      const redact = isForm(headers) ? (await import('../secrets/form-text.ts')).redactForm : redactBody;
      log(`> ${shorten(redact(body))}`);
    },
    onResponse({ reply, milliseconds }) {
      log(`< ${reply.status} in ${Math.round(milliseconds)} ms`);
      logHeaders(log, '<', reply.headers);
      log(`< ${describeBody(reply)}`);
    },
  };
}

function logHeaders(
  log: (line: string) => void,
  arrow: string,
  headers: Readonly<Record<string, string>>,
): void {
  for (const [name, value] of Object.entries(redactHeaders(headers))) log(`${arrow} ${name}: ${value}`);
}

function describeBody({ text, bytes }: RawResponse): string {
  if (bytes !== undefined) return `(${bytes} bytes, written unchanged)`;
  return text === '' ? '(empty body)' : shorten(redactBody(text));
}

/** The text, or its beginning and its length where it is longer than `limit`. */
export function shorten(text: string, limit = BODY_LIMIT): string {
  return text.length > limit ? `${text.slice(0, limit).toWellFormed()}… (${text.length} characters)` : text;
}

type WarningParts = {
  readonly settings: Settings;
  readonly display: Display;
  /** Credentials are only being tried, by a request of payctl's own. */
  readonly isTrial?: boolean;
};

/** Hooks that warn of what a user would not see otherwise; the same warning is printed once in a run, except for retries. */
export function warningHooks({ settings, display, isTrial = false }: WarningParts): ClientHooks {
  const warned = new Set<WarningCode>();
  const warnOnce: Display['warn'] = (code, message) => {
    if (!warned.has(code)) display.warn(code, message);
    warned.add(code);
  };
  const { value: account, source } = settings.merchantAccount;
  return {
    onRequest({ request }) {
      if (isTrial || account === undefined || source.kind !== 'flag' || request.merchantAccount !== undefined)
        return;
      const operation = `${request.method} ${request.path.replace(/\?.*/s, '')}`;
      warnOnce(
        'merchant_account_not_sent',
        `${operation} takes no merchant account; ${source.name} is not sent`,
      );
    },
    onReplacedBytes({ reply: { request } }) {
      const problem = `The response to ${request.method} ${redactPath(request.path)} is not valid UTF-8`;
      warnOnce('invalid_utf8', `${problem}; invalid bytes are replaced by \uFFFD`);
    },
    onRetry({ error, retry, maxRetries, delayMilliseconds }) {
      const wait = (delayMilliseconds / 1000).toFixed(1);
      const when = wait === '0.0' ? 'now' : `in ${wait} s`;
      display.warn('retry', `${error.message}. Retrying ${when} (retry ${retry} of ${maxRetries})`);
    },
  };
}

type DryRunParts = {
  /** Hides what must not be shown of a body that holds texts of the service. */
  readonly mask?: ((body: string) => string) | undefined;
  readonly amounts?: (event: RequestEvent) => Promise<readonly GivenAmount[]>;
};

/** Hooks that print the request of the run, with its amounts in both units for people, and end it before anything is sent. */
export function dryRunHooks(
  display: Display,
  { mask = (body) => body, amounts = async () => [] }: DryRunParts = {},
): ClientHooks {
  return {
    async onRequest(event) {
      const { request, headers, credentials, body, parts } = event;
      const { method, origin } = request;
      const url = origin + pathWithKeys(request.path, credentials);
      const redacted = redactHeaders({ ...headers, ...credentials.headers });
      const shown = parts ? withoutBoundary(redacted) : redacted;
      const areFields = isForm(headers);
      const text = body === undefined || areFields ? body : mask(body);
      const { partLines, partRecords } = await import('../show/show-parts.ts');
      if (display.format.isForPeople) {
        const lines = Object.entries(shown).map(([name, value]) => `${name}: ${value}`);
        const content = parts
          ? partLines(parts, 'secrets').map(escapeJsonText)
          : [areFields ? escapeJsonText(text ?? '') : layOut(text ?? '', display)];
        const all = [`${method} ${url}`, ...lines, '', ...content];
        await display.stdout.write(all.map((line) => `${line}\n`).join(''));
        await display.stdout.write(linesOfAmounts(await amounts(event)));
        await display.stdout.end();
      } else {
        const value = text === undefined || areFields ? (text ?? null) : parseKeepingNumbers(text);
        const further = parts && { parts: partRecords(parts) };
        await display.showRecord({ method, url, headers: shown, body: value, ...further });
      }
      throw new DryRunEnd();
    },
  };
}

/** What the amounts of a request mean, below an empty line; nothing where none has a currency that is known. */
function linesOfAmounts(amounts: readonly GivenAmount[]): string {
  const known = amounts.filter(({ money }) => money !== undefined);
  const width = Math.max(0, ...known.map(({ path }) => path.length));
  const lines = known.map(({ path, text }) => `${path.padEnd(width)}  ${text}`);
  return lines.length === 0 ? '' : ['', ...lines].map((line) => `${sanitizeText(line)}\n`).join('');
}

/** The boundary between parts is another one in each run, and says nothing. */
function withoutBoundary(headers: Record<string, string>): Record<string, string> {
  const isMultipart = headers['content-type']?.startsWith(MULTIPART_TYPE);
  return isMultipart ? { ...headers, 'content-type': MULTIPART_TYPE } : headers;
}

/** A body as it is sent, and over several lines on a terminal that it is too long for. */
function layOut(body: string, { stdout, stdoutTerminal }: Display): string {
  const text = escapeJsonText(body);
  return stdoutTerminal.isTerminal && text.length > stdout.columns ? prettyJson(text) : text;
}

/** Ends a run that only shows its request, before anything is sent. */
export class DryRunEnd extends Error {}
