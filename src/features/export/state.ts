import { randomInt } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { OutputError, UsageError } from '../../errors.ts';
import { inTransaction } from '../../files/database.ts';
import { loadSqlite, makePrivateFile, sqliteCode } from '../../files/kernel-lock.ts';
import { refuseNewer } from '../../files/newer-version.ts';
import { unwritable } from '../../files/output-file.ts';
import { parseKeepingNumbers } from '../../json/exact.ts';
import { quote } from '../../text/format.ts';
import { shellQuote } from '../../text/shell.ts';
import {
  begun,
  type CopySettings,
  isCopy,
  isFolder,
  isPart,
  type ListEntry,
  LOCK_FILE,
  MANIFEST_FILE,
  missing,
  OTHER_COPY,
  type PartEntry,
  STATE_FILE,
} from './manifest.ts';
import { BYTES, CHUNK, IdLog, RecordIndex } from './record-index.ts';

const VERSION = 3;

/** What `randomInt` can give. */
const MOST_SEEDS = 2 ** 48 - 1;

const SCHEMA = `
  CREATE TABLE copy (settings TEXT NOT NULL, seed INTEGER NOT NULL) STRICT;
  CREATE TABLE holder (process INTEGER, host TEXT, since TEXT) STRICT;
  CREATE TABLE lists (list INTEGER PRIMARY KEY, entry TEXT NOT NULL) STRICT;
  CREATE TABLE parts (list INTEGER, number INTEGER, entry TEXT NOT NULL, PRIMARY KEY (list, number)) STRICT;
  CREATE TABLE records (list INTEGER, chunk INTEGER, ids TEXT NOT NULL, versions BLOB NOT NULL, PRIMARY KEY (list, chunk)) STRICT;
  CREATE TABLE newer (list INTEGER, id TEXT, text TEXT NOT NULL, PRIMARY KEY (list, id)) STRICT;
  PRAGMA user_version = ${VERSION}`;

/**
 * What is known about a copy while it is made and between syncs. A part is recorded, with its records and the cursor after it, in one
 * transaction, after its file is whole: what is not recorded does not belong to the copy.
 */
export class CopyState {
  readonly #database: DatabaseSync;

  /** Opens the state of the copy in a directory; an empty one is made. @throws UsageError `newer_version`, `other_version`; what SQLite throws */
  constructor(directory: string) {
    const { DatabaseSync } = loadSqlite();
    const path = join(directory, STATE_FILE);
    // SQLite gives its other files the same mode.
    makePrivateFile(path);
    this.#database = new DatabaseSync(path, { timeout: 10_000 });
    // A row with the IDs of a chunk is then five pages instead of 39, which are written in a third of the time.
    this.#database.exec('PRAGMA page_size = 32768');
    // A loss of power can take the last transactions, and with them the parts that they record: these are then made again.
    this.#database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -2048');
    const version = firstValue(this.#database, 'PRAGMA user_version');
    if (version === 0) this.#inTransaction(() => this.#database.exec(SCHEMA));
    else if (version !== VERSION) {
      this.#database.close();
      refuseNewer(path, version, VERSION, OTHER_COPY);
      throw new UsageError('other_version', `${quote(directory)} was made by another version of payctl`, {
        hint: `Use that version, or export again to another directory. ${quote(MANIFEST_FILE)} names it as "payctl".`,
      });
    }
  }

  /** What the copy was begun with; undefined before that. */
  get settings(): CopySettings | undefined {
    const text = firstValue(this.#database, 'SELECT settings FROM copy');
    return text === undefined ? undefined : JSON.parse(String(text));
  }

  /** Says who holds the lock of the copy. */
  claim(): void {
    this.#inTransaction(() => {
      this.#database.exec('DELETE FROM holder');
      const since = new Date().toISOString();
      this.#database.prepare('INSERT INTO holder VALUES (?, ?, ?)').run(process.pid, hostname(), since);
    });
  }

