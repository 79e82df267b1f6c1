import { hash } from 'node:crypto';

/**
 * Remembers texts, each with the number that it was first seen with. A text takes 12 bytes at most twice over, because only 64 bits of its
 * SHA-256 are kept: among a million texts, two are taken for the same by chance once in 40 million inputs.
 */
export class SeenHashes {
  #keys = new BigUint64Array(1 << 12);
  #numbers = new Uint32Array(1 << 12);
  #size = 0;

  /** How many different texts were seen. */
  get size(): number {
    return this.#size;
  }

  /** Remembers the text; the number that it was first seen with, undefined the first time. `number` is from 1 to 2^32 - 1. */
  add(text: string, number: number): number | undefined {
    const key = keyOf(text);
    const at = this.#find(key);
    const found = this.#numbers[at];
    if (found) return found;
    this.#keys[at] = key;
    this.#numbers[at] = number;
    this.#size += 1;
    if (this.#size * 2 > this.#keys.length) this.#grow();
    return undefined;
  }

  has(text: string): boolean {
    return this.#numbers[this.#find(keyOf(text))] !== 0;
  }

  /** The place of a key: where it is, or the free one where it belongs. */
  #find(key: bigint): number {
    const mask = this.#keys.length - 1;
    let at = Number(key & 0xffffffffn) & mask;
    while (this.#numbers[at] && this.#keys[at] !== key) at = (at + 1) & mask;
    return at;
  }

  #grow(): void {
    const [keys, numbers] = [this.#keys, this.#numbers];
    this.#keys = new BigUint64Array(keys.length * 2);
    this.#numbers = new Uint32Array(keys.length * 2);
    for (const [index, number] of numbers.entries()) {
      const key = keys[index];
      if (!number || key === undefined) continue;
      const at = this.#find(key);
      this.#keys[at] = key;
      this.#numbers[at] = number;
    }
  }
}

function keyOf(text: string): bigint {
  return hash('sha256', text, 'buffer').readBigUInt64LE(0);
}
