import { randomInt } from 'node:crypto';

/** The part of the places that is taken before there are more of them, and how many times as many there are then. */
const FULL = 0.85;
const GROWTH = 1.5;

/**
 * Remembers texts, each with the number that it was first seen with. A text takes 12 bytes, of which a third or less is unused, because only
 * its fingerprint is kept: among a million texts, two have the same one by chance once in 40 million inputs.
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
    return this.addPrint(new Fingerprint().add(text), number);
  }

  /** The same for what has this fingerprint. */
  addPrint({ high, low }: Print, number: number): number | undefined {
    const at = this.#find(high >>> 0, low >>> 0);
    const found = this.#words[at + 2];
    if (found) return found;
    this.#put(at, high, low, number);
    this.#size += 1;
    if (this.#size > (this.#words.length / 3) * FULL) this.#grow();
    return undefined;
  }

  has(text: string): boolean {
    return this.hasPrint(new Fingerprint().add(text));
  }

  hasPrint({ high, low }: Print): boolean {
    return this.#words[this.#find(high >>> 0, low >>> 0) + 2] !== 0;
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

/** 64 bits of a hash. */
type Print = { readonly high: number; readonly low: number };

/** Another one in each process, so that nobody can make texts that have the same fingerprint. */
const KEY = { high: randomInt(2 ** 32) | 0, low: randomInt(2 ** 32) | 0 };

/**
 * 64 bits that identify texts by their places, in whatever order they are added. A fraction of the time of SHA-256, which takes longer to be
 * called than to hash a short text. Not for files: it differs from process to process.
 */
export class Fingerprint {
  high: number;
  low: number;

  /** `begun` is what was added before. */
  constructor({ high, low }: Print = KEY) {
    this.high = high;
    this.low = low;
  }

  /** Adds the text, or the part of it between two indexes. */
  add(text: string, place = 0, { start = 0, end = text.length }: Part = WHOLE): this {
    let high = KEY.high ^ Math.imul(place + 1, 0x27d4eb2f);
    let low = KEY.low ^ Math.imul(place + 1, 0x165667b1);
    for (let at = start; at < end; at += 1) {
      high = Math.imul(high ^ text.charCodeAt(at), 0x9e3779b1);
      low = Math.imul(((low << 13) | (low >>> 19)) ^ high, 0x5f356495);
    }
    // Every bit of the state is to change about half of the bits of the result.
    for (let round = 0; round < 2; round += 1) {
      high = Math.imul(high ^ (high >>> 15) ^ low, 0x85ebca6b);
      low = Math.imul(low ^ (low >>> 13) ^ high, 0xc2b2ae35);
    }
    this.high ^= high ^ (high >>> 16);
    this.low ^= low ^ (low >>> 16);
    return this;
  }
}

type Part = { readonly start?: number; readonly end?: number };
const WHOLE: Part = {};
