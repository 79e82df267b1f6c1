import { bareType, isJsonType } from '../text/media-type.ts';
import type { Schema } from './schema-at.ts';

/** Whether the text or bytes of a schema are those of a file: `format: binary`, or a media type that is not JSON. */
export function isBinary(parts: readonly Schema[]): boolean {
  return parts.some(({ format, contentMediaType }) => {
    const isFile = typeof contentMediaType === 'string' && !isJsonType(bareType(contentMediaType));
    return format === 'binary' || isFile;
  });
}

/** Whether the value of a schema is written in base64: `contentEncoding: base64`, or `format: byte` of OpenAPI 3.0. */
export function isBase64(parts: readonly Schema[]): boolean {
  return parts.some(({ format, contentEncoding }) => {
    return format === 'byte' || (typeof contentEncoding === 'string' && /^base64$/i.test(contentEncoding));
  });
}
