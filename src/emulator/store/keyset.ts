import type { EmulatorDatabase } from './database.ts';

/** What a list reads: a table with the columns `created_ms` and `id`, one column of JSON text, and its filters. */
export type ListQuery = {
  readonly table: string;
  /** Column that holds the document to respond with. */
  readonly document: string;
  /** Conditions in SQL, each with the values of its `?` marks. All of them must hold. */
  readonly filters: readonly Filter[];
  /** The index to find the records with, instead of the one that the database would choose. */
  readonly index?: ListIndex;
  /** False for a list that is answered without the fields of paging where it is short enough. */
  readonly hasCursorsAlways?: false;
};

/** An index of the records of a list by what they are filtered by. */
export type ListIndex = {
  readonly name: string;
  /** Whether it has the records that are looked for in the order of the list. */
  readonly isOrdered: boolean;
  /** The filters that say where the list is, for which there is an index in its order. */
  readonly place: readonly Filter[];
};

/** One condition of a list. */
export type Filter = { readonly sql: string; readonly values: readonly string[] };

/** The condition that a column has a value; none where there is no value. */
export function equals(column: string, value: string | undefined): readonly Filter[] {
  return value === undefined ? [] : [{ sql: `${column} = ?`, values: [value] }];
}

/** One page of a list, newest first, with the places where its neighbours begin; undefined where there is none. */
export type KeysetPage = {
  /** The documents in UTF-8, commas between them. They are never decoded on their way to the client. */
  readonly documents: Uint8Array;
  readonly next: CursorPosition | undefined;
  readonly previous: CursorPosition | undefined;
};

type PageRequest = { readonly position: CursorPosition | undefined; readonly limit: number };
type Key = readonly [createdMs: number, id: string];

const newest: Key = [Number.MAX_SAFE_INTEGER, ''];
const oldest: Key = [Number.MIN_SAFE_INTEGER, ''];

/**
 * Reads the page of at most `limit` records beyond `position`, or the first page. The place is a key and not a count:
 * records that come or go elsewhere in the list neither repeat nor hide any other.
 */
export function readPage(database: EmulatorDatabase, list: ListQuery, place: PageRequest): KeysetPage {
  const { documents, keys } = readRows(database, list, place);
  // An empty page lies beyond one end of the list, so its one neighbour begins at that end.
  const previous = positionAt('previous', keys[0] ?? oldest);
  const next = positionAt('next', keys.at(-1) ?? newest);
  const direction = place.position?.direction;
  // A page that is not full has come to the end of the list, and the first page is at its beginning.
  const mayHaveNext = direction === 'previous' || keys.length === place.limit;
  const mayHavePrevious = direction === 'next' || (direction === 'previous' && keys.length === place.limit);
  return {
    documents,
    next: mayHaveNext && hasAny(database, list, next) ? next : undefined,
    previous: mayHavePrevious && hasAny(database, list, previous) ? previous : undefined,
  };
}

/** The position after the newest `count` records of a list; undefined if there are no more records. */
export function positionAfter(
  database: EmulatorDatabase,
  list: ListQuery,
  count: number,
): CursorPosition | undefined {
  const { sql, values } = select('created_ms, id', list, { position: undefined });
  const row = database.prepare(`${sql} OFFSET ?`).get(...values, 1, count - 1);
  return row && positionAt('next', [Number(row.created_ms), String(row.id)]);
}

/** How many records a list has. */
export function countAll(database: EmulatorDatabase, list: ListQuery): number {
  const { sql, values } = select('1', list, { position: undefined, isSorted: false });
  return Number(database.prepare(`SELECT count(*) AS count FROM (${sql})`).get(...values, -1)?.count);
}

function positionAt(direction: CursorPosition['direction'], [createdMs, id]: Key): CursorPosition {
  return { direction, createdMs, id };
}

function readRows(database: EmulatorDatabase, list: ListQuery, place: PageRequest): Rows {
  const { index } = list;
  const columns = `id, created_ms, ${list.document} AS document`;
  if (index && !index.isOrdered) {
    // Many records match, or few: the newest ones are many, and an index in another order has few.
    const found = runRows(database, selectAhead(columns, list, place), place);
    if (found.keys.length === place.limit) return found;
  }
  return runRows(database, select(columns, list, place), place);
}

type Rows = { readonly documents: Uint8Array; readonly keys: readonly Key[] };
type Selection = { readonly sql: string; readonly values: readonly (string | number)[] };

