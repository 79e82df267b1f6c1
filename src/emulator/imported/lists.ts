import { parseKeepingNumbers } from '../../json/exact.ts';
import { badRequest, type EmulatorResponse } from '../http/response.ts';
import {
  type CursorPosition,
  countAll,
  type KeysetPage,
  type ListQuery,
  openCursor,
  positionAfter,
  readPage,
  sealCursor,
} from '../store/keyset.ts';
import { isId, type OperationRequest } from './call.ts';
import { enclose, envelopeOf, type PageValues } from './envelope.ts';
import { filtersOf } from './filters.ts';
import type { Kind } from './kinds.ts';
import { type Document, withValueAt } from './overlay.ts';
import { flatBody, PAGE_SIZE, pagingOf, readPageRequest } from './paging.ts';
import { present } from './present.ts';

/** A list that is requested: which page of it, and what its records and its response look like. */
type RequestedList = NonNullable<ReturnType<typeof requestedList>>;

/**
 * Responds with a list, in pages if the operation has a paging parameter; undefined if there is no schema of the list or its records.
 * @throws HttpError `bad_request`
 */
export function respondWithList(call: OperationRequest, kind: Kind): EmulatorResponse | undefined {
  const list = requestedList(call, kind);
  if (!list || list.asked.limit > PAGE_SIZE.most) return list && readList(list);
  const { query, asked, values } = list;
  const key = [query, asked, addressOf(call), values];
  const name = `described ${call.prepared.operation.id} ${JSON.stringify(key)}`;
  return call.context.database.cached(name, () => readList(list));
}

function requestedList(call: OperationRequest, kind: Kind) {
  const { records, prepared, context, body, scope } = call;
  const { operation, list: layout } = prepared;
  const schema = records.layoutOf(records.canonical(kind))?.schema;
  if (!schema || !layout) return undefined;
  records.prepare(kind, scope);
  const values: Document = { ...flatBody(body), ...context.query };
  const paging = pagingOf(prepared, schema);
  const filters = filtersOf(values, { schema, prepared, others: paging.names });
  const parent = kind.parent && kind.path.includes('{}') ? scope.ids.at(-1) : undefined;
  const partition = records.partition(kind, scope);
  const query = records.tables.list(partition, parent, filters);
  const envelope = envelopeOf(layout, operation);
  const isLed = operation.isLinked === true || operation.paging?.header !== undefined;
  const hasCursors = isLed || LEADING.some((role) => envelope.roles.has(role));
  const asked = readPageRequest(paging, values, { most: layout.most, hasCursors });
  return { call, layout, schema, paging, partition, parent, query, values, asked, envelope };
}

/** The members of a page that lead to another one. */
const LEADING = ['next', 'nextUrl', 'nextLinks', 'previousUrl'] as const;

function addressOf({ prepared, context }: OperationRequest): string {
  const encoded = (name: string) => encodeURIComponent(context.pathParameters[name] ?? '');
  const filled = prepared.operation.path.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => encoded(name));
  return `http://${context.headers.host ?? 'localhost'}${filled}`;
}

function readList(list: RequestedList): EmulatorResponse {
  const { call, layout, asked, envelope } = list;
  const { isLinked, paging: { header } = {}, successStatus: status } = call.prepared.operation;
  const page = pageOf(list);
  const documents = asItems(page.documents, list);
  const ids = envelope.roles.has('firstId') || envelope.roles.has('lastId') ? idsOf(page) : undefined;
  const facts = pageValuesOf(list, page);
  const urls = urlsOf(list, facts);
  const values = { ...facts, ...ids, ...urls };
  const others = { next: urls.nextUrl, prev: urls.previousUrl };
  const links = Object.entries(others).flatMap(([rel, url]) => (url ? [`<${url}>; rel="${rel}"`] : []));
  const isCut = page.next !== undefined && !asked.hasNext && asked.isLargest;
  return {
    status,
    body: enclose(envelope, { layout, values, records: call.records, documents }),
    headers: {
      ...(isCut && {
        warning: `299 payctl "Only the newest ${asked.limit} records are listed; the description names no parameter to fetch the others"`,
      }),
      // RFC 8288.
      ...(isLinked && links.length > 0 && { link: links.join(', ') }),
      ...(header && typeof facts.next === 'string' && { [header.name]: facts.next }),
    },
  };
}

