import { isRawJson } from '../json/is-object.ts';

/** UTF-16 units of a text that are printed on stderr. */
const LONGEST_TEXT = 2000;
/** A text that is longer by no more than this is printed whole: what is left out would be shorter than the note about it. */
const SLACK = 200;
/** What is redacted beyond the part that is printed, so that a secret across its end is recognised. */
const MARGIN = 2000;
/** Elements of a list, or members of an object, that are printed. */
const MOST_ELEMENTS = 50;
/** UTF-16 units of all texts together in one member of the data. */
const LONGEST_MEMBER = 10_000;
const DEEPEST = 8;

/**
 * The text, or its beginning and how much is left out: `... (8.9 MB more)`. `redact` sees no more than it has to, so that a
 * text of megabytes costs no more than one of kilobytes.
 */
export function boundText(text: string, redact = (part: string) => part): string {
  return shorten(text, LONGEST_TEXT, redact);
}

function shorten(text: string, longest: number, redact: (part: string) => string): string {
  if (text.length <= longest + SLACK) return redact(text);
  const shown = redact(text.slice(0, longest + MARGIN)).slice(0, longest);
  const whole = /[\uD800-\uDBFF]$/.test(shown) ? shown.slice(0, -1) : shown;
  return `${whole}... (${formatSize(Buffer.byteLength(text) - Buffer.byteLength(text.slice(0, longest)))} more)`;
}

function formatSize(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** What must not be printed of the data that `boundData` is given. */
export type BoundRules = {
  /** The text without secrets that are known. */
  readonly redact: (text: string) => string;
  /** The value to print for a member of this name, where its own must not be. */
  readonly hide?: (name: string) => string | undefined;
};

/**
 * The same data with every text redacted and bounded, and in each of its members no more elements, levels and text than a
 * person reads. What is left out is counted in its place; the names of its own members stay.
 */
export function boundData<T extends object>(data: T, rules: BoundRules): T {
  const members = Object.entries(data).map(([name, part]) => [name, new Bounder(rules).bound(part, 0)]);
  return Object.fromEntries(members) as T;
}

class Bounder {
  readonly #rules: BoundRules;
  #left = LONGEST_MEMBER;

  constructor(rules: BoundRules) {
    this.#rules = rules;
  }

  bound(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.#text(value);
    if (typeof value !== 'object' || value === null || isRawJson(value)) return value;
    if (depth === DEEPEST) return '...';
    return Array.isArray(value) ? this.#list(value, depth) : this.#object(value, depth);
  }

  #text(text: string): string {
    const shown = shorten(text, Math.max(Math.min(LONGEST_TEXT, this.#left), SLACK), this.#rules.redact);
    this.#left -= shown.length;
    return shown;
  }

  #list(list: readonly unknown[], depth: number): unknown[] {
    const shown: unknown[] = [];
    for (const element of list) {
      if (shown.length === MOST_ELEMENTS || this.#left <= 0) break;
      shown.push(this.bound(element, depth + 1));
    }
    const more = list.length - shown.length;
    if (more === 0) return shown;
    const note = `... (${more} more)`;
    // In a list of objects, such as the details of an error, the note is one too.
    return [...shown, typeof list[0] === 'object' && list[0] !== null ? { message: note } : note];
  }

  #object(object: object, depth: number): Record<string, unknown> {
    const members = Object.entries(object);
    const shown: [string, unknown][] = [];
    for (const [name, member] of members) {
      if (shown.length === MOST_ELEMENTS || this.#left <= 0) break;
      const hidden = member === null || member === undefined ? undefined : this.#rules.hide?.(name);
      shown.push([this.#text(name), hidden ?? this.bound(member, depth + 1)]);
    }
    const more = members.length - shown.length;
    return Object.fromEntries(more === 0 ? shown : [...shown, ['...', `(${more} more)`]]);
  }
}
