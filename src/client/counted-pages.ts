import { UsageError } from '../errors.ts';
import { quote } from '../text/format.ts';
import type { Call } from './call.ts';
import { advance, type CountedList, type CountedRun, isMore, newRun } from './counted-run.ts';
import { ApiError, CursorLoopError } from './errors.ts';
import type { PageQuery } from './page.ts';
import type { PageFacts } from './page-facts.ts';
import { type RawResponse, type Received, responseOf, withResponse } from './response.ts';

type Query = NonNullable<Call['query']>;

/** Finds the pages of one run over a list by counting them or their items. */
export type PageCounter = {
  /** The query that asks for the page of a query with a cursor. @throws UsageError `bad_cursor` */
  ask(query: PageQuery): Query;
  /**
   * Fetches the page of a query. `read` gives what a page says of itself, or undefined for one that leads on by itself. Where nothing
   * says how the first page is numbered, a second request finds out, unless it is read alone. @throws CursorLoopError for a page that came before
   */
  fetch(
    query: PageQuery,
    request: (query: Query) => Promise<object & Received>,
    read: (response: RawResponse) => PageFacts | undefined,
    options: { readonly isAlone?: boolean | undefined },
  ): Promise<object & Received>;
  /** The cursor of the page after the one that was fetched last; undefined at the end. */
  readonly next: string | undefined;
  /** Whether only asking for that page can tell that there is one. */
  readonly isUnsure: boolean;
  /** Whether the list ended although the service says that there is more. */
  readonly isShort: boolean;
};

/** How one run over a list reads its pages. */
type Run = CountedRun & {
  readonly seen: Set<string>;
  /** The IDs of the first page, which may be those of the whole list where it is asked for without a number. */
  firstIds: ReadonlySet<string> | undefined;
  latest: RawResponse | undefined;
  /** The answer that showed how the first page is numbered; it is the second page of a list that begins with 0. */
  found: { readonly number: string; readonly document: object & Received } | undefined;
};

type Request = Parameters<PageCounter['fetch']>[1];

/** Makes the counter of one run over a list. */
export function countPages(list: CountedList): PageCounter {
  const run: Run = {
    ...newRun(list),
    seen: new Set(),
    firstIds: undefined,
    latest: undefined,
    found: undefined,
  };
  return {
    ask: (query) => queryOf(query, list),
    async fetch(query, request, read, { isAlone = false }) {
      run.isAlone = isAlone;
      const asked = queryOf(query, list);
      const rival = list.rivals?.find((name) => query[name] !== undefined || list.typed?.has(name));
      if (rival !== undefined) {
        // The page that somebody chose with it is all that is known.
        if (!isAlone) throw otherCount(list, rival);
        return await request(asked);
      }
      const given = asked[list.parameter];
      if (given !== undefined && !run.latest) run.received = undefined;
      const document = await documentOf(run, asked, request);
      const response = responseOf(document);
      const facts = read(response);
      run.latest = response;
      if (!facts) return document;
      refuseRepeated(run, facts, query.cursor);
      if (given === undefined && list.counts !== 'ids')
        await findFirst(run, facts, async (number) => {
          const second = await request({ ...asked, [list.parameter]: number });
          run.found = { number: String(number), document: second };
          return read(responseOf(second));
        });
      const size = list.size === undefined ? undefined : asked[list.size];
      advance(run, { facts, at: given === undefined ? run.first : String(given), size, response });
      return document;
    },
    get next() {
      return run.next;
    },
    get isUnsure() {
      return run.isUnsure;
    },
    get isShort() {
      return run.isShort;
    },
  };
}

function otherCount({ parameter }: CountedList, rival: string): UsageError {
  const message = `The pages of this list are counted by ${quote(parameter)}, not by ${quote(rival)}`;
  return new UsageError('bad_option', message, {
    hint: `Begin with ${quote(parameter)}, or leave out ${quote(rival)} to begin with the first page.`,
  });
}

