import { type Piece, PieceSplitter } from '../json/split-lines.ts';

/** How the cells and lines of a file are separated. */
export type CsvDialect = {
  readonly delimiter: ',' | ';' | '\t';
  /** What ends a line; with a line feed, a carriage return before it belongs to the end. */
  readonly lineEnd: '\n' | '\r';
};

/** Why a header does not tell the delimiter: these are in it. */
export type UnclearDelimiter = { readonly found: readonly string[] };

const DELIMITERS = [',', ';', '\t'] as const;

/**
 * Tells the dialect of a file by its first line that is not blank; cells in quotation marks do not count. Undefined while that
 * line is not complete.
 */
export function detectDialect(head: string, isWhole: boolean): CsvDialect | UnclearDelimiter | undefined {
  const bare = head.replace(/"[^"]*(?:"|$)/g, '""');
  const [end = ''] = /\r\n|\r(?!$)|\n/.exec(bare) ?? [];
  const [, line = '', isComplete] = /^(?:[\s,;]*[\r\n])?([^\r\n]*)([\r\n])?/.exec(bare) ?? [];
  if (!isWhole && (end === '' || !isComplete)) return undefined;
  const found = DELIMITERS.filter((delimiter) => line.includes(delimiter));
  const [delimiter = ',', ...others] = found;
  if (others.length > 0) return { found };
  return { delimiter, lineEnd: end === '\r' ? '\r' : '\n' };
}

const QUOTE = 0x22;
const SPACE = 0x20;
const CARRIAGE_RETURN = 0x0d;

/** A record; `cells` are there if it is plain: short, of ASCII, without quotation marks and control characters. */
export type CsvPiece = Piece & { readonly cells?: string[] | undefined };

/** The longest record that is plain, in bytes, and the most cells that it has. */
const LONGEST_PLAIN = 10_000;
const MOST_PLAIN = 100;
/** In bytes. */
const DECODED_AT_ONCE = 4096;

type DecodedRecord = {
  readonly text: string;
  readonly base: number;
  readonly start: number;
  readonly end: number;
};

/**
 * Splits CSV into records, which are lines except where a cell in quotation marks contains line ends. A quotation mark opens a cell
 * only at its beginning, as in `cellsOf`. The place of a record is its first line.
 */
export class RecordSplitter extends PieceSplitter {
  readonly kind = 'line';
  readonly #delimiter: number;
  readonly #lineEnd: number;
  #line = 1;
  #firstLine = 1;
  #isQuoted = false;
  /** The last byte of the input before this one, and where a cell was closed, counted from the beginning of this input. */
  #last: number;
  #closedAt = Number.NEGATIVE_INFINITY;

  /** `longest` is the largest length of a record that is read, in bytes. */
  constructor({ delimiter, lineEnd }: CsvDialect, longest: number) {
    super(longest);
    this.#delimiter = delimiter.charCodeAt(0);
    this.#lineEnd = lineEnd.charCodeAt(0);
    this.#last = this.#lineEnd;
  }

  *add(bytes: Buffer): Generator<CsvPiece, void, undefined> {
    const isAscii = process.getBuiltinModule('node:buffer').isAscii(bytes);
    // The text of some records from `base` on: one for each takes longer than to find its cells, and one for all stays in memory for longer.
    let text = '';
    let base = 0;
    let start = 0;
    let isPlain = isAscii && this.isEmpty;
    let quote = bytes.indexOf(QUOTE);
    let end = bytes.indexOf(this.#lineEnd);
    while (quote !== -1 || end !== -1) {
      if (end === -1 || (quote !== -1 && quote < end)) {
        this.#takeQuote(quote, quote > 0 ? bytes[quote - 1] : this.#last);
        quote = bytes.indexOf(QUOTE, quote + 1);
        isPlain = false;
        continue;
      }
      this.#line += 1;
      if (!this.#isQuoted) {
        if (isPlain && end > base + text.length) {
          base = start;
          text = bytes.toString('latin1', base, Math.max(end, base + DECODED_AT_ONCE));
        }
        const cells = isPlain ? this.#plainCells(bytes, { text, base, start, end }) : undefined;
        const record = cells
          ? text.slice(start - base, end - base)
          : this.finish(bytes.subarray(start, end), isAscii);
        yield { text: record, place: this.#firstLine, cells };
        this.#firstLine = this.#line;
        start = end + 1;
        isPlain = isAscii;
      }
      end = bytes.indexOf(this.#lineEnd, end + 1);
    }
    this.keep(bytes.subarray(start));
    this.#last = bytes.at(-1) ?? this.#last;
    this.#closedAt -= bytes.length;
  }

  *end(): Generator<Piece, void, undefined> {
    if (!this.isEmpty) yield { text: this.finish(Buffer.alloc(0)), place: this.#firstLine };
  }

  /** The cells between two places, if they are plain; the text from `base` on is decoded. */
  #plainCells(bytes: Buffer, { text, base, start, end }: DecodedRecord): string[] | undefined {
    const delimiter = this.#delimiter;
    const cells: string[] = [];
    let from = start;
    const last = bytes[end - 1] === CARRIAGE_RETURN && this.#lineEnd !== CARRIAGE_RETURN ? end - 1 : end;
    for (let at = start; at < last; at += 1) {
      const byte = bytes[at] ?? 0;
      if (byte === delimiter) {
        cells.push(text.slice(from - base, at - base));
        from = at + 1;
      } else if (byte < SPACE) return undefined;
    }
    cells.push(text.slice(from - base, Math.max(from, last) - base));
    return end - start <= LONGEST_PLAIN && cells.length <= MOST_PLAIN ? cells : undefined;
  }

  #takeQuote(at: number, before: number | undefined): void {
    if (this.#isQuoted) {
      this.#isQuoted = false;
      this.#closedAt = at;
      return;
    }
    const isDoubled = at - 1 === this.#closedAt;
    this.#isQuoted = isDoubled || before === this.#delimiter || before === this.#lineEnd;
  }
}

/** What is wrong with the quotation marks of a record, or with a line end outside of them, and the index of the cell. */
export type BrokenCell = {
  readonly cell: number;
  readonly code: 'stray_quote' | 'unclosed_quote' | 'line_break';
};

/** How the cells of a record are taken apart. */
export type CellOptions<None> = CsvDialect & {
  /** Of a record with more cells, this many are taken and one more. */
  readonly most: number;
  /** What stands for an empty cell without quotation marks. */
  readonly none: None;
};

/** Takes a record apart into its cells. */
export function cellsOf<None>(record: string, options: CellOptions<None>): (string | None)[] | BrokenCell {
  const { delimiter, lineEnd, most, none } = options;
  const text = lineEnd === '\n' && record.endsWith('\r') ? record.slice(0, -1) : record;
  if (text.includes('"')) return cellsWithQuotes(text, options);
  const cells = text.split(delimiter, most + 1);
  if (LINE_BREAK.test(text))
    return { cell: cells.findIndex((cell) => LINE_BREAK.test(cell)), code: 'line_break' };
  return cells.map((cell) => (cell === '' ? none : cell));
}

const LINE_BREAK = /[\r\n]/;

function cellsWithQuotes<None>(
  text: string,
  { delimiter, most, none }: CellOptions<None>,
): (string | None)[] | BrokenCell {
  const cells: (string | None)[] = [];
  let at = 0;
  while (cells.length <= most) {
    const cell = cells.length;
    if (text.charCodeAt(at) === QUOTE) {
      const close = closingQuote(text, at);
      if (close === -1) return { cell, code: 'unclosed_quote' };
      cells.push(text.slice(at + 1, close).replaceAll('""', '"'));
      at = close + 1;
      if (at < text.length && text[at] !== delimiter) return { cell, code: 'stray_quote' };
    } else {
      const found = text.indexOf(delimiter, at);
      const end = found === -1 ? text.length : found;
      const value = text.slice(at, end);
      if (value.includes('"')) return { cell, code: 'stray_quote' };
      if (LINE_BREAK.test(value)) return { cell, code: 'line_break' };
      cells.push(value === '' ? none : value);
      at = end;
    }
    if (at === text.length) break;
    at += 1;
  }
  return cells;
}

function closingQuote(text: string, open: number): number {
  let close = text.indexOf('"', open + 1);
  while (close !== -1 && text.charCodeAt(close + 1) === QUOTE) close = text.indexOf('"', close + 2);
  return close;
}
