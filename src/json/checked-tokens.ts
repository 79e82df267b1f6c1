import { endOfValue } from './scan.ts';

const QUOTE = 0x22;

/** Characters that a JSON string cannot contain. To search for the backslash as well would take nearly twice as long. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is what it is for
const CONTROL = /[\x00-\x1f]/g;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/** A literal or a number, before white space, a comma, the end of its container or the end of the text. */
const UNQUOTED = /(?:null|true|false|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?=[ \n\r\t,\]}]|$)/y;

/** Steps over the strings, numbers and literals of one text, and finds out whether they are JSON. Takes time in proportion to the text. */
export class CheckedTokens {
  /** Whether all that was passed is JSON by RFC 8259. */
  isJson = true;
  readonly #text: string;
  /** Where the next backslash or control character is, at or after the place that was looked at last. */
  #backslash = -1;
  #control = -1;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the index after the string whose opening quote is at `index`; of one that does not end, the end of the text. */
  endOfString(index: number): number {
    let close = index;
    for (let at = index + 1; ; ) {
      if (close < at) close = orInfinity(this.#text.indexOf('"', at));
      const odd = this.#nextOdd(at);
      if (close < odd) return close + 1;
      if (odd === Number.POSITIVE_INFINITY) {
        this.isJson = false;
        return this.#text.length;
      }
      at = this.#afterOdd(odd);
    }
  }

  /** Returns the index after the string, number or literal at `index`, and never `index` itself. */
  endOfScalar(index: number): number {
    if (this.#text.charCodeAt(index) === QUOTE) return this.endOfString(index);
    UNQUOTED.lastIndex = index;
    if (UNQUOTED.test(this.#text)) return UNQUOTED.lastIndex;
    this.isJson = false;
    return Math.max(endOfValue(this.#text, index), index + 1);
  }

  /** Returns the index after the escape sequence, or after a character that is not allowed there. */
  #afterOdd(odd: number): number {
    ESCAPE.lastIndex = odd;
    if (ESCAPE.test(this.#text)) return ESCAPE.lastIndex;
    this.isJson = false;
    return odd + 1;
  }

  #nextOdd(from: number): number {
    if (this.#backslash < from) this.#backslash = orInfinity(this.#text.indexOf('\\', from));
    if (this.#control < from) {
      CONTROL.lastIndex = from;
      this.#control = CONTROL.test(this.#text) ? CONTROL.lastIndex - 1 : Number.POSITIVE_INFINITY;
    }
    return Math.min(this.#backslash, this.#control);
  }
}

function orInfinity(index: number): number {
  return index === -1 ? Number.POSITIVE_INFINITY : index;
}
