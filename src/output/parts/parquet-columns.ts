import type { SchemaElement } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer/src/bytewriter.js';
import { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js';
import { ESCAPED, FALSE, type Field, NOTHING, NUMBER, PLAIN, type Records, TRUE } from './records.ts';
import {
  DECIMAL_DIGITS,
  fitsDecimal,
  fitsInt64,
  readDate,
  readDouble,
  readInteger,
  readTime,
} from './values.ts';

/** The physical and the logical type of a column in a file. */
export type StoredType = Omit<SchemaElement, 'name' | 'repetition_type' | 'num_children'> &
  Required<Pick<SchemaElement, 'type'>>;

/** Levels and values of a page as they are in a file, before they are compressed. */
export type Page = { readonly body: Buffer; readonly slots: number };

/** What a file says about the values of a column. */
export type ColumnStatistics = {
  readonly nulls: number;
  readonly least?: number | bigint | Uint8Array | undefined;
  readonly most?: number | bigint | Uint8Array | undefined;
};

/** A column of a file: takes values until they are enough for a page. */
export abstract class ParquetColumn {
  readonly field: Field;
  abstract readonly type: StoredType;
  /** The values since the last page, encoded, and their length in bytes. */
  protected values = Buffer.allocUnsafe(1024);
  protected length = 0;
  protected nulls = 0;
  #slots = 0;
  #levels = new Uint8Array(1024);
  #repetitions: Uint8Array<ArrayBuffer> | undefined;

  constructor(field: Field) {
    this.field = field;
    if (field.table.repetition > 0) this.#repetitions = new Uint8Array(1024);
  }

  /** How many bytes the next page has so far, before any is compressed. */
  get size(): number {
    return this.length + this.#slots;
  }

  /** Adds the values of the records. */
  append(records: Records): void {
    const { field } = this;
    const { table, level, index } = field;
    const { kinds, starts, ends, levels, slots } = table;
    const width = table.fields.length;
    this.#reserve(slots);
    const own = this.#levels;
    this.#repetitions?.set(table.repetitions.subarray(0, slots), this.#slots);
    let at = this.#slots;
    for (let slot = 0; slot < slots; slot++) {
      let found = levels[slot] ?? 0;
      if (found === table.level) {
        const place = slot * width + index;
        const kind = kinds[place] ?? NOTHING;
        if (kind === NOTHING) {
          found = table.levelWithout(field, slot);
        } else if (this.put(records.bytes, starts[place] ?? 0, ends[place] ?? 0, kind)) {
          found = level;
        } else {
          found = level - 1;
          records.count(field, slot, starts[place] ?? 0);
        }
      }
      if (found !== level) this.nulls++;
      own[at++] = found;
    }
    this.#slots = at;
  }

  /** What was added since the last page; undefined if that is nothing. */
  takePage(): Page | undefined {
    const { field } = this;
    const slots = this.#slots;
    if (slots === 0) return undefined;
    const levels = new ByteWriter(1024);
    if (this.#repetitions) writeLevels(levels, this.#repetitions.subarray(0, slots), field.table.repetition);
    writeLevels(levels, this.#levels.subarray(0, slots), field.level);
    const body = Buffer.concat([levels.getBytes(), this.encoded()]);
    this.length = 0;
    this.#slots = 0;
    return { body, slots };
  }

  /** What is to be said about the values since the last call. */
  takeStatistics(): ColumnStatistics {
    const { nulls } = this;
    this.nulls = 0;
    return { nulls, ...this.takeBounds() };
  }

  /** Adds a value; returns false if it does not fit the type of the column. */
  protected abstract put(bytes: Buffer, from: number, to: number, kind: number): boolean;

  protected abstract takeBounds(): Omit<ColumnStatistics, 'nulls'>;

  /** The values as a page has them. */
  protected encoded(): Uint8Array {
    return this.values.subarray(0, this.length);
  }

  /** Makes room for this many bytes, which the caller writes; returns where. */
  protected add(size: number): number {
    const at = this.length;
    this.length += size;
    if (this.length > this.values.length) {
      const longer = Buffer.allocUnsafe(Math.max(this.values.length * 2, this.length));
      this.values.copy(longer, 0, 0, at);
      this.values = longer;
    }
    return at;
  }

  #reserve(slots: number): void {
    const size = this.#slots + slots;
    if (size <= this.#levels.length) return;
    this.#levels = longer(this.#levels, size);
    if (this.#repetitions) this.#repetitions = longer(this.#repetitions, size);
  }
}

function longer(old: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const made = new Uint8Array(Math.max(size, old.length * 2));
  made.set(old);
  return made;
}

/** Levels as a page of version 1 has them: behind their length. */
function writeLevels(to: ByteWriter, levels: Uint8Array, most: number): void {
  const encoded = new ByteWriter(1024);
  writeRleBitPackedHybrid(encoded, levels, 32 - Math.clz32(most));
  to.appendUint32(encoded.offset);
  to.appendBytes(encoded.getBytes());
}

const STRING = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } } as const;

/** Short texts are copied by a loop, which takes less than a call of `copy`. */
const SHORT = 48;

class TextColumn extends ParquetColumn {
  readonly type: StoredType = STRING;
  #least: Buffer | undefined;
  #most: Buffer | undefined;

  protected put(bytes: Buffer, from: number, to: number, kind: number): boolean {
    if (kind === PLAIN) {
      this.addText(bytes, from + 1, to - 1);
      this.#note(bytes, from + 1, to - 1);
      return true;
    }
    if (kind !== ESCAPED) return false;
    const text: string = JSON.parse(bytes.toString('utf8', from, to));
    // Half of a surrogate pair has no UTF-8.
    if (!text.isWellFormed()) return false;
    const decoded = Buffer.from(text);
    this.addText(decoded, 0, decoded.length);
    this.#note(decoded, 0, decoded.length);
    return true;
  }

  protected addText(bytes: Buffer, from: number, to: number): void {
    const size = to - from;
    const at = this.add(size + 4);
    const { values } = this;
    values[at] = size & 0xff;
    values[at + 1] = (size >>> 8) & 0xff;
    values[at + 2] = (size >>> 16) & 0xff;
    values[at + 3] = size >>> 24;
    if (size > SHORT) bytes.copy(values, at + 4, from, to);
    else for (let index = 0; index < size; index++) values[at + 4 + index] = bytes[from + index] ?? 0;
  }

  protected takeBounds(): Omit<ColumnStatistics, 'nulls'> {
    const bounds = { least: this.#least, most: this.#most };
    this.#least = undefined;
    this.#most = undefined;
    return bounds;
  }

  #note(bytes: Buffer, from: number, to: number): void {
    const toLeast = this.#least === undefined ? -1 : order(bytes, from, to, this.#least);
    // Most texts of many columns are the same.
    if (toLeast === 0) return;
    if (toLeast < 0) this.#least = Buffer.from(bytes.subarray(from, to));
    if (this.#most === undefined || (toLeast > 0 && order(bytes, from, to, this.#most) > 0))
      this.#most = Buffer.from(bytes.subarray(from, to));
  }
}

/** Negative, zero or positive, as the bytes come before, with or after others. */
function order(bytes: Buffer, from: number, to: number, other: Buffer): number {
  const size = Math.min(to - from, other.length);
  for (let index = 0; index < size; index++) {
    const difference = (bytes[from + index] ?? 0) - (other[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return to - from - other.length;
}

/**
 * JSON text as it was sent. It is stored as any text: some engines read what Parquet calls JSON as bytes. No engine can make use of its
 * bounds.
 */
class JsonColumn extends TextColumn {
  protected override put(bytes: Buffer, from: number, to: number): boolean {
    this.addText(bytes, from, to);
    return true;
  }
}

/** Columns whose values have one size, and an order that numbers have. */
abstract class NumberColumn extends ParquetColumn {
  #least: number | bigint | undefined;
  #most: number | bigint | undefined;

  protected note(value: number | bigint): void {
    if (this.#least === undefined || value < this.#least) this.#least = value;
    if (this.#most === undefined || value > this.#most) this.#most = value;
  }

  protected takeBounds(): Omit<ColumnStatistics, 'nulls'> {
    const bounds = { least: this.#least, most: this.#most };
    this.#least = undefined;
    this.#most = undefined;
    return bounds;
  }

  /** Adds an integer in eight bytes; returns false if it has more. */
  protected addInt64(value: number | bigint): boolean {
    if (!fitsInt64(value)) return false;
    const at = this.add(8);
    if (typeof value === 'bigint') {
      this.values.writeBigInt64LE(value, at);
    } else {
      const high = Math.floor(value / 2 ** 32);
      this.values.writeInt32LE(high, at + 4);
      this.values.writeUInt32LE(value - high * 2 ** 32, at);
    }
    this.note(value);
    return true;
  }
}

class Int64Column extends NumberColumn {
  readonly type: StoredType = { type: 'INT64' };

  protected put(bytes: Buffer, from: number, to: number, kind: number): boolean {
    const value = kind === NUMBER ? readInteger(bytes, from, to) : undefined;
    return value !== undefined && this.addInt64(value);
  }
}

class TimestampColumn extends NumberColumn {
  readonly type: StoredType = {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MICROS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
  };

  protected put(bytes: Buffer, from: number, to: number, kind: number): boolean {
    const value = kind === PLAIN ? readTime(bytes, from + 1, to - 1) : undefined;
    return value !== undefined && this.addInt64(value);
  }
}

class DateColumn extends NumberColumn {
  readonly type: StoredType = { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } };

  protected put(bytes: Buffer, from: number, to: number, kind: number): boolean {
    const value = kind === PLAIN ? readDate(bytes, from + 1, to - 1) : undefined;
    if (value === undefined) return false;
    const at = this.add(4);
    this.values.writeInt32LE(value, at);
    this.note(value);
    return true;
  }
}

class DoubleColumn extends NumberColumn {
  readonly type: StoredType = { type: 'DOUBLE' };

  /** Both zeros are within a bound that is one of them, as Parquet requires. */
  protected override takeBounds(): Omit<ColumnStatistics, 'nulls'> {
    const { least, most } = super.takeBounds();
    return { least: least === 0 ? -0 : least, most: most === 0 ? 0 : most };
  }

  protected put(bytes: Buffer, from: number, to: number, kind: number): boolean {
    const value = kind === NUMBER ? readDouble(bytes, from, to) : undefined;
    if (value === undefined) return false;
    const at = this.add(8);
    this.values.writeDoubleLE(value, at);
    this.note(value);
    return true;
  }
}

/** Bytes that hold `DECIMAL_DIGITS`. */
const DECIMAL_BYTES = 16;

class DecimalColumn extends NumberColumn {
  readonly type: StoredType = {
    type: 'FIXED_LEN_BYTE_ARRAY',
    type_length: DECIMAL_BYTES,
    converted_type: 'DECIMAL',
    logical_type: { type: 'DECIMAL', precision: DECIMAL_DIGITS, scale: 0 },
    precision: DECIMAL_DIGITS,
    scale: 0,
  };

  protected put(bytes: Buffer, from: number, to: number, kind: number): boolean {
    const value = kind === NUMBER ? readInteger(bytes, from, to) : undefined;
    if (value === undefined || !fitsDecimal(value)) return false;
    const exact = BigInt(value);
    const at = this.add(DECIMAL_BYTES);
    this.values.writeBigInt64BE(exact >> 64n, at);
    this.values.writeBigUInt64BE(BigInt.asUintN(64, exact), at + 8);
    this.note(exact);
    return true;
  }
}

/** One bit for each value in a page, one byte before that. */
class BooleanColumn extends ParquetColumn {
  readonly type: StoredType = { type: 'BOOLEAN' };

  protected put(_bytes: Buffer, _from: number, _to: number, kind: number): boolean {
    if (kind !== TRUE && kind !== FALSE) return false;
    const at = this.add(1);
    this.values[at] = kind === TRUE ? 1 : 0;
    return true;
  }

  protected takeBounds(): Omit<ColumnStatistics, 'nulls'> {
    return {};
  }

  protected override encoded(): Uint8Array {
    const bits = Buffer.alloc(Math.ceil(this.length / 8));
    for (let index = 0; index < this.length; index++) {
      if (this.values[index] === 1) bits[index >>> 3] = (bits[index >>> 3] ?? 0) | (1 << (index & 7));
    }
    return bits;
  }
}

/** The column of a field that has values of its own. */
export function parquetColumn(field: Field): ParquetColumn {
  switch (field.type) {
    case 'int64':
      return new Int64Column(field);
    case 'decimal':
      return new DecimalColumn(field);
    case 'double':
      return new DoubleColumn(field);
    case 'boolean':
      return new BooleanColumn(field);
    case 'timestamp':
      return new TimestampColumn(field);
    case 'date':
      return new DateColumn(field);
    case 'text':
      return new TextColumn(field);
    default:
      return new JsonColumn(field);
  }
}