  /** Who has held the lock of the copy last. */
  holder(): Holder | undefined {
    const row = this.#database.prepare('SELECT process, host, since FROM holder').get();
    return row && { process: Number(row.process), host: String(row.host), since: String(row.since) };
  }

  /** Begins a copy: its settings, and its lists in their order. */
  begin(settings: CopySettings, lists: readonly ListEntry[]): void {
    this.#inTransaction(() => {
      this.#database
        .prepare('INSERT INTO copy VALUES (?, ?)')
        .run(JSON.stringify(settings), randomInt(MOST_SEEDS));
      const add = this.#database.prepare('INSERT INTO lists VALUES (?, ?)');
      for (const [index, entry] of lists.entries()) add.run(index + 1, JSON.stringify(entry));
    });
  }

  /** The lists of the copy, in their order. */
  lists(): readonly ListState[] {
    const rows = this.#database.prepare('SELECT list, entry FROM lists ORDER BY list').all();
    return rows.map(
      ({ list, entry }) => new ListState(this.#database, Number(list), JSON.parse(String(entry))),
    );
  }

  close(): void {
    this.#database.close();
  }

  #inTransaction(work: () => void): void {
    inTransaction(this.#database, work);
  }
}

/** A process that writes to a copy, and since when. */
type Holder = { readonly process: number; readonly host: string; readonly since: string };

/** Who writes to the copy in a directory; undefined where that is not known. */
export function readHolder(directory: string): Holder | undefined {
  try {
    return withState(directory, (state) => state.holder());
  } catch {
    return undefined;
  }
}

/**
 * The settings of the copy in a directory, and what its lists are.
 * @throws UsageError `not_a_copy`, `unreadable_file`, `state_damaged`, `state_missing` where there are parts, and nothing in the state
 */
export function readCopy(directory: string): {
  readonly settings: CopySettings;
  readonly lists: readonly ListEntry[];
} {
  if (!isCopy(directory)) throw missing(directory);
  const { settings, lists } = withState(directory, (state) => ({
    settings: state.settings,
    lists: state.lists().map(checkedEntry),
  }));
  if (settings) return { settings, lists };
  if (!hasOnlyState(directory)) {
    const problem = `${quote(join(directory, STATE_FILE))} is empty, so payctl does not know which records the copy has`;
    throw new UsageError('state_missing', problem, {
      hint: `Copy the file from where the export was made, with ${STATE_FILE}-wal if there is one, or export again to another directory.`,
    });
  }
  throw new UsageError(
    'not_a_copy',
    `The export to ${quote(directory)} was interrupted before it had begun`,
    {
      hint: `Export again with --to ${shellQuote(directory)}`,
    },
  );
}

/** Another folder or file could be outside the copy, where payctl would write and delete. */
function checkedEntry(list: ListState): ListEntry {
  const { entry } = list;
  if (isFolder(entry.folder) && list.parts().every(isPart)) return entry;
  throw new DamagedState();
}

class DamagedState extends Error {}

/** Whether there is nothing in a directory but what an export writes before it begins. */
export function hasOnlyState(directory: string): boolean {
  const names = process.getBuiltinModule('node:fs').readdirSync(directory);
  return names.every((name) => name === LOCK_FILE || name.startsWith(STATE_FILE));
}

/** Whether the state in a directory is that of a copy, and not empty. @throws UsageError `state_damaged` */
export function isCopyBegun(directory: string): boolean {
  return withState(directory, ({ settings }) => settings !== undefined);
}

function withState<T>(directory: string, read: (state: CopyState) => T): T {
  try {
    const state = new CopyState(directory);
    try {
      return read(state);
    } finally {
      state.close();
    }
  } catch (error) {
    throw stateError(directory, error);
  }
}

