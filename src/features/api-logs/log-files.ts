import type { Display } from '../../cli/display.ts';
import { UsageError } from '../../errors.ts';
import { readInputPieces, unreadableInput } from '../../files/read-input.ts';
import { splitItems } from '../../json/edit.ts';
import { findJsonError } from '../../json/input.ts';
import { isObject } from '../../json/is-object.ts';
import { quote } from '../../text/format.ts';
import { readEntry } from './entry.ts';
import type { LogItem } from './filter.ts';
import { createIdSet } from './id-set.ts';
import { LONGEST_PIECE, type LogKind, type LogSplitter, type Piece } from './log-pieces.ts';
import type { LookedAt } from './looked-at.ts';
import { chooseSplitter } from './split-log.ts';

export type LogFilesOptions = {
  /** What `-` is. */
  readonly stdin: () => AsyncIterable<Uint8Array>;
  readonly signal: AbortSignal;
  readonly warn: Display['warn'];
  /** Gets the numbers of duplicates and of what cannot be read. */
  readonly looked: Pick<LookedAt, 'duplicates' | 'unreadable'>;
};

/**
 * Reads the entries of log files, as they arrive: arrays, documents `{"items": [...]}` and lines of JSON; `-` is standard
 * input. An entry with the id of one before it is left out. What cannot be read is warned of, file by file.
 * @throws UsageError `unreadable_file`, and `unreadable_log` where no file has an entry that can be read; AbortedError
 */
export async function* readLogFiles(
  paths: readonly string[],
  { stdin, signal, warn, looked }: LogFilesOptions,
): AsyncGenerator<readonly LogItem[], void, undefined> {
  const ids = createIdSet();
  const isNew = ({ entry: { id } }: LogItem): boolean => {
    if (id === undefined || ids.add(id)) return true;
    looked.duplicates += 1;
    return false;
  };
  let entries = 0;
  let firstProblem: string | undefined;
  for (const path of paths) {
    const name = path === '-' ? 'Standard input' : path;
    const file = new LogFile();
    const bytes = path === '-' ? stdin() : readInputPieces(path, signal);
    try {
      for await (const items of file.read(bytes)) yield items.filter(isNew);
    } catch (error) {
      throw unreadableInput(`--file cannot read ${path === '-' ? 'standard input' : path}`, error);
    }
    entries += file.entries;
    looked.unreadable += file.unreadable;
    const problem = file.problem();
    firstProblem ??= problem && `${name} contains no entry of an API log: ${problem}`;
    if (problem !== undefined && file.entries > 0) {
      const count = `${file.unreadable} of ${file.entries + file.unreadable} ${file.kind}s cannot be read`;
      warn('unreadable_entries', `${name}: ${count} (${file.places()}); ${problem}.`);
    }
    if (!file.isUtf8) warn('invalid_utf8', `${name} is not valid UTF-8; invalid bytes are shown as U+FFFD.`);
  }
  if (entries > 0 || firstProblem === undefined) return;
  throw new UsageError('unreadable_log', firstProblem, {
    hint: 'A file must contain an array of entries, a document {"items": [...]}, or one entry per line.',
  });
}

/**
 * Pieces that are parsed at once. What is parsed lives until its batch is done; of large batches V8 would take much for
 * long-lived, and keep it until its next large collection.
 */
const BATCH = 128;

const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/** How many places of unreadable pieces are named. */
const NAMED = 5;

/** One file that is being read. */
class LogFile {
  entries = 0;
  unreadable = 0;
  #splitter: LogSplitter | undefined;
  readonly #places: number[] = [];
  #firstProblem = '';

  async *read(input: AsyncIterable<Uint8Array>): AsyncGenerator<readonly LogItem[], void, undefined> {
    let head = Buffer.alloc(0);
    for await (const { buffer, byteOffset, byteLength } of input) {
      const bytes = Buffer.from(buffer, byteOffset, byteLength);
      if (this.#splitter) yield* this.#readPieces(this.#splitter.add(bytes));
      else {
        head = Buffer.concat([head, bytes]);
        yield* this.#readHead(head, false);
      }
    }
    if (!this.#splitter) yield* this.#readHead(head, true);
    if (this.#splitter) yield* this.#readPieces(this.#splitter.end());
  }

  get kind(): LogKind {
    return this.#splitter?.kind ?? 'line';
  }

  get isUtf8(): boolean {
    return this.#splitter?.isUtf8 ?? true;
  }

  /** What is wrong with the first piece that cannot be read; undefined where there is none. */
  problem(): string | undefined {
    const [place] = this.#places;
    return place === undefined ? undefined : `${this.kind} ${place} ${this.#firstProblem}`;
  }

  places(): string {
    const more = this.unreadable > NAMED ? ', \u2026' : '';
    return `${this.kind} ${this.#places.join(', ')}${more}`;
  }

  /** Begins to take the file apart as soon as its beginning says how. */
  *#readHead(head: Buffer, isWhole: boolean): Generator<readonly LogItem[], void, undefined> {
    if (head.length < BYTE_ORDER_MARK.length && !isWhole) return;
    const hasMark = head.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
    const bytes = hasMark ? head.subarray(BYTE_ORDER_MARK.length) : head;
    this.#splitter = chooseSplitter(bytes.toString(), isWhole);
    if (this.#splitter) yield* this.#readPieces(this.#splitter.add(bytes));
  }

  *#readPieces(pieces: Iterable<Piece>): Generator<readonly LogItem[], void, undefined> {
    let items: LogItem[] = [];
    let count = 0;
    for (const piece of pieces) {
      this.#readPiece(piece, items);
      count += 1;
      if (count % BATCH !== 0) continue;
      yield items;
      items = [];
    }
    if (items.length > 0) yield items;
  }

  #readPiece({ text, place }: Piece, items: LogItem[]): void {
    let value: unknown;
    try {
      value = text === undefined ? undefined : JSON.parse(text);
    } catch {
      // Is no JSON; what is wrong with it is found when it is told.
    }
    if (text === undefined || !isObject(value)) {
      this.#addProblem(place, () => problemOf(text, value));
    } else if (Array.isArray(value.items) && value.request_url === undefined) {
      for (const item of splitItems(text).texts) this.#readPiece({ text: item, place }, items);
    } else {
      this.entries += 1;
      items.push({ entry: readEntry(value), text });
    }
  }

  #addProblem(place: number, problem: () => string): void {
    this.unreadable += 1;
    if (this.#places.length < NAMED) this.#places.push(place);
    if (this.unreadable === 1) this.#firstProblem = problem();
  }
}

function problemOf(text: string | undefined, value: unknown): string {
  if (text === undefined) return `is longer than ${LONGEST_PIECE / 1024 / 1024} MiB`;
  if (value !== undefined) return 'is JSON, but not an object';
  if (text === '') return 'is missing: the document is cut off';
  const { index = 0, expected = 'JSON' } = findJsonError(text) ?? {};
  const found = index >= text.length ? ', but the text ends' : ` instead of ${quote(text.charAt(index))}`;
  return `is not JSON: expected ${expected} at column ${index + 1}${found}`;
}
