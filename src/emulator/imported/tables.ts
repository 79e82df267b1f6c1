import { createHash } from 'node:crypto';
import type { EmulatorResponse } from '../http/response.ts';
import { type EmulatorDatabase, insertRow } from '../store/database.ts';
import type { Filter, ListQuery } from '../store/keyset.ts';
import { readMeta, writeMeta } from '../store/meta.ts';
import { literal, type MemberFilter } from './filters.ts';

/** A record of a description as it is stored. */
export type StoredRecord = {
  /** Its row; undefined before it is stored. */
  readonly row?: number;
  readonly id: string;
  /** The id of the record that its path leads through; empty for one at the top. */
  readonly parent: string;
  /** Its position in lists, in milliseconds since 1970. */
  readonly createdMs: number;
  /** The JSON text that is sent. */
  readonly document: string;
  /** The amounts of a payment whose schema has no members for them. */
  readonly captured: number | null;
  readonly refunded: number | null;
};

/** The part of the tables that holds the records of one kind and one owner: see `ownerIn`. */
export type Partition = { readonly kind: string; readonly owner: string };

/**
 * The owner of the records that a request is about: a merchant account, and the ids in its path, in path order. Records below two
 * or more parameters, or below one that names no record, belong to all ids before that of their own parent.
 */
export type Scope = { readonly account: string; readonly ids: readonly string[] };

/** The name of an owner: the merchant account and the first `depth` ids of the path, joined by slashes. */
export function ownerIn({ account, ids }: Scope, depth: number): string {
  return [account, ...ids.slice(0, depth).map(encodeURIComponent)].join('/');
}

/** A record that was deleted. */
export type RemovedRecord = Pick<StoredRecord, 'id' | 'document'>;

/** The response to the request with this digest. */
type StoredResponse = EmulatorResponse & { readonly digest: string };

/** The number of responses that are kept for their idempotency keys. */
const MOST_RESPONSES = 10_000;

/** The tables of one description. Each description has its own, and finds its records again when it is imported again. */
export class Tables {
  readonly database: EmulatorDatabase;
  /** Tells the description from others, also in what is not of this class. */
  readonly description: string;
  readonly #name: string;
  readonly #indexes = new Map<string, string>();

