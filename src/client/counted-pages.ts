import type { CountedPages } from '../descriptions/imported-operation.ts';
import { UsageError } from '../errors.ts';
import { quote } from '../text/format.ts';
import type { Call } from './call.ts';
import { ApiError, CursorLoopError, ResponseError } from './errors.ts';
import type { PageFacts } from './page-facts.ts';
import type { PageQuery } from './paging.ts';
import { type RawResponse, type Received, responseOf, withResponse } from './response.ts';

type Query = NonNullable<Call['query']>;

/** A list whose pages are counted. */
export type CountedList = CountedPages & {
  /** How an empty page of it is written. */
  readonly emptyPage: string;
  /** The size of a page that is asked for no size, where the description says it. */
  readonly usualSize?: number | undefined;
};

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

/** How far one run over a list has come. */
type Run = {
  readonly list: CountedList;
  /** The number of the first page or item. */
  first: number | undefined;
  /** The items so far; undefined for a run that did not begin at the first page. */
  received: number | undefined;
  emptyPages: number;
  readonly seen: Set<string>;
  latest: RawResponse | undefined;
  /** The answer that showed how the first page is numbered; it is the second page of a list that begins with 0. */
  found: { readonly number: string; readonly document: object & Received } | undefined;
  next: string | undefined;
  isUnsure: boolean;
  isShort: boolean;
};

