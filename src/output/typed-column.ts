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

/** The column with the whole record where the others do not hold all of it. */
export const RAW = { name: '_raw', type: 'json' } as const satisfies TypedColumn;

/**
 * What the columns of a part have after the members of its records: when `sync` wrote a record, whether it is the mark of a record that is
 * gone, and `RAW`. They are the same in every part, so that engines can read many as one table.
 */
const PART_COLUMNS: readonly TypedColumn[] = [
  { name: '_synced_at', type: 'timestamp' },
  { name: '_deleted', type: 'boolean' },
  RAW,
];

/** The columns of a part: those of its records, and the others. A member of a record that has the name of one of these has no column. */
export function columnsOfPart(columns: readonly TypedColumn[]): readonly TypedColumn[] {
  const own = new Set(PART_COLUMNS.map(({ name }) => name));
  return [...columns.filter(({ name }) => !own.has(name)), ...PART_COLUMNS];
}
