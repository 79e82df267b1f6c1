import { type Keyed, union, withKeys } from './keys.ts';

/** An entry of a list that is followed. */
export type TailItem = {
  readonly id: string | undefined;
  /** When it was written, in milliseconds since 1970; undefined where it does not say so. */
  readonly time: number | undefined;
  /** The entry itself, and its exact JSON text. */
  readonly item: unknown;
  readonly text: string;
};

/** A part of the list, newest entries first. */
export type Listing = {
  readonly items: readonly TailItem[];
  /** What attempts before this one listed, the first one first. A copy that is behind may lack it, and some may be deleted. */
  readonly earlier?: readonly (readonly TailItem[])[];
  /** All that is listed above these entries, where they do not begin at the top; some of it was known before. */
  readonly above?: readonly TailItem[] | undefined;
  /** By the clock of the service and by one that only goes forwards, in milliseconds. */
  readonly at: number;
  readonly now: number;
};

/** An entry that was not listed before. */
export type NewEntry = TailItem & {
  /** It is stamped earlier than an entry that was listed before it. */
  readonly isLate: boolean;
  /** It is listed below an entry that was listed before. */
  readonly isBehind: boolean;
};

/** A span of time, in milliseconds since 1970, of which entries may be missing; an end that is not known is undefined. */
export type Gap = { readonly from: number | undefined; readonly to: number | undefined };

/** Entries that were printed by an earlier run. */
export type Printed = {
  readonly items: readonly Pick<TailItem, 'id' | 'text'>[];
  /** Entries older than this were not requested, so not printed; undefined where only the ID of one entry is known. */
  readonly since: number | undefined;
};

/** How a page ends: with what was listed before or is older; with what may be so, as the next page tells; or with something new. */
export type PageEnd = 'known' | 'unsure' | 'new';

/** How a listing ended. */
export type ListingEnd = {
  /** The list ends with its last entry. */
  readonly isEnd: boolean;
  /** The service sends cursors, so a list without one is complete; otherwise it may be cut silently. */
  readonly hasCursors: boolean;
};

/** Entries that are stamped so much earlier than they are written are found, in milliseconds. */
export const LATE_MS = 60_000;
/** Entries are known for this long after they were listed last, in milliseconds. */
const KNOWN_MS = 600_000;
/** How many entries are kept at most, by default, in addition to those of the last response. */
const MOST_KNOWN = 200_000;
/** The clocks of a service that runs on several machines differ by up to a second, and its header `Date` has whole seconds; in milliseconds. */
const CLOCK_TOLERANCE = 2000;

/**
 * What is known about the list. Entries are distinguished by their IDs, never by their times, so that it does not matter when
 * an entry was stamped or where it appears in the list. All that was listed in the last ten minutes is known: a service with
 * several copies of its data may respond from one that is behind, and list again what an earlier response had left out.
 */
export class Marks {
  /** By their keys; what was listed last comes last. */
  readonly #known = new Map<string, { readonly time: number | undefined; readonly listedAt: number }>();
  /** What is listed below all known entries and is not newer than this is the past; undefined: whatever is below them is. */
  #floor: number | undefined;
  /** While it is not known where the past begins: the times of what was listed there, newest first. */
  #passed: number[] | undefined = [];
  #isSorted = true;
  /** A list that was never seen out of order: where the past begins can be told by a time. */
  #isByTime = true;
  /** The latest time of the entries that an earlier run printed. */
  #printedUpTo = Number.NEGATIVE_INFINITY;
  readonly #isResumed: boolean;
  readonly #mostKnown: number;
  /** All that the list ever had is known: nothing is the past. */
  #isComplete = false;
  #latest = Number.NEGATIVE_INFINITY;

  /** `printed` is what an earlier run has printed, and `now` the time by the clock of the listings; `mostKnown` counts entries. */
  constructor(printed: Printed | undefined, now: number, mostKnown = MOST_KNOWN) {
    this.#mostKnown = mostKnown;
    this.#floor = printed?.since;
    this.#isResumed = printed !== undefined;
    for (const { key } of withKeys(printed?.items ?? [])) {
      this.#known.set(key, { time: undefined, listedAt: now });
    }
  }

