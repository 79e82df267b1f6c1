import type { CursorPosition } from './cursor.ts';
import type { EmulatorDatabase } from './database.ts';

/** What a list reads: a table with the columns `created_ms` and `id`, one column of JSON text, and its filters. */
export type Listing = {
  readonly table: string;
  /** Column that holds the document to answer with. */
  readonly document: string;
  /** Conditions in SQL, each with the values of its `?` marks. All of them must hold. */
  readonly filters: readonly Filter[];
};

/** One condition of a list. */
export type Filter = { readonly sql: string; readonly values: readonly string[] };

/** One page of a list, newest first, with the places where its neighbours begin; undefined where there is none. */
export type KeysetPage = {
  /** The documents in UTF-8, commas between them. They are never decoded on their way to the client. */
  readonly documents: Uint8Array;
  readonly next: CursorPosition | undefined;
  readonly previous: CursorPosition | undefined;
};

type Place = { readonly position: CursorPosition | undefined; readonly limit: number };
type Key = readonly [createdMs: number, id: string];

const newest: Key = [Number.MAX_SAFE_INTEGER, ''];
const oldest: Key = [Number.MIN_SAFE_INTEGER, ''];

/**
 * Reads the page of at most `limit` records beyond `position`, or the first page. The place is a key and not a count:
 * records that come or go elsewhere in the list neither repeat nor hide any other.
 */
export function readPage(database: EmulatorDatabase, listing: Listing, place: Place): KeysetPage {
  const { documents, keys } = readRows(database, listing, place);
  // An empty page lies beyond one end of the list, so its one neighbour begins at that end.
  const previous = positionAt('previous', keys[0] ?? oldest);
  const next = positionAt('next', keys.at(-1) ?? newest);
  const direction = place.position?.direction;
  // A page that is not full has come to the end of the list, and the first page stands at its beginning.
  const mayHaveNext = direction === 'previous' || keys.length === place.limit;
  const mayHavePrevious = direction === 'next' || (direction === 'previous' && keys.length === place.limit);
  return {
    documents,
    next: mayHaveNext && hasAny(database, listing, next) ? next : undefined,
    previous: mayHavePrevious && hasAny(database, listing, previous) ? previous : undefined,
  };
}

function positionAt(direction: CursorPosition['direction'], [createdMs, id]: Key): CursorPosition {
  return { direction, createdMs, id };
}

function readRows(
  database: EmulatorDatabase,
  listing: Listing,
  { position, limit }: Place,
): { readonly documents: Uint8Array; readonly keys: readonly Key[] } {
  const { sql, values } = select(`id, created_ms, ${listing.document} AS document`, listing, position);
  // Rows towards newer records come oldest first and are turned round; sorting the others again would cost time.
  const order = position?.direction === 'previous' ? ' ORDER BY created_ms DESC, id DESC' : '';
  const page = `SELECT CAST(group_concat(document, ','${order}) AS BLOB) AS documents,
    json_group_array(json_array(created_ms, id)${order}) AS keys FROM (${sql})`;
  const row = database.prepare(page).get(...values, limit);
  const documents = row?.documents instanceof Uint8Array ? row.documents : new Uint8Array();
  return { documents, keys: JSON.parse(String(row?.keys)) as Key[] };
}

function hasAny(database: EmulatorDatabase, listing: Listing, position: CursorPosition): boolean {
  const { sql, values } = select('1', listing, position);
  return database.prepare(sql).get(...values, 1) !== undefined;
}

function select(
  columns: string,
  listing: Listing,
  position: CursorPosition | undefined,
): { readonly sql: string; readonly values: (string | number)[] } {
  const isForwards = position?.direction !== 'previous';
  const conditions = listing.filters.map((filter) => filter.sql);
  const values: (string | number)[] = listing.filters.flatMap((filter) => filter.values);
  if (position !== undefined) {
    conditions.push(`(created_ms, id) ${isForwards ? '<' : '>'} (?, ?)`);
    values.push(position.createdMs, position.id);
  }
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
  const order = isForwards ? 'created_ms DESC, id DESC' : 'created_ms, id';
  return { sql: `SELECT ${columns} FROM ${listing.table}${where} ORDER BY ${order} LIMIT ?`, values };
}
