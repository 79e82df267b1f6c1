import type { Display } from '../../cli/show/display.ts';
import { splitItems } from '../../json/edit.ts';
import { findJsonError } from '../../json/input.ts';
import { jsonOrNone } from '../../json/is-json.ts';
import { isObject } from '../../json/is-object.ts';
import { chooseSplitter } from '../../json/split-documents.ts';
import { LONGEST_PIECE, type Piece, type PieceKind, type PieceSplitter } from '../../json/split-lines.ts';
import { quote } from '../../text/format.ts';
import { readEntry } from './entry.ts';
import type { LogItem } from './filter.ts';
import { HarReader, isHarEntry } from './har.ts';

/**
 * Pieces that are parsed at once. What is parsed lives until its batch is done; of large batches V8 would take much for
 * long-lived, and keep it until its next large collection.
 */
const BATCH = 128;

/** How many places of unreadable pieces are named. */
const NAMED = 5;

/** One file that is being read. */
export class LogFile {
  unreadable = 0;
  #readable = 0;
  readonly #name: string;
  readonly #archive = new HarReader();
  #splitter: PieceSplitter | undefined;
  readonly #places: number[] = [];
  /** Whether a line is a document of several elements: they are counted then. */
  #hasDocuments = false;
  /** Whether the last document names a next page. */
  #hasNextPage = false;
  #firstProblem = '';

  constructor(name: string) {
    this.#name = name;
  }

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

  /** Whether it is empty or has anything that can be read. */
  get isReadable(): boolean {
    return this.#readable > 0 || this.unreadable === 0;
  }

  /** Why nothing in it can be read. */
  refusal(): string {
    return `${this.#name} contains no API log entries: ${this.#problem()}`;
  }

  /** Says what was left out of a file that can be read. */
  report({ warn, info }: Pick<Display, 'warn' | 'info'>): void {
    if (this.unreadable > 0) {
      const count = `${this.unreadable} of ${this.#readable + this.unreadable} ${this.#kind}s cannot be read`;
      const more = this.unreadable > NAMED ? ', \u2026' : '';
      const places = `${this.#kind} ${this.#places.join(', ')}${more}`;
      warn('unreadable_entries', `${this.#name}: ${count} (${places}); ${this.#problem()}.`);
    }
    if (this.#hasNextPage || this.#splitter?.hasNextPage) {
      const all = 'Read all pages from the service: payctl api-logs list --all';
      warn('list_cut', `${this.#name} is one page of a list: its next_cursor names another. ${all}`);
    }
    if (this.#splitter?.isUtf8 === false) {
      warn('invalid_utf8', `${this.#name} is not valid UTF-8; invalid bytes are shown as U+FFFD.`);
    }
    const taken = this.#archive.text(this.#name);
    if (taken !== undefined) info(taken);
  }

  get #kind(): PieceKind {
    return this.#hasDocuments ? 'element' : (this.#splitter?.kind ?? 'line');
  }

  /** The problem with the first piece that cannot be read. */
  #problem(): string {
    return `${this.#kind} ${this.#places[0]} ${this.#firstProblem}`;
  }

  /** Starts splitting the file as soon as its beginning shows the format. */
  *#readHead(head: Buffer, isWhole: boolean): Generator<readonly LogItem[], void, undefined> {
    this.#splitter = chooseSplitter(head.toString(), isWhole);
    if (this.#splitter) yield* this.#readPieces(this.#splitter.add(head));
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
    // Where it is not JSON, the exact problem is determined only when it is reported.
    const value = text === undefined ? undefined : jsonOrNone(text);
    if (text === undefined || !isObject(value)) {
      this.#addProblem(place, () => problemOf(text, value));
    } else if (Array.isArray(value.items) && value.request_url === undefined) {
      this.#hasDocuments = true;
      this.#hasNextPage = typeof value.next_cursor === 'string' && value.next_cursor !== '';
      for (const item of splitItems(text).texts) this.#readPiece({ text: item, place }, items);
    } else if (isObject(value.log) && Array.isArray(value.log.entries)) {
      this.#hasDocuments = true;
      for (const entry of value.log.entries) {
        this.#readObject(entry, { text: JSON.stringify(entry), place }, items);
      }
    } else {
      this.#readObject(value, { text, place }, items);
    }
  }

  #readObject(value: unknown, { text = '', place }: Piece, items: LogItem[]): void {
    const isRequest = isObject(value) && isHarEntry(value);
    if (!isObject(value) || !(isRequest || isLogEntry(value))) {
      this.#addProblem(place, () => (isObject(value) ? notAnEntry(value) : problemOf(text, value)));
      return;
    }
    this.#readable += 1;
    const item = isRequest ? this.#archive.read(value) : { entry: readEntry(value), text };
    if (item) items.push(item);
  }

  #addProblem(place: number, problem: () => string): void {
    this.unreadable += 1;
    const number = this.#hasDocuments ? this.#readable + this.unreadable : place;
    if (this.#places.length < NAMED) this.#places.push(number);
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

type Members = Readonly<Record<string, unknown>>;

/** The members of which an entry of the API error log has at least one. */
const MEMBERS = [
  'request_url',
  'request_method',
  'request_received_at',
  'response_status_code',
  'response_body',
  'response_sent_at',
];

/** Whether an object may be a log entry: it has at least one of the members of one. */
function isLogEntry(value: Members): boolean {
  return value.type === 'api-log' || MEMBERS.some((member) => member in value);
}

/** Documents that are often sent by mistake, and how to recognise them. */
const DOCUMENTS: readonly (readonly [name: string, isIt: (value: Members) => boolean])[] = [
  ['an OpenAPI document', ({ openapi, swagger }) => typeof (openapi ?? swagger) === 'string'],
  ['a Postman collection', ({ info, item }) => isObject(info) && Array.isArray(item)],
  ['a JSON Schema', ({ $schema }) => typeof $schema === 'string'],
  ['an error object of the service', ({ type, code }) => type === 'error' && typeof code === 'string'],
  [
    'a JSON Web Key',
    ({ kty, keys }) => typeof kty === 'string' || (Array.isArray(keys) && keys.some(hasKty)),
  ],
];

function hasKty(key: unknown): boolean {
  return isObject(key) && typeof key.kty === 'string';
}

/** Describes an object that is not a log entry, to follow its place or file: `is an OpenAPI document, not a log entry`. */
function notAnEntry(value: Members): string {
  const [name] = DOCUMENTS.find(([, isIt]) => isIt(value)) ?? [];
  if (name !== undefined) return `is ${name}, not a log entry`;
  const type = typeof value.type === 'string' ? ` (its type is ${quote(value.type.slice(0, 50))})` : '';
  return `is an object without request_url, response_status_code and response_body${type}`;
}
