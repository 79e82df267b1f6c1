import { shellQuote } from './shell.ts';

const LONGEST = 80;
/** The end of a path names the file. */
const LONGEST_PATH = 4096;
const PATH = /^(?:[\w.~-]*|[A-Za-z]:)[\\/]/;

/** The media type of a form. */
export const FORM_TYPE = 'application/x-www-form-urlencoded';
/** The media type of a form of parts, which may be files. */
export const MULTIPART_TYPE = 'multipart/form-data';

/** How help and messages write the name of an argument: `buyer-id` and `buyer_id` are `BUYER_ID`. */
export function argumentName(name: string): string {
  return name.replaceAll('-', '_').toUpperCase();
}

/** A value for use in messages: in quotation marks, with control characters escaped, at most 80 characters long unless it is a path. */
export function quote(value: string): string {
  const longest = PATH.test(value) ? LONGEST_PATH : LONGEST;
  return JSON.stringify(value.length > longest ? `${value.slice(0, longest)}...` : value);
}

/** A pattern for use in messages: as `quote`, but with each backslash as it is in the pattern. */
export function quotePattern(pattern: string): string {
  return quote(pattern).replaceAll('\\\\', '\\');
}

/** A URL or a path without the slashes at its end. */
export function withoutEndSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
}

/** The end of a sentence, of a list that follows, or of a text that was cut. */
const SENTENCE_END = /[.!?:;\u2026\u3002\uff01\uff1f]["'`)\]*_]*$/;

/**
 * A text of somebody else as a sentence: with a full stop, unless it ends with a mark of its own. A text of several lines may end
 * with anything, and stays as it is.
 */
export function asSentence(text: string): string {
  return text === '' || text.includes('\n') || SENTENCE_END.test(text) ? text : `${text}.`;
}

/** A number with its noun: `1 page`, `2 pages`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

const MOST_VALUES = 20;
const FEW_VALUES = 8;

/** Values for a message: all of up to 20, or the first eight and the number of the others. */
export function listValues(values: readonly string[]): string {
  if (values.length <= MOST_VALUES) return values.join(', ');
  return `${values.slice(0, FEW_VALUES).join(', ')} and ${values.length - FEW_VALUES} more`;
}

/** Whether `listValues` leaves out some of them. */
export function isCutList(values: readonly string[]): boolean {
  return values.length > MOST_VALUES;
}

/** A number of entries of a log: `1 entry`, `2 entries`. */
export function countEntries(count: number): string {
  return count === 1 ? '1 entry' : `${count} entries`;
}

/**
 * A duration in words, rounded: seconds below two minutes, then `5 minutes` below two hours, `30 hours` below two
 * days, then days. Negative durations count as positive ones.
 */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.round(Math.abs(milliseconds) / 1000);
  if (seconds < 120) return plural(seconds, 'second');
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return plural(minutes, 'minute');
  const hours = Math.round(minutes / 60);
  return hours < 48 ? plural(hours, 'hour') : plural(Math.round(hours / 24), 'day');
}

/** The date in UTC: `2026-03-01`. */
export function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/** A time in UTC, to the second: `2026-03-01T14:05:59Z`. */
export function momentOf(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, 'Z');
}

/** A flag and its value, quoted for a shell. */
export function flagWith(flag: string, value: string): string {
  return `${flag}${value.startsWith('-') ? '=' : ' '}${shellQuote(value)}`;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text is the beginning of a UUID as tables shorten them: 8 characters or more, but not all. */
export function isShortId(text: string): boolean {
  return text.length >= 8 && text.length < ANY_UUID.length && isUuid(text + ANY_UUID.slice(text.length));
}

const ANY_UUID = '00000000-0000-4000-8000-000000000000';

/** Whether a segment of a path is probably an ID, and neither a word nor the version of an API. */
export function mayBeId(segment: string): boolean {
  return /\d/.test(segment) && !/^v\d+$/.test(segment);
}

/** Whether a text has the shape of the IDs that the service gives to records. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** An ID for comparison: a UUID is the same in upper and lower case (RFC 9562, 4). */
export function comparableId(id: string): string {
  return /[A-F]/.test(id) && isUuid(id) ? id.toLowerCase() : id;
}

/** Whether two IDs certainly name two records. An ID of another form may be another name of one: an alias, or an identifier of the merchant. */
export function isOtherId(one: string, other: string): boolean {
  const isOneForm = one.length === other.length && /\d/.test(one) && /\d/.test(other);
  return isOneForm && comparableId(one) !== comparableId(other);
}

/** The letters and digits of a name in small letters: names that differ only in how they join words have the same. */
export function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z\d]/g, '');
}
