import type { ListOptions, Page, PagedResource, PageQuery } from '../client/paging.ts';
import { responseOf } from '../client/response.ts';
import { splitItems } from '../json/edit.ts';
import type { ProgressCounts } from '../output/progress.ts';

/** An item of a list, with its exact text in the page that it came in. */
export type ListedItem = { readonly item: unknown; readonly text: string };

type Walk = Omit<ListOptions, 'maxItems'> & {
  readonly query?: PageQuery;
  /** Called after each page with what was looked at so far. */
  readonly onPage?: (counts: ProgressCounts) => void;
};

/**
 * Looks at the items of a list, in the largest pages, up to the first one that is meant, which `lookedAt` includes.
 */
export async function findInList(
  list: PagedResource<unknown, PageQuery>,
  isMeant: (item: unknown) => boolean,
  { query = {}, onPage, ...options }: Walk,
): Promise<{ readonly found: ListedItem | undefined; readonly lookedAt: number }> {
  const counts = { items: 0, pages: 0 };
  for await (const page of list.pages(query, options)) {
    counts.items += page.items.length;
    counts.pages += 1;
    onPage?.(counts);
    const index = page.items.findIndex(isMeant);
    if (index === -1) continue;
    return { found: itemsOf(page)[index], lookedAt: counts.items - page.items.length + index + 1 };
  }
  return { found: undefined, lookedAt: counts.items };
}

/** The items of one page, each with its exact text. */
export function itemsOf(page: Page<unknown>): ListedItem[] {
  const { texts } = splitItems(responseOf(page).text);
  return page.items.map((item, index) => ({ item, text: texts[index] ?? JSON.stringify(item) }));
}
