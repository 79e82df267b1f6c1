import { isMarked, isReplaced, type Treatment } from './treatment.ts';

/** A record whose scalars are noted while it is read. */
export type Recording = {
  readonly start: number;
  /** Start and end of each scalar, and how it was treated. */
  readonly scalars: { readonly start: number; readonly end: number; readonly treatment: Treatment }[];
  /** False for a record that has a value for which there is no pattern. */
  isRegular: boolean;
};

/** Records of one shape that follow one another: what is shown of each, where the next begins, and how many values are marked. */
export type KnownRecords = {
  readonly texts: readonly string[];
  /** Where the next record begins, or the bracket that closes the list. */
  readonly end: number;
  readonly marked: number;
};

type Shape = {
  /** A record with the comma after it, or before the bracket that closes the list. */
  readonly pattern: RegExp;
  /** What is shown of it, with a line end. */
  readonly shown: string;
  readonly marked: number;
};

const STRING = '"[^"\\\\\\x00-\\x1f]*"';
const NUMBER = '-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?';

/** What may stand in the place of a scalar so that it is treated in the same way. None of them holds an escape sequence. */
const PATTERNS: Readonly<Record<Treatment, string>> = {
  kept: `(?:${STRING}|null|true|false|${NUMBER})`,
  masked: '"(?![*\\u2022]*")[^"\\\\\\x00-\\x1f]+"',
  hidden: STRING,
  'masked by the service': '"[*\\u2022]+"',
  empty: '(?:null|"")',
};

/** A short list is read before anything could be gained. */
const FIRST_LEARNED = 200;
const MOST_SHAPES = 4;
const MOST_SCALARS = 200;
/** As many groups as a replacement can name. */
const MOST_GROUPS = 99;
/** Fewer records in a row are read faster one by one. So often that may happen before shapes are given up. */
const SHORT_RUN = 8;
const MOST_SHORT_RUNS = 30;
const LEAST_WINDOW = 2048;

/**
 * The shapes of the records of one list. Records that differ from an earlier one in the values of their scalars alone are read
 * by one regular expression, all that follow one another at once: several times as fast as member by member, with the same result.
 */
export class RecordShapes {
  readonly #replacement: string;
  #shapes: Shape[] = [];
  #shortRuns = 0;
  /** How many characters are looked at, unless one record takes more. */
  #window = LEAST_WINDOW;
  #count = 0;

  constructor(replacement: string) {
    this.#replacement = replacement.replaceAll('$', '$$$$');
  }

  /**
   * Records from this index on that have one known shape, not always all of them. The text must have no line ends. What is looked
   * at and copied is in proportion to what was read the last time, so that a page of many short runs takes no longer.
   */
  read(text: string, at: number): KnownRecords | undefined {
    this.#count += 1;
    for (const { pattern, shown, marked } of this.#shapes) {
      pattern.lastIndex = at;
      if (!pattern.test(text)) continue;
      const size = Math.max(this.#window, pattern.lastIndex - at);
      const texts = text
        .slice(at, at + size)
        .replace(pattern, shown)
        .split('\n');
      const unread = texts.pop() ?? '';
      const end = Math.min(at + size, text.length) - unread.length;
      this.#window = Math.max(LEAST_WINDOW, 4 * (end - at));
      if (texts.length < SHORT_RUN && end - at < size / 2) this.#noteShortRun();
      return { texts, end, marked: marked * texts.length };
    }
    if (this.#shapes.length > 0) this.#noteShortRun();
    return undefined;
  }

  /** What the next record is to be noted in; undefined where nothing is to be learned from it. */
  record(start: number): Recording | undefined {
    const isOver = this.#shortRuns > MOST_SHORT_RUNS || this.#shapes.length >= MOST_SHAPES;
    return isOver || this.#count < FIRST_LEARNED ? undefined : { start, scalars: [], isRegular: true };
  }

  /** Learns the shape of a record that ends at this index. */
  learn(text: string, { start, scalars, isRegular }: Recording, end: number): void {
    const replaced = scalars.filter(({ treatment }) => isReplaced(treatment)).length;
    if (!isRegular || scalars.length > MOST_SCALARS || replaced >= MOST_GROUPS) return;
    let source = '(';
    let done = start;
    for (const scalar of scalars) {
      const pattern = PATTERNS[scalar.treatment];
      // What is replaced is between two groups, which are what is shown.
      const value = isReplaced(scalar.treatment) ? `)${pattern}(` : pattern;
      source += escaped(text.slice(done, scalar.start)) + value;
      done = scalar.end;
    }
    source += `${escaped(text.slice(done, end))})(?:,|(?=\\]))`;
    const groups = Array.from({ length: replaced + 1 }, (_, index) => `$${index + 1}`);
    const shown = `${groups.join(this.#replacement)}\n`;
    const marked = scalars.filter(({ treatment }) => isMarked(treatment)).length;
    this.#shapes.unshift({ pattern: new RegExp(source, 'gy'), shown, marked });
  }

  #noteShortRun(): void {
    this.#shortRuns += 1;
    if (this.#shortRuns > MOST_SHORT_RUNS) this.#shapes = [];
  }
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
