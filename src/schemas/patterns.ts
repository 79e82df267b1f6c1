import { oncePerName } from './memoize.ts';
import { TOO_LONG, withinTime } from './within-time.ts';

/** A pattern as JSON Schema reads it; undefined for a text that is not one. */
const compilePattern = oncePerName((pattern): RegExp | undefined => {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return undefined;
  }
});

/** Whether JSON Schema can read a pattern. */
export function isPattern(pattern: unknown): pattern is string {
  return typeof pattern === 'string' && compilePattern(pattern) !== undefined;
}

/** How long the shortest text was for which a pattern took too long. */
const tooLong = new Map<string, number>();

const LONGEST_MS = 200;

/** Texts that slow patterns were tried on: a timer takes a thread, and values for a schema are the same short ones over and over. */
const tried = new Map<string, boolean>();
const MOST_TRIED = { texts: 10_000, length: 100 } as const;

/** Whether a text matches a pattern of a description; undefined where the pattern is invalid, or takes too long. */
export function fitsPattern(pattern: string, text: string): boolean | undefined {
  const expression = compilePattern(pattern);
  if (!expression || !isSlow(pattern)) return expression?.test(text);
  if (text.length >= (tooLong.get(pattern) ?? Number.POSITIVE_INFINITY)) return undefined;
  const key = `${pattern}\0${text}`;
  const found = tried.get(key) ?? withinTime(() => expression.test(text), LONGEST_MS);
  if (found !== TOO_LONG) {
    if (text.length <= MOST_TRIED.length && tried.size < MOST_TRIED.texts) tried.set(key, found);
    return found;
  }
  tooLong.set(pattern, text.length);
  return undefined;
}

/** Whether a text matches a pattern of a description; true where the pattern cannot be used, or takes too long. */
export function matchesPattern(pattern: string, text: string): boolean {
  return fitsPattern(pattern, text) !== false;
}

/** The number of ways in which a text may be split between bounded repeats: next to an unbounded one, and without one. */
const MOST_WAYS = { besideOne: 10, alone: 1000 } as const;

/** An unbounded repeat of one character, with what must come after it: a character, or the end. */
const REPEAT =
  /((?<!\\)(?:\\[dws]|\[(?:\\.|[^\]\\])*\])|(?<!\\[\da-z]*)[\w -])[*+](?=([^\\()[\]{}?*+|.^$])(?![?*{])|\$?$)/gisu;

/** A pattern without the `+` and `*` of repeats that can end in one place only, because what must come after them is not repeated. */
function withoutSureRepeats(pattern: string): string {
  return pattern.replaceAll(REPEAT, (repeat, one: string, next: string | undefined) =>
    next !== undefined && compilePattern(`^${one}$`)?.test(next) !== false ? repeat : one,
  );
}

/**
 * Whether a pattern may take more time than in proportion to the text: it repeats a group or has a back-reference, or its repeats can
 * split a text in many ways.
 */
export const isSlow = oncePerName((pattern) => {
  if (/\\[1-9k]/.test(pattern)) return true;
  const sure = withoutSureRepeats(pattern);
  const plain = plainOf(sure);
  if (/\)(?:[*+]|\{\d+(?:,\d*)?\})/.test(plain)) return true;
  const unbounded = unboundedIn(plain);
  const optional = plain.match(/[^(*+?}]\?/g)?.length ?? 0;
  const spans = [...plain.matchAll(/\{(\d+),(\d+)\}/g)].map(([, from, to]) => Number(to) - Number(from) + 1);
  const ways = spans.reduce((product, span) => product * Math.max(span, 1), 2 ** optional);
  // What is tried from each place of the text, and splits it in as many ways, must not be more than one repeat.
  const isOnce = plain.startsWith('^') && !withoutGroups(plain).includes('|');
  if (unbounded > 1 || (!isOnce && unboundedIn(plainOf(pattern)) > 1)) return true;
  return (
    spans.length + optional + unbounded > 1 &&
    ways > (unbounded === 1 ? MOST_WAYS.besideOne : MOST_WAYS.alone)
  );
});

/** A pattern with one character for each escape and each set. */
function plainOf(pattern: string): string {
  return pattern.replaceAll(/\\./gs, 'x').replaceAll(/\[[^\]]*\]/g, 'x');
}

function unboundedIn(plain: string): number {
  return plain.match(/[*+]|\{\d+,\}/g)?.length ?? 0;
}

function withoutGroups(plain: string): string {
  const rest = plain.replaceAll(/\([^()]*\)/g, '');
  return rest === plain ? plain : withoutGroups(rest);
}
