import { type FileHandle, open } from 'node:fs/promises';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { type FileMetaData, type ParquetType, parquetMetadataAsync, type RowGroup } from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { readRleBitPackedHybrid } from 'hyparquet/src/encoding.js';
import { readPlain } from 'hyparquet/src/plain.js';
import { AbortedError } from '../../errors.ts';
import type { PartReaderOptions } from '../format.ts';
import { type ColumnType, columnsOfPart, type TypedColumn } from '../typed-column.ts';
import { DamagedPart, LONGEST, MOST_RECORDS } from './damaged-part.ts';
import { recordTexts } from './record-text.ts';

/** The records of a part in Parquet, a row group at a time. @throws DamagedPart; AbortedError; what the file system throws */
export async function* readParquet(
  path: string,
  options: PartReaderOptions,
): AsyncGenerator<readonly string[], void, undefined> {
  const file = await open(path, 'r');
  try {
    yield* readGroups(file, options);
  } catch (error) {
    if (error instanceof DamagedPart || error instanceof AbortedError) throw error;
    if (error instanceof Error && 'syscall' in error) throw error;
    throw new DamagedPart('Its data is not Parquet as payctl writes it', { cause: error });
  } finally {
    await file.close();
  }
}

async function* readGroups(
  file: FileHandle,
  { columns, partition, signal }: PartReaderOptions,
): AsyncGenerator<readonly string[], void, undefined> {
  const { size } = await file.stat();
  const slice = (from: number, to = size) => readRange(file, size, from, to);
  const metadata: FileMetaData = await parquetMetadataAsync(
    { byteLength: size, slice },
    { geoparquet: false },
  );
  const leaves: ColumnReader[] = [];
  const members = columnsOfPart(columns, partition).map((column) => nodeOf(column, leaves, NO_LEVELS));
  const toText = recordTexts(columnsOfPart(columns, partition).slice(0, -1));
  for (const group of metadata.row_groups) {
    await openGroup(group, leaves, slice);
    for (let left = Number(group.num_rows); left > 0; ) {
      if (signal?.aborted) throw new AbortedError();
      const texts: string[] = [];
      for (; left > 0 && texts.length < MOST_RECORDS; left--) {
        if (leaves.some((leaf) => leaf.repetition !== 0)) throw damaged();
        const values = members.map(textOf);
        // The last column has the whole record.
        texts.push(values.at(-1) ?? toText(values));
      }
      yield texts;
    }
    if (leaves.some((leaf) => !leaf.isAtEnd)) throw damaged();
  }
}

/** The bytes from `from` up to `to`. @throws DamagedPart where the file has fewer */
async function readRange(file: FileHandle, size: number, from: number, to: number): Promise<ArrayBuffer> {
  if (!(from >= 0 && from <= to && to <= size)) throw new DamagedPart('It ends too early');
  const bytes = Buffer.from(new ArrayBuffer(to - from));
  for (let at = 0; at < bytes.length; ) {
    const { bytesRead } = await file.read(bytes, at, bytes.length - at, from + at);
    if (bytesRead === 0) throw new DamagedPart('It ends too early');
    at += bytesRead;
  }
  return bytes.buffer;
}

async function openGroup(
  { columns }: RowGroup,
  leaves: readonly ColumnReader[],
  slice: (from: number, to: number) => Promise<ArrayBuffer>,
): Promise<void> {
  if (columns.length !== leaves.length) throw new DamagedPart('It does not have the columns of the manifest');
  for (const [index, leaf] of leaves.entries()) {
    const chunk = columns[index]?.meta_data;
    if (!chunk || chunk.type !== leaf.type || chunk.path_in_schema.join('.') !== leaf.path.join('.'))
      throw new DamagedPart('It does not have the columns of the manifest');
    const decompress = DECOMPRESSORS[chunk.codec];
    if (!decompress) throw damaged();
    const from = Number(chunk.data_page_offset);
    const size = Number(chunk.total_compressed_size);
    leaf.begin(new Uint8Array(await slice(from, from + size)), Number(chunk.num_values), decompress);
  }
}

function damaged(): DamagedPart {
  return new DamagedPart('Its pages are damaged');
}

type Decompress = (bytes: Uint8Array<ArrayBuffer>, size: number) => Uint8Array;

