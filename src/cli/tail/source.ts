import type { PageQuery } from '../../client/page.ts';
import type { ListId } from '../../contract/generated/operations.ts';
import type { PayctlError } from '../../errors.ts';
import type { Column } from '../../output/columns.ts';
import type { TimeStyle } from '../../text/zoned-times.ts';
import type { OpenTimeSpan } from '../flags/time-filter.ts';
import type { TailItem } from './marks.ts';

/** A list that can be followed: it comes newest first, and its entries stay as they are. */
export type TailSource = {
  readonly list: ListId;
  /** What of the list is asked for. */
  readonly query: PageQuery;
  readonly columns: readonly Column[];
  /** Header of the column in which an entry is marked as late or as the first one after a gap; it has a `cell`. */
  readonly marked: string;
  /** When an entry was written, in milliseconds since 1970; undefined where it does not say so. Never throws. */
  timeOf(item: unknown): number | undefined;
  /** Fixes what --since means; `now` is the time of the first response, and later calls change nothing. */
  begin(now: number): OpenTimeSpan;
  /** Tells for each entry whether the filters keep it. */
  select(entries: readonly TailItem[]): readonly boolean[] | Promise<readonly boolean[]>;
  /** Does the same with entries that are looked at, and counts them. */
  keeps(entries: readonly TailItem[]): readonly boolean[] | Promise<readonly boolean[]>;
  /** Says how many entries were looked at, and which; times are in this style. */
  summary(style: TimeStyle): string;
  /** Recognises entries that following the list makes itself; none by default. */
  readonly ownPolls?: {
    /** Remembers a request that failed. */
    add(error: PayctlError): void;
    /** `unknown` where an entry may be of such a request, but does not say who sent it. */
    isOwn(entry: TailItem): boolean | 'unknown';
  };
};
