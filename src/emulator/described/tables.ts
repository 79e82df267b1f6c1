import type { EmulatorDatabase } from '../store/database.ts';
import type { Filter, ListQuery } from '../store/keyset.ts';

/** A record of a description as it is stored. */
export type StoredRecord = {
  readonly id: string;
  /** The id of the record that its path leads through; empty for one at the top. */
  readonly parent: string;
  /** Its place in lists, in milliseconds since 1970. */
  readonly createdMs: number;
  /** The JSON text that is sent. */
  readonly document: string;
  /** What is known of a payment and has no member. */
  readonly captured: number | null;
  readonly refunded: number | null;
};

/** Where records are: the kind and the merchant account, which is empty for what belongs to the whole instance. */
export type Shelf = { readonly kind: string; readonly account: string };

type Answer = { readonly digest: string; readonly status: number; readonly body: string };

/** The newest answers that are kept for their idempotency keys. */
const MOST_ANSWERS = 10_000;

/** The tables of one description. Another description has tables of its own, so that each finds what it left. */
export class Tables {
  readonly database: EmulatorDatabase;
  readonly #name: string;

  /** Makes the tables that are missing. `hash` is that of the description, in hexadecimal. */
  constructor(database: EmulatorDatabase, hash: string) {
    this.database = database;
    this.#name = `described_${hash.slice(0, 16)}`;
    for (const statement of statements(this.#name)) database.execute(statement);
  }

  /** A list of records, newest first; below one record where `parent` names it. */
  list({ kind, account }: Shelf, parent: string | undefined, filters: readonly Filter[]): ListQuery {
    const place = [
      { sql: 'kind = ?', values: [kind] },
      { sql: 'account = ?', values: [account] },
      ...(parent === undefined ? [] : [{ sql: 'parent = ?', values: [parent] }]),
    ];
    return { table: `${this.#name}_records`, document: 'document', filters: [...place, ...filters] };
  }

  find({ kind, account }: Shelf, id: string, parent?: string): StoredRecord | undefined {
    const below = parent === undefined ? '' : ' AND parent = ?';
    const sql = `SELECT id, parent, created_ms AS createdMs, document, captured, refunded FROM ${this.#name}_records
      WHERE kind = ? AND account = ? AND id = ?${below} LIMIT 1`;
    const values = [kind, account, id, ...(parent === undefined ? [] : [parent])];
    return this.database.prepare(sql).get(...values) as StoredRecord | undefined;
  }

  insert({ kind, account }: Shelf, record: StoredRecord): void {
    const { id, parent, createdMs, document, captured, refunded } = record;
    this.database
      .prepare(
        `INSERT INTO ${this.#name}_records (kind, account, parent, id, created_ms, document, captured, refunded)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(kind, account, parent, id, createdMs, document, captured, refunded);
  }

  replace({ kind, account }: Shelf, { id, parent, document, captured, refunded }: StoredRecord): void {
    this.database
      .prepare(
        `UPDATE ${this.#name}_records SET (document, captured, refunded) = (?, ?, ?)
          WHERE kind = ? AND account = ? AND id = ? AND parent = ?`,
      )
      .run(document, captured, refunded, kind, account, id, parent);
  }

  remove({ kind, account }: Shelf, { id, parent }: StoredRecord): void {
    this.database
      .prepare(`DELETE FROM ${this.#name}_records WHERE kind = ? AND account = ? AND id = ? AND parent = ?`)
      .run(kind, account, id, parent);
  }

  /** Whether what is made by itself was made: the first records of a kind, or the document of a path. */
  isMade({ kind, account }: Shelf, key: string): boolean {
    const sql = `SELECT 1 FROM ${this.#name}_made WHERE kind = ? AND account = ? AND key = ?`;
    return this.database.prepare(sql).get(kind, account, key) !== undefined;
  }

  setMade({ kind, account }: Shelf, key: string): void {
    const sql = `INSERT OR IGNORE INTO ${this.#name}_made (kind, account, key) VALUES (?, ?, ?)`;
    this.database.prepare(sql).run(kind, account, key);
  }

  answer(key: string): Answer | undefined {
    const sql = `SELECT digest, status, body FROM ${this.#name}_answers WHERE key = ?`;
    return this.database.prepare(sql).get(key) as Answer | undefined;
  }

  keepAnswer(key: string, { digest, status, body }: Answer): void {
    const sql = `INSERT INTO ${this.#name}_answers (key, digest, status, body) VALUES (?, ?, ?, ?)`;
    const { lastInsertRowid } = this.database.prepare(sql).run(key, digest, status, body);
    const before = Number(lastInsertRowid) - MOST_ANSWERS;
    this.database.prepare(`DELETE FROM ${this.#name}_answers WHERE row <= ?`).run(before);
  }
}

function statements(name: string): readonly string[] {
  return [
    `CREATE TABLE IF NOT EXISTS ${name}_records (
      row INTEGER PRIMARY KEY,
      kind TEXT NOT NULL,
      account TEXT NOT NULL,
      parent TEXT NOT NULL,
      id TEXT NOT NULL,
      created_ms INTEGER NOT NULL,
      document TEXT NOT NULL,
      status TEXT GENERATED ALWAYS AS (document ->> '$.status'),
      captured REAL,
      refunded REAL
    ) STRICT`,
    `CREATE UNIQUE INDEX IF NOT EXISTS ${name}_by_id ON ${name}_records (kind, account, id, parent)`,
    `CREATE INDEX IF NOT EXISTS ${name}_by_creation ON ${name}_records (kind, account, created_ms, id)`,
    `CREATE INDEX IF NOT EXISTS ${name}_by_parent ON ${name}_records (kind, account, parent, created_ms, id)`,
    `CREATE INDEX IF NOT EXISTS ${name}_by_status ON ${name}_records (kind, account, status, created_ms, id)`,
    `CREATE TABLE IF NOT EXISTS ${name}_made (
      kind TEXT, account TEXT, key TEXT, PRIMARY KEY (kind, account, key)
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE IF NOT EXISTS ${name}_answers (
      row INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, digest TEXT NOT NULL, status INTEGER NOT NULL, body TEXT NOT NULL
    ) STRICT`,
  ];
}
