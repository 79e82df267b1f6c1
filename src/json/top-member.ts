import { textAt } from './edit.ts';
import { endOfValue, skipSpace } from './scan.ts';

const BACKSLASH = 0x5c;
const QUOTE = 0x22;

/**
 * Finds members of an object by its exact JSON text. Faster than `textAt` where no other object or array is between a member and one end
 * of the object. Of duplicate names, any may count.
 */
export class TopMembers {
  readonly #text: string;
  /** Where the first object or array in the object begins, and where the last one ends. */
  readonly #from: number;
  #to: number | undefined;

  constructor(text: string) {
    this.#text = text;
    const [brace, bracket] = [text.indexOf('{', 1), text.indexOf('[', 1)];
    this.#from = Math.min(brace === -1 ? text.length : brace, bracket === -1 ? text.length : bracket);
  }

  /** The exact source text of a member; undefined where there is none. `key` is its name with the closing quote and the colon. */
  find(name: string, key: string): string | undefined {
    const text = this.#text;
    // The opening quote is compared by itself: quotes are frequent, so a search for one takes twice as long.
    let first = text.indexOf(key);
    while (first !== -1 && text.charCodeAt(first - 1) !== QUOTE) first = text.indexOf(key, first + 1);
    // The name may be written with escapes, or with white space before the colon.
    if (first === -1) return text.includes('\\') || text.includes(name) ? textAt(text, name) : undefined;
    // Another name may end in an escaped quote and this one.
    if (text.charCodeAt(first - 2) === BACKSLASH) return textAt(text, name);
    if (first < this.#from) return valueAt(text, first + key.length);
    this.#to ??= Math.max(text.lastIndexOf('}', text.length - 2), text.lastIndexOf(']'));
    let last = text.lastIndexOf(key);
    while (text.charCodeAt(last - 1) !== QUOTE) last = text.lastIndexOf(key, last - 1);
    const isName = last > this.#to && text.charCodeAt(last - 2) !== BACKSLASH;
    return isName ? valueAt(text, last + key.length) : textAt(text, name);
  }
}

/** The value that begins at `at` or after white space. */
function valueAt(text: string, at: number): string {
  const start = skipSpace(text, at);
  return text.slice(start, endOfValue(text, start));
}
