const REPLACEMENT = '\uFFFD';

/**
 * Decodes pieces of UTF-8, without a byte order mark. Bytes that are not UTF-8 become U+FFFD; `onInvalid` is called at the end
 * if there were any.
 */
export async function* decodePieces(
  pieces: AsyncIterable<Uint8Array>,
  onInvalid: () => void,
): AsyncGenerator<string, void, undefined> {
  const { StringDecoder } = process.getBuiltinModule('node:string_decoder');
  const decoder = new StringDecoder('utf8');
  let isFirst = true;
  let replaced = 0;
  let tail = Buffer.alloc(0);
  for await (const piece of pieces) {
    const buffer = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    const text = decoder.write(buffer);
    if (text.includes(REPLACEMENT)) {
      // A replacement character that the file itself contains is a valid one.
      replaced += count(text, REPLACEMENT) - count(Buffer.concat([tail, buffer]), REPLACEMENT);
    }
    tail = Buffer.from(buffer.subarray(-2));
    if (text === '') continue;
    yield isFirst && text.startsWith('\uFEFF') ? text.slice(1) : text;
    isFirst = false;
  }
  const rest = decoder.end();
  if (rest !== '') yield rest;
  if (replaced > 0 || rest !== '') onInvalid();
}

function count(text: string | Buffer, part: string): number {
  const step = typeof text === 'string' ? part.length : Buffer.byteLength(part);
  let found = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + step)) found += 1;
  return found;
}
