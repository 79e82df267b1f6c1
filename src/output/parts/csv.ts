import type { Compression, PartWriter, PartWriterOptions } from '../format.ts';
import { columnsOfPart, RAW } from '../typed-column.ts';
import { SUFFIXES, TextFile } from './compressed.ts';
import { ESCAPED, FALSE, type Field, NOTHING, NUMBER, PLAIN, Records, TRUE } from './records.ts';
import { fitsDecimal, fitsInt64, readDate, readDouble, readInteger, readTime } from './values.ts';

/** Such as `.csv.zst`. */
export const ending = (compression: Compression): string => `.csv${SUFFIXES[compression]}`;

/**
 * Writes CSV by RFC 4180: a header of dotted paths, and the members of objects as columns of their own; a list is JSON text. Cells are the
 * exact values, for engines: what a spreadsheet would run as a formula is not defused. An empty text is quoted, and null is not. A value
 * that does not fit the type of its column is null; the whole record is then in `_raw`, as in Parquet.
 */
export function createPartWriter(options: PartWriterOptions): PartWriter {
  const { id, partition, mask, raw } = options;
  const file = new TextFile(options);
  const columns = columnsOfPart(options.columns, partition).filter((column) => column !== RAW);
  const records = new Records(columns, { takesLists: false, id, partition, mask });
  const fields = records.leaves();
  let header = [...fields, records.whole].map(({ path }) => quote(path)).join(',') + LINE_END;
  return {
    async add(encoded) {
      records.read(encoded);
      const rows = encoded.texts.map((_, slot) =>
        fields.map((field) => cellOf(records, field, slot)).join(','),
      );
      records.placeWhole(raw);
      const lines = rows.map((row, slot) => `${row},${cellOf(records, records.whole, slot)}${LINE_END}`);
      await file.add(Buffer.from(header + lines.join('')));
      header = '';
    },
    async end() {
      await file.add(Buffer.from(header));
      await file.end();
      return { unfit: records.unfit };
    },
  };
}

const LINE_END = '\r\n';

/** The cell of a value; that of one which does not fit its column is empty. */
function cellOf(records: Records, field: Field, slot: number): string {
  const { kinds, starts, ends, fields } = records.root;
  const place = slot * fields.length + field.index;
  const kind = kinds[place] ?? NOTHING;
  if (kind === NOTHING) return '';
  const cell = cellText(records.bytes, starts[place] ?? 0, ends[place] ?? 0, kind, field);
  if (cell === undefined) records.count(field, slot, starts[place] ?? 0);
  return cell ?? '';
}

function cellText(
  bytes: Buffer,
  from: number,
  to: number,
  kind: number,
  { type }: Field,
): string | undefined {
  switch (type) {
    case 'text':
      return kind === PLAIN || kind === ESCAPED ? textCell(bytes, from, to, kind) : undefined;
    case 'int64':
      return kind === NUMBER ? integerCell(bytes, from, to, fitsInt64) : undefined;
    case 'decimal':
      return kind === NUMBER ? integerCell(bytes, from, to, fitsDecimal) : undefined;
    case 'double':
      return kind === NUMBER && readDouble(bytes, from, to) !== undefined
        ? plain(bytes, from, to)
        : undefined;
    case 'boolean':
      return kind === TRUE || kind === FALSE ? plain(bytes, from, to) : undefined;
    case 'timestamp':
      return kind === PLAIN && readTime(bytes, from + 1, to - 1) !== undefined
        ? plain(bytes, from + 1, to - 1)
        : undefined;
    case 'date':
      return kind === PLAIN && readDate(bytes, from + 1, to - 1) !== undefined
        ? plain(bytes, from + 1, to - 1)
        : undefined;
    default:
      return quote(bytes.toString('utf8', from, to));
  }
}

const plain = (bytes: Buffer, from: number, to: number) => bytes.toString('latin1', from, to);

function textCell(bytes: Buffer, from: number, to: number, kind: number): string | undefined {
  if (kind === PLAIN) return quote(bytes.toString('utf8', from + 1, to - 1));
  const text: string = JSON.parse(bytes.toString('utf8', from, to));
  return text.isWellFormed() ? quote(text) : undefined;
}

function integerCell(
  bytes: Buffer,
  from: number,
  to: number,
  fits: (value: number | bigint) => boolean,
): string | undefined {
  const value = readInteger(bytes, from, to);
  return value !== undefined && fits(value) ? String(value) : undefined;
}

/** What readers may take for more than a value, or for none, or strip. */
const NEEDS_QUOTES = /[",\r\n]|^$|^\s|\s$/;

function quote(text: string): string {
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The records of a part. */
export { readCsv as readPart } from './csv-reader.ts';
