import { isJson } from './is-json.ts';
import { LineSplitter, type Piece, PieceSplitter } from './split-lines.ts';

/** Where a scan is within a document. */
type Phase =
  /** Between documents, or in something that is not one. */
  | 'outside'
  /** In an object that may have such an array, or is an element itself. */
  | 'object'
  /** In the array whose elements are wanted. */
  | 'elements'
  /** Behind that array, in the object around it. */
  | 'after';

/**
 * Splits documents into their elements: of an array, of the array `items` of an object, or of `entries` in its member `log` (HAR); an
 * object without one is an element itself. Looks at brackets and quotation marks alone, which no other character of UTF-8 contains;
 * whether an element is JSON shows when it is parsed.
 */
export class DocumentSplitter extends PieceSplitter {
  readonly kind = 'element';
  #phase: Phase = 'outside';
  /** How many containers are open; elements begin at `#elementDepth`. */
  #depth = 0;
  #elementDepth = 0;
  /** Where the name of the array may be: 1, or 2 in `log`. */
  #nameDepth = 1;
  #isInString = false;
  #isEscaped = false;
  /** The last text in quotation marks, as far as it can be a name, and the member that the scan is in; directly in the object. */
  #lastText = '';
  #name = '';
  /** Whether an element is open, of which the bytes from `#start` are in the present input and those before are kept. */
  #isOpen = false;
  #start = 0;
  #count = 0;
  #piece: Piece | undefined;

  *add(bytes: Buffer): Generator<Piece, void, undefined> {
    this.#start = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      if (this.#isInString) at = this.#skipString(bytes, at);
      else this.#step(bytes, at);
      if (!this.#piece) continue;
      yield this.#piece;
      this.#piece = undefined;
    }
    if (this.#isOpen) this.keep(bytes.subarray(this.#start));
  }

  *end(): Generator<Piece, void, undefined> {
    if (this.#isOpen) {
      const text = this.finish(Buffer.alloc(0));
      yield { text, place: this.#count + 1 };
    } else if (this.#depth > 0) yield { text: '', place: this.#count + 1 };
  }

  /** Continues to the end of a string, or of the bytes, and gives the place of the last byte that was looked at. */
  #skipString(bytes: Buffer, from: number): number {
    const mayBeName = this.#isAtNames() || this.#isBehindElements();
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
    if (mayBeName && this.#name === 'next_cursor') this.hasNextPage = this.#lastText !== '';
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
      else if (this.#isAtNames() || this.#isBehindElements()) this.#name = '';
    } else if (code === COLON) {
      if (this.#isAtNames() || this.#isBehindElements()) this.#name = this.#lastText;
    } else if (code > SPACE) {
      this.#begin(at);
      // What is outside of every document has no strings: a quotation mark there would hide what follows.
      this.#isInString = code === QUOTE && this.#phase !== 'outside';
      if (this.#isInString) this.#lastText = '';
    } else if (code === LINE_FEED && this.#phase === 'outside') {
      this.#finish(bytes, at);
    }
  }

  #isAtNames(): boolean {
    return this.#phase === 'object' && this.#depth === this.#nameDepth;
  }

  /** In the document, where its other members follow the array. */
  #isBehindElements(): boolean {
    return this.#phase === 'after' && this.#depth === 1;
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
    const isNamed = this.#isAtNames() && this.#name === (this.#depth === 1 ? 'items' : 'entries');
    if (this.#phase === 'outside') {
      this.#finish(bytes, at);
      this.#phase = code === OPEN_ARRAY ? 'elements' : 'object';
      this.#elementDepth = 1;
      this.#nameDepth = 1;
      this.#name = '';
      this.hasNextPage = false;
      if (code === OPEN_OBJECT) this.#openAt(at);
    } else if (isNamed && code === OPEN_ARRAY) {
      this.#phase = 'elements';
      this.#elementDepth = this.#depth + 1;
      this.#isOpen = false;
      this.drop();
    } else if (this.#isAtNames() && this.#depth === 1 && this.#name === 'log') {
      this.#nameDepth = 2;
      this.#name = '';
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
    this.#nameDepth = Math.min(this.#nameDepth, Math.max(1, this.#depth));
    if (closesElements) this.#phase = 'after';
    else if (this.#isAtElements()) this.#finish(bytes, at + 1);
    if (this.#depth > 0) return;
    if (this.#phase === 'object') this.#finish(bytes, at + 1);
    this.#phase = 'outside';
  }

  #finish(bytes: Buffer, end: number): void {
    if (!this.#isOpen) return;
    this.#count += 1;
    this.#piece = { text: this.finish(bytes.subarray(this.#start, end)), place: this.#count };
    this.#isOpen = false;
  }
}

/** Bytes of a text that can be the name that is looked for. */
const LONGEST_NAME = 12;
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

/** How much of a file is looked at to tell its kind, in characters. */
export const HEAD = 1024 * 1024;

/**
 * Chooses how to take a file apart, from its beginning: as lines where the first or the second one is a JSON object, or
 * where it begins with no bracket; else as documents. Undefined while more of it is needed.
 */
export function chooseSplitter(head: string, isWhole: boolean): PieceSplitter | undefined {
  const text = head.trimStart();
  if (text.startsWith('[')) return new DocumentSplitter();
  if (text !== '' && !text.startsWith('{')) return new LineSplitter();
  const [first = '', second = '', ...others] = text.split('\n', 3);
  const isEnough = isWhole || others.length > 0 || head.length >= HEAD;
  if (isJsonObject(first)) return new LineSplitter();
  if (!isEnough) return undefined;
  return isJsonObject(second) ? new LineSplitter() : new DocumentSplitter();
}

function isJsonObject(line: string): boolean {
  return line.trimStart().startsWith('{') && isJson(line);
}
