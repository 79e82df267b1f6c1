/** A stream of numbers that is the same for the same seed on every machine. Not for secrets. */
export type Random = {
  /** An integer from 0 up to, not including, `end`. */
  below(end: number): number;
  /** True in about `share` of the calls, 0 to 1. */
  chance(share: number): boolean;
  /** One of the values; `values` must not be empty. */
  pick<Values extends readonly [unknown, ...unknown[]]>(values: Values): Values[number];
  /** The template with each `#` replaced by a digit and each `@` by a capital letter. */
  fill(template: string): string;
  /** Text of the given length from the 62 ASCII letters and digits. */
  alphanumeric(length: number): string;
  /** A text of the shape of a UUID of version 4. */
  uuid(): string;
};

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const symbols = `0123456789${letters}${letters.toLowerCase()}`;
const bytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/**
 * Creates a random stream from a 32-bit seed. Each name has a separate stream, so that records of one kind stay the same when
 * another kind changes.
 */
export function createRandom(seed: number, name = ''): Random {
  const next = mulberry32(seed ^ hash(name));
  const below = (end: number) => Math.floor((next() / 2 ** 32) * end);
  const hexadecimal = () => hexadecimalOf(next());
  return {
    below,
    chance: (share) => next() < share * 2 ** 32,
    pick: (values) => values[below(values.length)] ?? values[0],
    fill(template) {
      let text = '';
      for (const mark of template) {
        if (mark === '#') text += below(10);
        else text += mark === '@' ? letters.charAt(below(26)) : mark;
      }
      return text;
    },
    alphanumeric(length) {
      let text = '';
      while (text.length < length) text += symbols.charAt(below(62));
      return text;
    },
    uuid() {
      const [a, b, c, d] = [hexadecimal(), hexadecimal(), hexadecimal(), hexadecimal()];
      const variant = '89ab'.charAt(below(4));
      return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-${variant}${c.slice(1, 4)}-${c.slice(4)}${d}`;
    },
  };
}

/** Eight digits, from a table: most of the work of seeding would be conversions of numbers otherwise. */
function hexadecimalOf(number: number): string {
  const [a, b] = [bytes[number >>> 24], bytes[(number >>> 16) & 255]];
  return `${a}${b}${bytes[(number >>> 8) & 255]}${bytes[number & 255]}`;
}

/** FNV-1a over the UTF-16 units; 0 for the empty name. */
function hash(name: string): number {
  let state = 0;
  for (let index = 0; index < name.length; index += 1) {
    state = Math.imul((state || 0x811c9dc5) ^ name.charCodeAt(index), 0x01000193);
  }
  return state;
}

/** The generator known as mulberry32: 32 bits of state, passes the usual tests, five operations a number. */
function mulberry32(seed: number): () => number {
  // With a sign it needs no memory of its own: every number that is made would leave one behind otherwise.
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}
