import type { CountedPages } from '../../descriptions/counted-pages.ts';
import { UsageError } from '../../errors.ts';
import { own } from '../../json/is-object.ts';
import { quote } from '../../text/format.ts';
import { CursorLoopError, ResponseError } from '../errors.ts';
import type { NextPage, PageQuery, RawPage, SinglePage } from '../page.ts';
import type { RawResponse } from '../response.ts';
import { type CountedPage, type Numbering, numberOf } from './numbering.ts';
import type { PageFacts } from './page-facts.ts';
import {
  type Asked,
  type FetchedWith,
  isMissing,
  type PageRequest,
  type PageSizes,
  type Paging,
} from './paging.ts';
import { SeenTexts } from './seen-texts.ts';

/** A list whose pages are counted. */
export type CountedList = CountedPages & {
  readonly numbering: Numbering;
  /** How an empty page of it is written. */
  readonly emptyPage: string;
  /** The size of a page that is asked for no size, where the description says it. */
  readonly usualSize?: number | undefined;
  /** The parameters that its path has already. */
  readonly typed: { has(name: string): boolean };
  /** What a page says about itself. */
  readonly factsOf: (response: RawResponse) => PageFacts;
};

type Query = NonNullable<Asked['query']>;
type SizedPage = CountedPage & SinglePage & { readonly size: Query[string] };

/** More empty pages in a row than any list has. */
const MOST_EMPTY = 100;
/** The largest number of a page or an item; a cursor has no more digits. */
const LARGEST = 10 ** 15 - 1;
/** What a cursor begins with if the page is before the item with its ID. */
const BEFORE = 'before:';
/** A page that is not counted leads to none that is. */
const END: NextPage = { cursor: null, endedEarly: false };

/** Finds the pages of one run over a list by counting them or their items. */
export class CountedPaging implements Paging {
  readonly #list: CountedList;
  readonly #seen = new SeenTexts();
  /** The number of the first page or item, as far as it is known. */
  #first: number | undefined;
  /** The number of items so far; NaN for a run that did not begin at the first page. */
  #received = 0;
  #emptyPages = 0;
  #mayHaveMore = false;
  #latest: RawResponse | undefined;
  /** The IDs of the first page, which may be those of the whole list where it is asked for without a number. */
  #firstIds: ReadonlySet<string> | undefined;
  /** The page that showed how the first one is numbered; it is the second page of a list that begins with 0. */
  #found: { readonly number: string; readonly page: RawPage } | undefined;

  constructor(list: CountedList) {
    this.#list = list;
    this.#first = list.first;
  }

  /** Pages keep the size that their numbers are for: of a run that begins within the list, it is that of its first page. */
  sizes(query: PageQuery): PageSizes {
    const { numbering, parameter } = this.#list;
    if (!numbering.countsPages) return {};
    const beginsWithin = query.cursor !== undefined || own(query, parameter) !== undefined;
    return { keepsSize: true, ...(beginsWithin && { largestPage: Number.POSITIVE_INFINITY }) };
  }

