import { badRequest, type EmulatorResponse } from '../http/response.ts';
import type { EmulatorDatabase } from './database.ts';
import { type ListQuery, openCursor, readPage, sealCursor } from './keyset.ts';

/** A request for one page of a list. */
export type PageRequest = {
  readonly database: EmulatorDatabase;
  readonly cursorSecret: Buffer;
  readonly query: { readonly cursor: string | undefined; readonly limit: number };
};

const opening = '{"items":[';

/**
 * Responds with one page of a list in the paginated envelope (specification, Paginated list envelope). A cursor
 * belongs to the table and filters that it was made for; the page size may change from page to page.
 * @throws HttpError `bad_request` at `/cursor` for any other cursor
 */
export function pageResponse(request: PageRequest, list: ListQuery): EmulatorResponse {
  const { cursor, limit } = request.query;
  const name = `page ${JSON.stringify([list, cursor, limit])}`;
  return request.database.cached(name, () => ({ status: 200, body: renderPage(request, list) }));
}

function renderPage({ database, cursorSecret, query }: PageRequest, list: ListQuery): Buffer {
  const { cursor, limit } = query;
  const name = JSON.stringify([list.table, list.filters]);
  const position = cursor === undefined ? undefined : openCursor(cursorSecret, name, cursor);
  if (cursor !== undefined && position === undefined) {
    const message = 'is not a valid cursor for this list and these filters';
    throw badRequest('query', 'value_error.cursor', message, '/cursor');
  }
  const page = readPage(database, list, { position, limit });
  if (list.hasCursorsAlways === false && page.next === undefined && page.previous === undefined) {
    return wrapItems(page.documents);
  }
  const next = page.next === undefined ? null : sealCursor(cursorSecret, name, page.next);
  const previous = page.previous === undefined ? null : sealCursor(cursorSecret, name, page.previous);
  const end = `],"limit":${limit},"next_cursor":${JSON.stringify(next)},"previous_cursor":${JSON.stringify(previous)}}`;
  return Buffer.concat([Buffer.from(opening), page.documents, Buffer.from(end)]);
}

const closing = ']}';
const everything = { position: undefined, limit: Number.MAX_SAFE_INTEGER };

/** Responds with a whole list at once, newest first, in an object that has `items` and no cursor fields. */
export function listResponse(database: EmulatorDatabase, list: ListQuery): EmulatorResponse {
  const name = `list ${JSON.stringify(list)}`;
  const render = () => wrapItems(readPage(database, list, everything).documents);
  return database.cached(name, () => ({ status: 200, body: render() }));
}

function wrapItems(documents: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(opening), documents, Buffer.from(closing)]);
}
