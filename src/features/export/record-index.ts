import { digestOf, SeenHashes, wordAt } from '../../text/seen-hashes.ts';

/** Two halves of 32 bits each. */
type Halves = readonly [high: number, low: number];

/** The version of a record that is gone. */
export const GONE: Halves = [0, 0];

/** What identifies a version of a record: 64 bits of the SHA-256 of its exact text, never those of `GONE`. */
export function versionOf(text: string): Halves {
  const digest = digestOf(text);
  return [wordAt(digest, 0), wordAt(digest, 4) || 1];
}

/**
 * Two hashes of an ID. They are fast and can collide: a record whose ID has the same hashes as another one is treated as a new version of
 * it, so that the copy has both.
 */
function halvesOfId(id: string): Halves {
  let high = 0xdeadbeef | 0;
  let low = 0x41c6ce57 | 0;
  for (let at = 0; at < id.length; at += 1) {
    const code = id.charCodeAt(at);
    high = Math.imul(high ^ code, 0x9e3779b1);
    low = Math.imul(low ^ code, 0x5f356495);
  }
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  return [high >>> 0, low >>> 0];
}

/**
 * The records of a list by their IDs, each with its version and a number, counted from 0. A record takes about 25 bytes of memory.
 */
export class RecordIndex {
  readonly #numbers = new SeenHashes();
  #versions = new Uint32Array(1 << 13);
  #marks = new Uint8Array(1 << 9);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The number of a record, by the JSON text of its ID. A new one is added with this version: its number is the size before. */
  numberOf(id: string, version: Halves): number {
    const found = this.#numbers.addHalves(...halvesOfId(id), this.#size + 1);
    if (found !== undefined) return found - 1;
    if (this.#size * 2 >= this.#versions.length) this.#versions = grown(this.#versions);
    this.#size += 1;
    this.setVersion(this.#size - 1, version);
    return this.#size - 1;
  }

  /** Whether a record is known, by the JSON text of its ID. */
  has(id: string): boolean {
    return this.#numbers.hasHalves(...halvesOfId(id));
  }

  hasVersion(number: number, [high, low]: Halves): boolean {
    return this.#versions[number * 2] === high && this.#versions[number * 2 + 1] === low;
  }

  versionAt(number: number): Halves {
    return [this.#versions[number * 2] ?? 0, this.#versions[number * 2 + 1] ?? 0];
  }

  setVersion(number: number, [high, low]: Halves): void {
    this.#versions[number * 2] = high;
    this.#versions[number * 2 + 1] = low;
  }

  /** The versions of these records, as bytes. */
  versions(from: number, to: number): Uint8Array {
    const { buffer, byteOffset } = this.#versions;
    return new Uint8Array(buffer, byteOffset + from * BYTES, (to - from) * BYTES);
  }

  /** Marks a record as read in this pass; whether it was marked before. */
  mark(number: number): boolean {
    const at = number >>> 3;
    if (at >= this.#marks.length) {
      const marks = new Uint8Array(Math.max(at + 1, this.#marks.length * 2));
      marks.set(this.#marks);
      this.#marks = marks;
    }
    const bit = 1 << (number & 7);
    const marks = this.#marks[at] ?? 0;
    this.#marks[at] = marks | bit;
    return (marks & bit) !== 0;
  }

  isMarked(number: number): boolean {
    return ((this.#marks[number >>> 3] ?? 0) & (1 << (number & 7))) !== 0;
  }

  markAll(): void {
    for (let number = 0; number < this.#size; number += 1) this.mark(number);
  }
}

/** Bytes of a version. */
export const BYTES = 8;

function grown(array: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.ceil(array.length * 1.5));
  larger.set(array);
  array.buffer.transfer(0);
  return larger;
}

/** The IDs of records that are not recorded yet, as bytes: a text of a page would keep the whole page in memory. */
export class IdLog {
  #bytes = Buffer.allocUnsafe(1 << 16);
  #length = 0;

  push(id: string): void {
    // No character of UTF-16 takes more bytes.
    const most = this.#length + id.length * 3 + 1;
    if (most > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(most, this.#bytes.length * 2));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    this.#length += this.#bytes.write(id, this.#length);
    this.#bytes[this.#length] = NEWLINE;
    this.#length += 1;
  }

  /** All of them in their order, separated by line feeds: at most `first` together, then at most `most` at a time. */
  *lines(
    first: number,
    most: number,
  ): Generator<{ readonly text: string; readonly count: number }, void, undefined> {
    let start = 0;
    for (let limit = first; start < this.#length; limit = most) {
      let end = start;
      let count = 0;
      for (; count < limit && end < this.#length; count += 1) end = this.#bytes.indexOf(NEWLINE, end) + 1;
      yield { text: this.#bytes.toString('utf8', start, end - 1), count };
      start = end;
    }
  }

  /** Forgets them. */
  clear(): void {
    this.#length = 0;
  }
}

const NEWLINE = 10;
