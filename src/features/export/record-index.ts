import { digestOf, Fingerprint, SeenHashes, wordAt } from '../../text/seen-hashes.ts';

/** Two halves of 32 bits each. */
type Halves = readonly [high: number, low: number];

/** The version of a record that is gone. */
export const GONE: Halves = [0, 0];

/** What identifies a version of a record: 64 bits of the SHA-256 of its exact text, never those of `GONE`. */
export function versionOf(text: string): Halves {
  const digest = digestOf(text);
  return [wordAt(digest, 0), wordAt(digest, 4) || 1];
}

/** How many records a row of the state has. */
export const CHUNK = 4096;

/** Bytes of a version. */
const BYTES = 8;

/** Chunks of versions that are kept although the state has them: most lists have the order of the last time. */
const MOST_KEPT = 64;

/** Tables of hashes: one that becomes larger is copied, which takes its memory twice. */
const TABLES = 32;

/** Gives the versions of a chunk of records, as the state has them; undefined where it has none. */
export type ReadVersions = (chunk: number) => Uint8Array | undefined;

/**
 * The records of a list by their IDs, each with its version and a number, counted from 0. A record takes about 16 bytes of memory; its
 * version, 8 more until the state has it. A record whose ID has the fingerprint of another one is treated as a new version of it, so that
 * the copy has both.
 */
export class RecordIndex {
  readonly #tables = Array.from({ length: TABLES }, () => new SeenHashes(1 << 7));
  readonly #read: ReadVersions;
  /** Chunks of versions that are not in the state, and those that are there as well, the oldest first. */
  readonly #unsaved = new Map<number, Uint32Array>();
  readonly #kept = new Map<number, Uint32Array>();
  #marks = new Uint8Array(1 << 9);
  #size = 0;

  constructor(read: ReadVersions) {
    this.#read = read;
  }

  get size(): number {
    return this.#size;
  }

  /** The number of a record, by the JSON text of its ID. A new one is added with this version: its number is the size before. */
  numberOf(id: string, version: Halves): number {
    const found = this.#add(new Fingerprint().add(id), this.#size + 1);
    if (found !== undefined) return found - 1;
    this.#size += 1;
    this.setVersion(this.#size - 1, version);
    return this.#size - 1;
  }

  /** Adds the records of a chunk that the state has, by their IDs, separated by line feeds. */
  addSaved(ids: string): void {
    let start = 0;
    while (start <= ids.length) {
      const next = ids.indexOf('\n', start);
      const end = next === -1 ? ids.length : next;
      this.#size += 1;
      this.#add(new Fingerprint().add(ids, 0, { start, end }), this.#size);
      start = end + 1;
    }
  }

  /** Whether a record is known, by the JSON text of its ID. */
  has(id: string): boolean {
    const print = new Fingerprint().add(id);
    return this.#tableOf(print)?.hasPrint(print) ?? false;
  }

  hasVersion(number: number, [high, low]: Halves): boolean {
    const words = this.#versionsWith(number);
    const at = (number % CHUNK) * 2;
    return words[at] === high && words[at + 1] === low;
  }

  setVersion(number: number, [high, low]: Halves): void {
    const words = this.#versionsWith(number);
    const at = (number % CHUNK) * 2;
    words[at] = high;
    words[at + 1] = low;
    const chunk = Math.floor(number / CHUNK);
    this.#unsaved.set(chunk, words);
    this.#kept.delete(chunk);
  }

  /** The versions of a chunk of records, as bytes. */
  versions(chunk: number): Uint8Array {
    const { buffer, byteOffset } = this.#versionsWith(chunk * CHUNK);
    const count = Math.min(CHUNK, this.#size - chunk * CHUNK);
    return new Uint8Array(buffer, byteOffset, count * BYTES);
  }

  /** Forgets versions that the state has from now on. */
  saved(chunks: Iterable<number>): void {
    for (const chunk of chunks) this.#unsaved.delete(chunk);
  }

  #add(print: Fingerprint, number: number): number | undefined {
    return this.#tableOf(print)?.addPrint(print, number);
  }

  #tableOf({ high }: Fingerprint): SeenHashes | undefined {
    return this.#tables[(high >>> 0) % TABLES];
  }

  #versionsWith(number: number): Uint32Array {
    const chunk = Math.floor(number / CHUNK);
    const found = this.#unsaved.get(chunk) ?? this.#kept.get(chunk);
    if (found) return found;
    const words = new Uint32Array((CHUNK * BYTES) / 4);
    new Uint8Array(words.buffer).set(this.#read(chunk) ?? []);
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined && this.#kept.size >= MOST_KEPT) this.#kept.delete(oldest);
    this.#kept.set(chunk, words);
    return words;
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
