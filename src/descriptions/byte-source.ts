import { own } from '../json/is-object.ts';
import { isInRange } from '../text/media-type.ts';

/** Bytes that a body consists of or has in it, such as a file. */
export type ByteSource = {
  /** In bytes; undefined where it is not known before the end. */
  readonly size: number | undefined;
  /** The name of the file, without its folder. */
  readonly fileName?: string | undefined;
  /** The media type, where the source knows it. */
  readonly type?: string | undefined;
  /** Whether `pieces` gives the same bytes each time; otherwise it is called once. */
  readonly canRepeat: boolean;
  pieces(): AsyncIterable<Uint8Array>;
};

/** A body that is written piece by piece, and shown as its parts. */
export type BytesBody = Pick<ByteSource, 'size' | 'canRepeat' | 'pieces'> & {
  readonly contentType: string;
  readonly parts: readonly BodyPart[];
};

/** A part of a body as it is shown: a text, or a file without its bytes. */
export type BodyPart = {
  /** Undefined for a body that is one file. */
  readonly name: string | undefined;
  readonly text?: string | undefined;
  readonly fileName?: string | undefined;
  readonly type: string;
  readonly size: number | undefined;
};

/** What a caller can give for bytes; a stream can be sent only once, and its length is not known. */
export type Bytes = Blob | Uint8Array | ArrayBuffer | AsyncIterable<Uint8Array> | ByteSource;

/**
 * The source of the bytes that a value is: a `Blob` or `File`, a `Uint8Array` (a `Buffer` too), an `ArrayBuffer`, a stream, which can be
 * read only once. Undefined for anything else.
 */
export function sourceOf(value: unknown): ByteSource | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (value instanceof Blob) return blobSource(value);
  if (value instanceof Uint8Array) return bytesSource(value);
  if (value instanceof ArrayBuffer) return bytesSource(new Uint8Array(value));
  if ('pieces' in value && typeof value.pieces === 'function') return value as ByteSource;
  if (!(Symbol.asyncIterator in value)) return undefined;
  const stream = value as AsyncIterable<Uint8Array>;
  return { size: undefined, canRepeat: false, pieces: () => stream };
}

/** Bytes in memory as a source. */
export function bytesSource(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    canRepeat: true,
    async *pieces() {
      if (bytes.length > 0) yield bytes;
    },
  };
}

function blobSource(blob: Blob): ByteSource {
  const fileName: unknown = 'name' in blob ? blob.name : undefined;
  return {
    size: blob.size,
    fileName: typeof fileName === 'string' ? fileName : undefined,
    type: blob.type === '' ? undefined : blob.type,
    canRepeat: true,
    pieces: () => blob.stream(),
  };
}

const TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  txt: 'text/plain',
  json: 'application/json',
  xml: 'application/xml',
  pdf: 'application/pdf',
  zip: 'application/zip',
  gz: 'application/gzip',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  heic: 'image/heic',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  svg: 'image/svg+xml',
  eml: 'message/rfc822',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

const ANY_TYPE = 'application/octet-stream';

/**
 * The media type of a source: of those that the description allows (`image/*` allows every image) the one of the source or of the
 * extension of its name, else the first; where it allows any, the type by the extension or `application/octet-stream`.
 */
export function typeOfSource({ type, fileName = '' }: ByteSource, allowed: readonly string[] = []): string {
  const [, extension = ''] = /\.([a-z0-9]{1,8})$/i.exec(fileName) ?? [];
  const name = extension.toLowerCase();
  const known = type ?? own(TYPES, name);
  if (known !== undefined && (allowed.length === 0 || allowed.some((range) => isInRange(known, range))))
    return known;
  return allowed.find((one) => !one.includes('*')) ?? known ?? ANY_TYPE;
}