/** The page that was asked for, which may be here already, or an empty one where it is not there and nothing said that it is. */
async function documentOf(run: Run, asked: Query, request: Request): Promise<object & Received> {
  const { found, latest, isUnsure, list } = run;
  run.found = undefined;
  if (found && found.number === asked[list.parameter]) return found.document;
  return await request(asked).catch((error: unknown) => {
    if (!(error instanceof ApiError && error.status === 404 && latest && isUnsure)) throw error;
    return withResponse(JSON.parse(list.emptyPage), { ...latest, text: list.emptyPage });
  });
}

/** A cursor as it is typed: a number, and after a colon the size of the pages that it counts. */
const PAGE = /^(\d{1,15})(?::([1-9]\d{0,8}))?$/;

const CURSORS = {
  pages: 'Use the number of a page, such as 3, or 3:100 for page 3 in pages of 100 items.',
  items: 'Use the number of items to skip, such as 40.',
  ids: 'Use the ID of the item before the page.',
};

function queryOf({ cursor, ...query }: PageQuery, { parameter, counts, size }: CountedList): Query {
  if (cursor === undefined) return query;
  if (counts === 'ids') return { ...query, [parameter]: cursor };
  const [, number, pageSize] = PAGE.exec(cursor) ?? [];
  const takesSize = counts === 'pages' && size !== undefined;
  if (number === undefined || (pageSize !== undefined && !takesSize)) {
    throw new UsageError('bad_cursor', `The cursor ${quote(cursor)} is not valid for this list`, {
      hint: CURSORS[counts],
    });
  }
  if (pageSize === undefined || size === undefined) return { ...query, [parameter]: number };
  const chosen = query[size];
  if (chosen !== undefined && String(chosen) !== pageSize) {
    throw new UsageError(
      'bad_cursor',
      `The cursor ${quote(cursor)} counts pages of ${pageSize} items, not of ${chosen}`,
      {
        hint: `Leave out ${quote(size)}: the cursor contains the page size.`,
      },
    );
  }
  return { ...query, [parameter]: number, [size]: pageSize };
}

/** @throws CursorLoopError for a page whose items came before: then the service does not read the number */
function refuseRepeated(run: Run, { keys, areIds }: PageFacts, cursor = ''): void {
  if (keys.length === 0) return;
  const { seen, list, firstIds } = run;
  const { hash } = process.getBuiltinModule('node:crypto');
  const sum = hash('sha1', JSON.stringify(keys.toSorted()), 'base64');
  const isPart = areIds && firstIds !== undefined && keys.every((key) => firstIds.has(key));
  if (seen.has(sum) || isPart) throw new CursorLoopError(cursor, { ignored: quote(list.parameter) });
  seen.add(sum);
  run.firstIds ??= new Set(areIds ? keys : []);
}

/** Asks for the page of a number, and gives what it says. */
type FetchAt = (number: number) => Promise<PageFacts | undefined>;

/** Finds out which number the first page or item has, where more pages are to come. Of a page that is read alone nobody needs to know. */
async function findFirst(run: Run, facts: PageFacts, fetchAt: FetchAt): Promise<void> {
  const { page, offset } = facts;
  const { counts } = run.list;
  // The page that an answer calls 0 may be 1 in a request.
  const said = counts === 'pages' ? (page === 1 ? page : undefined) : offset;
  run.first ??= said === 0 || said === 1 ? said : undefined;
  const mayGoOn = isMore(run, { facts, at: undefined, size: undefined }) !== false;
  if (mayGoOn && !run.isAlone) run.first ??= await firstOf(facts, counts, fetchAt);
}

/** Whether the first page is number 0 or 1: if it is 1, it comes again for 1; if items count from 1, its last one comes again. */
async function firstOf(
  { keys }: PageFacts,
  counts: CountedList['counts'],
  fetchAt: FetchAt,
): Promise<number> {
  const second = await fetchAt(counts === 'pages' ? 1 : keys.length).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  });
  const others = second?.keys ?? [];
  if (counts === 'items') return others[0] !== undefined && others[0] === keys.at(-1) ? 1 : 0;
  const known = new Set(keys);
  // A list may change between two requests: most items decide.
  return others.filter((key) => known.has(key)).length * 2 > Math.min(keys.length, others.length) ? 1 : 0;
}
