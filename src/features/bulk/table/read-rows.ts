import { readInputPieces, unreadableInput } from '../../../files/read-input.ts';
import type { Piece } from '../../../json/split-lines.ts';
import { detectDialect } from '../../../output/csv-records.ts';
import { toUtf8Command } from '../../../text/shell.ts';
import { CsvRows } from './csv-rows.ts';
import { LONGEST_ROW, type RowItem, type RowProblem, type RowProblemCode } from './input-row.ts';
import { JsonRows } from './json-rows.ts';

/** The rows of a file. */
export type RowSource = {
  readonly format: 'csv' | 'ndjson' | 'json';
  /** The header of CSV, with names that may be wrong; undefined for JSON, and where no header can be read. */
  readonly columns: readonly string[] | undefined;
  /**
   * Rows and problems in the order of the file, some at a time: each batch is valid until the next one is asked for. They can be read once.
   * Ends after `MOST_PROBLEMS` with a problem that says so.
   * @throws UsageError `unreadable_file`; AbortedError
   */
  batches(): AsyncGenerator<readonly RowItem[], void, undefined>;
  /** The last line of CSV, if it has no line end, so that it may be a part of a line; known after the last batch. */
  unendedLine(): number | undefined;
};

type RowOptions = {
  /** What `-` is. */
  readonly stdin: () => AsyncIterable<Uint8Array>;
  readonly signal: AbortSignal;
  /** Columns that are neither checked nor given. */
  readonly ignored?: readonly string[];
};

/** The most problems of a file that are reported. */
export const MOST_PROBLEMS = 1000;

/**
 * Opens a file of rows, or standard input for `-`, and reads it as far as its format and header. The format is told by the first
 * character that is not blank: `[` is an array of JSON objects, `{` one JSON object per line, anything else CSV by RFC 4180 with a
 * header. Takes UTF-8 with or without a byte order mark. Memory does not grow with the number of rows.
 * @throws UsageError `unreadable_file`; AbortedError
 */
export async function openRows(
  from: string,
  { stdin, signal, ignored = [] }: RowOptions,
): Promise<RowSource> {
  const input = readable(from, stdin, signal);
  let head = Buffer.alloc(0);
  let start: Start | undefined;
  let isWhole = false;
  while (!start) {
    const { value, done } = await input.next();
    isWhole = done === true;
    if (value) head = Buffer.concat([head, value]);
    start = chooseFormat(head, isWhole || head.length > LONGEST_ROW, new Set(ignored));
  }
  if ('code' in start) {
    await input.return();
    return refused(start);
  }
  const { format, reader, offset } = start;
  const items: RowItem[] = [];
  takeAll(reader, reader.splitter.add(head.subarray(offset)), items);
  let isDone = false;
  while (reader instanceof CsvRows && !reader.columns && !reader.isOver && !isDone) {
    const next = await readNext(reader, input);
    takeAll(reader, next.pieces, items);
    isDone = next.isDone;
  }
  const { columns } = reader;
  const read: Read = { reader, items, unendedLine: undefined };
  const batches = () => withinLimit(readOn(read, input));
  return { format, columns, batches, unendedLine: () => read.unendedLine };
}

type Reader = CsvRows | JsonRows;
type Start =
  | { readonly format: RowSource['format']; readonly reader: Reader; readonly offset: number }
  | RowProblem;

type Input = AsyncGenerator<Uint8Array, void, undefined>;

async function* readable(from: string, stdin: RowOptions['stdin'], signal: AbortSignal): Input {
  try {
    yield* from === '-' ? stdin() : readInputPieces(from, signal);
  } catch (error) {
    throw unreadableInput(`--from cannot read ${from === '-' ? 'standard input' : from}`, error);
  }
}

