/** The media type of a `content-type` header in lower case, without its parameters; empty where there is none. */
export function mediaTypeOf(contentType: string | undefined): string {
  return (contentType ?? '')
    .replace(/[;,].*$/s, '')
    .trim()
    .toLowerCase();
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