function pageOf({ call, partition, parent, query, asked }: RequestedList): KeysetPage {
  const { database, cursorSecret } = call.context;
  const { start, offset, limit } = asked;
  let position: CursorPosition | undefined;
  if (start) {
    const { name, value: id, direction } = start;
    const createdMs = direction && call.records.tables.find(partition, id, parent)?.createdMs;
    position =
      createdMs === undefined
        ? openCursor(cursorSecret, nameOf(query), id)
        : { direction: direction ?? 'next', createdMs, id };
    const what = direction
      ? 'the id of a record of this list'
      : 'a valid cursor for this list and these filters';
    if (!position) throw badRequest('query', 'value_error.cursor', `is not ${what}`, `/${name}`);
  } else if (offset > 0) {
    position = positionAfter(database, query, offset);
    if (!position) return { documents: new Uint8Array(), next: undefined, previous: undefined };
  }
  return readPage(database, query, { position, limit });
}

function nameOf({ table, filters }: ListQuery): string {
  return JSON.stringify([table, filters]);
}

/** The values of the members that describe the page. The records are counted only if a member needs their number. */
function pageValuesOf(
  { call, query, asked, envelope: { roles } }: RequestedList,
  page: KeysetPage,
): PageValues {
  const { database, cursorSecret } = call.context;
  const { limit, page: number, offset, first } = asked;
  const seal = (at: CursorPosition | undefined) => (at ? sealCursor(cursorSecret, nameOf(query), at) : null);
  const isBackwards = asked.start?.direction === 'previous';
  const hasMore = (isBackwards ? page.previous : page.next) !== undefined;
  const isCounted = roles.has('total') || roles.has('totalPages') || roles.has('count');
  const total = isCounted ? countAll(database, query) : undefined;
  const isFirst = offset === 0;
  const count = total === undefined ? undefined : Math.max(0, Math.min(limit, total - offset));
  return {
    limit,
    next: seal(page.next),
    previous: seal(page.previous),
    hasMore,
    hasPrevious: page.previous !== undefined || !isFirst,
    total,
    totalPages: total === undefined ? undefined : Math.ceil(total / limit),
    isLast: !hasMore,
    offset: offset + first,
    nextOffset: hasMore ? offset + limit + first : null,
    page: number ?? Math.floor(offset / limit) + 1,
    nextPage: hasMore && number !== undefined ? number + 1 : null,
    previousPage: number !== undefined && !isFirst ? number - 1 : null,
    count: roles.has('total') ? count : total,
  };
}

/** The addresses of this page and of those next to it; null where there is none. */
function urlsOf({ call, values, asked, paging }: RequestedList, facts: PageValues) {
  const { cursor, after, before, page, offset } = paging;
  const { limit, offset: skipped, first } = asked;
  const back = skipped > 0 ? Math.max(0, skipped - limit) + first : null;
  const isByCursor = (cursor ?? after ?? before) !== undefined;
  const next = isByCursor ? facts.next : page ? facts.nextPage : facts.nextOffset;
  const previous = isByCursor ? facts.previous : page ? facts.previousPage : back;
  const given = Object.entries(values).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => [name, String(one)]),
  );
  const address = (parameter: typeof cursor, place: typeof next) => {
    if (!parameter || place === null || place === undefined) return null;
    const query = new URLSearchParams(given);
    for (const one of [cursor, after, before, page, offset]) if (one) query.delete(one.name);
    query.append(parameter.name, String(place));
    return `${addressOf(call)}?${query.toString()}`;
  };
  return {
    nextUrl: address(isByCursor ? (cursor ?? after) : (page ?? offset), next),
    previousUrl: address(isByCursor ? (cursor ?? before) : (page ?? offset), previous),
    selfUrl: `${addressOf(call)}?${new URLSearchParams(given).toString()}`,
  };
}

/** The ids of the first and the last record of a page. */
function idsOf({ documents }: KeysetPage): Pick<PageValues, 'firstId' | 'lastId'> {
  const records = JSON.parse(`[${Buffer.from(documents).toString()}]`) as readonly { id?: unknown }[];
  const [firstId, lastId] = [records[0]?.id, records.at(-1)?.id].map((id) => (isId(id) ? id : null));
  return { firstId, lastId };
}

/**
 * The documents as items of the list: adapted to its schema if they do not match it, and in a member where an item has its record there.
 */
function asItems(documents: Uint8Array, { layout, schema, call }: RequestedList): Uint8Array {
  const { item, around } = layout;
  const isSame = item.name !== undefined && item.name === schema.name;
  if (isSame && !around) return documents;
  const all = parseKeepingNumbers(`[${Buffer.from(documents).toString()}]`) as unknown as unknown[];
  const adapt = (one: unknown): unknown =>
    parseKeepingNumbers(present({ stored: { document: JSON.stringify(one) }, schema }, item));
  const { records, prepared } = call;
  const facts = { random: records.randomAt(prepared.operation.id), atMs: records.endMs };
  const made = around?.item.generate({ ...facts, noun: 'item', isFresh: true });
  const shown = all.map((one) => withValueAt(made, around?.path ?? [], isSame ? one : adapt(one)));
  return Buffer.from(shown.map((one) => JSON.stringify(one)).join(','));
}
