/** A change of a document as a document (RFC 7396), and as a list of operations (RFC 6902). */
export const MERGE_PATCH = 'application/merge-patch+json';
export const JSON_PATCH = 'application/json-patch+json';

/** A media type in lower case, without its parameters. */
export function bareType(type: string): string {
  return type.replace(/;.*$/s, '').trim().toLowerCase();
}

/** The media type of a `content-type` header in lower case, without its parameters; empty where there is none. */
export function mediaTypeOf(contentType: string | undefined): string {
  return bareType((contentType ?? '').replace(/,.*$/s, ''));
}

/** The media types of a list such as `image/png, image/*`, without parameters; those that no header can have are left out. */
export function typesIn(text: unknown): readonly string[] {
  if (typeof text !== 'string') return [];
  return text
    .split(',')
    .map(bareType)
    .filter((one) => /^[\w.+*-]+\/[\w.+*-]+$/.test(one));
}

/** Whether a media type is one of a range: `image/*` is every image, any other range itself. */
export function isInRange(type: string, range: string): boolean {
  return range === type || range === '*/*' || (range.endsWith('/*') && type.startsWith(range.slice(0, -1)));
}

/** Whether a document of this media type is JSON. */
export function isJsonType(type: string): boolean {
  return /^(?:application|text)\/json$|^[^/]+\/[^/]+\+json$/.test(type);
}

const TEXT =
  /^text\/|\+(?:xml|yaml)$|^application\/(?:x-)?(?:csv|xml|yaml|ndjson|jsonl|jsonlines|json-lines|json-seq|sql|toml|javascript|graphql|pem-file|pem-certificate-chain|www-form-urlencoded)$/;

/** Whether what has this media type can be read on a terminal. */
export function isTextType(type: string): boolean {
  return isJsonType(type) || TEXT.test(type);
}
