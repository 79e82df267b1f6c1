/** A piece of a log file that may be an entry, or that cannot be one. */
export type Piece = {
  /** The JSON text; undefined for what is too long to be read. */
  readonly text: string | undefined;
  /** Its line, or its number among the elements of a document; both begin at 1. */
  readonly place: number;
};

/** How pieces are counted: a file is lines, or one document whose elements they are. */
export type LogKind = 'line' | 'element';

/** Takes a log file apart, as it arrives. */
export type LogSplitter = {
  readonly kind: LogKind;
  /** Whether all pieces so far were UTF-8. What was not became U+FFFD. */
  readonly isUtf8: boolean;
  /** The pieces that are complete with these bytes, which are read while the pieces are taken. */
  add(bytes: Buffer): Iterable<Piece>;
  /** What is left at the end. */
  end(): Iterable<Piece>;
};

/** The longest line or element that is read, in bytes. */
export const LONGEST_PIECE = 16 * 1024 * 1024;

/**
 * Bytes of a piece that arrive in parts, and become text when it is complete: each piece is a text of its own, so that one which
 * is kept does not keep its neighbours in memory.
 */
export class PieceBytes {
  isUtf8 = true;
  readonly #longest: number;
  #parts: Buffer[] = [];
  #length = 0;

  /** `longest` is the largest length that is kept, in bytes. */
  constructor(longest: number) {
    this.#longest = longest;
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  /** Keeps a copy of the bytes, which are valid only until the next ones are read. */
  add(bytes: Buffer): void {
    this.#length += bytes.length;
    if (this.#length > this.#longest) this.#parts = [];
    else if (bytes.length > 0) this.#parts.push(Buffer.from(bytes));
  }

  /** The text of the bytes so far and of these, and begins again; undefined where it is too long. */
  finish(bytes: Buffer, isAscii = false): string | undefined {
    if (this.#length === 0 && bytes.length <= this.#longest) return this.#decode(bytes, isAscii);
    this.add(bytes);
    const text = this.#length > this.#longest ? undefined : this.#decode(Buffer.concat(this.#parts), false);
    this.clear();
    return text;
  }

  clear(): void {
    this.#parts = [];
    this.#length = 0;
  }

  #decode(bytes: Buffer, isAscii: boolean): string {
    if (isAscii) return bytes.toString('latin1');
    this.isUtf8 &&= process.getBuiltinModule('node:buffer').isUtf8(bytes);
    return bytes.toString();
  }
}
