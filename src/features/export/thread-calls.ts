import { isAscii } from 'node:buffer';
import type { Counts, Pass } from './copy-list.ts';
import type { CopySettings, ListEntry } from './manifest.ts';

/** The first message to the thread of a copy. */
export type Opening = { readonly directory: string; readonly settings: CopySettings };

/** Texts as UTF-8, which is much quicker to send, and where each ends. */
export type PackedTexts = {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** How many of the bytes are used. */
  readonly length: number;
  readonly ends: Uint32Array;
};

/** What the thread is asked to do with a list, which is named by its place in the copy. */
export type CopyCall = {
  readonly id: number;
  readonly list: number;
  readonly call:
    | { readonly method: 'begin' | 'restart'; readonly pass: Pass }
    | {
        readonly method: 'add';
        readonly texts: PackedTexts;
        readonly cursor: string | null;
        readonly sentAt: number | undefined;
      }
    | {
        readonly method: 'addChanged';
        readonly texts: PackedTexts;
        readonly sentAt: number | undefined;
      }
    | { readonly method: 'finish'; readonly readsAll: boolean }
    | { readonly method: 'endReading' | 'fail' };
};

/** What came of a call: what is known about the list then. */
export type CopyReply = {
  readonly id: number;
  /** The bytes of its texts, to be used again. */
  readonly bytes?: Uint8Array<ArrayBuffer> | undefined;
  readonly entry: ListEntry | undefined;
  readonly counts: Counts | undefined;
  readonly error?: {
    readonly message: string;
    readonly stack: string;
    /** The code and the hint of an error of payctl. */
    readonly known: { readonly code: string; readonly hint: string | undefined } | undefined;
  };
};

/** Packs texts as they come. */
export class Packing {
  #bytes = Buffer.allocUnsafeSlow(FIRST);
  #length = 0;
  #ends: number[] = [];

  /** Bytes so far. */
  get length(): number {
    return this.#length;
  }

  add(texts: readonly string[]): void {
    for (const text of texts) {
      // No character of UTF-16 takes more bytes.
      const most = this.#length + text.length * 3;
      if (most > this.#bytes.length) this.#grow(most);
      this.#length += this.#bytes.write(text, this.#length);
      this.#ends.push(this.#length);
    }
  }

  /** What was packed since the last time. What follows is packed into `spare`, if there is one. */
  take(spare?: Buffer<ArrayBuffer>): PackedTexts {
    const packed = { bytes: this.#bytes, length: this.#length, ends: Uint32Array.from(this.#ends) };
    this.#bytes = spare ?? Buffer.allocUnsafeSlow(FIRST);
    this.#length = 0;
    this.#ends = [];
    return packed;
  }

  #grow(least: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(least, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

/** Bytes that are packed without a copy. */
const FIRST = 2 ** 18;

/** The texts that were packed. */
export function textsOf({ bytes, length, ends }: PackedTexts): readonly string[] {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, length);
  const encoding = isAscii(view) ? 'latin1' : 'utf8';
  let start = 0;
  return Array.from(ends, (end) => {
    const text = view.toString(encoding, start, end);
    start = end;
    return text;
  });
}
