import type { EmulatorDatabase } from './database.ts';

/** The values of a new row by the names of its columns. */
export type Row = Readonly<Record<string, string | number | null>>;

/** Adds one row to a table. The names come from our own code, never from a request; SQLite throws on a conflict. */
export function insertRow(database: EmulatorDatabase, table: string, row: Row): void {
  const names = Object.keys(row);
  const sql = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
  database.prepare(sql).run(...Object.values(row));
}