/** How a file is read, or why it cannot be; undefined while more of it is needed. */
function chooseFormat(head: Buffer, isEnough: boolean, ignored: ReadonlySet<string>): Start | undefined {
  const begins = (...bytes: readonly number[]) => bytes.every((byte, index) => head[index] === byte);
  const isUtf16 = (head[0] === 0 && head[2] === 0) || (head[1] === 0 && head[3] === 0);
  if (isUtf16 || begins(0xff, 0xfe) || begins(0xfe, 0xff)) return problem('not_utf8', utf16());
  if (begins(0x50, 0x4b, 0x03, 0x04) || begins(0xd0, 0xcf, 0x11, 0xe0)) return problem('not_text', WORKBOOK);
  const offset = begins(0xef, 0xbb, 0xbf) ? 3 : 0;
  // Structure is ASCII, and this decoding keeps every byte a character.
  const text = head.toString('latin1', offset);
  const first = /[^ \t\r\n]/.exec(text)?.[0];
  if (first === undefined) return isEnough ? problem('no_rows', 'The input is empty.') : undefined;
  if (first === '[' || first === '{') {
    const isArray = first === '[';
    return { format: isArray ? 'json' : 'ndjson', reader: new JsonRows(isArray), offset };
  }
  const dialect = detectDialect(text, isEnough);
  if (!dialect) return undefined;
  if ('found' in dialect) return problem('unclear_delimiter', UNCLEAR);
  return { format: 'csv', reader: new CsvRows(dialect, ignored), offset };
}

function takeAll(reader: Reader, pieces: Iterable<Piece>, items: RowItem[]): void {
  for (const piece of pieces) {
    reader.take(piece, items);
    if (reader.isOver) return;
  }
}

/** Reads on in the input: the next pieces, or what is left at its end. */
async function readNext({ splitter }: Reader, input: Input) {
  const { value, done } = await input.next();
  return { pieces: value ? splitter.add(asBuffer(value)) : splitter.end(), isDone: done === true };
}

/** Rows that are given together: few enough not to outlive the young generation. */
const BATCH = 20;

/** What was read so far. */
type Read = { readonly reader: Reader; readonly items: RowItem[]; unendedLine: number | undefined };

/** The items that are there, and those that are still to be read. */
async function* readOn(read: Read, input: Input): AsyncGenerator<readonly RowItem[], void, undefined> {
  const { reader, items } = read;
  try {
    yield items;
    while (!reader.isOver) {
      items.length = 0;
      const { pieces, isDone } = await readNext(reader, input);
      for (const piece of pieces) {
        if (isDone && reader instanceof CsvRows && piece.text?.trim()) read.unendedLine = piece.place;
        reader.take(piece, items);
        if (reader.isOver) break;
        if (items.length < BATCH) continue;
        yield items;
        items.length = 0;
      }
      yield items;
      if (isDone) return;
    }
  } finally {
    await input.return();
  }
}

async function* withinLimit(
  batches: AsyncIterable<readonly RowItem[]>,
): AsyncGenerator<readonly RowItem[], void, undefined> {
  let isEmpty = true;
  let problems = 0;
  for await (const items of batches) {
    isEmpty &&= items.length === 0;
    const end = items.findIndex((item) => 'code' in item && ++problems > MOST_PROBLEMS);
    const last = items[end];
    if (last) {
      const message = `There are more than ${MOST_PROBLEMS} problems. No further rows were read.`;
      yield [...items.slice(0, end), problem('too_many_problems', message, last.line)];
      return;
    }
    if (items.length > 0) yield items;
  }
  if (isEmpty) yield [problem('no_rows', 'The input has no rows.')];
}

function refused(reason: RowProblem): RowSource {
  return {
    format: 'csv',
    columns: undefined,
    async *batches() {
      yield [reason];
    },
    unendedLine: () => undefined,
  };
}

function problem(code: RowProblemCode, message: string, line = 1): RowProblem {
  return { line, column: undefined, code, message, isEnd: true };
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

const utf16 = () =>
  `The file is in UTF-16, not in UTF-8. Save it as "CSV UTF-8", or convert it, for example with: ${toUtf8Command('utf-16')}`;
const WORKBOOK = 'The file is a spreadsheet workbook, not a text file. Save it as "CSV UTF-8".';
const UNCLEAR =
  'The first line contains more than one of comma, semicolon and tab, so it is unclear which one separates the columns. ' +
  'Put names that contain one of them in quotation marks.';
