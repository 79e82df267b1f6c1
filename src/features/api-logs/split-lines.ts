import { LONGEST_PIECE, type LogSplitter, type Piece, PieceBytes } from './log-pieces.ts';

const LINE_FEED = 0x0a;

/** Splits at the ends of lines; empty lines are none. */
export function splitLines(longest = LONGEST_PIECE): LogSplitter {
  return new LineSplitter(longest);
}

class LineSplitter implements LogSplitter {
  readonly kind = 'line';
  readonly #open: PieceBytes;
  #line = 0;

  constructor(longest: number) {
    this.#open = new PieceBytes(longest);
  }

  get isUtf8(): boolean {
    return this.#open.isUtf8;
  }

  *add(bytes: Buffer): Generator<Piece, void, undefined> {
    const isAscii = process.getBuiltinModule('node:buffer').isAscii(bytes);
    let start = 0;
    for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, start)) {
      const text = this.#open.finish(bytes.subarray(start, end), isAscii);
      this.#line += 1;
      start = end + 1;
      if (text === undefined || !isBlank(text)) yield { text, place: this.#line };
    }
    this.#open.add(bytes.subarray(start));
  }

  *end(): Generator<Piece, void, undefined> {
    if (!this.#open.isEmpty) yield* this.add(Buffer.of(LINE_FEED));
  }
}

function isBlank(text: string): boolean {
  return text.length < 100 && text.trim() === '';
}
