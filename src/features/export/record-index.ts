import { EncodedTexts } from '../../output/parts/encoded-texts.ts';
import { SeenHashes } from '../../text/seen-hashes.ts';

/** Two halves of 32 bits each, as signed integers: V8 keeps these without an object for each. */
export type Version = readonly [high: number, low: number];

/** The version of a record that is gone. */
export const GONE: Version = [0, 0];

/**
 * Gives 64 bits of each of some texts, in a third of the time that SHA-256 takes for a record. Who does not know the seed cannot choose texts
 * with the same bits; others have them by chance.
 */
function hashesOf({ texts, bytes, starts, ends }: EncodedTexts, seed: number): readonly Version[] {
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return texts.map((_, index) => hashOf(words, starts[index] ?? 0, ends[index] ?? 0, seed));
}

/** The bits of the bytes from `start` to `end`. */
function hashOf(words: DataView, start: number, end: number, seed: number): Version {
  let high = Math.floor(seed / 2 ** 32) ^ (end - start);
  let low = seed | 0;
  let evenHigh = ~high;
  let evenLow = ~low;
  // Every second word has 64 bits of its own: they do not wait for the others, which takes half the time.
  for (let at = start; at < end; at += 2 * WORD) {
    const isWhole = at + 2 * WORD <= end;
    const even = isWhole ? words.getInt32(at, true) : lastWord(words, at, end);
    evenHigh = Math.imul(evenHigh ^ even, 0x9e3779b1);
    evenHigh = (evenHigh << 13) | (evenHigh >>> 19);
    evenLow = Math.imul(evenLow ^ even, 0x85ebca6b);
    evenLow = (evenLow << 17) | (evenLow >>> 15);
    const odd = isWhole ? words.getInt32(at + WORD, true) : lastWord(words, at + WORD, end);
    high = Math.imul(high ^ odd, 0x9e3779b1);
    high = (high << 13) | (high >>> 19);
    low = Math.imul(low ^ odd, 0x85ebca6b);
    low = (low << 17) | (low >>> 15);
  }
  high ^= Math.imul(evenHigh ^ (evenHigh >>> 15), 0x27d4eb2f);
  low ^= Math.imul(evenLow ^ (evenLow >>> 15), 0x165667b1);
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  // Never that of a record that is gone.
  return [high, low || 1];
}

/** The word that begins at `at`, little-endian; its bytes that are not before `end` are 0. */
function lastWord(words: DataView, at: number, end: number): number {
  let word = 0;
  for (let index = Math.min(at + WORD, end) - 1; index >= at; index -= 1)
    word = (word << 8) | words.getUint8(index);
  return word;
}

/** Bytes of a word that is hashed at a time. */
const WORD = 4;

/** How many records a row of the state has. */
export const CHUNK = 4096;

/** Bytes of a version. */
export const BYTES = 8;

/** Chunks of versions that are kept by default although the state has them: most lists have the order of the last time. */
const MOST_KEPT = 64;

/** Tables of hashes, a power of two: one that becomes larger is copied, which takes its memory twice. */
const TABLES = 32;

/** The records that the state has. */
export type SavedRecords = {
  readonly count: number;
  /** The JSON texts of the IDs of a chunk, separated by line feeds. */
  ids(chunk: number): string;
  /** The versions of a chunk; undefined where there is none. */
  versions(chunk: number): Uint8Array | undefined;
};

/**
 * The records of a list by their IDs, each with its version and a number, counted from 0. Records that come in the order of the state take no
 * memory and hardly any time. The first one that does not has all IDs read, which then take about 16 bytes each; a version takes 8 more
 * until the state has it.
 */
export class RecordIndex {
  readonly #seed: number;
  readonly #ids = new EncodedTexts();
  readonly #saved: SavedRecords;
  readonly #mostKept: number;
  /** Of every ID, once one of them was looked for. */
  #tables: readonly SeenHashes[] | undefined;
  /** The number that comes next in the order of the state, its chunk, and the IDs of that chunk. */
  #next = 0;
  #nextChunk = -1;
  #nextIds: readonly string[] = [];
  /** The number after the one that was looked for and found last. */
  #found = -1;
  /** Chunks of versions that are not in the state, and those that are there as well, the oldest first. */
  readonly #unsaved = new Map<number, Int32Array>();
  readonly #kept = new Map<number, Int32Array>();
  /** The chunk that was used last. */
  #chunk = -1;
  #words: Int32Array = new Int32Array(0);
  #marks = new Uint8Array(1 << 9);
  #size: number;

  /** `seed` is an integer, the same in each run: versions are compared with those of earlier ones. */
  constructor(seed: number, saved: SavedRecords, mostKept = MOST_KEPT) {
    this.#seed = seed;
    this.#mostKept = mostKept;
    this.#saved = saved;
    this.#size = saved.count;
  }

  get size(): number {
    return this.#size;
  }

