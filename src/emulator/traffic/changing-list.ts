import type { Random } from '../../text/random.ts';

/** Who makes the changes, in the audit log. */
export const TRAFFIC = 'traffic';

/** A list whose records traffic changes: those of the merchant account `default`, or of all accounts. */
export type ChangingList = {
  /** The rows of the records in their table. */
  rows(): number[];
  /** Runs changes in one transaction with others. */
  change<T>(work: () => T): Promise<T>;
  /** Adds a record and returns its row; undefined if none can be made. */
  create(random: Random, now: Date): number | undefined;
  /** Changes the record of a row; false if it is gone. */
  update(row: number, random: Random, now: Date): boolean;
  /** Deletes the record of a row, if it is there. */
  remove(row: number, now: Date): void;
};

/** Shares of a hundred changes; the others are updates, so that the number of records stays about the same. */
const SHARES = { create: 20, remove: 20 } as const;

/** Makes one change after the other: the same for the same data and random numbers. */
export function createChanger(list: ChangingList, random: Random): (now: Date) => void {
  const rows = list.rows();
  return (now) => {
    const share = random.below(100);
    const place = random.below(Math.max(1, rows.length));
    const row = rows[place];
    if (row === undefined || share < SHARES.create) {
      const made = list.create(random, now);
      if (made !== undefined) rows.push(made);
      return;
    }
    const isKept = share >= SHARES.create + SHARES.remove && list.update(row, random, now);
    if (isKept) return;
    list.remove(row, now);
    const last = rows.pop();
    if (last !== undefined && place < rows.length) rows[place] = last;
  };
}
