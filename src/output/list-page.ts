import type { JsonMember } from './json-scan.ts';
import { type SplitPage, splitItems } from './json-text.ts';

/** One page of a list as the service sent it, in the two forms that formats need: parsed, and as exact source text. */
export type ListPage = {
  /** The whole document of the page. */
  readonly text: string;
  /** The items, parsed; integers beyond 2^53 may be bigint. */
  readonly items: readonly unknown[];
  /** The exact source text of each of `items`. */
  readonly texts: () => readonly string[];
  /** The other members of the envelope, in their order. */
  readonly rest: () => readonly JsonMember[];
};

/** What is known when the list ends, complete or not. */
export type ListTail = {
  /** The cursor to go on from: of the next page, or of the page that failed; null when the list is complete. */
  readonly nextCursor: string | null;
};

/** Writes the pages of one list. `end` is called exactly once, also after a failure, and flushes stdout. */
export type ListWriter = {
  page(page: ListPage): Promise<void>;
  end(tail: ListTail): Promise<void>;
};

/**
 * Makes a page of its document and its parsed items. The text is taken apart only when a format asks for it, once.
 * Where `items` is shorter than the page (`--max-items`), the texts are cut to the same number.
 */
export function createListPage(text: string, items: readonly unknown[]): ListPage {
  let split: SplitPage | undefined;
  const splitOnce = (): SplitPage => {
    split ??= splitItems(text);
    return split;
  };
  return {
    text,
    items,
    texts: () => {
      const { texts } = splitOnce();
      return texts.length > items.length ? texts.slice(0, items.length) : texts;
    },
    rest: () => splitOnce().rest,
  };
}
