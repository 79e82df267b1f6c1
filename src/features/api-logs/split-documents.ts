import { LONGEST_PIECE, type LogSplitter, type Piece, PieceBytes } from './log-pieces.ts';

/**
 * Splits documents into their elements: of an array, or of the array `items` of an object; an object without one is an
 * element itself. Looks at brackets and quotation marks alone; whether an element is JSON shows when it is parsed.
 */
export function splitDocuments(longest = LONGEST_PIECE): LogSplitter {
  return new DocumentSplitter(longest);
}

/** Where a scan is within a document. */
type Phase =
  /** Between documents, or in something that is none. */
  | 'outside'
  /** In an object that may have `items`, or is an element itself. */
  | 'object'
  /** In the array whose elements are wanted. */
  | 'elements'
  /** Behind that array, in the object around it. */
  | 'after';

/** Every byte that means something here is one of ASCII, which no other character of UTF-8 contains. */
class DocumentSplitter implements LogSplitter {
  readonly kind = 'element';
  #phase: Phase = 'outside';
  /** How many containers are open; elements begin at `#elementDepth`. */
  #depth = 0;
  #elementDepth = 0;
  #isInString = false;
  #isEscaped = false;
  /** The last text in quotation marks, as far as it can be a name, and the member that the scan is in; directly in the object. */
  #lastText = '';
  #name = '';
  /** Whether an element is open, of which the bytes from `#start` are in the present input and those before in `#open`. */
  #isOpen = false;
  #start = 0;
  readonly #open: PieceBytes;
  #count = 0;
  #piece: Piece | undefined;

  constructor(longest: number) {
    this.#open = new PieceBytes(longest);
  }

  get isUtf8(): boolean {
    return this.#open.isUtf8;
  }

  *add(bytes: Buffer): Generator<Piece, void, undefined> {
    this.#start = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      if (this.#isInString) at = this.#skipString(bytes, at);
      else this.#step(bytes, at);
      if (!this.#piece) continue;
      yield this.#piece;
      this.#piece = undefined;
    }
    if (this.#isOpen) this.#open.add(bytes.subarray(this.#start));
  }

  *end(): Generator<Piece, void, undefined> {
    if (this.#isOpen) {
      const text = this.#open.finish(Buffer.alloc(0));
      yield { text, place: this.#count + 1 };
    } else if (this.#depth > 0) yield { text: '', place: this.#count + 1 };
  }

  /** Goes on to the end of a string, or of the bytes, and gives the place of the last byte that was looked at. */
  #skipString(bytes: Buffer, from: number): number {
    const mayBeName = this.#phase === 'object' && this.#depth === 1;
    let isEscaped = this.#isEscaped;
    let at = from;
    for (; at < bytes.length; at += 1) {
      const code = bytes[at];
      if (isEscaped) isEscaped = false;
      else if (code === BACKSLASH) isEscaped = true;
      else if (code === QUOTE) break;
    }
    this.#isEscaped = isEscaped;
    this.#isInString = at === bytes.length;
    if (mayBeName) this.#lastText += bytes.toString('latin1', from, Math.min(at, from + LONGEST_NAME));
    return at;
  }

  #step(bytes: Buffer, at: number): void {
    const code = bytes[at] ?? 0;
    if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      this.#enter(bytes, at, code);
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
      this.#leave(bytes, at);
    } else if (code === COMMA) {
      if (this.#isAtElements()) this.#finish(bytes, at);
    } else if (code === COLON) {
      if (this.#phase === 'object' && this.#depth === 1) this.#name = this.#lastText;
    } else if (code > SPACE) {
      this.#begin(at);
      // What is outside of every document has no strings: a quotation mark there would hide what follows.
      this.#isInString = code === QUOTE && this.#phase !== 'outside';
      if (this.#isInString) this.#lastText = '';
    } else if (code === LINE_FEED && this.#phase === 'outside') {
      this.#finish(bytes, at);
    }
  }

  #isAtElements(): boolean {
    return this.#phase === 'elements' && this.#depth === this.#elementDepth;
  }

  /** Begins an element, or what is outside of every document, unless one is open. */
  #begin(at: number): void {
    if (!this.#isOpen && (this.#phase === 'outside' || this.#isAtElements())) this.#openAt(at);
  }

  #openAt(at: number): void {
    this.#isOpen = true;
    this.#start = at;
  }

  #enter(bytes: Buffer, at: number, code: number): void {
    const isItems = this.#phase === 'object' && this.#depth === 1 && this.#name === 'items';
    if (this.#phase === 'outside') {
      this.#finish(bytes, at);
      this.#phase = code === OPEN_ARRAY ? 'elements' : 'object';
      this.#elementDepth = 1;
      this.#name = '';
      if (code === OPEN_OBJECT) this.#openAt(at);
    } else if (isItems && code === OPEN_ARRAY) {
      this.#phase = 'elements';
      this.#elementDepth = 2;
      this.#isOpen = false;
      this.#open.clear();
    } else {
      this.#begin(at);
    }
    this.#depth += 1;
  }

  #leave(bytes: Buffer, at: number): void {
    if (this.#phase === 'outside') {
      this.#begin(at);
      return;
    }
    const closesElements = this.#isAtElements();
    if (closesElements) this.#finish(bytes, at);
    this.#depth -= 1;
    if (closesElements) this.#phase = 'after';
    else if (this.#isAtElements()) this.#finish(bytes, at + 1);
    if (this.#depth > 0) return;
    if (this.#phase === 'object') this.#finish(bytes, at + 1);
    this.#phase = 'outside';
  }

  #finish(bytes: Buffer, end: number): void {
    if (!this.#isOpen) return;
    this.#count += 1;
    this.#piece = { text: this.#open.finish(bytes.subarray(this.#start, end)), place: this.#count };
    this.#isOpen = false;
  }
}

/** Bytes of a text that can be the name that is looked for. */
const LONGEST_NAME = 10;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const SPACE = 0x20;
const LINE_FEED = 0x0a;
