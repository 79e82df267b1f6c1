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
const symbols = Buffer.from(`0123456789${letters}${letters.toLowerCase()}`);
const hexadecimal = Buffer.from('0123456789abcdef');

/** Buffers for random texts: a string that grows by characters takes twice as long to build and to serialise as JSON. */
const scratch = Buffer.alloc(64);
const uuid = Buffer.from('xxxxxxxx-xxxx-4xxx-xxxx-xxxxxxxxxxxx');

/**
 * Creates a random stream from a 32-bit seed. Each name has a separate stream, so that records of one kind stay the same when
 * another kind changes.
 */
export function createRandom(seed: number, name = ''): Random {
  const next = mulberry32(seed ^ hash(name));
  const below = (end: number) => Math.floor((next() / 2 ** 32) * end);
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
      const text = length > scratch.length ? Buffer.alloc(length) : scratch;
      for (let at = 0; at < length; at += 1) text[at] = symbols[below(62)] ?? 0;
      return text.toString('latin1', 0, length);
    },
    uuid() {
      const [a, b, c, d] = [next(), next(), next(), next()];
      writeDigits(a, { from: 0, to: 0, count: 8 });
      writeDigits(b, { from: 0, to: 9, count: 4 });
      writeDigits(b, { from: 5, to: 15, count: 3 });
      uuid[19] = hexadecimal[8 + below(4)] ?? 0;
      writeDigits(c, { from: 1, to: 20, count: 3 });
      writeDigits(c, { from: 4, to: 24, count: 4 });
      writeDigits(d, { from: 0, to: 28, count: 8 });
      return uuid.toString('latin1');
    },
  };
}

/** Writes some of the eight hexadecimal digits of a number into the UUID. */
function writeDigits(number: number, { from, to, count }: { from: number; to: number; count: number }): void {
  for (let index = 0; index < count; index += 1)
    uuid[to + index] = hexadecimal[(number >>> (28 - 4 * (from + index))) & 15] ?? 0;
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
  // V8 stores a signed 32-bit integer without a heap allocation; an unsigned one could need an allocation each time.
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}
