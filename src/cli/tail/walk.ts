import { CursorLoopError } from '../../client/errors.ts';
import { MOST_EMPTY } from '../../client/paging/iterate-pages.ts';
import type { PageEnd, TailItem } from './marks.ts';

/** One page of a list, newest entries first. */
export type TailPage = {
  readonly items: readonly TailItem[];
  /** Where older entries begin; undefined where the service names no further page. */
  readonly nextCursor: string | undefined;
  /** When the service sent it, by its own clock, in milliseconds since 1970. */
  readonly at: number;
};

/** How far the pages of a list were read, from the newest entry on. */
export class Walk {
  readonly pages: TailPage[] = [];
  readonly #cursors = new Set<string>();
  #empty = 0;
  size = 0;
  /** The time of the last entry that has one. */
  oldest = Number.NEGATIVE_INFINITY;
  /** Where the next page begins; undefined at both ends of the list. */
  cursor: string | undefined;
  /** How the last page that was compared with what was listed before ends. */
  end: PageEnd = 'new';
  /** Why the next page must not be asked for: it was read before, or nothing comes but empty pages. */
  loop: CursorLoopError | undefined;

  /** What walks before this one listed that had to begin again, the first one first. */
  readonly earlier: readonly (readonly TailItem[])[];
  readonly #beganAt: number | undefined;

  constructor(earlier: readonly (readonly TailItem[])[] = [], beganAt?: number) {
    this.earlier = earlier;
    this.#beganAt = beganAt;
  }

  /** Whether this walk, or one before it that had to begin again, has received a page. */
  get hasRead(): boolean {
    return this.pages.length > 0 || this.#beganAt !== undefined;
  }

  /** When the service sent the first page, in milliseconds since 1970. */
  get at(): number {
    return this.pages[0]?.at ?? this.#beganAt ?? 0;
  }

  /** What this walk has listed. */
  get items(): readonly TailItem[] {
    return this.pages.flatMap(({ items }) => items);
  }

  /** What it has listed above its last page. */
  get itemsAbove(): readonly TailItem[] {
    return this.pages.slice(0, -1).flatMap(({ items }) => items);
  }

  /** A walk that begins at the top again, and remembers what this one has listed. */
  again(): Walk {
    return new Walk([...this.earlier, this.items], this.hasRead ? this.at : undefined);
  }

  /** Whether the next page can hold an entry that is not older than this. */
  mayReach(time: number): boolean {
    return this.cursor !== undefined && (this.size === 0 || this.oldest > time);
  }

  /** Whether further copies of an entry without ID may follow: the last entry has the same time as one. */
  get endsAmongCopies(): boolean {
    const last = this.items.at(-1)?.time;
    return last !== undefined && this.items.some(({ id, time }) => id === undefined && time === last);
  }

  add(page: TailPage): TailPage {
    const added = { ...page, items: withoutArrivals(page.items, this.pages.at(-1)?.items ?? []) };
    this.pages.push(added);
    this.size += added.items.length;
    this.oldest = added.items.findLast(({ time }) => time !== undefined)?.time ?? this.oldest;
    this.#empty = page.items.length === 0 ? this.#empty + 1 : 0;
    const { nextCursor } = page;
    this.cursor = nextCursor;
    if (nextCursor === undefined) return added;
    if (this.#cursors.has(nextCursor)) this.loop = new CursorLoopError(nextCursor);
    if (this.#empty >= MOST_EMPTY) this.loop = new CursorLoopError(nextCursor, { emptyPages: this.#empty });
    this.#cursors.add(nextCursor);
    return added;
  }
}

/**
 * The entries of a page that belong below the page before it. Where cursors count from the top, a page begins with entries of
 * the page before it if entries came in between; what is above those is newer than all that was read, and comes with the next
 * poll.
 */
function withoutArrivals(items: readonly TailItem[], before: readonly TailItem[]): readonly TailItem[] {
  const previous = new Set(before.map(({ id }) => id));
  const start = items.findIndex(({ id }) => id !== undefined && previous.has(id));
  return start > 0 ? items.slice(start) : items;
}
