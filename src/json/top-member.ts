import { textAt } from './edit.ts';
import { endOfValue, skipSpace } from './scan.ts';

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

  /** The exact source text of a member; undefined where there is none. `key` is its name in quotes, with the colon. */
  find(name: string, key: string): string | undefined {
    const text = this.#text;
    const first = text.indexOf(key);
    // The name may be written with escapes, or with white space before the colon.
    if (first === -1) return text.includes('\\') || text.includes(name) ? textAt(text, name) : undefined;
    // Another name may end in an escaped quote and this one.
    if (text[first - 1] === '\\') return textAt(text, name);
    if (first < this.#from) return valueAt(text, first + key.length);
    this.#to ??= Math.max(text.lastIndexOf('}', text.length - 2), text.lastIndexOf(']'));
    const last = text.lastIndexOf(key);
    return last > this.#to && text[last - 1] !== '\\' ? valueAt(text, last + key.length) : textAt(text, name);
  }
}

/** The value that begins at `at` or after white space. */
function valueAt(text: string, at: number): string {
  const start = skipSpace(text, at);
  return text.slice(start, endOfValue(text, start));
}
