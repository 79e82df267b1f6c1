import type { FetchedPage, ListOptions, PageQuery, PageSource } from '../../client/page.ts';
import type { ProgressCounts } from '../../output/progress.ts';

/** An item of a list, with its exact text in the page that it came in. */
export type ListedItem = { readonly item: unknown; readonly text: string };

/** Which item of a list is looked for. */
export type Meaning = {
  /** The first of these ends the search. */
  readonly isMeant: (item: unknown) => boolean;
  /** The ID of an item that counts if there is none that is meant; undefined for every other. */
  readonly beginsWith?: (item: unknown) => string | undefined;
  /** Whether no item can be meant any more once there is one with this ID. */
  readonly settles?: (id: string) => boolean;
  /** How many pages are read after that, as there may be a second one that begins so; by default all of the list. */
  readonly pagesAfter?: number;
  /** How many pages are read at most; by default all of the list. */
  readonly mostPages?: number;
};

type Walk = Omit<ListOptions, 'maxItems'> & {
  readonly query?: PageQuery;
  /** Called after each page with what was looked at so far. */
  readonly onPage?: (counts: ProgressCounts) => void;
};

/** What was found, else the first of those that begin so, by their IDs; and how many items were looked at, `found` included. */
type Result = {
  readonly found?: ListedItem | undefined;
  readonly candidates: ReadonlyMap<string, ListedItem>;
  readonly lookedAt: number;
};

const MOST_CANDIDATES = 6;

/** Looks at the items of a list, in the largest pages, up to the first one that is meant. */
export async function findInList(
  list: PageSource<unknown, PageQuery>,
  {
    isMeant,
    beginsWith,
    settles,
    pagesAfter = Number.POSITIVE_INFINITY,
    mostPages = Number.POSITIVE_INFINITY,
  }: Meaning,
  { query = {}, onPage, ...options }: Walk,
): Promise<Result> {
  const counts = { items: 0, pages: 0 };
  const candidates = new Map<string, ListedItem>();
  let lastPage = Number.POSITIVE_INFINITY;
  for await (const page of list.fetch(query, options)) {
    counts.items += page.count;
    counts.pages += 1;
    onPage?.(counts);
    const index = page.items().findIndex(isMeant);
    if (index !== -1) {
      const lookedAt = counts.items - page.count + index + 1;
      return { found: itemsOf(page)[index], candidates, lookedAt };
    }
    if (beginsWith) addCandidates(candidates, page, beginsWith);
    if (settles && [...candidates.keys()].some(settles)) {
      lastPage = Math.min(lastPage, counts.pages + pagesAfter);
      if (candidates.size > 1 || counts.pages >= lastPage) break;
    }
    if (counts.pages >= mostPages) break;
  }
  return { candidates, lookedAt: counts.items };
}

/** An item that is repeated, because the list has moved between two pages, is one candidate. */
function addCandidates(
  candidates: Map<string, ListedItem>,
  page: FetchedPage<unknown>,
  beginsWith: (item: unknown) => string | undefined,
): void {
  const ids = page.items().map(beginsWith);
  if (ids.every((id) => id === undefined)) return;
  const items = itemsOf(page);
  for (const [index, id] of ids.entries()) {
    const item = items[index];
    if (id === undefined || item === undefined || candidates.size >= MOST_CANDIDATES) continue;
    candidates.set(id, item);
  }
}

/** The items of one page, each with its exact text. */
export function itemsOf(page: FetchedPage<unknown>): ListedItem[] {
  const { texts } = page;
  return page.items().map((item, index) => ({ item, text: texts[index] ?? JSON.stringify(item) }));
}
