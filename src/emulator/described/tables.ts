import { createHash } from 'node:crypto';
import type { EmulatorDatabase } from '../store/database.ts';
import type { Filter, ListQuery } from '../store/keyset.ts';
import { literal, type MemberFilter } from './filters.ts';
import type { Scope } from './scope.ts';

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

/** A record that was deleted. */
export type RemovedRecord = Pick<StoredRecord, 'id' | 'document'>;

function removedRecord({ id, document }: Readonly<Record<string, unknown>>): RemovedRecord {
  return { id: String(id), document: String(document) };
}

/** Filters with more records than that count as equal. */
const MOST_COUNTED = 1000;

type Answer = { readonly digest: string; readonly status: number; readonly body: string };

/** The newest answers that are kept for their idempotency keys. */
const MOST_ANSWERS = 10_000;

/** The tables of one description. Another description has tables of its own, so that each finds what it left. */
export class Tables {
  readonly database: EmulatorDatabase;
  readonly #name: string;
  readonly #indexes = new Map<string, string>();

  /** Makes the tables that are missing. `hash` is that of the description, in hexadecimal. */
  constructor(database: EmulatorDatabase, hash: string) {
    this.database = database;
    this.#name = `described_${hash.slice(0, 16)}`;
    for (const statement of statements(this.#name)) database.execute(statement);
  }

  /** A list of records, newest first; below one record where `parent` names it. */
  list({ kind, account }: Shelf, parent: string | undefined, filters: readonly MemberFilter[]): ListQuery {
    const place: Filter[] = [
      { sql: `kind = ${literal(kind)}`, values: [] },
      { sql: 'account = ?', values: [account] },
      ...(parent === undefined ? [] : [{ sql: "parent = ? AND parent <> ''", values: [parent] }]),
    ];
    const conditions = filters.map(({ sql, values }) => ({ sql, values }));
    const list = { table: `${this.#name}_records`, document: 'document', filters: [...place, ...conditions] };
    // What is below one record is found by that.
    const best = parent === undefined ? this.#narrowest({ kind, account }, filters) : undefined;
    return best ? { ...list, index: { name: best.name, isOrdered: best.isExact, place } } : list;
  }

  /** The filter with the fewest records, and its index; undefined where there is none. */
  #narrowest(
    { kind, account }: Shelf,
    filters: readonly MemberFilter[],
  ): { readonly name: string; readonly isExact: boolean } | undefined {
    const found = filters.flatMap(({ sql, values, expression, isExact }) => {
      const name = this.#index(kind, expression);
      if (name === undefined) return [];
      const where = `WHERE kind = ${literal(kind)} AND account = ? AND ${sql}`;
      const count = `SELECT count(*) AS count FROM
        (SELECT 1 FROM ${this.#name}_records INDEXED BY ${name} ${where} LIMIT ${MOST_COUNTED})`;
      const counted = () => Number(this.database.prepare(count).get(account, ...values)?.count);
      return [{ name, isExact, count: filters.length > 1 ? counted() : 0 }];
    });
    const [best] = found.sort((a, b) => a.count - b.count || Number(b.isExact) - Number(a.isExact));
    return best;
  }

  /** The name of the index by which the records of a kind are found, made when it is first needed; undefined while it cannot be. */
  #index(kind: string, expression: string): string | undefined {
    const key = `${kind}\0${expression}`;
    const known = this.#indexes.get(key);
    if (known !== undefined) return known;
    const name = `${this.#name}_of_${createHash('sha256').update(key).digest('hex').slice(0, 16)}`;
    const sql = `CREATE INDEX IF NOT EXISTS ${name}
      ON ${this.#name}_records (account, ${expression}, created_ms, id) WHERE kind = ${literal(kind)}`;
    try {
      this.database.inTransaction(() => this.database.execute(sql));
    } catch {
      // Another program is writing, or the disk is full: the list is read without it.
      return undefined;
    }
    this.#indexes.set(key, name);
    return name;
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

  /** Deletes the records below one, and gives what they were. */
  removeBelow({ kind, account }: Shelf, parent: string): readonly RemovedRecord[] {
    const place = [kind, account, parent] as const;
    const sql = `DELETE FROM ${this.#name}_records WHERE kind = ? AND account = ? AND parent = ? AND parent <> ''
      RETURNING id, document`;
    const removed = this.database.prepare(sql).all(...place);
    const marks = `DELETE FROM ${this.#name}_made
      WHERE kind = ? AND account = ? AND key >= ' ' || ? || ' ' AND key < ' ' || ? || '!'`;
    this.database.prepare(marks).run(...place, parent);
    return removed.map(removedRecord);
  }

  /** Deletes the records of a kind whose owner is this one, or within it, and gives what they were. */
  removeWithin(kind: string, owner: string): readonly RemovedRecord[] {
    const where = "kind = ? AND (account = ? OR (account >= ? || '/' AND account < ? || '0'))";
    const values = [kind, owner, owner, owner];
    const sql = `DELETE FROM ${this.#name}_records WHERE ${where} RETURNING id, document`;
    const removed = this.database.prepare(sql).all(...values);
    this.database.prepare(`DELETE FROM ${this.#name}_made WHERE ${where} AND key <> ''`).run(...values);
    return removed.map(removedRecord);
  }

  /** Deletes the documents of a path whose first parameters are these ids, so that they are regenerated when they are asked for. */
  removeDocuments(path: string, { account, ids }: Scope): void {
    const start = JSON.stringify(ids).slice(0, -1);
    const values = [path, account, `${start}]`, start, start];
    for (const [table, key] of [
      ['records', 'id'],
      ['made', 'key'],
    ]) {
      const where = `kind = ? AND account IN (?, '') AND (${key} = ? OR (${key} >= ? || ',' AND ${key} < ? || '-'))`;
      this.database.prepare(`DELETE FROM ${this.#name}_${table} WHERE ${where}`).run(...values);
    }
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
      captured REAL,
      refunded REAL
    ) STRICT`,
    `CREATE UNIQUE INDEX IF NOT EXISTS ${name}_by_id ON ${name}_records (kind, account, id, parent)`,
    `CREATE INDEX IF NOT EXISTS ${name}_by_creation ON ${name}_records (kind, account, created_ms, id)`,
    `CREATE INDEX IF NOT EXISTS ${name}_below ON ${name}_records (kind, account, parent, created_ms, id)
      WHERE parent <> ''`,
    // Of versions before indexes were made by need.
    `DROP INDEX IF EXISTS ${name}_by_parent`,
    `DROP INDEX IF EXISTS ${name}_by_status`,
    `CREATE TABLE IF NOT EXISTS ${name}_made (
      kind TEXT, account TEXT, key TEXT, PRIMARY KEY (kind, account, key)
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE IF NOT EXISTS ${name}_answers (
      row INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, digest TEXT NOT NULL, status INTEGER NOT NULL, body TEXT NOT NULL
    ) STRICT`,
  ];
}
