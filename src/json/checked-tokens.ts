import { endOfValue } from './scan.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Characters that a JSON string cannot contain. To search for the backslash as well would take nearly twice as long. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is what it is for
const CONTROL = /[\x00-\x1f]/g;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** The characters after a number or a literal: white space, a comma, or the end of its container. */
const ENDS_VALUE = new Set([0x20, 0x0a, 0x0d, 0x09, 0x2c, 0x5d, 0x7d]);

/** Steps over the strings, numbers and literals of one text, and finds out whether they are JSON. Takes time in proportion to the text. */
export class CheckedTokens {
  /** Whether all that was passed is JSON by RFC 8259. */
  isJson = true;
  readonly #text: string;
  /** Where the next backslash or control character is, at or after the string that was passed last. */
  #odd = -1;
  #backslash = -1;
  #control = -1;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the index after the string whose opening quote is at `index`; of one that does not end, the end of the text. */
  endOfString(index: number): number {
    const close = this.#text.indexOf('"', index + 1);
    if (this.#odd < index) this.#odd = this.#nextOdd(index);
    return close !== -1 && close < this.#odd ? close + 1 : this.#endOfOddString(index + 1, close);
  }

  /** Returns the index after the string, number or literal at `index`, and never `index` itself. */
  endOfScalar(index: number): number {
    const first = this.#text.charCodeAt(index);
    if (first === QUOTE) return this.endOfString(index);
    const end = this.#endOfUnquoted(index, first);
    if (end !== undefined && ENDS_VALUE.has(this.#text.charCodeAt(end))) return end;
    // A number or a word may also end with the text.
    this.isJson &&= end === this.#text.length;
    return Math.max(endOfValue(this.#text, index), index + 1);
  }

  #endOfUnquoted(index: number, first: number): number | undefined {
    if (first === 0x6e && this.#text.startsWith('null', index)) return index + 4;
    if (first === 0x74 && this.#text.startsWith('true', index)) return index + 4;
    if (first === 0x66 && this.#text.startsWith('false', index)) return index + 5;
    NUMBER.lastIndex = index;
    return NUMBER.test(this.#text) ? NUMBER.lastIndex : undefined;
  }

  #endOfOddString(start: number, firstClose: number): number {
    let close = firstClose;
    for (let at = start; ; ) {
      if (close !== -1 && close < at) close = this.#text.indexOf('"', at);
      if (this.#odd < at) this.#odd = this.#nextOdd(at);
      if (close !== -1 && close < this.#odd) return close + 1;
      if (this.#odd >= this.#text.length) {
        this.isJson = false;
        return this.#text.length;
      }
      at = this.#afterOdd();
    }
  }

  /** Returns the index after the escape sequence, or after the control character, which is not allowed. */
  #afterOdd(): number {
    ESCAPE.lastIndex = this.#odd;
    if (ESCAPE.test(this.#text)) return ESCAPE.lastIndex;
    this.isJson = false;
    return this.#odd + (this.#text.charCodeAt(this.#odd) === BACKSLASH ? 2 : 1);
  }

  #nextOdd(from: number): number {
    if (this.#backslash < from) {
      const at = this.#text.indexOf('\\', from);
      this.#backslash = at === -1 ? Number.POSITIVE_INFINITY : at;
    }
    if (this.#control < from) {
      CONTROL.lastIndex = from;
      this.#control = CONTROL.test(this.#text) ? CONTROL.lastIndex - 1 : Number.POSITIVE_INFINITY;
    }
    return Math.min(this.#backslash, this.#control);
  }
}