/** The error for a state that cannot be opened: UsageError `state_damaged`, `newer_version`, `other_version` or `file_unwritable`; any other error as it is. */
export function stateError(directory: string, error: unknown): unknown {
  if (error instanceof UsageError) return error;
  const code = sqliteCode(error);
  const isUnread = error instanceof DamagedState || error instanceof SyntaxError;
  if (!isUnread && code !== CORRUPT && code !== NO_DATABASE) return unwritable(UsageError, directory, error);
  const problem = `${quote(join(directory, STATE_FILE))} is damaged`;
  return new UsageError('state_damaged', problem, {
    hint: 'Export again to another directory.',
    cause: error,
  });
}

/** The error to throw where work on a copy has failed: OutputError `file_unwritable` for one of SQLite, any other as it is. */
export function stateWriteError(directory: string, error: unknown): unknown {
  return sqliteCode(error) === undefined
    ? error
    : unwritable(OutputError, join(directory, STATE_FILE), error);
}

/** Result codes of SQLite. */
const CORRUPT = 11;
const NO_DATABASE = 26;

/** What a pass over a list has found since the last part. */
export type Found = {
  /** The IDs of new records, in the order of their numbers. */
  readonly ids: IdLog;
  /** The numbers of records with another version. */
  readonly changed: Iterable<number>;
};

/** The state of one list. */
export class ListState {
  readonly #database: DatabaseSync;
  readonly #list: number;
  #entry: ListEntry;
  #recorded = 0;
  #index: RecordIndex | undefined;

  constructor(database: DatabaseSync, list: number, entry: ListEntry) {
    this.#database = database;
    this.#list = list;
    this.#entry = entry;
  }

  get entry(): ListEntry {
    return this.#entry;
  }