const DECOMPRESSORS: Readonly<Record<string, Decompress | undefined>> = {
  UNCOMPRESSED: (bytes) => bytes,
  ZSTD: (bytes, size) => zstdDecompressSync(bytes, { maxOutputLength: size }),
  GZIP: (bytes, size) => gunzipSync(bytes, { maxOutputLength: size }),
};

/** Bytes of a page, and values of it, that no writer exceeds: a page has one long record at most. */
const LONGEST_PAGE = 2 * LONGEST;

type Value = number | bigint | boolean | Uint8Array;

/** How the values of a type are stored, and their JSON text. */
type StoredValues = {
  readonly type: ParquetType;
  readonly length?: number;
  readonly textOf: (value: Value) => string;
};

/** A column of a file with values: its slots one after the other, each with a value or none. */
class ColumnReader {
  readonly path: readonly string[];
  readonly #values: StoredValues;
  readonly #most: Levels;
  #bytes = new Uint8Array(0);
  #at = 0;
  #decompress: Decompress = (bytes) => bytes;
  /** Slots of the pages that are not read yet. */
  #left = 0;
  /** The page: the levels of its slots, its values, and how many of both are taken. */
  #levels = new Uint8Array(0);
  #repetitions = new Uint8Array(0);
  #stored: ArrayLike<Value> = [];
  #slot = 0;
  #taken = 0;

  constructor(path: readonly string[], values: StoredValues, most: Levels) {
    this.path = path;
    this.#values = values;
    this.#most = most;
  }

  get type(): ParquetType {
    return this.#values.type;
  }

  /** Begins with the pages of a row group. */
  begin(bytes: Uint8Array<ArrayBuffer>, slots: number, decompress: Decompress): void {
    this.#bytes = bytes;
    this.#at = 0;
    this.#left = slots;
    this.#decompress = decompress;
    this.#slot = 0;
    this.#levels = new Uint8Array(0);
  }

  get isAtEnd(): boolean {
    return this.#slot === this.#levels.length && this.#left === 0;
  }

