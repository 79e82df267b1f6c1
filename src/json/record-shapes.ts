/** How a scalar of a record is treated. */
export type Treatment = 'kept' | 'masked' | 'hidden' | 'masked by the service' | 'empty';

/** A record whose scalars are noted while it is read. */
export type Recording = {
  readonly start: number;
  /** Start and end of each scalar, and how it was treated. */
  readonly scalars: { readonly start: number; readonly end: number; readonly treatment: Treatment }[];
  /** False for a record that has a value for which there is no pattern. */
  isRegular: boolean;
};

/** A record of a known shape: what is shown of it, where it ends, and how many of its values are marked. */
export type KnownRecord = { readonly shown: string; readonly end: number; readonly marked: number };

type Shape = { readonly pattern: RegExp; readonly isMasked: boolean; readonly marked: number };

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
/** Records of no known shape, after which a list has none. */
const MOST_MISSES = 400;

/**
 * The shapes of the records of one list. A record that differs from an earlier one in the values of its scalars alone is read by
 * one regular expression, several times as fast as member by member, and with the same result.
 */
export class RecordShapes {
  readonly #replacement: string;
  readonly #shapes: Shape[] = [];
  #misses = 0;
  #count = 0;

  constructor(replacement: string) {
    this.#replacement = replacement;
  }

  /** The record that begins at this index, if it has a known shape. */
  read(text: string, at: number): KnownRecord | undefined {
    this.#count += 1;
    for (const { pattern, isMasked, marked } of this.#shapes) {
      pattern.lastIndex = at;
      const found = pattern.exec(text);
      if (!found) continue;
      const shown = isMasked ? found.slice(1).join(this.#replacement) : found[0];
      return { shown, end: pattern.lastIndex, marked };
    }
    if (this.#shapes.length > 0) this.#misses += 1;
    return undefined;
  }

  /** What the next record is to be noted in; undefined where nothing is to be learned from it. */
  record(start: number): Recording | undefined {
    if (this.#count < FIRST_LEARNED) return undefined;
    if (this.#misses > MOST_MISSES) this.#shapes.length = 0;
    if (this.#misses > MOST_MISSES || this.#shapes.length >= MOST_SHAPES) return undefined;
    return { start, scalars: [], isRegular: true };
  }

  /** Learns the shape of a record that ends at this index. */
  learn(text: string, { start, scalars, isRegular }: Recording, end: number): void {
    if (!isRegular || scalars.length > MOST_SCALARS) return;
    const { source, done } = scalars.reduce(
      (shape, scalar) => {
        const before = escaped(text.slice(shape.done, scalar.start));
        const pattern = PATTERNS[scalar.treatment];
        // What is replaced is between two groups, which are what is shown.
        const value = isReplaced(scalar) ? `)${pattern}(` : pattern;
        return { source: shape.source + before + value, done: scalar.end };
      },
      { source: '(', done: start },
    );
    this.#shapes.unshift({
      pattern: new RegExp(`${source}${escaped(text.slice(done, end))})`, 'y'),
      isMasked: scalars.some(isReplaced),
      marked: scalars.filter(isMarked).length,
    });
  }
}

type Treated = { readonly treatment: Treatment };

const isReplaced = ({ treatment }: Treated): boolean => treatment === 'masked' || treatment === 'hidden';
const isMarked = ({ treatment }: Treated): boolean =>
  treatment === 'masked' || treatment === 'masked by the service';

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
