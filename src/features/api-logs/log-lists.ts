import type { Selection } from '../../cli/list-pages.ts';
import type { Page, PagedResource, PageQuery } from '../../client/page.ts';
import { type RawResponse, withResponse } from '../../client/response.ts';
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

/** Makes a list of the texts of entries that were read from files; its pages are those of a service that sends them exactly as they are. */
export function listOfItems(items: AsyncIterable<readonly LogItem[]>): PagedResource<string, PageQuery> {
  const pages = async function* () {
    let waiting: string[] = [];
    let isEmpty = true;
    for await (const some of items) {
      waiting.push(...some.map(({ text }) => text));
      if (waiting.length < PAGE) continue;
      yield pageOf(waiting);
      waiting = [];
      isEmpty = false;
    }
    // An empty list is a page, too: a JSON document has no entries then.
    if (isEmpty || waiting.length > 0) yield pageOf(waiting);
  };
  return {
    pages,
    async list() {
      const { value } = await pages().next();
      return value ?? pageOf([]);
    },
    async *items() {
      for await (const page of pages()) yield* page.items;
    },
  };
}

function pageOf(texts: readonly string[]): Page<string> {
  const response: RawResponse = {
    text: `{"items":[${texts.map((text) => text.trim()).join(',')}]}`,
    status: 200,
    requestId: undefined,
    headers: {},
    request: { method: 'GET', path: '', origin: '' },
    attempts: 0,
  };
  return withResponse({ items: [...texts], next_cursor: null }, response) as Page<string>;
}
