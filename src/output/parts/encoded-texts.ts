/** Texts that are encoded at a time, and their length together: enough to be quick, and no more memory than that. */
const MOST_TEXTS = 512;
const LONGEST = 2 ** 18;

/** Divides records into pieces that are encoded at a time; a record that is longer than a piece is one by itself. */
export function* inPieces<T extends { readonly text: string }>(
  records: readonly T[],
): Generator<readonly T[], void, undefined> {
  let start = 0;
  let length = 0;
  for (const [index, { text }] of records.entries()) {
    if (index > start && (index - start === MOST_TEXTS || length + text.length > LONGEST)) {
      yield records.slice(start, index);
      start = index;
      length = 0;
    }
    length += text.length;
  }
  if (start < records.length) yield start === 0 ? records : records.slice(start);
}

/** The most bytes that a UTF-16 code unit has in UTF-8. */
const BYTES_A_UNIT = 3;
const NEWLINE = 0x0a;

/** Texts as UTF-8 in one buffer, each with a line feed after it. The next ones take the place of those before. */
export class EncodedTexts {
  texts: readonly string[] = [];
  bytes = Buffer.alloc(0);
  /** Where each text begins and ends in it. */
  starts = new Int32Array(0);
  ends = new Int32Array(0);
  /** Whether no text has a line end in it. */
  areLines = true;

  /** The bytes of all texts. */
  get length(): number {
    return (this.ends[this.texts.length - 1] ?? -1) + 1;
  }

  encode(texts: readonly string[]): this {
    this.texts = texts;
    if (this.starts.length < texts.length) {
      this.starts = new Int32Array(texts.length);
      this.ends = new Int32Array(texts.length);
    }
    const all = texts.join('\n');
    const most = all.length * BYTES_A_UNIT + 1;
    if (this.bytes.length < most) this.bytes = Buffer.allocUnsafeSlow(2 ** Math.ceil(Math.log2(most)));
    this.areLines = areLines(texts, all);
    // One text is written in a fraction of the time that many take.
    const written = this.areLines ? this.bytes.write(all, 0) : 0;
    this.bytes[written] = NEWLINE;
    let at = 0;
    for (const [index, text] of texts.entries()) {
      this.starts[index] = at;
      if (!this.areLines) at += this.bytes.write(text, at);
      else at = written === all.length ? at + text.length : this.bytes.indexOf(NEWLINE, at);
      this.ends[index] = at;
      this.bytes[at++] = NEWLINE;
    }
    return this;
  }
}

function areLines(texts: readonly string[], all: string): boolean {
  let end = -1;
  for (const { length } of texts) {
    const start = end + 1;
    end = start + length;
    const found = all.indexOf('\n', start);
    if (found !== end && !(found === -1 && end === all.length)) return false;
  }
  return !all.includes('\r');
}
