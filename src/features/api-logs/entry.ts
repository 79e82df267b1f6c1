import { isObject } from '../../json/is-object.ts';
import { pointerSegment } from '../../json/pointer.ts';
import { formatCell } from '../../output/columns.ts';

/** One thing that an entry says is wrong with its request. */
export type EntryDetail = {
  /** JSON pointer; empty where there is none. */
  readonly pointer: string;
  /** Where a person looks for it: the pointer, the parts of a 422's `loc`, nothing for a header. */
  readonly place: string;
  /** The part of the request that it is in, such as `body` or `query`; empty where it does not say. */
  readonly location: string;
  readonly message: string;
  /** The kind of error, such as `value_error.missing`; empty if it has none. */
  readonly type: string;
};

/**
 * What one entry of the API error log says (specification: API log). An entry is any JSON: what it does not have, or has as
 * another type, is undefined or empty.
 */
export type Entry = {
  readonly id: string | undefined;
  /** In capitals. */
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly status: number | undefined;
  /** When the request arrived, else when its response was sent; in milliseconds since 1970. */
  readonly at: number | undefined;
  /** The times of the request and of the response, as they were logged. */
  readonly received: unknown;
  readonly sent: unknown;
  readonly code: string | undefined;
  /** The response body as it was logged: an error object, the body of a 422, a text, null or any other JSON. */
  readonly body: unknown;
};

/** Reads an entry; never throws, whatever JSON it is. */
export function readEntry(value: unknown): Entry {
  const log = isObject(value) ? value : {};
  const body = log.response_body;
  const { request_received_at: received, response_sent_at: sent } = log;
  return {
    id: textOrNone(log.id),
    method: textOrNone(log.request_method)?.toUpperCase(),
    url: textOrNone(log.request_url),
    status: typeof log.response_status_code === 'number' ? log.response_status_code : undefined,
    at: timeOf(received) ?? timeOf(sent),
    received,
    sent,
    code: isObject(body) ? textOrNone(body.code) : undefined,
    body,
  };
}

/** How long the response took, in milliseconds; undefined where one of its times is not known. */
export function tookOf({ received, sent }: Pick<Entry, 'received' | 'sent'>): number | undefined {
  const [from, to] = [timeOf(received), timeOf(sent)];
  return from === undefined || to === undefined ? undefined : to - from;
}

/** The details of the response body: those of an error object, else those of a 422. */
export function detailsOf({ body }: Pick<Entry, 'body'>): readonly EntryDetail[] {
  if (!isObject(body)) return [];
  const { details, detail } = body;
  if (Array.isArray(details) && details.length > 0) return details.map(readDetail);
  return Array.isArray(detail) ? detail.map(readValidationItem) : [];
}

/**
 * Why the request failed, in one line: the pointer and the message of its first detail and how many more there are
 * (`/cart_items/0/quantity must be an integer (+1)`), else the message, else the beginning of the body.
 */
export function whyOf(entry: Pick<Entry, 'body'>): string {
  const details = detailsOf(entry);
  const first = details.find((detail) => detail.message !== '' || detail.place !== '');
  if (first) {
    const more = details.length > 1 ? `(+${details.length - 1})` : '';
    return [first.place, first.message, more].filter(Boolean).join(' ');
  }
  return messageOf(entry) || beginningOf(entry.body);
}

/** The message of the first detail that has one, else that of the body, else the beginning of what is not an object; may be empty. */
export function messageOf(entry: Pick<Entry, 'body'>): string {
  const { body } = entry;
  const detail = detailsOf(entry).find(({ message }) => message !== '')?.message;
  return detail ?? (isObject(body) ? (textOrNone(body.message) ?? '') : beginningOf(body));
}

/** The host and port of an address; empty where it names none. */
export function hostOf(url: string): string {
  return /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(url)?.[1]?.replace(/^.*@/, '') ?? '';
}

/** The path of an address, without host, query and fragment: `/` for an address that ends after its host. */
export function pathOf(url: string): string {
  return PATH.exec(url)?.[1] || (url === '' ? '' : '/');
}

const PATH = /^(?:[a-z][a-z\d+.-]*:\/\/[^/?#]*)?([^?#]*)/i;

const NO_DETAIL: EntryDetail = { pointer: '', place: '', location: '', message: '', type: '' };

function readDetail(item: unknown): EntryDetail {
  if (!isObject(item)) return { ...NO_DETAIL, message: formatCell(item) };
  const pointer = textOrNone(item.pointer) ?? '';
  const place = item.location === 'header' ? '' : pointer;
  const location = textOrNone(item.location) ?? '';
  return {
    pointer,
    place,
    location,
    message: textOrNone(item.message) ?? '',
    type: textOrNone(item.type) ?? '',
  };
}

/** Of `loc: ["body", "address", "city"]` the first part is the location, and the others are the pointer (RFC 6901). */
function readValidationItem(item: unknown): EntryDetail {
  if (!isObject(item)) return { ...NO_DETAIL, message: formatCell(item) };
  const loc = (Array.isArray(item.loc) ? item.loc : []).map(formatCell);
  const escaped = loc.slice(1).map((part) => `/${pointerSegment(part)}`);
  const [location = ''] = loc;
  return {
    pointer: escaped.join(''),
    place: loc.join('/'),
    location,
    message: textOrNone(item.msg) ?? '',
    type: textOrNone(item.type) ?? '',
  };
}

/** Characters of a body that is not an error object, such as the page of a gateway. */
const BEGINNING = 120;

function beginningOf(body: unknown): string {
  if (body === undefined) return '';
  if (body === null) return '(no body)';
  // The title of a page says more than its first tags.
  const text = formatCell(body).slice(0, 4000);
  const title = /<title[^>]{0,100}>([^<]{1,200})</i.exec(text)?.[1];
  const line = (title ?? text).slice(0, 2000).replace(/\s+/g, ' ').trim();
  return line.length > BEGINNING ? `${line.slice(0, BEGINNING).toWellFormed()}\u2026` : line;
}

function textOrNone(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function timeOf(value: unknown): number | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
