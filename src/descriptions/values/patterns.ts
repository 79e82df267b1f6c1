import { compilePattern, TOO_LONG, withinTime } from '../within-time.ts';
import { oncePerName } from './memoize.ts';

const expressionOf = oncePerName(compilePattern);

/** Patterns that took too long, and how often. */
const tooLong = new Map<string, number>();

const LONGEST_MS = 100;
const MOST_TIMES = 3;

/** Whether a text matches a pattern; true for a pattern that is invalid, false for one that takes too long. */
export function fitsPattern(pattern: string, text: string): boolean {
  const expression = expressionOf(pattern);
  if (!expression) return true;
  if (!isSlow(pattern)) return expression.test(text);
  const times = tooLong.get(pattern) ?? 0;
  if (times >= MOST_TIMES) return false;
  const found = withinTime(() => expression.test(text), LONGEST_MS);
  if (found === TOO_LONG) tooLong.set(pattern, times + 1);
  return found === true;
}

/** The number of ways in which a text may be split between bounded repeats: next to an unbounded one, and without one. */
const MOST_WAYS = { besideOne: 10, alone: 1000 } as const;

/**
 * Whether a pattern may take more time than in proportion to the text: it repeats a group or has a back-reference, or its repeats can
 * split a text in many ways.
 */
export const isSlow = oncePerName((pattern) => {
  if (/\\[1-9k]/.test(pattern)) return true;
  const plain = pattern.replaceAll(/\\./gs, 'x').replaceAll(/\[[^\]]*\]/g, 'x');
  if (/\)(?:[*+]|\{\d+(?:,\d*)?\})/.test(plain)) return true;
  const unbounded = plain.match(/[*+]|\{\d+,\}/g)?.length ?? 0;
  const optional = plain.match(/[^(*+?}]\?/g)?.length ?? 0;
  const spans = [...plain.matchAll(/\{(\d+),(\d+)\}/g)].map(([, from, to]) => Number(to) - Number(from) + 1);
  const ways = spans.reduce((product, span) => product * Math.max(span, 1), 2 ** optional);
  if (unbounded > 1) return true;
  return (
    spans.length + optional + unbounded > 1 &&
    ways > (unbounded === 1 ? MOST_WAYS.besideOne : MOST_WAYS.alone)
  );
});
