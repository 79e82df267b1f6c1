import { contractTemplate } from '../../cli/routing/catalog/paths.ts';
import { minifyJson } from '../../json/edit.ts';
import { isObject } from '../../json/is-object.ts';
import { countEntries, plural } from '../../text/format.ts';
import { pathOf, readEntry } from './entry.ts';
import type { LogItem } from './filter.ts';

/** One entry of an HTTP archive (HAR 1.2), as browsers and proxies export them. */
export type HarEntry = {
  readonly request: Readonly<Record<string, unknown>> & { readonly url: string };
  readonly response: Readonly<Record<string, unknown>>;
  readonly startedDateTime?: unknown;
  readonly time?: unknown;
};

/** Whether a value is such an entry. */
export function isHarEntry(value: Readonly<Record<string, unknown>>): value is HarEntry {
  const { request, response } = value;
  return isObject(request) && typeof request.url === 'string' && isObject(response);
}

/** Turns the failed API requests of an archive into log entries, and counts the requests that it leaves out. */
export class HarReader {
  #taken = 0;
  #succeeded = 0;
  #elsewhere = 0;
  #withoutResponse = 0;

  /** The log entry of a request; undefined for one that is left out. Headers and cookies are never taken: they hold tokens. */
  read(entry: HarEntry): LogItem | undefined {
    const { status } = entry.response;
    if (typeof status !== 'number' || status < 100) this.#withoutResponse += 1;
    else if (status < 400) this.#succeeded += 1;
    else {
      const body = bodyOf(entry.response.content);
      if (isOfApi(entry, body?.value)) {
        this.#taken += 1;
        return itemOf(entry, status, body);
      }
      this.#elsewhere += 1;
    }
    return undefined;
  }

  /** How many requests were read or left out, as a sentence; undefined if there were none. */
  text(name: string): string | undefined {
    const skipped = [
      [this.#succeeded, 'did not fail'],
      [this.#elsewhere, this.#elsewhere === 1 ? 'was not for the API' : 'were not for the API'],
      [this.#withoutResponse, 'got no response'],
    ] as const;
    const all = skipped.reduce((sum, [count]) => sum + count, this.#taken);
    if (all === 0) return undefined;
    const reasons = skipped.flatMap(([count, reason]) => (count === 0 ? [] : [`${count} ${reason}`]));
    const why = reasons.length === 0 ? '' : `; left out: ${reasons.join(', ')}`;
    return `${name} is an HTTP archive of ${plural(all, 'request')}: ${countEntries(this.#taken)} read${why}.`;
  }
}

/** The most segments that a base URL may have. */
const LONGEST_PREFIX = 3;

/** Whether the request was for a path of the contract, below any base URL, or got an error object or the body of a 422. */
function isOfApi({ request: { method, url } }: HarEntry, body: unknown): boolean {
  if (method === 'OPTIONS') return false;
  if (isObject(body)) {
    const { type, code, detail } = body;
    if ((type === 'error' && typeof code === 'string') || isValidation(detail)) return true;
  }
  const segments = pathOf(url).split('/').slice(1);
  const prefixes = Array.from({ length: LONGEST_PREFIX + 1 }, (_, length) => length);
  return prefixes.some((length) => contractTemplate(segments.slice(length)) !== undefined);
}

function isValidation(detail: unknown): boolean {
  return (
    Array.isArray(detail) && detail.length > 0 && detail.every((item) => isObject(item) && 'loc' in item)
  );
}

function itemOf(entry: HarEntry, status: number, body: Body | undefined): LogItem {
  const { request, startedDateTime: started, time } = entry;
  const ended =
    typeof started === 'string' && typeof time === 'number' ? Date.parse(started) + time : Number.NaN;
  const known = {
    type: 'api-log',
    id: idOf(entry),
    request_method: typeof request.method === 'string' ? request.method : undefined,
    request_url: request.url,
    request_received_at: typeof started === 'string' ? started : undefined,
    response_status_code: status,
    response_sent_at: Number.isNaN(ended) ? undefined : instantOf(ended),
  };
  const bodies = { response_body: body, request_body: bodyOf(request.postData) };
  const texts = Object.entries(bodies).map(([name, found]) => (found ? `,"${name}":${found.text}` : ''));
  const text = `${JSON.stringify(known).slice(0, -1)}${texts.join('')}}`;
  return { entry: readEntry({ ...known, response_body: body?.value }), text };
}

function instantOf(time: number): string | undefined {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** Archives have no IDs, so this one is derived from the entry and stays the same when the file is read again. */
function idOf(entry: HarEntry): string {
  const { createHash } = process.getBuiltinModule('node:crypto');
  return `har-${createHash('sha256').update(JSON.stringify(entry)).digest('hex').slice(0, 12)}`;
}

/** A body and its JSON text, which is not made of the value: JSON.stringify fails on a value that is nested deep. */
type Body = { readonly value: unknown; readonly text: string };

/** The body of a request or a response: JSON where it is some, otherwise its text; undefined where there is none. */
function bodyOf(content: unknown): Body | undefined {
  if (!isObject(content) || typeof content.text !== 'string' || content.text === '') return undefined;
  const isBase64 = content.encoding === 'base64';
  const text = isBase64 ? Buffer.from(content.text, 'base64').toString() : content.text;
  try {
    return { value: JSON.parse(text), text: minifyJson(text) };
  } catch {
    return { value: text, text: JSON.stringify(text) };
  }
}