  /** What identifies the version of each of some records, by their exact texts; never `GONE`. */
  versionsOf(texts: EncodedTexts): readonly Version[] {
    return hashesOf(texts, this.#seed);
  }

  /** The bits of each of some IDs, for `numberOf`. */
  printsOf(ids: readonly string[]): readonly Version[] {
    return hashesOf(this.#ids.encode(ids), this.#seed);
  }

  /** The number of a record, by the JSON text of its ID. A new one is added with this version: its number is the size before. */
  numberOf(id: string, version: Version, print = () => this.#printOf(id)): number {
    if (this.#isNext(id)) {
      this.#next += 1;
      return this.#next - 1;
    }
    this.#tables ??= this.#readAll();
    const found = this.#add(print(), this.#size + 1, this.#tables);
    if (found === undefined) {
      this.#size += 1;
      this.setVersion(this.#size - 1, version);
      return this.#size - 1;
    }
    // After two in the order of the state more of them are expected: in another order, the IDs of a chunk are not read for each record.
    if (found === this.#found + 1) this.#next = found;
    this.#found = found;
    return found - 1;
  }

  /** Whether a record is known, by the JSON text of its ID. */
  has(id: string): boolean {
    const [high, low] = this.#printOf(id);
    this.#tables ??= this.#readAll();
    return this.#tables[high & (TABLES - 1)]?.hasPrint({ high, low }) ?? false;
  }

  /** Whether a record is the next one in the order of the state. */
  #isNext(id: string): boolean {
    if (this.#next >= this.#saved.count) return false;
    const chunk = Math.floor(this.#next / CHUNK);
    if (chunk !== this.#nextChunk) {
      this.#nextIds = this.#saved.ids(chunk).split('\n');
      this.#nextChunk = chunk;
    }
    return this.#nextIds[this.#next % CHUNK] === id;
  }

  #readAll(): readonly SeenHashes[] {
    const tables = Array.from({ length: TABLES }, () => new SeenHashes(1 << 7));
    let number = 0;
    for (let chunk = 0; number < this.#saved.count; chunk += 1) {
      for (const print of this.printsOf(this.#saved.ids(chunk).split('\n'))) {
        number += 1;
        this.#add(print, number, tables);
      }
    }
    return tables;
  }

  hasVersion(number: number, [high, low]: Version): boolean {
    const words = this.#versionsWith(number);
    const at = (number % CHUNK) * 2;
    return words[at] === high && words[at + 1] === low;
  }

  setVersion(number: number, [high, low]: Version): void {
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

  #add([high, low]: Version, number: number, tables: readonly SeenHashes[]): number | undefined {
    return tables[high & (TABLES - 1)]?.addPrint({ high, low }, number);
  }

  #printOf(id: string): Version {
    return this.printsOf([id])[0] ?? GONE;
  }

  #versionsWith(number: number): Int32Array {
    const chunk = Math.floor(number / CHUNK);
    if (chunk !== this.#chunk) {
      this.#words = this.#unsaved.get(chunk) ?? this.#kept.get(chunk) ?? this.#readChunk(chunk);
      this.#chunk = chunk;
    }
    return this.#words;
  }

  #readChunk(chunk: number): Int32Array {
    const words = new Int32Array((CHUNK * BYTES) / 4);
    new Uint8Array(words.buffer).set(this.#saved.versions(chunk) ?? []);
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined && this.#kept.size >= this.#mostKept) this.#kept.delete(oldest);
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

  /** Whether this pass was not sent the record so far, and it is not known to be gone. */
  isMissing(number: number): boolean {
    return !this.isMarked(number) && !this.hasVersion(number, GONE);
  }

  markAll(): void {
    for (let number = 0; number < this.#size; number += 1) this.mark(number);
  }
}

/**
 * The IDs of records that are not recorded yet, as bytes: a text of a page would keep the whole page in memory. They are in the chunks of the
 * state, whose memory is used again for the next ones.
 */
export class IdLog {
  /** The number of the first of them, and of the next one. */
  #first: number;
  #next: number;
  readonly #chunks: { bytes: Buffer; length: number }[] = [];

  /** `first` is the number of the record that is added first. */
  constructor(first: number) {
    this.#first = first;
    this.#next = first;
  }

  /** Adds IDs, none of which has a line feed. */
  add(ids: readonly string[]): void {
    for (let at = 0; at < ids.length; ) {
      const some = ids.slice(at, at + CHUNK - (this.#next % CHUNK));
      this.#write(this.#placeOf(this.#next), `${some.join('\n')}\n`);
      this.#next += some.length;
      at += some.length;
    }
  }

  /** All of them in their order, by the chunk that they are for: UTF-8, separated by line feeds. */
  *chunks(): Generator<IdChunk, void, undefined> {
    for (let from = this.#first; from < this.#next; ) {
      const chunk = Math.floor(from / CHUNK);
      const to = Math.min((chunk + 1) * CHUNK, this.#next);
      const held = this.#chunks[this.#placeOf(from)];
      if (held) yield { chunk, ids: held.bytes.subarray(0, held.length - 1), count: to - from };
      from = to;
    }
  }

  /** Forgets them: they are recorded. */
  clear(): void {
    this.#first = this.#next;
    for (const chunk of this.#chunks) chunk.length = 0;
  }

  #placeOf(number: number): number {
    return Math.floor(number / CHUNK) - Math.floor(this.#first / CHUNK);
  }

  #write(place: number, text: string): void {
    this.#chunks[place] ??= { bytes: Buffer.allocUnsafeSlow(CHUNK_BYTES), length: 0 };
    const chunk = this.#chunks[place];
    const least = chunk.length + Buffer.byteLength(text);
    if (least > chunk.bytes.length) {
      const longer = Buffer.allocUnsafeSlow(Math.max(least, 2 * chunk.bytes.length));
      chunk.bytes.copy(longer, 0, 0, chunk.length);
      chunk.bytes = longer;
    }
    chunk.length += chunk.bytes.write(text, chunk.length);
  }
}

/** IDs for a chunk of the state. */
type IdChunk = { readonly chunk: number; readonly ids: Uint8Array; readonly count: number };

/** Enough for a chunk of UUIDs. */
const CHUNK_BYTES = 40 * CHUNK;