/** Makes the counter of one run over a list. */
export function countPages(list: CountedList): PageCounter {
  const { parameter, counts } = list;
  const run: Run = {
    list,
    first: list.first,
    received: 0,
    emptyPages: 0,
    seen: new Set(),
    latest: undefined,
    found: undefined,
    next: undefined,
    isUnsure: false,
    isShort: false,
  };
  return {
    ask: (query) => queryOf(query, list),
    async fetch(query, request, read, { isAlone = false }) {
      const asked = queryOf(query, list);
      const given = asked[parameter];
      if (given !== undefined && !run.latest) run.received = undefined;
      const { found } = run;
      run.found = undefined;
      const document =
        found?.number === given && found
          ? found.document
          : await request(asked).catch((error: unknown) => endOf(run, error));
      const response = responseOf(document);
      const facts = read(response);
      run.latest = response;
      if (!facts) return document;
      refuseRepeated(run, facts, query.cursor);
      if (given === undefined && counts !== 'ids') {
        run.first ??= firstSaid(facts, counts);
        const fetchAt = async (number: number) => {
          const document = await request({ ...asked, [parameter]: number });
          run.found = { number: String(number), document };
          return read(responseOf(document));
        };
        const mayGoOn = isMore(run, { facts, at: undefined, size: undefined }) !== false;
        if (mayGoOn && !isAlone) run.first ??= await firstFound(facts, { counts, fetchAt });
      }
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

/** A cursor as it is typed: a number, and after a colon the size of the pages that it counts. */
const PAGE = /^(\d{1,15})(?::([1-9]\d{0,8}))?$/;

const CURSORS = {
  pages:
    'the number of a page, and after a colon the size of its pages if it was not the usual one, such as 3 or 3:100',
  items: 'the number of items to leave out, such as 40',
  ids: 'the ID of an item',
};

function queryOf({ cursor, ...query }: PageQuery, { parameter, counts, size }: CountedList): Query {
  if (cursor === undefined) return query;
  if (counts === 'ids') return { ...query, [parameter]: cursor };
  const [, number, pageSize] = PAGE.exec(cursor) ?? [];
  const takesSize = counts === 'pages' && size !== undefined;
  if (number === undefined || (pageSize !== undefined && !takesSize)) {
    throw new UsageError('bad_cursor', `The cursor ${quote(cursor)} is no page of this list`, {
      hint: `The cursor of this list is ${CURSORS[counts]}.`,
    });
  }
  if (pageSize === undefined || size === undefined) return { ...query, [parameter]: number };
  const chosen = query[size];
  if (chosen !== undefined && String(chosen) !== pageSize) {
    throw new UsageError(
      'bad_cursor',
      `The cursor ${quote(cursor)} counts pages of ${pageSize} items, not of ${chosen}`,
      {
        hint: `Leave out ${quote(size)}: the cursor says it.`,
      },
    );
  }
  return { ...query, [parameter]: number, [size]: pageSize };
}

/** The empty page that a list ends with where the page that may follow is not there; any other error is thrown again. */
function endOf({ list, latest, isUnsure }: Run, error: unknown): object & Received {
  if (!(error instanceof ApiError && error.status === 404 && latest && isUnsure)) throw error;
  return withResponse(JSON.parse(list.emptyPage), { ...latest, text: list.emptyPage });
}

/** @throws CursorLoopError for a page whose items came before: then the service does not read the number */
function refuseRepeated({ seen, list }: Run, { keys }: PageFacts, cursor = ''): void {
  if (keys.length === 0) return;
  const { hash } = process.getBuiltinModule('node:crypto');
  const sum = hash('sha1', JSON.stringify(keys.toSorted()), 'base64');
  if (seen.has(sum)) throw new CursorLoopError(cursor, { ignored: quote(list.parameter) });
  seen.add(sum);
}

/** The number of the first page or item, where an answer to a request without one says it. Of pages, 0 may be another count than ours. */
function firstSaid({ page, offset }: PageFacts, counts: CountedPages['counts']): number | undefined {
  if (counts === 'pages') return page === 1 ? page : undefined;
  return offset === 0 || offset === 1 ? offset : undefined;
}

type Second = {
  readonly counts: CountedPages['counts'];
  readonly fetchAt: (number: number) => Promise<PageFacts | undefined>;
};

/** Whether the first page is number 0 or 1: if it is 1, it comes again for 1; if items count from 1, its last one comes again. */
async function firstFound({ keys }: PageFacts, { counts, fetchAt }: Second): Promise<number> {
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

type Came = {
  readonly facts: PageFacts;
  /** The number of the page or of its first item; undefined where it was not asked for by one. */
  readonly at: number | string | undefined;
  readonly size: Query[string];
};

/** Whether there are more items after a page, as far as it says so. */
function isMore(run: Run, came: Came): boolean | undefined {
  const { next, more } = came.facts;
  if (next) return true;
  if (more !== undefined) return more;
  const counted = isMoreByCount(run, came);
  // A `next` that is always null says less than a count.
  return next === null ? counted === true : counted;
}

/** The same by the number of pages or items that it names. */
function isMoreByCount({ list, first, received }: Run, { facts, at, size }: Came): boolean | undefined {
  const { totalPages = 0, total, isTotalSure, keys } = facts;
  // Services that do not count send 0.
  if (list.counts === 'pages' && totalPages > 0)
    return Number(at ?? first ?? 1) - (first ?? 1) + 1 < totalPages;
  const before =
    list.counts === 'items' && first !== undefined && at !== undefined ? Number(at) - first : received;
  const come = before === undefined ? Number.NaN : before + keys.length;
  if (total === undefined || !(total >= come)) return keys.length === 0 ? false : undefined;
  if (total > come) return true;
  // A `total` may be that of the page, which is full then.
  const isFull = keys.length > 0 && keys.length === Number(size ?? list.usualSize);
  return isFull && before === 0 && !isTotalSure ? undefined : false;
}

/** More empty pages in a row than any list has. */
const MOST_EMPTY = 100;

/** @throws ResponseError where there are more items and nothing leads to them */
function advance(run: Run, came: Came & { readonly response: RawResponse }): void {
  const { list } = run;
  const { facts, at, size, response } = came;
  const count = facts.keys.length;
  const more = isMore(run, came);
  if (run.received !== undefined) run.received += count;
  run.emptyPages = count === 0 ? run.emptyPages + 1 : 0;
  const isPages = list.counts === 'pages';
  const leadsOn = isPages || (facts.next && 'number' in facts.next);
  const isStuck = count === 0 && (!leadsOn || run.emptyPages > MOST_EMPTY);
  run.isShort = more === true && isStuck;
  run.isUnsure = more === undefined;
  run.next = undefined;
  if (more === false || isStuck) return;
  if (at === undefined && list.counts !== 'ids') {
    // Nobody knows what the next page is called.
    run.isUnsure = true;
    return;
  }
  const number = numberAfter(list, { facts, at });
  if (number === undefined) {
    const message = 'The response is not a valid page: its last item has no usable `id`';
    throw new ResponseError('unexpected_shape', message, response);
  }
  run.next = isPages && size !== undefined ? `${number}:${size}` : String(number);
}

function numberAfter(
  { counts }: CountedList,
  { facts, at }: Pick<Came, 'facts' | 'at'>,
): number | string | undefined {
  if (counts === 'ids') return facts.lastId;
  if (facts.next && 'number' in facts.next) return facts.next.number;
  return Number(at ?? 0) + (counts === 'pages' ? 1 : facts.keys.length);
}