  /** Creates missing tables. `hash` is the hash of the description, in hexadecimal. */
  constructor(database: EmulatorDatabase, hash: string) {
    this.database = database;
    this.description = hash.slice(0, 16);
    this.#name = `described_${this.description}`;
    for (const statement of statements(this.#name)) database.execute(statement);
    if (readMeta(database, 'description') === this.description) return;
    writeMeta(database, 'description', this.description);
    database.keys.clear();
  }

  /** Records, newest first; with `parent`, only those below this record. */
  list({ kind, owner }: Partition, parent: string | undefined, filters: readonly MemberFilter[]): ListQuery {
    const place: Filter[] = [
      { sql: `kind = ${literal(kind)}`, values: [] },
      { sql: 'account = ?', values: [owner] },
      ...(parent === undefined ? [] : [{ sql: "parent = ? AND parent <> ''", values: [parent] }]),
    ];
    const conditions = filters.map(({ sql, values }) => ({ sql, values }));
    const list = { table: `${this.#name}_records`, document: 'document', filters: [...place, ...conditions] };
    // Records below a parent are found by the index of parents.
    const indexed = parent === undefined ? filters.filter(({ expression }) => expression) : [];
    const best = indexed.find(({ isExact }) => isExact) ?? indexed[0];
    const name = best?.expression && this.#index(kind, best.expression);
    return best && name ? { ...list, index: { name, isOrdered: best.isExact, place } } : list;
  }

  /** The name of the index for an expression on a kind, created when it is first needed; undefined as long as that fails. */
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

  /** The record with this id; with `parent`, only below that record. */
  find(place: Partition, id: string, parent?: string): StoredRecord | undefined {
    return this.records(place, { id, parent })[0];
  }

  /** The records of a partition with these texts in columns or expressions, such as the `parent` that they are below. */
  records({ kind, owner }: Partition, wanted: Readonly<Record<string, string | undefined>>): StoredRecord[] {
    const names = Object.keys(wanted).filter((name) => wanted[name] !== undefined);
    const sql = `SELECT row, id, parent, created_ms AS createdMs, document, captured, refunded
      FROM ${this.#name}_records WHERE kind = ? AND account = ?${names.map((name) => ` AND ${name} = ?`).join('')}`;
    const values = [kind, owner, ...names.map((name) => wanted[name] ?? '')];
    return this.database.prepare(sql).all(...values) as StoredRecord[];
  }

  /** The rows of the records of a partition, from which `idAt` finds a record. */
  rows({ kind, owner }: Partition): number[] {
    const sql = `SELECT json_group_array(row) AS found FROM ${this.#name}_records WHERE kind = ? AND account = ?`;
    return JSON.parse(String(this.database.prepare(sql).get(kind, owner)?.found)) as number[];
  }

  /** The id of the record in a row; undefined if it was deleted. */
  idAt(row: number): string | undefined {
    const found = this.database.prepare(`SELECT id FROM ${this.#name}_records WHERE row = ?`).get(row);
    return found && String(found.id);
  }

  insert({ kind, owner }: Partition, record: StoredRecord): void {
    const { id, parent, createdMs, document, captured, refunded } = record;
    const row = { kind, account: owner, parent, id, created_ms: createdMs, document, captured, refunded };
    insertRow(this.database, `${this.#name}_records`, row);
  }

  /** Changes a record that `find` has found. */
  replace({ row = 0, document, captured, refunded }: StoredRecord): void {
    const sql = `UPDATE ${this.#name}_records SET (document, captured, refunded) = (?, ?, ?) WHERE row = ?`;
    this.database.prepare(sql).run(document, captured, refunded, row);
  }

  /** Deletes a record that `find` has found. */
  remove({ row = 0 }: StoredRecord): void {
    this.database.prepare(`DELETE FROM ${this.#name}_records WHERE row = ?`).run(row);
  }

  /** Deletes the records below a parent, and returns them. */
  removeBelow({ kind, owner }: Partition, parent: string): readonly RemovedRecord[] {
    const place = [kind, owner, parent] as const;
    const sql = `DELETE FROM ${this.#name}_records WHERE kind = ? AND account = ? AND parent = ? AND parent <> ''
      RETURNING id, document`;
    const removed = this.database.prepare(sql).all(...place) as RemovedRecord[];
    const marks = `DELETE FROM ${this.#name}_made
      WHERE kind = ? AND account = ? AND key >= ' ' || ? || ' ' AND key < ' ' || ? || '!'`;
    this.database.prepare(marks).run(...place, parent);
    return removed;
  }

  /** Deletes the records of a kind that belong to an owner or to owners within it, and returns them. */
  removeWithin({ kind, owner }: Partition): readonly RemovedRecord[] {
    const where = "kind = ? AND (account = ? OR (account >= ? || '/' AND account < ? || '0'))";
    const values = [kind, owner, owner, owner];
    const sql = `DELETE FROM ${this.#name}_records WHERE ${where} RETURNING id, document`;
    const removed = this.database.prepare(sql).all(...values) as RemovedRecord[];
    this.database.prepare(`DELETE FROM ${this.#name}_made WHERE ${where} AND key <> ''`).run(...values);
    return removed;
  }

  /** Whether the emulator has generated something: the first records of a kind, or the document of a path. */
  isMade({ kind, owner }: Partition, key: string): boolean {
    const sql = `SELECT 1 FROM ${this.#name}_made WHERE kind = ? AND account = ? AND key = ?`;
    return this.database.prepare(sql).get(kind, owner, key) !== undefined;
  }

  setMade({ kind, owner }: Partition, key: string): void {
    const sql = `INSERT OR IGNORE INTO ${this.#name}_made (kind, account, key) VALUES (?, ?, ?)`;
    this.database.prepare(sql).run(kind, owner, key);
  }

  /** The response that is kept for an idempotency key. */
  response(key: string): StoredResponse | undefined {
    const found = this.database
      .prepare(`SELECT response FROM ${this.#name}_responses WHERE key = ?`)
      .get(key);
    return found && (JSON.parse(String(found.response)) as StoredResponse);
  }

  keepResponse(key: string, response: StoredResponse): void {
    const sql = `INSERT INTO ${this.#name}_responses (key, response) VALUES (?, ?)`;
    const { lastInsertRowid } = this.database.prepare(sql).run(key, JSON.stringify(response));
    const before = Number(lastInsertRowid) - MOST_RESPONSES;
    this.database.prepare(`DELETE FROM ${this.#name}_responses WHERE row <= ?`).run(before);
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
    `CREATE TABLE IF NOT EXISTS ${name}_made (
      kind TEXT, account TEXT, key TEXT, PRIMARY KEY (kind, account, key)
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE IF NOT EXISTS ${name}_responses (
      row INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, response TEXT NOT NULL
    ) STRICT`,
  ];
}
