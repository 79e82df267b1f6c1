import { endOfString, endOfValue, skipSpace, unquote } from './scan.ts';

/**
 * Which values of a document are marked, by the names of members. `true` marks a value and everything in it, `false` excepts
 * it; `*` stands for every member that is not named. The elements of an array are marked as the array is.
 */
export type MemberMarks = { readonly [name: string]: MemberMarks | boolean };

/** What to mask, and with what. */
export type MaskRules = {
  /** What a masked value becomes: the text of a JSON string, without its quotes. */
  readonly mask: string;
  /**
   * Marked values: every string, number and boolean in them is masked, and the shape stays. Null and the empty string
   * tell nothing, and stay too; so does what the service has masked already, with asterisks or bullets.
   */
  readonly marks?: MemberMarks | undefined;
  /** Whether the member of this name is marked wherever it is, unless `marks` names it. */
  readonly marksName?: ((name: string) => boolean) | undefined;
  /** Whether the value of a member of this name is masked whole, at any depth and whatever its type. Null stays. */
  readonly hides?: ((name: string) => boolean) | undefined;
};

/** A document with some values masked. `marked` counts those of `marks` that are not shown, by whomever they were masked. */
export type Masked = { readonly text: string; readonly marked: number };

type Mark = MemberMarks | boolean | undefined;
type Container = { readonly isObject: boolean; readonly mark: Mark };

/**
 * Masks values in JSON text; every other character stays as it is. Takes time in proportion to the text, and does not recurse.
 * In text that JSON.parse refuses it masks what it finds as far as the text can be read.
 */
export function maskJson(text: string, rules: MaskRules): Masked {
  return new Masker(text, rules).run();
}

class Masker {
  readonly #text: string;
  readonly #rules: MaskRules;
  readonly #replacement: string;
  readonly #open: Container[] = [];
  #shown = '';
  /** Everything before this index is in `#shown`. */
  #done = 0;
  #marked = 0;

  constructor(text: string, rules: MaskRules) {
    this.#text = text;
    this.#rules = rules;
    this.#replacement = `"${rules.mask}"`;
  }

  run(): Masked {
    let at = this.#value(skipSpace(this.#text, 0), this.#rules.marks);
    for (let inside = this.#open.at(-1); inside && at < this.#text.length; inside = this.#open.at(-1)) {
      const code = this.#text.charCodeAt(at);
      if (code === 0x7d || code === 0x5d) {
        this.#open.pop();
        at += 1;
      } else if (code === 0x2c || code <= 0x20) {
        at += 1;
      } else {
        at = inside.isObject ? this.#member(at, inside.mark) : this.#value(at, inside.mark);
      }
    }
    const text = this.#done === 0 ? this.#text : this.#shown + this.#text.slice(this.#done);
    return { text, marked: this.#marked };
  }

  /** Steps over a name and its value, or into the value, and returns where it got to. */
  #member(at: number, mark: Mark): number {
    const nameEnd = endOfString(this.#text, at);
    const start = skipSpace(this.#text, skipSpace(this.#text, nameEnd) + 1);
    if (start >= this.#text.length) return start;
    const { hides, marksName } = this.#rules;
    const isNamed = hides || (marksName && mark === undefined);
    if (!isNamed && (mark === undefined || typeof mark === 'boolean')) return this.#value(start, mark);
    const name = unquote(this.#text.slice(at, nameEnd));
    if (!hides?.(name)) return this.#value(start, markOf(mark, name) ?? (marksName?.(name) || undefined));
    const end = endOfValue(this.#text, start);
    if (!this.#text.startsWith('null', start)) this.#replace(start, end);
    return end;
  }

  #value(at: number, mark: Mark): number {
    const first = this.#text.charCodeAt(at);
    const isObject = first === 0x7b;
    if (isObject || first === 0x5b) {
      if (!mark && !this.#rules.hides && !this.#rules.marksName) return endOfValue(this.#text, at);
      this.#open.push({ isObject, mark });
      return at + 1;
    }
    // Never stays where it is, also in what is no JSON.
    const end = Math.max(endOfValue(this.#text, at), at + 1);
    if (mark && markOf(mark, '') === true && this.#tells(at, end)) {
      if (!this.#isMasked(at, end)) this.#replace(at, end);
      this.#marked += 1;
    }
    return end;
  }

  /** Whether a scalar says anything: it is neither null nor the empty string. */
  #tells(start: number, end: number): boolean {
    return this.#text.charCodeAt(start) === 0x22 ? end - start > 2 : !this.#text.startsWith('null', start);
  }

  /** Whether the service has masked a scalar. */
  #isMasked(start: number, end: number): boolean {
    if (this.#text.charCodeAt(start) !== 0x22) return false;
    let at = start + 1;
    while (MASKING.has(this.#text.charCodeAt(at))) at += 1;
    return at === end - 1;
  }

  #replace(start: number, end: number): void {
    this.#shown += this.#text.slice(this.#done, start) + this.#replacement;
    this.#done = end;
  }
}

/** The mark of a member; an object that is marked as a whole marks its members. */
function markOf(mark: Mark, name: string): Mark {
  if (mark === undefined || typeof mark === 'boolean') return mark;
  return Object.hasOwn(mark, name) ? mark[name] : mark['*'];
}

/** The asterisk and the bullet, which services mask with. */
const MASKING = new Set([0x2a, 0x2022]);
