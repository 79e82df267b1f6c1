import type { KnownMember } from './known-members.ts';
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
  /** Whether values are replaced in each of them. */
  readonly isChanged: boolean;
};

type Shape = Pick<KnownRecords, 'marked' | 'isChanged'> & {
  /** Matches a record with the comma after it, or before the bracket that closes the list. The groups are the parts that are shown. */
  readonly pattern: RegExp;
};

const STRING = '"[^"\\\\\\x00-\\x1f]*"';
const NUMBER = '-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?';

/** The patterns of scalars that are treated in the same way. None of them contains an escape sequence. */
const PATTERNS: Readonly<Record<Exclude<Treatment, 'kept'>, string>> = {
  masked: '"(?![*\\u2022]*")[^"\\\\\\x00-\\x1f]+"',
  hidden: STRING,
  'masked by the service': '"[*\\u2022]+"',
  empty: '(?:null|"")',
};

/**
 * An expression takes V8 as long to compile as it takes to read this many records one by one. A text that has not that many more
 * is read without, unless so many records have come in earlier texts that more will.
 */
const WORTH_LEARNING = 30;
const FIRST_LEARNED = 200;
/** The first record of a list may be unlike the others. */
const FIRST_ALIKE = 3;
const MOST_SHAPES = 4;
const MOST_SCALARS = 200;
/** The longest expression that is compiled. V8 refuses those of a hundred thousand characters, with an error. */
const LONGEST_PATTERN = 20_000;
/** Fewer records in a row are read faster one by one. So often that may happen before shapes are given up. */
const SHORT_RUN = 8;
const MOST_SHORT_RUNS = 30;
const COMMA = 0x2c;

/**
 * The shapes of the records of one list. Records that differ from an earlier one in the values of their scalars alone are read
 * by one regular expression, all that follow one another at once: several times as fast as member by member, with the same result.
 */
export class RecordShapes {
  readonly #replacement: string;
  #shapes: Shape[] = [];
  #mark: KnownMember['mark'];
  #shortRuns = 0;
  #count = 0;
  /** Where the record before began. */
  #before = 0;

  constructor(replacement: string) {
    this.#replacement = replacement;
  }

  /** Begins a list. What was learned from lists that are marked in another way does not hold for its records. */
  begin({ mark }: KnownMember): void {
    if (mark !== this.#mark) this.#shapes = [];
    this.#mark = mark;
  }

  /** Records from this index on that have one known shape. The text must have no line ends. */
  read(text: string, at: number): KnownRecords | undefined {
    this.#count += 1;
    for (const { pattern, marked, isChanged } of this.#shapes) {
      pattern.lastIndex = at;
      const texts: string[] = [];
      let end = at;
      for (let groups = pattern.exec(text); groups; groups = pattern.exec(text)) {
        texts.push(this.#shown(groups));
        end = pattern.lastIndex;
      }
      if (texts.length === 0) continue;
      // Another record follows, and is unlike these.
      if (texts.length < SHORT_RUN && text.charCodeAt(end - 1) === COMMA) this.#noteShortRun();
      return { texts, end, marked: marked * texts.length, isChanged };
    }
    if (this.#shapes.length > 0) this.#noteShortRun();
    return undefined;
  }

  /** A record with the replacement between its groups. */
  #shown(groups: RegExpExecArray): string {
    return groups.length === 2 ? (groups[1] ?? '') : groups.slice(1).join(this.#replacement);
  }

  /** What the next record of a text is to be noted in; undefined where nothing is to be learned from it. */
  record(text: string, start: number): Recording | undefined {
    const size = start - this.#before;
    this.#before = start;
    const isOver = this.#shortRuns > MOST_SHORT_RUNS || this.#shapes.length >= MOST_SHAPES;
    const isEarly = this.#count === FIRST_ALIKE && size > 0 && text.length - start > WORTH_LEARNING * size;
    return isOver || !(isEarly || this.#count >= FIRST_LEARNED)
      ? undefined
      : { start, scalars: [], isRegular: true };
  }

  /** Learns the shape of a record that ends at this index. */
  learn(text: string, { start, scalars, isRegular }: Recording, end: number): void {
    if (!isRegular || scalars.length > MOST_SCALARS) return;
    let source = '(';
    let done = start;
    for (const scalar of scalars) {
      const pattern =
        scalar.treatment === 'kept' ? alike(text.charCodeAt(scalar.start)) : PATTERNS[scalar.treatment];
      // What is replaced is between two groups, which are what is shown.
      const value = isReplaced(scalar.treatment) ? `)${pattern}(` : pattern;
      source += escaped(text.slice(done, scalar.start)) + value;
      done = scalar.end;
    }
    source += `${escaped(text.slice(done, end))})(?:,|(?=\\]))`;
    if (source.length > LONGEST_PATTERN) return;
    const marked = scalars.filter(({ treatment }) => isMarked(treatment)).length;
    const isChanged = scalars.some(({ treatment }) => isReplaced(treatment));
    this.#shapes.unshift({ pattern: new RegExp(source, 'y'), marked, isChanged });
  }

  #noteShortRun(): void {
    this.#shortRuns += 1;
    if (this.#shortRuns > MOST_SHORT_RUNS) this.#shapes = [];
  }
}

/** Always true after a scalar. Without it V8 would compile what follows once for each alternative before it. */
const AFTER = '(?!")';

/** The scalars of the same type, or null, as the one that begins like this: the fewer there are, the faster V8 compiles them. */
function alike(first: number): string {
  if (first === 0x22) return `(?:${STRING}|null)${AFTER}`;
  if (first === 0x74 || first === 0x66) return `(?:true|false|null)${AFTER}`;
  return `(?:${first === 0x6e ? `${STRING}|true|false|` : ''}${NUMBER}|null)${AFTER}`;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
