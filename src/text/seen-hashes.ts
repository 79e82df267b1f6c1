import { hash } from 'node:crypto';

/** The part of the places that is taken before there are more of them, and how many times as many there are then. */
const FULL = 0.85;
const GROWTH = 1.5;

/**
 * Remembers texts, each with the number that it was first seen with. A text takes 12 bytes, of which a third or less is unused, because only
 * 64 bits of its SHA-256 are kept: among a million texts, two have the same bits by chance once in 40 million inputs.
 */
export class SeenHashes {
  #high = new Uint32Array(1 << 12);
  #low = new Uint32Array(1 << 12);
  #numbers = new Uint32Array(1 << 12);
  #size = 0;

  /** How many different texts were seen. */
  get size(): number {
    return this.#size;
  }

  /** Remembers the text; the number that it was first seen with, undefined the first time. `number` is from 1 to 2^32 - 1. */
  add(text: string, number: number): number | undefined {
    return this.addHalves(...halvesOf(text), number);
  }

  /** The same for a text by 64 other bits that stand for it. */
  addHalves(high: number, low: number, number: number): number | undefined {
    const at = this.#find(high, low);
    const found = this.#numbers[at];
    if (found) return found;
    this.#put(at, high, low, number);
    this.#size += 1;
    if (this.#size > this.#numbers.length * FULL) this.#grow();
    return undefined;
  }

  has(text: string): boolean {
    return this.get(...halvesOf(text)) !== undefined;
  }

  /** The number of what these bits stand for; undefined where it was not seen. */
  get(high: number, low: number): number | undefined {
    return this.#numbers[this.#find(high, low)] || undefined;
  }

  #put(at: number, high: number, low: number, number: number): void {
    this.#high[at] = high;
    this.#low[at] = low;
    this.#numbers[at] = number;
  }

  /** The place of a key: where it is, or the free one where it belongs. */
  #find(high: number, low: number): number {
    const places = this.#numbers.length;
    let at = low % places;
    while (this.#numbers[at] && !(this.#high[at] === high && this.#low[at] === low)) at = (at + 1) % places;
    return at;
  }

  #grow(): void {
    const old = [this.#high, this.#low, this.#numbers] as const;
    const places = Math.ceil(this.#numbers.length * GROWTH);
    this.#high = new Uint32Array(places);
    this.#low = new Uint32Array(places);
    this.#numbers = new Uint32Array(places);
    const [highs, lows, numbers] = old;
    for (let index = 0; index < numbers.length; index += 1) {
      const [high = 0, low = 0, number = 0] = [highs[index], lows[index], numbers[index]];
      if (number > 0) this.#put(this.#find(high, low), high, low, number);
    }
    // Frees the memory at once, and not when V8 next looks for it.
    for (const { buffer } of old) buffer.transfer(0);
  }
}

function halvesOf(text: string): readonly [number, number] {
  const digest = hash('sha256', text);
  return [Number.parseInt(digest.slice(0, 8), 16), Number.parseInt(digest.slice(8, 16), 16)];
}
