/** The words of values, one word below the other. */
type Node = { readonly next: Map<string, Node>; value?: string };

/** The most words of a value that are compared: a longer value is found by its beginning. */
const MOST_WORDS = 30;
/** Shorter values and numbers are ignored, because they would match in any text. */
const SHORTEST = 4;
const SHORTEST_NUMBER = 6;

/** Values that were personal or secret in one place and are masked everywhere, whatever their case and separators. */
export class KnownValues {
  readonly #first: Node = { next: new Map() };

  /** Remembers a value, unless it is so short that it would match everywhere. */
  add(value: string): void {
    const words = wordsOf(value).slice(0, MOST_WORDS);
    const length = words.reduce((sum, { text }) => sum + text.length, 0);
    const isNumber = words.every(({ text }) => /^\d+$/.test(text));
    if (length < (isNumber ? SHORTEST_NUMBER : SHORTEST)) return;
    let node = this.#first;
    for (const { text } of words) {
      const next: Node = node.next.get(text) ?? { next: new Map() };
      node.next.set(text, next);
      node = next;
    }
    node.value ??= value;
  }

  /** A text in which known values are replaced, the longest first. Takes time in proportion to the text. */
  replace(text: string, nameOf: (value: string) => string): string {
    const words = wordsOf(text);
    let shown = '';
    let done = 0;
    for (let at = 0; at < words.length; at += 1) {
      const found = this.#longest(words, at);
      if (!found) continue;
      const { start, end } = around(text, found.value, {
        start: words[at]?.start ?? 0,
        end: words[found.last]?.end ?? 0,
      });
      shown += text.slice(done, Math.max(done, start)) + nameOf(found.value);
      done = end;
      at = found.last;
    }
    return shown + text.slice(done);
  }

  /** The longest known value that begins with this word, and the number of its last word. */
  #longest(
    words: readonly Word[],
    from: number,
  ): { readonly value: string; readonly last: number } | undefined {
    let found: { readonly value: string; readonly last: number } | undefined;
    let node: Node | undefined = this.#first;
    for (let at = from; node; at += 1) {
      node = node.next.get(words[at]?.text ?? '');
      if (node?.value !== undefined) found = { value: node.value, last: at };
    }
    return found;
  }
}

type Span = { readonly start: number; readonly end: number };

/** The span of a value, including the punctuation before its first and after its last word, which may belong to a password. */
function around(text: string, value: string, { start, end }: Span): Span {
  const before = /^[^\p{L}\p{N}\p{M}\s]{0,20}/u.exec(value)?.[0] ?? '';
  const after = /[^\p{L}\p{N}\p{M}\s]{0,20}$/u.exec(value)?.[0] ?? '';
  return {
    start: start - (text.endsWith(before, start) ? before.length : 0),
    end: end + (text.startsWith(after, end) ? after.length : 0),
  };
}

type Word = { readonly text: string; readonly start: number; readonly end: number };

/** The runs of letters and digits, in capital letters: only so are `Straße` and `STRASSE` the same. */
function wordsOf(text: string): Word[] {
  return [...text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].map(({ 0: word, index }) => ({
    text: word.toUpperCase(),
    start: index,
    end: index + word.length,
  }));
}