  /** The latest time of any entry so far; those that are stamped in the future do not count. */
  get latest(): number {
    return this.#latest;
  }

  /** Whether the last listing was sorted by time. One that is not has late entries on top, where all news are. */
  get isSorted(): boolean {
    return this.#isSorted;
  }

  /** Late entries are looked for up to this time at first: an earlier run may have ended just before it looked for them. */
  get start(): number {
    return (Number.isFinite(this.#printedUpTo) ? this.#printedUpTo : this.#latest) - 2 * LATE_MS;
  }

  /** How a page ends. */
  endOf(page: Pick<Listing, 'items' | 'above'>): PageEnd {
    const listed = this.#compare(page);
    const bottom = listed.at(-1);
    const last = listed.findLast(hasId) ?? bottom;
    if (!last || last.isNew) return 'new';
    return last === bottom && hasId(last) && (last.isKnown || this.#isByTime) ? 'known' : 'unsure';
  }

  /** The earlier attempts that found something new and share nothing with this listing: it is of a copy that is behind. */
  missedBy({ items, earlier = [] }: Pick<Listing, 'items' | 'earlier'>): readonly (readonly TailItem[])[] {
    if (earlier.length === 0) return [];
    const keys = new Set(withKeys(items).map(({ key }) => key));
    return earlier.filter((attempt) => {
      const listed = this.#compare({ items: attempt });
      return listed.some(({ isNew }) => isNew) && !listed.some(({ key }) => keys.has(key));
    });
  }

  /**
   * Finds what is new, oldest first, and remembers the listing. There is a gap where it does not reach down to what was listed before;
   * nothing is missing before the first one.
   */
  add(
    listing: Listing,
    end?: ListingEnd,
  ): { readonly entries: readonly NewEntry[]; readonly gap: Gap | undefined } {
    const { items, earlier = [], above, at, now } = listing;
    const latest = this.#latest;
    const isKnown = (key: string) => this.#known.has(key);
    const all = [...earlier, items].reduce((before, next) => union(next, before, isKnown));
    const listed = this.#compare({ items: all, above });
    // What earlier attempts listed may stand elsewhere in the list itself.
    this.#isSorted = (this.#isSorted || !above) && isSortedByTime(withKeys(items));
    this.#isByTime &&= this.#isSorted;
    const top = listed.findIndex(({ isKnown }) => isKnown);
    const gap = end && this.#gapOf(listing, end);
    const entries = listed.flatMap(({ item, isNew }, index) => {
      if (!isNew) return [];
      const isLate = item.time !== undefined && item.time < latest;
      return [{ ...item, isLate, isBehind: above !== undefined || (top !== -1 && index > top) }];
    });
    for (const { key, item, isKnown, isNew } of listed) {
      const { time } = item;
      this.#known.delete(key);
      this.#known.set(key, { time, listedAt: now });
      if (time === undefined) continue;
      if (!isKnown && !isNew) this.#passed?.push(time);
      if (time > at + CLOCK_TOLERANCE) continue;
      this.#latest = Math.max(this.#latest, time);
      if (isKnown && this.#passed) this.#printedUpTo = Math.max(this.#printedUpTo, time);
    }
    this.#forget(listing);
    return { entries: entries.reverse(), gap };
  }

  /**
   * From now on, what is listed below these entries and is not newer is the past; nothing is where the list ends with them. Returns
   * the span of which entries may be missing where an earlier run was resumed: a list that is sorted by time has late ones between those
   * that were printed. A list that is not sorted has them on top.
   */
  begin(items: readonly TailItem[], end: ListingEnd): Gap | undefined {
    this.#isComplete = isWhole(end, items.length);
    this.#floor = items.findLast(({ time }) => time !== undefined)?.time;
    const passed = this.#passed?.filter((time) => time >= this.start) ?? [];
    this.#passed = undefined;
    if (!this.#isResumed || !this.#isSorted || passed.length === 0) return undefined;
    return { from: passed.at(-1), to: passed[0] };
  }

  #compare({ items, above }: Pick<Listing, 'items' | 'above'>): readonly Compared[] {
    const listed = withKeys(items, above).map((entry) => ({ ...entry, isKnown: this.#known.has(entry.key) }));
    // An entry without ID may be a new one with the text of one that stands further down.
    const hasIds = listed.some(hasId);
    const lowest = listed.findLastIndex((entry) => entry.isKnown && (!hasIds || hasId(entry)));
    const isByTime = this.#isByTime && isSortedByTime(listed);
    const isPast = (time: number | undefined): boolean => {
      if (this.#isComplete) return false;
      return time === undefined || this.#floor === undefined || !isByTime
        ? above !== undefined || lowest !== -1
        : time <= this.#floor;
    };
    return listed.map((entry, index) => ({
      ...entry,
      isNew: !entry.isKnown && (index < lowest || !isPast(entry.item.time)),
    }));
  }

  #gapOf(listing: Listing, end: ListingEnd): Gap | undefined {
    const cut = { ...end, isEnd: false };
    const gaps = [
      this.#gapIn(this.#compare({ items: listing.items }), listing.at, end),
      ...this.missedBy(listing).map((items) => this.#gapIn(this.#compare({ items }), listing.at, cut)),
    ].filter((gap) => gap !== undefined);
    if (gaps.length === 0) return undefined;
    return spanOf(
      Math.min(...gaps.map(({ from = Number.NEGATIVE_INFINITY }) => from)),
      Math.max(...gaps.map(({ to = Number.POSITIVE_INFINITY }) => to)),
    );
  }

  #gapIn(listed: readonly Compared[], at: number, end: ListingEnd): Gap | undefined {
    const bottom = listed.at(-1);
    if (bottom ? !bottom.isNew : end.isEnd) return undefined;
    const hasOverlap = this.#known.size === 0 || listed.some(({ isKnown }) => isKnown);
    if (bottom && hasOverlap && isWhole(end, listed.length)) return undefined;
    // Where a list is not sorted by time, what is below an entry may bear any time from before it was written until now.
    if (!bottom || !this.#isByTime) return spanOf(this.#latest - LATE_MS, at + CLOCK_TOLERANCE);
    return this.#spanAbove(bottom.item.time, listed);
  }

  /** From the newest entry that was known and is not listed any more up to the oldest that is. */
  #spanAbove(to: number | undefined, listed: readonly Compared[]): Gap {
    const keys = new Set(listed.map(({ key }) => key));
    let from: number | undefined;
    for (const [key, { time }] of this.#known) {
      if (time === undefined || keys.has(key) || (to !== undefined && time > to)) continue;
      from = Math.max(from ?? time, time);
    }
    return spanOf(from ?? this.#latest, to);
  }

  #forget({ now, at }: Listing): void {
    for (const [key, { time, listedAt }] of this.#known) {
      if (listedAt === now || (listedAt >= now - KNOWN_MS && this.#known.size <= this.#mostKnown)) return;
      this.#known.delete(key);
      this.#isComplete = false;
      if (time !== undefined && time <= at) this.#floor = Math.max(this.#floor ?? time, time);
    }
  }
}

const hasId = ({ item }: Keyed<TailItem>) => item.id !== undefined;

function isSortedByTime(listed: readonly Keyed<TailItem>[]): boolean {
  const times = listed.flatMap(({ item }) => item.time ?? []);
  return times.every((time, index) => time <= (times[index - 1] ?? time));
}

/** Services cut lists at round numbers: the default of the contract is 20, its most 100. */
function isWhole({ isEnd, hasCursors }: ListingEnd, length: number): boolean {
  return isEnd && (hasCursors || length < 20 || length % 10 !== 0);
}

/** A span; an end that is not finite is not known, and clocks that differ can make the earlier end the later one. */
export function spanOf(from: number | undefined, to: number | undefined): Gap {
  const [start, end] = [from, to].map((time) => (Number.isFinite(time) ? time : undefined));
  return start !== undefined && end !== undefined && start > end
    ? { from: end, to: start }
    : { from: start, to: end };
}

type Compared = Keyed<TailItem> & { readonly isKnown: boolean; readonly isNew: boolean };
