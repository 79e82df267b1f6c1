import type { CountedPages } from '../descriptions/imported-operation.ts';
import type { QueryValue } from './call.ts';
import { ResponseError } from './errors.ts';
import type { PageFacts } from './page-facts.ts';
import type { RawResponse } from './response.ts';

/** A list whose pages are counted. */
export type CountedList = CountedPages & {
  /** How an empty page of it is written. */
  readonly emptyPage: string;
  /** The size of a page that is asked for no size, where the description says it. */
  readonly usualSize?: number | undefined;
  /** The parameters that its path has already. */
  readonly typed?: { has(name: string): boolean } | undefined;
};

/** How far a run over such a list has come. */
export type CountedRun = {
  readonly list: CountedList;
  /** Whether one page is read. */
  isAlone: boolean;
  /** The number of the first page or item, as far as it is known. */
  first: number | undefined;
  /** The items so far; undefined for a run that did not begin at the first page. */
  received: number | undefined;
  emptyPages: number;
  /** As in `PageCounter`. */
  next: string | undefined;
  isUnsure: boolean;
  isShort: boolean;
};

/** A run of which no page has come. */
export function newRun(list: CountedList): CountedRun {
  const end = { next: undefined, isUnsure: false, isShort: false };
  return { list, isAlone: false, first: list.first, received: 0, emptyPages: 0, ...end };
}

/** A page that came. */
export type Came = {
  readonly facts: PageFacts;
  /** The number of the page or of its first item; undefined where it was not asked for by one. */
  readonly at: number | string | undefined;
  readonly size: QueryValue;
};

/** Whether there are more items after a page, as far as it says so. */
export function isMore(run: CountedRun, came: Came): boolean | undefined {
  const { next, more } = came.facts;
  // Some services name a next page with the last one, too.
  if (more === false) return more;
  if (next && ('address' in next || next.number > numberOf(came))) return true;
  if (more !== undefined) return more;
  const counted = isMoreByCount(run, came);
  // A `next` that is always null says less than a count.
  return next === null ? counted === true : counted;
}

/** The same by the number of pages or items that it names. */
function isMoreByCount(
  { list, first, received, isAlone }: CountedRun,
  { facts, at, size }: Came,
): boolean | undefined {
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
  if (isTotalSure || before !== 0 || keys.length === 0) return false;
  // Many pages are worth a request more; a page alone has more behind it if it is full.
  return isAlone && keys.length !== Number(size ?? list.usualSize) ? false : undefined;
}

/** The number that a page was asked for by; of one that is asked for by an ID, the least. */
function numberOf({ at }: Pick<Came, 'at'>): number {
  return typeof at === 'number' || /^-?\d+$/.test(at ?? '') ? Number(at) : 0;
}

/** More empty pages in a row than any list has. */
const MOST_EMPTY = 100;

/** Takes a page into account: `next` leads to the one after it. @throws ResponseError where nothing names that one */
export function advance(run: CountedRun, came: Came & { readonly response: RawResponse }): void {
  const { list } = run;
  const { facts, at, size, response } = came;
  const count = facts.keys.length;
  const more = isMore(run, came);
  if (run.received !== undefined) run.received += count;
  run.emptyPages = count === 0 ? run.emptyPages + 1 : 0;
  const isPages = list.counts === 'pages';
  const isStuck = count === 0 && (!leadsOn(list, { facts, at }) || run.emptyPages > MOST_EMPTY);
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
  if (typeof number === 'number' && !(number >= 0 && number <= LARGEST)) {
    run.isUnsure = true;
    return;
  }
  run.next = isPages && size !== undefined ? `${number}:${size}` : String(number);
}

/** Whether an empty page leads to the one after it: a number of all items may count some that nobody gets. */
function leadsOn({ counts }: CountedList, { facts, at }: Counted): boolean {
  const { next, more, totalPages = 0 } = facts;
  if (counts === 'pages') return !!next || more === true || totalPages > 0;
  return counts === 'items' && (offsetIn({ facts, at }) ?? 0) > numberOf({ at });
}

type Counted = Pick<Came, 'facts' | 'at'>;

/** The largest number of a page or an item; a cursor has no more digits. */
const LARGEST = 10 ** 15 - 1;

/** The next page has the next number, whatever a page calls it: it may count from another number than a request does. */
function numberAfter({ counts }: CountedList, { facts, at }: Counted): number | string | undefined {
  if (counts === 'ids') return facts.lastId;
  if (counts === 'pages') return Number(at ?? 0) + 1;
  return offsetIn({ facts, at }) ?? Number(at ?? 0) + facts.keys.length;
}

/** Where the next page begins as a page says, unless items of this one would come again. */
function offsetIn({ facts: { next, keys }, at }: Counted): number | undefined {
  if (!next || !('number' in next) || next.counts === 'pages') return undefined;
  return next.number >= numberOf({ at }) + keys.length ? next.number : undefined;
}