  /** The repetition level of the next slot; 0 at the end. */
  get repetition(): number {
    if (this.isAtEnd || this.#most.repetition === 0) return 0;
    this.#readPage();
    return this.#repetitions[this.#slot] ?? 0;
  }

  /** The definition level of the next slot. */
  get level(): number {
    this.#readPage();
    return this.#levels[this.#slot] ?? 0;
  }

  /** The JSON text of the value in the next slot; undefined where there is none. */
  take(): string | undefined {
    const { level } = this;
    this.#slot += 1;
    if (level !== this.#most.level) return undefined;
    const value = this.#stored[this.#taken];
    this.#taken += 1;
    if (value === undefined) throw damaged();
    return this.#values.textOf(value);
  }

  /** Reads the next page, if all slots of this one are taken. */
  #readPage(): void {
    if (this.#slot < this.#levels.length) return;
    const reader = { view: viewOf(this.#bytes), offset: this.#at };
    const header = parquetHeader(reader);
    const { uncompressed_page_size: size, data_page_header: page } = header;
    const end = reader.offset + header.compressed_page_size;
    const slots = page?.num_values ?? 0;
    const isPage = header.type === 'DATA_PAGE' && page?.encoding === 'PLAIN';
    if (!isPage || end > this.#bytes.length || end < reader.offset || size > LONGEST_PAGE) throw damaged();
    if (slots < 1 || slots > this.#left || slots > LONGEST_PAGE) throw damaged();
    const body = this.#decompress(this.#bytes.subarray(reader.offset, end), size);
    this.#at = end;
    this.#left -= slots;
    this.#slot = 0;
    this.#taken = 0;
    const inPage = { view: viewOf(body), offset: 0 };
    const { repetition, level } = this.#most;
    this.#repetitions = levelsOf(inPage, repetition === 0 ? 0 : slots, repetition);
    this.#levels = levelsOf(inPage, slots, level);
    const count = this.#levels.reduce((sum, one) => sum + (one === level ? 1 : 0), 0);
    if (count > size * 8) throw damaged();
    this.#stored = readPlain(inPage, this.#values.type, count, this.#values.length);
  }
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** Levels of a page of version 1. */
function levelsOf(reader: { view: DataView; offset: number }, slots: number, most: number) {
  const levels = new Uint8Array(slots);
  if (slots > 0) readRleBitPackedHybrid(reader, 32 - Math.clz32(most), levels);
  if (levels.some((level) => level > most)) throw damaged();
  return levels;
}

/** How deep values are nested: the definition level of one that is there, and the repetition level of an element. */
type Levels = { readonly level: number; readonly repetition: number };

const NO_LEVELS: Levels = { level: 0, repetition: 0 };

/** A column, an object or a list of a file. */
type Node = Levels & {
  /** Its first column with values, which has the levels of it. */
  readonly first: ColumnReader;
  readonly kind: 'value' | 'object' | 'list';
  /** The members of an object, or the element of a list. */
  readonly inner: readonly Node[];
  readonly toText: (values: readonly (string | undefined)[]) => string;
};

function nodeOf(
  { name, type }: TypedColumn,
  leaves: ColumnReader[],
  above: Levels,
  within: readonly string[] = [],
): Node {
  const path = [...within, name];
  const { repetition } = above;
  const level = above.level + 1;
  if (typeof type === 'string') {
    const first = new ColumnReader(path, STORED[type], { level, repetition });
    leaves.push(first);
    return { level, repetition, first, kind: 'value', inner: [], toText: String };
  }
  const isList = 'list' in type;
  const own: Levels = isList ? { level: level + 1, repetition: repetition + 1 } : { level, repetition };
  const inner = isList
    ? [nodeOf({ name: 'element', type: type.list }, leaves, own, [...path, 'list'])]
    : type.struct.map((member) => nodeOf(member, leaves, own, path));
  const [{ first } = { first: undefined }] = inner;
  if (!first) throw new DamagedPart(`The column ${name} has no members`);
  const toText = isList
    ? (values: readonly (string | undefined)[]) => `[${values.map((value) => value ?? 'null').join(',')}]`
    : recordTexts(type.struct);
  return { ...own, first, kind: isList ? 'list' : 'object', inner, toText };
}

/** The JSON text of the next value; undefined where it is null. Its columns then go on to their next slots. */
function textOf({ first, kind, inner, level, repetition, toText }: Node): string | undefined {
  if (kind === 'value') return first.take();
  const found = first.level;
  const values = inner.map(textOf);
  if (found < level) return kind === 'list' && found === level - 1 ? '[]' : undefined;
  while (kind === 'list' && first.repetition === repetition) values.push(...inner.map(textOf));
  return toText(values);
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function textIn(value: Value): string {
  if (!(value instanceof Uint8Array)) throw damaged();
  return utf8.decode(value);
}

const asNumber = (value: Value) => {
  const number = Number(value);
  if (!Number.isFinite(number)) throw damaged();
  return Object.is(number, -0) ? '-0' : String(number);
};

const STORED: Readonly<Record<Extract<ColumnType, string>, StoredValues>> = {
  int64: { type: 'INT64', textOf: String },
  decimal: { type: 'FIXED_LEN_BYTE_ARRAY', length: 16, textOf: decimalText },
  double: { type: 'DOUBLE', textOf: asNumber },
  boolean: { type: 'BOOLEAN', textOf: String },
  text: { type: 'BYTE_ARRAY', textOf: (value) => JSON.stringify(textIn(value)) },
  timestamp: { type: 'INT64', textOf: timeText },
  date: { type: 'INT32', textOf: (days) => `"${isoOf(Number(days) * 86_400_000).slice(0, 10)}"` },
  json: { type: 'BYTE_ARRAY', textOf: textIn },
};

function decimalText(value: Value): string {
  if (!(value instanceof Uint8Array)) throw damaged();
  const view = viewOf(value);
  return String((view.getBigInt64(0) << 64n) | view.getBigUint64(8));
}

/** RFC 3339, in UTC, with three digits of a second, or six where they are needed. */
function timeText(value: Value): string {
  if (typeof value !== 'bigint') throw damaged();
  const below = ((value % 1000n) + 1000n) % 1000n;
  const text = isoOf(Number((value - below) / 1000n));
  return below === 0n ? `"${text}"` : `"${text.slice(0, -1)}${String(below).padStart(3, '0')}Z"`;
}

function isoOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