  /** The recorded parts, in their order. */
  parts(): readonly PartEntry[] {
    const rows = this.#database
      .prepare('SELECT entry FROM parts WHERE list = ? ORDER BY number')
      .all(this.#list);
    // IDs and times are as the service sent them.
    return rows.map(({ entry }) => parseKeepingNumbers(String(entry)) as PartEntry);
  }

  /** The records of the recorded parts. */
  index(): RecordIndex {
    if (this.#index) return this.#index;
    const database = this.#database;
    const bytes = firstValue(
      database,
      'SELECT total(length(versions)) FROM records WHERE list = ?',
      this.#list,
    );
    const versions = database.prepare('SELECT versions FROM records WHERE list = ? AND chunk = ?');
    const ids = database.prepare('SELECT ids FROM records WHERE list = ? AND chunk = ?');
    this.#recorded = Number(bytes) / BYTES;
    this.#index = new RecordIndex(Number(firstValue(database, 'SELECT seed FROM copy')), {
      count: this.#recorded,
      ids: (chunk) => String(ids.get(this.#list, chunk)?.ids),
      versions: (chunk) => {
        const found = versions.get(this.#list, chunk)?.versions;
        return found instanceof Uint8Array ? found : undefined;
      },
    });
    return this.#index;
  }

  /** The IDs of records by their numbers, chunk by chunk; those that `skips` says are left out. */
  *ids(
    skips: (number: number) => boolean,
  ): Generator<readonly [number: number, id: string], void, undefined> {
    const row = this.#database.prepare('SELECT ids FROM records WHERE list = ? AND chunk = ?');
    for (let first = 0; first < this.#recorded; first += CHUNK) {
      const count = Math.min(CHUNK, this.#recorded - first);
      const numbers = Array.from({ length: count }, (_, at) => first + at).filter((number) => !skips(number));
      if (numbers.length === 0) continue;
      const ids = String(row.get(this.#list, first / CHUNK)?.ids).split('\n');
      for (const number of numbers) yield [number, ids[number - first] ?? ''];
    }
  }

  /** Records how far the list has come, a part if there is one, and the records that it holds. */
  record(entry: ListEntry, part?: PartEntry, { ids, changed }: Found = NOTHING): void {
    const saved = new Set<number>();
    inTransaction(this.#database, () => {
      this.#database
        .prepare('UPDATE lists SET entry = ? WHERE list = ?')
        .run(JSON.stringify(entry), this.#list);
      if (part)
        this.#database
          .prepare('INSERT INTO parts SELECT ?, 1 + coalesce(max(number), 0), ? FROM parts WHERE list = ?')
          .run(this.#list, JSON.stringify(part), this.#list);
      this.#addRecords(ids, saved);
      this.#updateRecords(changed, saved);
    });
    this.#index?.saved(saved);
    this.#entry = entry;
  }

  /** Forgets everything about the list but what it is. */
  restart(): void {
    const entry = begun(this.#entry);
    inTransaction(this.#database, () => {
      for (const table of ['parts', 'records', 'newer'])
        this.#database.prepare(`DELETE FROM ${table} WHERE list = ?`).run(this.#list);
      this.#database
        .prepare('UPDATE lists SET entry = ? WHERE list = ?')
        .run(JSON.stringify(entry), this.#list);
    });
    this.#entry = entry;
    this.#index = undefined;
    this.#recorded = 0;
  }

  /** Puts other parts in the place of all, with the same records. The files of those before may then be deleted: this outlasts a loss of power. */
  replaceParts(parts: readonly PartEntry[]): void {
    this.#database.exec('PRAGMA synchronous = FULL');
    inTransaction(this.#database, () => {
      this.#database.prepare('DELETE FROM parts WHERE list = ?').run(this.#list);
      const add = this.#database.prepare('INSERT INTO parts VALUES (?, ?, ?)');
      for (const [at, part] of parts.entries()) add.run(this.#list, at + 1, JSON.stringify(part));
    });
    this.#database.exec('PRAGMA synchronous = NORMAL');
  }

  /** Keeps a newer copy of a record that the pass has written already, until the pass is over. */
  keepNewer(id: string, text: string): void {
    this.#database.prepare('INSERT OR REPLACE INTO newer VALUES (?, ?, ?)').run(this.#list, id, text);
  }

  /** The newer copies. */
  *newer(): Generator<readonly [id: string, text: string], void, undefined> {
    const rows = this.#database.prepare('SELECT id, text FROM newer WHERE list = ? ORDER BY id');
    for (const { id, text } of rows.iterate(this.#list)) yield [String(id), String(text)];
  }

  /** Forgets the newer copies of these records. */
  forgetNewer(ids: Iterable<string>): void {
    const remove = this.#database.prepare('DELETE FROM newer WHERE list = ? AND id = ?');
    inTransaction(this.#database, () => {
      for (const id of ids) remove.run(this.#list, id);
    });
  }

  /** Adds the chunks that it writes to `saved`, as `#updateRecords` does. */
  #addRecords(ids: IdLog, saved: Set<number>): void {
    const index = this.#index;
    if (!index) return;
    const add = this.#database.prepare(
      `INSERT INTO records VALUES (?1, ?2, CAST(?3 AS TEXT), ?4)
       ON CONFLICT DO UPDATE SET ids = ids || char(10) || excluded.ids, versions = excluded.versions`,
    );
    for (const { chunk, ids: lines, count } of ids.chunks()) {
      this.#recorded += count;
      add.run(this.#list, chunk, lines, index.versions(chunk));
      saved.add(chunk);
    }
  }

  #updateRecords(changed: Iterable<number>, saved: Set<number>): void {
    const index = this.#index;
    if (!index) return;
    const chunks = new Set<number>();
    for (const number of changed) if (number < this.#recorded) chunks.add(Math.floor(number / CHUNK));
    const update = this.#database.prepare('UPDATE records SET versions = ?3 WHERE list = ?1 AND chunk = ?2');
    for (const chunk of chunks) {
      update.run(this.#list, chunk, index.versions(chunk));
      saved.add(chunk);
    }
  }
}

const NOTHING: Found = { ids: new IdLog(0), changed: [] };

/** The first value of the first row that a statement finds. */
function firstValue(
  database: DatabaseSync,
  sql: string,
  ...values: readonly number[]
): SQLOutputValue | undefined {
  return Object.values(database.prepare(sql).get(...values) ?? {})[0];
}
