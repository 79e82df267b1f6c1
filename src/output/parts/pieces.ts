/** Records that are read at a time, and the length of their texts: enough to be quick, and no more memory than that. */
const MOST_RECORDS = 512;
const LONGEST = 2 ** 18;

/** Divides texts into pieces that are read at a time; a text that is longer than a piece is one by itself. */
export function* inPieces(texts: readonly string[]): Generator<readonly string[], void, undefined> {
  let start = 0;
  let length = 0;
  for (const [index, text] of texts.entries()) {
    if (index > start && (index - start === MOST_RECORDS || length + text.length > LONGEST)) {
      yield texts.slice(start, index);
      start = index;
      length = 0;
    }
    length += text.length;
  }
  if (start < texts.length) yield start === 0 ? texts : texts.slice(start);
}
