/** A set of ids. `add` says whether an id is new. */
export type IdSet = { add(id: string): boolean };

/**
 * Makes a set of ids that takes 16 to 32 bytes for a UUID in small letters, a fifth of what a string in a Set takes; any
 * other text is kept as it is.
 */
export function createIdSet(): IdSet {
  const others = new Set<string>();
  const uuids = new UuidTable();
  return {
    add(id) {
      if (uuids.holds(id)) return uuids.add();
      const size = others.size;
      return others.add(id).size > size;
    },
  };
}

const WORDS = 4;
/** The value of each small hexadecimal digit by its character code; -1 for other characters. */
const DIGITS = Int8Array.from({ length: 128 }, (_, code) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(code)),
);
const LENGTH = 36;

/** Tables that grow on their own: one that held everything would need half as much again whenever it grows. */
const TABLES = 256;

/** UUIDs in hash tables, chosen by their last digits. The UUID of zeros is apart, because it marks a free place. */
class UuidTable {
  readonly #tables = Array.from({ length: TABLES }, () => new WordTable());
  #hasZero = false;
  /** The UUID that was read last. */
  readonly #key = new Uint32Array(WORDS);

  /** Reads an id; false for one that is not a UUID in small letters, which the table does not hold. */
  holds(id: string): boolean {
    if (id.length !== LENGTH) return false;
    let digits = 0;
    let word = 0;
    for (let at = 0; at < LENGTH; at += 1) {
      const code = id.charCodeAt(at);
      if (at === 8 || at === 13 || at === 18 || at === 23) {
        if (code !== 0x2d) return false;
        continue;
      }
      const digit = DIGITS[code] ?? -1;
      if (digit === -1) return false;
      word = (word << 4) | digit;
      digits += 1;
      if (digits % 8 === 0) this.#key[digits / 8 - 1] = word;
    }
    return true;
  }

  /** Adds the UUID that was read last; whether it is new. */
  add(): boolean {
    const [a = 0, b = 0, c = 0, d = 0] = this.#key;
    if ((a | b | c | d) === 0) {
      const isNew = !this.#hasZero;
      this.#hasZero = true;
      return isNew;
    }
    return this.#tables[d % TABLES]?.add(this.#key) ?? true;
  }
}

/** A hash table with open addressing: four words for each UUID. */
class WordTable {
  #capacity = 4;
  #words = new Uint32Array(this.#capacity * WORDS);
  #size = 0;

  /** Adds a UUID; whether it is new. */
  add(key: Uint32Array): boolean {
    if (this.#size * 4 >= this.#capacity * 3) this.#grow();
    const at = placeOf(this.#words, key, 0);
    if (!isFree(this.#words, at)) return false;
    this.#words.set(key, at);
    this.#size += 1;
    return true;
  }

  #grow(): void {
    const old = this.#words;
    this.#capacity *= 2;
    this.#words = new Uint32Array(this.#capacity * WORDS);
    for (let from = 0; from < old.length; from += WORDS) {
      if (isFree(old, from)) continue;
      const at = placeOf(this.#words, old, from);
      for (let word = 0; word < WORDS; word += 1) this.#words[at + word] = old[from + word] ?? 0;
    }
  }
}

/** Where the UUID at `from` of `keys` is in a table, or the free place where it would be. */
function placeOf(words: Uint32Array, keys: Uint32Array, from: number): number {
  const a = keys[from] ?? 0;
  const b = keys[from + 1] ?? 0;
  const c = keys[from + 2] ?? 0;
  const d = keys[from + 3] ?? 0;
  const hash = Math.imul(a ^ Math.imul(b, 0x9e3779b1) ^ c ^ Math.imul(d, 0x85ebca6b), 0xc2b2ae35) >>> 0;
  // The capacity is a power of two.
  const last = words.length / WORDS - 1;
  let at = (hash & last) * WORDS;
  for (;;) {
    if (isFree(words, at)) return at;
    if (words[at] === a && words[at + 1] === b && words[at + 2] === c && words[at + 3] === d) return at;
    at = (at + WORDS) & (words.length - 1);
  }
}

function isFree(words: Uint32Array, at: number): boolean {
  return words[at] === 0 && words[at + 1] === 0 && words[at + 2] === 0 && words[at + 3] === 0;
}
