/** A piece of a log file that may be an entry, or that cannot be one. */
export type Piece = {
  /** The JSON text; undefined for what is too long to be read. */
  readonly text: string | undefined;
  /** Its line, or its number among the elements of a document; both begin at 1. */
  readonly place: number;
};

/** How pieces are counted: a file is lines, or one document whose elements they are. */
export type LogKind = 'line' | 'element';

/** Takes the texts of a log file apart, as they arrive. */
export type LogSplitter = {
  readonly kind: LogKind;
  /** The pieces that are complete with this text. */
  add(text: string): readonly Piece[];
  /** What is left at the end. */
  end(): readonly Piece[];
};

/** The longest line or element that is read, in characters. */
export const LONGEST_PIECE = 16 * 1024 * 1024;

/** Splits at the ends of lines; empty lines are none. */
export function splitLines(longest = LONGEST_PIECE): LogSplitter {
  let rest = '';
  let line = 0;
  let isTooLong = false;
  const finish = (text: string): readonly Piece[] => {
    line += 1;
    const wasTooLong = isTooLong || text.length > longest;
    isTooLong = false;
    if (wasTooLong) return [{ text: undefined, place: line }];
    return isBlank(text) ? [] : [{ text, place: line }];
  };
  return {
    kind: 'line',
    add(text) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      const pieces = lines.flatMap(finish);
      if (rest.length > longest) {
        isTooLong = true;
        rest = '';
      }
      return pieces;
    },
    end: () => (rest === '' && !isTooLong ? [] : finish(rest)),
  };
}

function isBlank(text: string): boolean {
  return text.length < 100 && text.trim() === '';
}

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

class DocumentSplitter implements LogSplitter {
  readonly kind = 'element';
  readonly #longest: number;
  #phase: Phase = 'outside';
  /** How many containers are open; elements begin at `#elementDepth`. */
  #depth = 0;
  #elementDepth = 0;
  #isInString = false;
  #isEscaped = false;
  /** The last text in quotation marks, and the name of the member that the scan is in; directly in the object. */
  #lastText = '';
  #name = '';
  #stringStart = 0;
  /** The text of the element that is open, as far as it has arrived; it began at `#start`, -1 where there is none. */
  #rest = '';
  #start = -1;
  #isTooLong = false;
  #count = 0;
  #pieces: Piece[] = [];

  constructor(longest: number) {
    this.#longest = longest;
  }

  add(text: string): readonly Piece[] {
    const all = this.#rest + text;
    for (let at = this.#rest.length; at < all.length; at += 1) this.#step(all, at);
    this.#keepRest(all);
    return this.#takePieces();
  }

  end(): readonly Piece[] {
    if (this.#start !== -1) this.#finish(this.#rest, this.#rest.length);
    else if (this.#depth > 0) this.#pieces.push({ text: '', place: this.#count + 1 });
    return this.#takePieces();
  }

  #takePieces(): readonly Piece[] {
    const pieces = this.#pieces;
    this.#pieces = [];
    return pieces;
  }

  #keepRest(all: string): void {
    const kept = this.#start === -1 ? '' : all.slice(this.#start);
    this.#isTooLong ||= kept.length > this.#longest;
    this.#rest = this.#isTooLong ? '' : kept;
    this.#stringStart -= this.#start === -1 ? 0 : this.#start;
    if (this.#start !== -1) this.#start = 0;
  }

  #step(all: string, at: number): void {
    const code = all.charCodeAt(at);
    if (this.#isInString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (code === BACKSLASH) this.#isEscaped = true;
      else if (code === QUOTE) this.#endString(all, at);
    } else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      this.#open(all, at, code);
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
      this.#close(all, at);
    } else if (code === COMMA) {
      if (this.#isAtElements()) this.#finish(all, at);
    } else if (code === COLON) {
      if (this.#phase === 'object' && this.#depth === 1) this.#name = this.#lastText;
    } else if (code > SPACE) {
      this.#begin(at);
      if (code === QUOTE) this.#beginString(at);
    } else if (code === LINE_FEED && this.#phase === 'outside') {
      this.#finish(all, at);
    }
  }

  #isAtElements(): boolean {
    return this.#phase === 'elements' && this.#depth === this.#elementDepth;
  }

  /** Begins an element, or what is outside of every document, unless one is open. */
  #begin(at: number): void {
    if (this.#start === -1 && (this.#phase === 'outside' || this.#isAtElements())) this.#start = at;
  }

  #beginString(at: number): void {
    // What is outside of every document has no strings: a quotation mark there would hide what follows.
    if (this.#phase === 'outside') return;
    this.#isInString = true;
    this.#stringStart = at;
  }

  #endString(all: string, at: number): void {
    this.#isInString = false;
    if (this.#phase === 'object' && this.#depth === 1) this.#lastText = all.slice(this.#stringStart + 1, at);
  }

  #open(all: string, at: number, code: number): void {
    if (this.#phase === 'outside') {
      this.#finish(all, at);
      this.#phase = code === OPEN_ARRAY ? 'elements' : 'object';
      this.#elementDepth = 1;
      this.#name = '';
      if (code === OPEN_OBJECT) this.#start = at;
    } else if (
      this.#phase === 'object' &&
      this.#depth === 1 &&
      code === OPEN_ARRAY &&
      this.#name === 'items'
    ) {
      this.#phase = 'elements';
      this.#elementDepth = 2;
      this.#start = -1;
      this.#isTooLong = false;
    } else {
      this.#begin(at);
    }
    this.#depth += 1;
  }

  #close(all: string, at: number): void {
    if (this.#phase === 'outside') {
      this.#begin(at);
      return;
    }
    const closesElements = this.#isAtElements();
    if (closesElements) this.#finish(all, at);
    this.#depth -= 1;
    if (closesElements) this.#phase = 'after';
    else if (this.#isAtElements()) this.#finish(all, at + 1);
    if (this.#depth > 0) return;
    if (this.#phase === 'object') this.#finish(all, at + 1);
    this.#phase = 'outside';
  }

  #finish(all: string, end: number): void {
    if (this.#start === -1) return;
    this.#count += 1;
    const isTooLong = this.#isTooLong || end - this.#start > this.#longest;
    const text = isTooLong ? undefined : all.slice(this.#start, end);
    this.#pieces.push({ text, place: this.#count });
    this.#start = -1;
    this.#isTooLong = false;
  }
}

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
export function chooseSplitter(head: string, isWhole: boolean): LogSplitter | undefined {
  const text = head.trimStart();
  if (text.startsWith('[')) return splitDocuments();
  if (text !== '' && !text.startsWith('{')) return splitLines();
  const [first = '', second = '', ...others] = text.split('\n', 3);
  const isEnough = isWhole || others.length > 0 || text.length >= HEAD;
  if (isJsonObject(first)) return splitLines();
  if (!isEnough) return undefined;
  return isJsonObject(second) ? splitLines() : splitDocuments();
}

function isJsonObject(line: string): boolean {
  if (!line.trimStart().startsWith('{')) return false;
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
