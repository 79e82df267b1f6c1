/** A row that looks for the record that it may have made. */
export type Claimant = {
  /** The same for rows that sent the same. */
  readonly sent: string;
  /** Whether the row has an idempotency key of its own. */
  readonly hasKey: boolean;
  /** The numbers of the records that it may have made. */
  readonly candidates: readonly number[];
};

/** The number of the record that a row made, `none` where it made none, `ambiguous` where that cannot be known. */
export type Claim = number | 'none' | 'ambiguous';

/** The most rows that are matched with records together; larger groups are ambiguous. */
const MOST_TOGETHER = 1000;

/**
 * Assigns each row the record that it made, and no record to two rows. Rows that may have made the same records are matched together. If
 * there are as many records as rows, each row gets one. If there are fewer, equal rows without idempotency keys get them in order. If there are
 * more, some belong to somebody else, and the result is `ambiguous`.
 */
export function claimRecords(rows: readonly Claimant[]): readonly Claim[] {
  const claims: Claim[] = rows.map(() => 'none');
  for (const group of groupsOf(rows)) {
    const records = new Set(group.flatMap((row) => rows[row]?.candidates ?? []));
    if (records.size === 0) continue;
    const matched = group.length > MOST_TOGETHER ? new Map<number, number>() : match(group, rows);
    const mayLack =
      new Set(group.map((row) => rows[row]?.sent)).size === 1 && !group.some((row) => rows[row]?.hasKey);
    const isClear = matched.size === records.size && (group.length === records.size || mayLack);
    for (const row of group) claims[row] = isClear ? (matched.get(row) ?? 'none') : 'ambiguous';
  }
  return claims;
}

/** Groups rows that may have made the same records, directly or through other rows; in order. */
function groupsOf(rows: readonly Claimant[]): readonly (readonly number[])[] {
  const byRecord = new Map<number, number[]>();
  for (const [row, { candidates }] of rows.entries()) {
    for (const record of candidates) {
      const known = byRecord.get(record);
      if (known) known.push(row);
      else byRecord.set(record, [row]);
    }
  }
  const seen = new Set<number>();
  return rows
    .keys()
    .toArray()
    .flatMap((first) => {
      if (seen.has(first)) return [];
      const group = [first];
      seen.add(first);
      for (const row of group) {
        for (const record of rows[row]?.candidates ?? []) {
          for (const other of byRecord.get(record) ?? []) {
            if (seen.has(other)) continue;
            seen.add(other);
            group.push(other);
          }
          byRecord.delete(record);
        }
      }
      return [group.sort((one, other) => one - other)];
    });
}

/** The largest matching of rows and records, as records by rows; earlier rows first. */
function match(group: readonly number[], rows: readonly Claimant[]): Map<number, number> {
  const owners = new Map<number, number>();
  const give = (row: number, tried: Set<number>): boolean => {
    const { candidates = [] } = rows[row] ?? {};
    const free = candidates.find((record) => !owners.has(record));
    if (free !== undefined) {
      owners.set(free, row);
      return true;
    }
    return candidates.some((record) => {
      if (tried.has(record)) return false;
      tried.add(record);
      if (!give(owners.get(record) ?? row, tried)) return false;
      owners.set(record, row);
      return true;
    });
  };
  for (const row of group) give(row, new Set());
  return new Map([...owners].map(([record, row]) => [row, record]));
}
