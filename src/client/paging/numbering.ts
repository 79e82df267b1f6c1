import type { PageFacts } from './page-facts.ts';

/** A page that was found by a number or an ID. */
export type CountedPage = {
  readonly facts: PageFacts;
  /** The number of the page or of its first item; undefined where it was not asked for by one. */
  readonly at: number | string | undefined;
};

/** How the values of one parameter lead from page to page. */
export type Numbering = {
  /** How a cursor is typed: the value, and the size of the pages that it counts. */
  readonly cursor: RegExp;
  /** What a cursor is, for the hint of an error. */
  readonly hint: string;
  /** Finds out whether numbers begin with 0 or 1; without it, the first page needs no value. */
  readonly start?: {
    /** The number that a page gives itself, which may be another one than a request gives it. */
    in(facts: PageFacts): number | undefined;
    /** Whether a first page that calls itself 0 is 0 in a request, too. */
    readonly takesZero: boolean;
    /** The number of the second page, if the first one is 0. */
    second(keys: readonly string[]): number;
    /** Whether the page of that number shows that the first one is 1. */
    isOne(first: readonly string[], second: readonly string[]): boolean;
  };
  /** Whether numbers count pages, which then keep their size. */
  readonly countsPages?: true;
  /** Whether numbers count items: what is before a page follows from its number. */
  readonly countsItems?: true;
  /** Whether an empty page leads to the one after it: a number of all items may count some that nobody gets. */
  leadsOn(page: CountedPage): boolean;
  /** The value of the next page, undefined where the items of this one do not give it. */
  after(page: CountedPage): number | string | undefined;
};

/** Numbers of pages. The next page has the next number, whatever a page calls it: it may count from another one than a request does. */
export const pageNumbers: Numbering = {
  cursor: /^(\d{1,15})(?::([1-9]\d{0,8}))?$/,
  hint: 'Use the number of a page, such as 3, or 3:100 for page 3 in pages of 100 items.',
  countsPages: true,
  start: {
    in: ({ page }) => page,
    takesZero: false,
    second: () => 1,
    isOne(first, second) {
      const known = new Set(first);
      const again = second.filter((key) => known.has(key)).length;
      // A list may change between two requests: most items decide.
      return again * 2 > Math.min(first.length, second.length);
    },
  },
  leadsOn: ({ facts: { next, more, totalPages = 0 } }) => !!next || more === true || totalPages > 0,
  after: ({ at }) => Number(at ?? 0) + 1,
};

/** Numbers of items: how many are before a page, or the number of its first one. */
export const itemNumbers: Numbering = {
  cursor: /^(\d{1,15})$/,
  hint: 'Use the number of items to skip, such as 40.',
  start: {
    in: ({ offset }) => offset,
    takesZero: true,
    second: ({ length }) => length,
    isOne: (first, [second]) => second !== undefined && second === first.at(-1),
  },
  countsItems: true,
  leadsOn: (page) => (offsetIn(page) ?? 0) > numberOf(page),
  after: (page) => offsetIn(page) ?? Number(page.at ?? 0) + page.facts.keys.length,
};

/** Where the next page begins according to a page, unless that would repeat items of this page. */
function offsetIn(page: CountedPage): number | undefined {
  const { next, keys } = page.facts;
  if (!next || !('number' in next) || next.counts === 'pages') return undefined;
  return next.number >= numberOf(page) + keys.length ? next.number : undefined;
}

/** The number that a page was asked for by; of one that is asked for by an ID, the least. */
export function numberOf({ at }: Pick<CountedPage, 'at'>): number {
  return /^-?\d+$/.test(String(at)) ? Number(at) : 0;
}
