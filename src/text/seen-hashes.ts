import { hash } from 'node:crypto';

/** The part of the places that is taken before there are more of them, and how many times as many there are then. */
const FULL = 0.85;
const GROWTH = 1.5;

/**
 * Remembers texts, each with the number that it was first seen with. A text takes 12 bytes, of which a third or less is unused, because only
 * 64 bits of its SHA-256 are kept: among a million texts, two have the same bits by chance once in 40 million inputs.
 */
export class SeenHashes {
  /** Three words a place, which are next to each other because one reads them together: 64 bits of a hash, and the number. */
  #words: Uint32Array<ArrayBuffer>;
  #size = 0;

  /** `places` is how many places there are at first. */
  constructor(places = 1 << 12) {
    this.#words = new Uint32Array(3 * places);
  }

  /** How many different texts were seen. */
  get size(): number {
    return this.#size;
  }

  /** Remembers the text; the number that it was first seen with, undefined the first time. `number` is from 1 to 2^32 - 1. */
  add(text: string, number: number): number | undefined {
    const digest = digestOf(text);
    return this.addHalves(wordAt(digest, 0), wordAt(digest, 4), number);
  }

  /** The same for a text that other 64 bits identify. */
  addHalves(high: number, low: number, number: number): number | undefined {
    const at = this.#find(high, low);
    const found = this.#words[at + 2];
    if (found) return found;
    this.#put(at, high, low, number);
    this.#size += 1;
    if (this.#size > (this.#words.length / 3) * FULL) this.#grow();
    return undefined;
  }

  has(text: string): boolean {
    const digest = digestOf(text);
    return this.hasHalves(wordAt(digest, 0), wordAt(digest, 4));
  }

  hasHalves(high: number, low: number): boolean {
    return this.#words[this.#find(high, low) + 2] !== 0;
  }

  #put(at: number, high: number, low: number, number: number): void {
    this.#words[at] = high;
    this.#words[at + 1] = low;
    this.#words[at + 2] = number;
  }

  /** The place of a key: where it is, or the free one where it belongs. */
  #find(high: number, low: number): number {
    const words = this.#words;
    let at = 3 * Math.floor((low / 2 ** 32) * (words.length / 3));
    while (words[at + 2] && !(words[at] === high && words[at + 1] === low)) {
      at += 3;
      if (at === words.length) at = 0;
    }
    return at;
  }

  #grow(): void {
    const old = this.#words;
    this.#words = new Uint32Array(3 * Math.ceil((old.length / 3) * GROWTH));
    for (let index = 0; index < old.length; index += 3) {
      const number = old[index + 2] ?? 0;
      const high = old[index] ?? 0;
      const low = old[index + 1] ?? 0;
      if (number > 0) this.#put(this.#find(high, low), high, low, number);
    }
    // Frees the memory at once, and not when V8 next looks for it.
    old.buffer.transfer(0);
  }
}

/** The SHA-256 of a text as a character for each byte, which is faster than a buffer. */
export function digestOf(text: string): string {
  return hash('sha256', text, 'latin1');
}

/** The 32 bits that begin at a byte of a digest. */
export function wordAt(bytes: string, at: number): number {
  const high = (bytes.charCodeAt(at) << 8) | bytes.charCodeAt(at + 1);
  return ((high << 16) | (bytes.charCodeAt(at + 2) << 8) | bytes.charCodeAt(at + 3)) >>> 0;
}
