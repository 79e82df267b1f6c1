import { ListOrder, type TimeFlagValues } from '../../cli/flags/time-filter.ts';
import type { Selection } from '../../cli/show/list-pages.ts';
import { FetchedPage, type PagedResource, type PageQuery } from '../../client/page.ts';
import { resourceOf } from '../../client/paging/resource.ts';
import type { RawResponse } from '../../client/response.ts';
import { readEntry } from './entry.ts';
import type { LogFilter, LogItem } from './filter.ts';
import type { LogRun } from './looked-at.ts';

/** Where only the end of a span of time is given, as many entries before it are looked for as a page has. */
const MOST_BEFORE = 100;

/**
 * Keeps of the entries that the service sends those that the filters keep, and says what was looked at. With a time, page after page
 * is read, back to the beginning of its span.
 */
export function selectionOf(filter: LogFilter, run: LogRun, { since, until }: TimeFlagValues): Selection {
  const order = new ListOrder();
  const mostItems = since === undefined ? MOST_BEFORE : Number.POSITIVE_INFINITY;
  return {
    async keeps(items, now, texts) {
      filter.begin(now);
      const exact = filter.needsTexts ? texts() : [];
      const entries = items.map((item, index) => ({ entry: readEntry(item), text: exact[index] ?? '' }));
      for (const { entry } of entries) order.add(entry.at);
      return await run.keeps(entries);
    },
    ...((since !== undefined || until !== undefined) && { mostItems }),
    isOver: () => order.isBefore(run.span.from),
    summary: (_shown, style) => [run.text(style), ...order.notes(run.span.from)].join(' '),
  };
}

/** A list whose entries have been filtered already, with what is said at its end. */
export function keptSelection(run: LogRun): Selection {
  return { keeps: (items) => items.map(() => true), summary: (_shown, style) => run.text(style) };
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
