/**
 * The type of the values of a column: `int64`; `decimal`, an integer of up to 38 digits; `double`; `boolean`; `text`; `timestamp`, in
 * microseconds of UTC; `date`; `json`, JSON text; or objects of described members, or lists of one type.
 */
export type ColumnType =
  | 'int64'
  | 'decimal'
  | 'double'
  | 'boolean'
  | 'text'
  | 'timestamp'
  | 'date'
  | 'json'
  | { readonly struct: readonly TypedColumn[] }
  | { readonly list: ColumnType };

/** A member of the records of a list, as a column with a type. */
export type TypedColumn = { readonly name: string; readonly type: ColumnType };

/** The column with the time of the sync that wrote a record. */
export const SYNCED_AT = { name: '_synced_at', type: 'timestamp' } as const satisfies TypedColumn;

/** The column with the whole record where the others do not hold all of it. */
export const RAW = { name: '_raw', type: 'json' } as const satisfies TypedColumn;

/**
 * What the columns of a part have after the members of its records: when `sync` wrote a record, whether it is the marker of a record that is
 * gone, and `RAW`. They are the same in every part, so that engines can read many as one table.
 */
const PART_COLUMNS: readonly TypedColumn[] = [SYNCED_AT, { name: '_deleted', type: 'boolean' }, RAW];

/**
 * The columns of a part: those of its records, and the others. A member of a record has none if its name is that of one of the others, or
 * of a folder that holds its value (`merchant_account_id=eu`): engines take that for a column, and some refuse files that have it as well.
 */
export function columnsOfPart(
  columns: readonly TypedColumn[],
  partition: Readonly<Record<string, string>> = {},
): readonly TypedColumn[] {
  const others = new Set([...PART_COLUMNS.map(({ name }) => name), ...Object.keys(partition)]);
  return [...columns.filter(({ name }) => !others.has(name.toLowerCase())), ...PART_COLUMNS];
}
