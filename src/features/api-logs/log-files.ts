import type { Display } from '../../cli/display.ts';
import { UsageError } from '../../errors.ts';
import { readInputPieces, unreadableInput } from '../../files/read-input.ts';
import { splitItems } from '../../json/edit.ts';
import { findJsonError } from '../../json/input.ts';
import { isObject } from '../../json/is-object.ts';
import { quote } from '../../text/format.ts';
import { decodePieces } from './decode.ts';
import { readEntry } from './entry.ts';
import type { LogItem } from './filter.ts';
import { createIdSet } from './id-set.ts';
import type { LookedAt } from './looked-at.ts';
import { chooseSplitter, LONGEST_PIECE, type LogKind, type LogSplitter, type Piece } from './split-log.ts';

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
    firstProblem ??= problem && `${name} holds no entry of an API log: ${problem}`;
    if (problem !== undefined && file.entries > 0) {
      const count = `${file.unreadable} of ${file.entries + file.unreadable} ${file.kind}s cannot be read`;
      warn('unreadable_entries', `${name}: ${count} (${file.places()}); ${problem}.`);
    }
    if (!file.isUtf8) warn('invalid_utf8', `${name} is not valid UTF-8; wrong bytes became U+FFFD.`);
  }
  if (entries > 0 || firstProblem === undefined) return;
  throw new UsageError('unreadable_log', firstProblem, {
    hint: 'A file holds an array of entries, a document {"items": [...]}, or one entry a line.',
  });
}

/** How many places of unreadable pieces are named. */
const NAMED = 5;

/** One file that is being read. */
class LogFile {
  entries = 0;
  unreadable = 0;
  kind: LogKind = 'line';
  isUtf8 = true;
  readonly #places: number[] = [];
  #firstProblem = '';

  async *read(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<readonly LogItem[], void, undefined> {
    let splitter: LogSplitter | undefined;
    let head = '';
    const onInvalid = () => {
      this.isUtf8 = false;
    };
    for await (const text of decodePieces(bytes, onInvalid)) {
      if (splitter) {
        yield this.#readPieces(splitter.add(text));
        continue;
      }
      head += text;
      splitter = chooseSplitter(head, false);
      if (splitter) yield this.#readPieces(splitter.add(head));
    }
    if (!splitter) {
      splitter = chooseSplitter(head, true);
      if (splitter) yield this.#readPieces(splitter.add(head));
    }
    if (splitter) {
      this.kind = splitter.kind;
      yield this.#readPieces(splitter.end());
    }
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

  #readPieces(pieces: readonly Piece[]): readonly LogItem[] {
    const items: LogItem[] = [];
    for (const piece of pieces) this.#readPiece(piece, items);
    return items;
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
  if (value !== undefined) return 'is JSON, but no object';
  if (text === '') return 'is missing: the document ends before its end';
  const { index = 0, expected = 'JSON' } = findJsonError(text) ?? {};
  const found = index >= text.length ? ', but the text ends' : ` instead of ${quote(text.charAt(index))}`;
  return `is not JSON: expected ${expected} at column ${index + 1}${found}`;
}
