import type { Selection } from '../../cli/show/list-pages.ts';
import { FetchedPage, type PagedResource, type PageQuery } from '../../client/page.ts';
import { resourceOf } from '../../client/paging/resource.ts';
import type { RawResponse } from '../../client/response.ts';
import { readEntry } from './entry.ts';
import type { LogFilter, LogItem } from './filter.ts';
import type { LogRun } from './looked-at.ts';

/** Keeps of the entries that the service sends those that the filters keep, and says what was looked at. */
export function selectionOf(filter: LogFilter, run: LogRun): Selection {
  return {
    async keeps(items, now, texts) {
      filter.begin(now);
      const exact = filter.needsTexts ? texts() : [];
      return await run.keeps(
        items.map((item, index) => ({ entry: readEntry(item), text: exact[index] ?? '' })),
      );
    },
    summary: () => run.text(),
  };
}

/** A list whose entries have been filtered already, with what is said at its end. */
export function keptSelection(run: LogRun): Selection {
  return { keeps: (items) => items.map(() => true), summary: () => run.text() };
}

/** Entries of a page that is made of those of files; of larger ones V8 would take much for long-lived. */
const PAGE = 50;

/**
 * Makes a list of what `itemOf` makes of entries that were read from files; its pages are those of a service that sends the entries exactly
 * as they are.
 */
export function listOfItems<T>(
  items: AsyncIterable<readonly LogItem[]>,
  itemOf: (item: LogItem) => T,
): PagedResource<T, PageQuery> {
  return resourceOf({
    async *fetch() {
      let waiting: LogItem[] = [];
      let isEmpty = true;
      for await (const some of items) {
        waiting.push(...some);
        if (waiting.length < PAGE) continue;
        yield pageOf(waiting, itemOf);
        waiting = [];
        isEmpty = false;
      }
      // An empty list is a page, too: a JSON document has no entries then.
      if (isEmpty || waiting.length > 0) yield pageOf(waiting, itemOf);
    },
  });
}

function pageOf<T>(items: readonly LogItem[], itemOf: (item: LogItem) => T): FetchedPage<T> {
  const response: RawResponse = {
    text: `{"items":[${items.map(({ text }) => text.trim()).join(',')}]}`,
    status: 200,
    requestId: undefined,
    headers: {},
    request: { method: 'GET', path: '', origin: '' },
    attempts: 0,
  };
  return new FetchedPage({ response }, { items: items.map(itemOf), next_cursor: null }, { cursor: null });
}
