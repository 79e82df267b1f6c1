import type { EmulatorDatabase } from './database.ts';

/** The facts that a database keeps about itself. */
export type MetaName = 'seed' | 'buyers' | 'cursor_secret' | 'signing_key_digest';

/** Reads a fact; undefined when the database does not hold it. */
export function readMeta(database: EmulatorDatabase, name: MetaName): string | undefined {
  const value = database.prepare('SELECT value FROM meta WHERE name = ?').get(name)?.value;
  return typeof value === 'string' ? value : undefined;
}

/** Writes a fact over what was there. */
export function writeMeta(database: EmulatorDatabase, name: MetaName, value: string): void {
  database.prepare('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)').run(name, value);
}