function runRows(
  database: EmulatorDatabase,
  { sql, values }: Selection,
  { position, limit }: PageRequest,
): Rows {
  // Rows towards newer records come oldest first and are turned round; sorting the others again would cost time.
  const order = position?.direction === 'previous' ? ' ORDER BY created_ms DESC, id DESC' : '';
  const page = `SELECT CAST(group_concat(document, ','${order}) AS BLOB) AS documents,
    json_group_array(json_array(created_ms, id)${order}) AS keys FROM (${sql})`;
  const row = database.prepare(page).get(...values, limit);
  const documents = row?.documents instanceof Uint8Array ? row.documents : new Uint8Array();
  return { documents, keys: JSON.parse(String(row?.keys)) as Key[] };
}

function hasAny(database: EmulatorDatabase, list: ListQuery, position: CursorPosition): boolean {
  const isSorted = list.index?.isOrdered !== false;
  const { sql, values } = select('1', list, { position, isSorted });
  return database.prepare(sql).get(...values, 1) !== undefined;
}

/** How many records next in order are looked through before the index is asked. */
const AHEAD = 1000;

/** Selects the records that match among the next ones in the order of the list. */
function selectAhead(columns: string, list: ListQuery, at: Pick<PageRequest, 'position'>): Selection {
  const { index, ...others } = list;
  const near = select('*', { ...others, filters: index?.place ?? list.filters }, at);
  const { sql, values } = select(columns, { ...others, table: `(${near.sql})` }, at);
  return { sql, values: [...near.values, AHEAD, ...values] };
}

function select(
  columns: string,
  list: ListQuery,
  {
    position,
    isSorted = true,
  }: { readonly position: CursorPosition | undefined; readonly isSorted?: boolean },
): Selection {
  const isForwards = position?.direction !== 'previous';
  const table = list.index ? `${list.table} INDEXED BY ${list.index.name}` : list.table;
  const conditions = list.filters.map((filter) => filter.sql);
  const values: (string | number)[] = list.filters.flatMap((filter) => filter.values);
  if (position !== undefined) {
    conditions.push(`(created_ms, id) ${isForwards ? '<' : '>'} (?, ?)`);
    values.push(position.createdMs, position.id);
  }
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
  const order = isForwards ? 'created_ms DESC, id DESC' : 'created_ms, id';
  const sorted = isSorted ? ` ORDER BY ${order}` : '';
  return { sql: `SELECT ${columns} FROM ${table}${where}${sorted} LIMIT ?`, values };
}

/** A place in a list that is sorted newest first: everything beyond this key, in one direction. */
export type CursorPosition = {
  /** `next` walks towards older records, `previous` towards newer ones. */
  readonly direction: 'next' | 'previous';
  /** Milliseconds since 1970 of the key's record. */
  readonly createdMs: number;
  readonly id: string;
};

const crypto = process.getBuiltinModule('node:crypto');
const macLength = 16;

/**
 * Writes a position as an opaque cursor of at most 1000 characters. It is authenticated together with `listName`, the
 * name and filters of the list, and so is worth nothing in another one.
 */
export function sealCursor(secret: Buffer, listName: string, position: CursorPosition): string {
  const payload = Buffer.from(
    JSON.stringify([position.direction === 'next' ? 0 : 1, position.createdMs, position.id]),
  );
  const tag = mac(secret, listName, payload);
  return Buffer.concat([tag, veil(secret, tag, payload)]).toString('base64url');
}

/**
 * Encrypts, and decrypts, the payload of a cursor: clients must not read it, and the time of now in it would look like a piece of a
 * token of now.
 */
function veil(secret: Buffer, tag: Buffer, payload: Buffer): Buffer {
  const key = crypto.createHash('sha256').update(secret).digest();
  const iv = Buffer.alloc(16);
  tag.copy(iv);
  return crypto.createCipheriv('aes-256-ctr', key, iv).update(payload);
}

/** Reads a cursor that `sealCursor` wrote with the same secret and list name; undefined for every other text. */
export function openCursor(secret: Buffer, listName: string, cursor: string): CursorPosition | undefined {
  const bytes = Buffer.from(cursor, 'base64url');
  // The decoder skips foreign characters: only the one canonical spelling is taken.
  if (bytes.length <= macLength || bytes.toString('base64url') !== cursor) return undefined;
  const tag = bytes.subarray(0, macLength);
  const payload = veil(secret, tag, bytes.subarray(macLength));
  if (!crypto.timingSafeEqual(tag, mac(secret, listName, payload))) return undefined;
  const [direction, createdMs, id] = JSON.parse(payload.toString()) as [number, number, string];
  return { direction: direction === 0 ? 'next' : 'previous', createdMs, id };
}

function mac(secret: Buffer, listName: string, payload: Buffer): Buffer {
  const hmac = crypto.createHmac('sha256', secret);
  hmac.update(listName).update('\0').update(payload);
  return hmac.digest().subarray(0, macLength);
}
