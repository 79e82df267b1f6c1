/** A line or an element of a file. */
export type Piece = {
  /** Its text; undefined for what is too long to be read. */
  readonly text: string | undefined;
  /** Its line, or its number among the elements of a document; both begin at 1. */
  readonly place: number;
};

/** How pieces are counted: a file is lines, or one document whose elements they are. */
export type PieceKind = 'line' | 'element';

/** The longest line or element that is read, in bytes. */
export const LONGEST_PIECE = 16 * 1024 * 1024;

/**
 * Takes a file apart, as it arrives. It keeps the bytes of a piece that arrives in parts; each piece is a text of its own, so that one
 * which is kept does not keep its neighbours in memory.
 */
export abstract class PieceSplitter {
  abstract readonly kind: PieceKind;
  /** Whether all pieces so far were UTF-8. What was not became U+FFFD. */
  isUtf8 = true;
  /** Whether the last document so far has a `next_cursor`. */
  hasNextPage = false;
  readonly #longest: number;
  #parts: Buffer[] = [];
  #length = 0;

  /** `longest` is the largest length of a piece that is read, in bytes. */
  constructor(longest = LONGEST_PIECE) {
    this.#longest = longest;
  }

  /** The pieces that are complete with these bytes, which are read while the pieces are taken. */
  abstract add(bytes: Buffer): Iterable<Piece>;

  /** What is left at the end. */
  abstract end(): Iterable<Piece>;

  protected get isEmpty(): boolean {
    return this.#length === 0;
  }

  /** Keeps a copy of bytes of a piece, which are valid only until the next ones are read. */
  protected keep(bytes: Buffer): void {
    this.#length += bytes.length;
    if (this.#length > this.#longest) this.#parts = [];
    else if (bytes.length > 0) this.#parts.push(Buffer.from(bytes));
  }

  /** The text of what is kept and of these bytes; undefined where it is too long. Nothing is kept then. */
  protected finish(bytes: Buffer, isAscii = false): string | undefined {
    if (this.isEmpty && bytes.length <= this.#longest) return this.#decode(bytes, isAscii);
    this.keep(bytes);
    const text = this.#length > this.#longest ? undefined : this.#decode(Buffer.concat(this.#parts), false);
    this.drop();
    return text;
  }

  protected drop(): void {
    this.#parts = [];
    this.#length = 0;
  }

  #decode(bytes: Buffer, isAscii: boolean): string {
    if (isAscii) return bytes.toString('latin1');
    this.isUtf8 &&= process.getBuiltinModule('node:buffer').isUtf8(bytes);
    return bytes.toString();
  }
}

const LINE_FEED = 0x0a;

/** Splits at the ends of lines; empty lines are left out. */
export class LineSplitter extends PieceSplitter {
  readonly kind = 'line';
  #line = 0;

  *add(bytes: Buffer): Generator<Piece, void, undefined> {
    const isAscii = process.getBuiltinModule('node:buffer').isAscii(bytes);
    let start = 0;
    for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, start)) {
      const text = this.finish(bytes.subarray(start, end), isAscii);
      this.#line += 1;
      start = end + 1;
      if (text === undefined || !isBlank(text)) yield { text, place: this.#line };
    }
    this.keep(bytes.subarray(start));
  }

  *end(): Generator<Piece, void, undefined> {
    if (!this.isEmpty) yield* this.add(Buffer.of(LINE_FEED));
  }
}

function isBlank(text: string): boolean {
  return text.length < 100 && text.trim() === '';
}
