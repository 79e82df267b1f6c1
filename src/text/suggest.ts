/**
 * The candidate with the fewest edits (letters added, removed, replaced or swapped with their neighbour) away from `word`, for "did you mean".
 * Undefined when none is near: more than a third of the longer word would have to change.
 */
export function suggest(word: string, candidates: Iterable<string>): string | undefined {
  let best: { candidate: string; edits: number } | undefined;
  for (const candidate of candidates) {
    const edits = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (edits * 3 <= Math.max(word.length, candidate.length) && (!best || edits < best.edits)) {
      best = { candidate, edits };
    }
  }
  return best?.candidate;
}

/** The text in capitals or in small letters, whichever differs from it and fits: `EUR` for `eur`. */
export function inOtherCase(text: string, fits: (other: string) => boolean): string | undefined {
  return [text.toUpperCase(), text.toLowerCase()].find((other) => other !== text && fits(other));
}

function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let line = 1; line <= from.length; line += 1) {
    const row = [line];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[line - 1] === to[column - 1];
      const isSwapped = from[line - 1] === to[column - 2] && from[line - 2] === to[column - 1];
      const replaced = (last[column - 1] ?? 0) + (isSame ? 0 : 1);
      const swapped = isSwapped
        ? (beforeLast[column - 2] ?? Number.POSITIVE_INFINITY) + 1
        : Number.POSITIVE_INFINITY;
      row.push(Math.min((last[column] ?? 0) + 1, (row[column - 1] ?? 0) + 1, replaced, swapped));
    }
    beforeLast = last;
    last = row;
  }
  return last.at(-1) ?? 0;
}
