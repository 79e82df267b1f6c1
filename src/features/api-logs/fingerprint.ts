import { contractTemplate, segmentsBelow } from '../../cli/routing/catalog/paths.ts';
import { detailsOf, type Entry, messageOf, pathOf } from './entry.ts';

/** What the entries of a group have in common; null where they have none. */
export type Fingerprint = {
  readonly status: number | null;
  readonly code: string | null;
  readonly method: string | null;
  /** The template of the path. */
  readonly path: string | null;
  /** The pointer of the first detail, with `*` for the index of an array. */
  readonly pointer: string | null;
  /** The type of the first detail that has one. */
  readonly type: string | null;
  /** Why the requests failed: the message if all have the same one, otherwise with an ellipsis for what differs. */
  readonly message: string | null;
};

/** What tells the failures of different causes apart. */
export function fingerprintOf(entry: Entry, basePath = ''): Fingerprint {
  const { status = null, code = null, method = null, url } = entry;
  const details = detailsOf(entry);
  const pointer = details.find((detail) => detail.pointer !== '')?.pointer;
  const type = details.find((detail) => detail.type !== '')?.type;
  const message = messageOf(entry);
  return {
    status,
    code: code && clip(code),
    method: method && clip(method),
    path: url === undefined ? null : clip(templateOf(url, basePath)),
    pointer: pointer === undefined ? null : clip(pointer).replace(/\/\d+(?=\/|$)/g, '/*'),
    type: type === undefined ? null : clip(type),
    message: message === '' ? null : clip(message),
  };
}

/** Characters of one part of a fingerprint. */
const LONGEST = 300;

function clip(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST).toWellFormed()}\u2026` : text;
}

/** Segments that are IDs: UUIDs, whole numbers, IDs with a prefix (`cus_8Jd72hsQ`), ULIDs and those of 24 hexadecimal digits. */
const IDS = [
  /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i,
  /^\d{1,30}$/,
  /^(?:[a-z]{1,12}_){1,3}(?=[a-z]{0,60}[\dA-Z])[\da-zA-Z]{8,60}$/,
  /^[\dA-HJKMNP-TV-Z]{26}$/,
  /^[\da-f]{24}$/,
];

function isId(segment: string): boolean {
  return IDS.some((pattern) => pattern.test(segment));
}

/**
 * The template of the path of an address: that of the contract (`/buyers/{buyer_id}/shipping-details`), wherever its base
 * path begins; for a path that the contract does not have, the path with `{id}` for each segment that is an ID.
 */
export function templateOf(url: string, basePath = ''): string {
  const segments = segmentsBelow(pathOf(url), basePath);
  const known = contractTemplate(segments) ?? segments.map((segment) => (isId(segment) ? '{id}' : segment));
  return `/${known.join('/')}`;
}

/** The placeholder for a part of a message that differs from request to request. */
const PART = '\u2026';

/** What a message quotes: a value, or the name of one. */
const QUOTED = /(?<!\w)(["'`\u201c\u2018])[^"'`\u201c\u201d\u2018\u2019\n]{1,300}["'`\u201d\u2019]/g;

/**
 * A message with placeholders for what differs between requests that failed for the same cause: quoted text, and words with a digit or
 * an `@`, such as IDs, amounts and times, each become an ellipsis.
 */
export function shapeOf(message: string): string {
  return message
    .replace(QUOTED, PART)
    .replace(/[^\s,;:()[\]{}<>=]*[\d@][^\s,;()[\]{}<>]*/g, PART)
    .replace(/\u2026(?:[\s,;:.-]{0,3}\u2026)+/g, PART);
}
