import type { Random } from '../../text/random.ts';
import { oncePerName } from '../memoize.ts';
import { fitsPattern } from '../patterns.ts';

type Writer = (random: Random, extra: number) => string;

/** The characters that are written for a class such as `\w` or `.`. */
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
const WORD = `${LETTERS}${LETTERS.toUpperCase()}${DIGITS}`;
const PRINTABLE = `${WORD} -_.,:;/@#%&*+=!?()[]{}<>'"$~^|\\`;
const CLASSES: Readonly<Record<string, string>> = { d: DIGITS, w: WORD, s: ' ', D: LETTERS, W: '-', S: WORD };
const CONTROLS: typeof CLASSES = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v', 0: '\0' };

/**
 * Generates a text of a length between two limits that matches a regular expression; undefined if none is found. Look-around and
 * back-references are not supported.
 */
export function textOfPattern(
  pattern: string,
  random: Random,
  { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = {},
): string | undefined {
  try {
    const write = writerOf(pattern);
    for (let attempt = 0; attempt < 40; attempt += 1) {
      const text = write(random, attempt % 2 === 0 ? attempt : minLength);
      const length = [...text].length;
      if (length >= minLength && length <= maxLength && fitsPattern(pattern, text) === true) return text;
    }
  } catch {
    // The parser does not support the pattern.
  }
  return undefined;
}

/** @throws SyntaxError for what is not a pattern, or not supported */
const writerOf = oncePerName((pattern) => {
  new RegExp(pattern, 'u');
  return new Parser(pattern).whole();
});

/** The largest number of repeats in a text. */
const MOST_REPEATS = 20_000;

/** Parses a pattern into a function that writes texts that match it. */
class Parser {
  readonly #pattern: string;
  #at = 0;
  /** The number of repeats that the text may still have. */
  #left = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  whole(): Writer {
    const write = this.#choice();
    if (this.#at < this.#pattern.length) throw new SyntaxError('a closing bracket too much');
    return (random, extra) => {
      this.#left = MOST_REPEATS;
      return write(random, extra);
    };
  }

  #choice(): Writer {
    const branches = [this.#sequence()];
    while (this.#take('|')) branches.push(this.#sequence());
    const [first = () => '', ...others] = branches;
    return (random, extra) => random.pick([first, ...others])(random, extra);
  }

  #sequence(): Writer {
    const parts: Writer[] = [];
    while (/[^|)]/.test(this.#pattern.charAt(this.#at))) parts.push(this.#repeated(this.#atom()));
    return (random, extra) => parts.map((part) => part(random, extra)).join('');
  }

  #take(text: string): boolean {
    const isNext = this.#pattern.startsWith(text, this.#at);
    if (isNext) this.#at += text.length;
    return isNext;
  }

  /** What comes next if it matches a sticky expression. */
  #match(next: RegExp): RegExpExecArray | null {
    next.lastIndex = this.#at;
    const found = next.exec(this.#pattern);
    this.#at += found?.[0].length ?? 0;
    return found;
  }

  #atom(): Writer {
    if (this.#take('^') || this.#take('$') || this.#take('\\b')) return () => '';
    if (this.#take('(')) return this.#group();
    if (this.#take('[')) return oneOf(this.#class());
    if (this.#take('.')) return oneOf(WORD);
    return oneOf(this.#character());
  }

  #group(): Writer {
    if (!this.#match(/\?(?::|<\w+>)/y) && this.#take('?')) throw new SyntaxError('look-around');
    const write = this.#choice();
    if (!this.#take(')')) throw new SyntaxError('an open bracket');
    return write;
  }

  /** The characters that one character or escape stands for. */
  #character(): string {
    const property = this.#match(/\\p\{[^}]*\}/iy);
    if (property) return printable(new RegExp(property[0], 'u'));
    const code = this.#match(/\\(?:u\{([0-9a-f]+)\}|u([0-9a-f]{4})|x([0-9a-f]{2}))/iy);
    if (code) return String.fromCodePoint(Number.parseInt(code.slice(1).join(''), 16));
    const [, escaped, plain = ''] = this.#match(/\\(.)|(.)/suy) ?? [];
    if (escaped === undefined) return plain;
    if (/[1-9k]/.test(escaped)) throw new SyntaxError('a reference back');
    return CLASSES[escaped] ?? CONTROLS[escaped] ?? escaped;
  }

  #class(): string {
    const isNegated = this.#take('^');
    let letters = '';
    while (!this.#take(']')) {
      if (this.#at >= this.#pattern.length) throw new SyntaxError('an open class');
      const first = this.#character();
      const isRange = [...first].length === 1 && this.#match(/-(?=[^\]])/y);
      letters += isRange ? range(first, this.#character()) : first;
    }
    return isNegated ? printable({ test: (letter) => !letters.includes(letter) }) : letters;
  }

  #repeated(write: Writer): Writer {
    const counted = this.#match(/(?:\{(\d+)(,(\d*))?\}|([?*+]))\??/y);
    if (!counted) return write;
    const [, least = counted[4] === '+' ? '1' : '0', comma, most, mark] = counted;
    const from = Number(least);
    const open = mark === '?' ? 1 : Number.POSITIVE_INFINITY;
    const to = mark ? open : comma === undefined ? from : most ? Number(most) : Number.POSITIVE_INFINITY;
    return (random, extra) => {
      const above = Math.min(to - from, 3 + extra, 400);
      const count = from + (extra > 3 ? above : random.below(above + 1));
      this.#left -= count;
      if (this.#left < 0) throw new RangeError('too long a text');
      return Array.from({ length: count }, () => write(random, 0)).join('');
    };
  }
}

/** The largest number of characters of a range. */
const MOST_LETTERS = 200;

function range(first: string, last: string): string {
  const [from = 0, to = 0] = [first.codePointAt(0), last.codePointAt(0)];
  return Array.from({ length: Math.min(Math.max(to - from + 1, 0), MOST_LETTERS) }, (_, index) =>
    String.fromCodePoint(from + index),
  ).join('');
}

function printable(wanted: { readonly test: (letter: string) => boolean }): string {
  return [...PRINTABLE].filter((letter) => wanted.test(letter)).join('');
}

function oneOf(letters: string): Writer {
  const [first, ...others] = [...letters];
  if (first === undefined) throw new SyntaxError('an empty class');
  return (random) => random.pick([first, ...others]);
}