  request(asked: PageQuery, { isSingle = false }: SinglePage): PageRequest {
    const { parameter, emptyPage } = this.#list;
    const query = queryOf(asked, this.#list);
    const conflicting = this.#conflicting(query);
    if (conflicting !== undefined && !isSingle) throw otherCount(parameter, conflicting);
    const found = this.#found;
    this.#found = undefined;
    const latest = this.#mayHaveMore ? this.#latest : undefined;
    return {
      query,
      received: found && found.number === query[parameter] ? found.page : undefined,
      insteadOf404: latest && { document: JSON.parse(emptyPage), response: { ...latest, text: emptyPage } },
    };
  }

  /** @throws CursorLoopError; ResponseError `unexpected_shape` where nothing names the next page */
  async next(
    { response }: RawPage,
    { query: { cursor }, asked, send, isSingle }: FetchedWith,
  ): Promise<NextPage> {
    const { parameter, size, factsOf } = this.#list;
    const { query = {}, target } = asked;
    // Of a page that somebody chose with another parameter, no number is known.
    if (target !== undefined || this.#conflicting(query) !== undefined) return END;
    const given = query[parameter] ?? query[this.#list.before ?? ''];
    if (given !== undefined && !this.#latest) this.#received = Number.NaN;
    const facts = factsOf(response);
    this.#latest = response;
    this.#refuseRepeated(facts, cursor);
    const page = { facts, size: size === undefined ? undefined : query[size], isSingle };
    if (given === undefined)
      await this.#findFirst({ ...page, at: undefined }, async (number) => {
        const second = await send({ query: { ...query, [parameter]: number } });
        this.#found = { number: String(number), page: second };
        return factsOf(second.response);
      });
    const next = this.#nextOf({ ...page, at: given === undefined ? this.#first : String(given) }, response);
    this.#mayHaveMore = next.mayHaveMore === true;
    return next;
  }

  /** The first of the other parameters of a query that say where a page begins. */
  #conflicting(query: Query): string | undefined {
    const { rivals, typed } = this.#list;
    return rivals?.find((name) => own(query, name) !== undefined || typed.has(name));
  }

  /** @throws CursorLoopError for a page whose items came before: then the service does not read the number */
  #refuseRepeated({ keys, areIds }: PageFacts, cursor = ''): void {
    if (keys.length === 0) return;
    const isSeen = this.#seen.add(JSON.stringify(keys.toSorted()));
    const firstIds = this.#firstIds;
    const isPart = areIds && firstIds !== undefined && keys.every((key) => firstIds.has(key));
    if (isSeen || isPart)
      throw new CursorLoopError(cursor, { ignored: quote(this.#list.parameter), isPage: true });
    this.#firstIds ??= new Set(areIds ? keys : []);
  }

  /** Finds out which number the first page or item has, where more pages are to come. Of a single page nobody needs to know. */
  async #findFirst(page: SizedPage, fetchAt: (number: number) => Promise<PageFacts>): Promise<void> {
    const { start, after } = this.#list.numbering;
    if (!start) return;
    const { facts, isSingle } = page;
    const said = start.in(facts);
    if ((said === 0 && start.takesZero) || (said === 1 && isSingle)) this.#first ??= said;
    if (this.#first !== undefined || isSingle || this.#hasMore(page) === false) return;
    const factsAt = (number: number) =>
      fetchAt(number).catch((error: unknown) => {
        if (isMissing(error)) return undefined;
        throw error;
      });
    if (said === 1) {
      // A service that counts from 0 may call its first page 1 for people; the next page then has another name than its number.
      const number = Number(after({ facts, at: said }));
      const named = await factsAt(number);
      if (named && start.in(named) === number) {
        this.#first = said;
        return;
      }
    }
    const second = await factsAt(start.second(facts.keys));
    this.#first = start.isOne(facts.keys, second?.keys ?? []) ? 1 : 0;
  }

  #nextOf(page: SizedPage, response: RawResponse): NextPage {
    const { numbering } = this.#list;
    const { facts, at, size } = page;
    const count = facts.keys.length;
    const more = this.#hasMore(page);
    this.#received += count;
    this.#emptyPages = count === 0 ? this.#emptyPages + 1 : 0;
    const isStuck = count === 0 && (!numbering.leadsOn(page) || this.#emptyPages > MOST_EMPTY);
    const mayHaveMore = more === undefined;
    if (more === false || isStuck) return { cursor: null, mayHaveMore, endedEarly: more === true && isStuck };
    // Nobody knows what the next page is called.
    const unnamed = { cursor: null, mayHaveMore: true, endedEarly: false };
    if (at === undefined && numbering.start) return unnamed;
    const value = numbering.after(page);
    if (value === undefined) {
      const { itemId = 'id' } = this.#list;
      const message = `The response is not a valid page: its last item has no usable \`${itemId}\``;
      throw new ResponseError('unexpected_shape', message, response);
    }
    if (typeof value === 'number' && !(value >= 0 && value <= LARGEST)) return unnamed;
    if (this.#list.before !== undefined) {
      const order = orderOf(facts.keys);
      if (order === undefined) return unnamed;
      return { cursor: order === 'falling' ? BEFORE + value : `${value}`, mayHaveMore, endedEarly: false };
    }
    const suffix = numbering.countsPages && size !== undefined ? `:${size}` : '';
    return { cursor: `${value}${suffix}`, mayHaveMore, endedEarly: false };
  }

  /** Whether there are more items after a page, as far as it says so. */
  #hasMore(page: SizedPage): boolean | undefined {
    const { next, more } = page.facts;
    // Some services name a next page with the last one, too.
    if (more === false) return more;
    if (next && ('address' in next || next.number > numberOf(page))) return true;
    if (more !== undefined) return more;
    const counted = this.#hasMoreByCount(page);
    // A `next` that is always null says less than a count.
    return next === null ? counted === true : counted;
  }

  /** The same by the number of pages or items that it names. */
  #hasMoreByCount({ facts, at, size, isSingle }: SizedPage): boolean | undefined {
    const { numbering, usualSize } = this.#list;
    const first = this.#first;
    const { totalPages = 0, total = Number.NaN, isTotalSure, keys } = facts;
    // Services that do not count send 0.
    if (numbering.countsPages && totalPages > 0)
      return Number(at ?? first ?? 1) - (first ?? 1) + 1 < totalPages;
    const isPlaced = numbering.countsItems && first !== undefined;
    const before = isPlaced ? Number(at) - first : this.#received;
    const upToHere = before + keys.length;
    if (!(total >= upToHere)) return keys.length === 0 ? false : undefined;
    if (total > upToHere) return true;
    // A `total` may be that of the page, which is full then.
    if (isTotalSure || before !== 0 || keys.length === 0) return false;
    // A run over many pages may send another request to find out; a single page can have more behind it only if it is full.
    return isSingle && keys.length !== Number(size ?? usualSize) ? false : undefined;
  }
}

function otherCount(parameter: string, conflicting: string): UsageError {
  const message = `The pages of this list are counted by ${quote(parameter)}, not by ${quote(conflicting)}`;
  return new UsageError('bad_option', message, {
    hint: `Begin with ${quote(parameter)}, or leave out ${quote(conflicting)} to begin with the first page.`,
  });
}

/** Whether the IDs of a page become larger or smaller from item to item; a longer number is larger. */
function orderOf(ids: readonly string[]): 'rising' | 'falling' | undefined {
  const isLess = (one: string, other: string) =>
    one.length === other.length ? one < other : one.length < other.length;
  const steps = new Set(ids.slice(1).map((id, index) => isLess(ids[index] ?? '', id)));
  if (steps.size !== 1) return undefined;
  return steps.has(true) ? 'rising' : 'falling';
}

function queryOf(
  { cursor, ...query }: PageQuery,
  { parameter, before, numbering, size }: CountedList,
): Query {
  if (cursor === undefined) return query;
  if (before !== undefined && cursor.startsWith(BEFORE))
    return { ...query, [before]: cursor.slice(BEFORE.length) };
  const [, value, pageSize] = numbering.cursor.exec(cursor) ?? [];
  if (value === undefined || (pageSize !== undefined && size === undefined)) {
    throw new UsageError('bad_cursor', `The cursor ${quote(cursor)} is not valid for this list`, {
      hint: numbering.hint,
    });
  }
  if (pageSize === undefined || size === undefined) return { ...query, [parameter]: value };
  const chosen = query[size];
  if (chosen !== undefined && String(chosen) !== pageSize) {
    const message = `The cursor ${quote(cursor)} counts pages of ${pageSize} items, not of ${chosen}`;
    throw new UsageError('bad_cursor', message, {
      hint: `Leave out ${quote(size)}: the cursor contains the page size.`,
    });
  }
  return { ...query, [parameter]: value, [size]: pageSize };
}
