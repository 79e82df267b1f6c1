import { bareType, isJsonType } from '../text/media-type.ts';
import type { Schema } from './schema-at.ts';

/** Whether the text or bytes of a schema are those of a file: `format: binary`, or a media type that is not JSON. */
export function isBinary(parts: readonly Schema[]): boolean {
  return parts.some(({ format, contentMediaType: type }) => {
    return format === 'binary' || (typeof type === 'string' && !isJsonType(bareType(type)));
  });
}
