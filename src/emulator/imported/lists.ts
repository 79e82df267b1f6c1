import { parseKeepingNumbers } from '../../json/exact.ts';
import { type EmulatorResponse, queryError } from '../http/response.ts';
import type { EmulatorDatabase } from '../store/database.ts';
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
import { type Envelope, envelopeOf, type PageValues, pageMembers } from './envelope.ts';
import { PAGE_SIZE, type PageRequest, type Paging, readPageRequest } from './paging.ts';
import type { ListLayout, Prepared, PreparedSchema } from './prepared.ts';
import { present } from './present.ts';
import type { Records } from './records.ts';

/** What a request for a list needs from the emulator. */
export type ListRequest = {
  readonly database: EmulatorDatabase;
  readonly cursorSecret: Buffer;
  /** The query parameters; for a search, also the members of its body. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The address of the list, without its query. */
  readonly address: () => string;
};

/** The records that a list is made of. */
export type ListSource = {
  readonly prepared: Prepared;
  readonly list: ListQuery;
  readonly paging: Paging;
  /** The schema of the records. */
  readonly schema: PreparedSchema;
  readonly records: Records;
  /** The position of a record in the list, in milliseconds since 1970; undefined if no record has the id. */
  readonly momentOf: (id: string) => number | undefined;
};

/** Answers with a list, in pages if the operation has a paging parameter. @throws HttpError `bad_request` */
export function listAnswer(request: ListRequest, given: ListSource): EmulatorResponse {
  const { operation, list: layout } = given.prepared;
  if (!layout) throw new TypeError(`${operation.id} does not answer with a list`);
  const envelope = envelopeOf(layout, operation);
  const hasUrls = operation.isLinked === true || URL_ROLES.some((role) => envelope.roles.has(role));
  const hasCursors = envelope.roles.has('next') || hasUrls;
  const asked = readPageRequest(given.paging, request.values, { most: layout.most, hasCursors });
  const answer = () => readAnswer(request, given, { layout, asked, envelope });
  if (asked.limit > PAGE_SIZE.most) return answer();
  const key = [given.list, asked, ...(hasUrls ? [request.address(), request.values] : [])];
  return request.database.cached(`described ${operation.id} ${JSON.stringify(key)}`, answer);
}

const URL_ROLES = ['nextUrl', 'nextLinks', 'previousUrl'] as const;

type PageContext = { readonly layout: ListLayout; readonly asked: PageRequest; readonly envelope: Envelope };

function readAnswer(
  request: ListRequest,
  given: ListSource,
  { layout, asked, envelope }: PageContext,
): EmulatorResponse {
  const { prepared, list, schema, records } = given;
  const { operation } = prepared;
  const page = pageOf(request, given, asked);
  const documents = fitting(page.documents, layout.item, schema);
  const ids = envelope.roles.has('firstId') || envelope.roles.has('lastId') ? idsOf(page) : undefined;
  const facts = pageValuesOf(envelope, { ...request, list, asked, page });
  const urls = urlsOf(request, given.paging, { asked, facts });
  const known = { ...facts, ...ids, ...urls };
  const beside = (members: Envelope['members']) => pageMembers(members, known, { layout, records });
  const isCut = page.next !== undefined && !asked.hasNext && asked.isLargest;
  return {
    status: operation.successStatus,
    body: enclose(layout, documents, [beside(envelope.members), beside(envelope.inner)]),
    headers: {
      ...(isCut && { warning: cutWarning(asked.limit) }),
      ...(operation.isLinked && linkHeader(urls)),
    },
  };
}

/** The `Link` header of a page, where there is a page next to it (RFC 8288). */
function linkHeader({ nextUrl, previousUrl }: ReturnType<typeof urlsOf>): { readonly link?: string } {
  const links = [
    ...(nextUrl ? [`<${nextUrl}>; rel="next"`] : []),
    ...(previousUrl ? [`<${previousUrl}>; rel="prev"`] : []),
  ];
  return links.length > 0 ? { link: links.join(', ') } : {};
}

function cutWarning(limit: number): string {
  return `299 payctl "Only the newest ${limit} records are listed; the description names no parameter to fetch the others"`;
}

const NO_RECORDS: KeysetPage = { documents: new Uint8Array(), next: undefined, previous: undefined };

function pageOf(
  request: ListRequest,
  { list, paging, momentOf }: ListSource,
  { cursor, beside, offset, limit }: PageRequest,
): KeysetPage {
  const { database, cursorSecret } = request;
  let position: CursorPosition | undefined;
  if (cursor !== undefined) {
    position = openCursor(cursorSecret, nameOf(list), cursor);
    const place = `/${paging.cursor?.name ?? 'cursor'}`;
    if (!position)
      throw queryError('value_error.cursor', place, 'is not a valid cursor for this list and these filters');
  } else if (beside) {
    const { name, value, isAfter } = beside;
    const createdMs = momentOf(value);
    const direction = isAfter ? 'next' : 'previous';
    position =
      createdMs === undefined
        ? openCursor(cursorSecret, nameOf(list), value)
        : { direction, createdMs, id: value };
    if (!position)
      throw queryError('value_error.cursor', `/${name}`, 'is not the id of a record of this list');
  } else if (offset > 0) {
    position = positionAfter(database, list, offset);
    if (!position) return NO_RECORDS;
  }
  return readPage(database, list, { position, limit });
}

function nameOf(list: ListQuery): string {
  return JSON.stringify([list.table, list.filters]);
}

type ReadPage = ListRequest & {
  readonly list: ListQuery;
  readonly asked: PageRequest;
  readonly page: KeysetPage;
};

/** The values of the members that describe the page. The records are counted only if a member needs their number. */
function pageValuesOf(
  { roles }: Envelope,
  { database, cursorSecret, list, asked, page }: ReadPage,
): PageValues {
  const { limit, page: number, offset, first } = asked;
  const seal = (at: CursorPosition | undefined) => (at ? sealCursor(cursorSecret, nameOf(list), at) : null);
  const isBackwards = asked.beside?.isAfter === false;
  const hasMore = (isBackwards ? page.previous : page.next) !== undefined;
  const isCounted = roles.has('total') || roles.has('totalPages') || roles.has('count');
  const total = isCounted ? countAll(database, list) : undefined;
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

/** The addresses of the pages next to this one; null where there is none. */
function urlsOf(
  { address, values }: ListRequest,
  { cursor, after, before, page, offset }: Paging,
  { asked, facts }: { readonly asked: PageRequest; readonly facts: PageValues },
): Pick<PageValues, 'nextUrl' | 'previousUrl'> {
  const names = [cursor, after, before, page, offset].flatMap((one) => one?.name ?? []);
  const kept = Object.entries(values).filter(([name, value]) => value !== undefined && !names.includes(name));
  const at = (name: string | undefined, place: PageValues[keyof PageValues]) => {
    if (name === undefined || place === null || place === undefined) return null;
    const pairs = [...kept, [name, place] as const].flatMap(([key, value]) =>
      [value].flat().map((one) => [key, String(one)]),
    );
    return `${address()}?${new URLSearchParams(pairs).toString()}`;
  };
  const { limit, offset: skipped, first } = asked;
  const [back, forth] = [skipped > 0 ? Math.max(0, skipped - limit) + first : null, skipped + limit + first];
  if (cursor || after || before)
    return {
      nextUrl: at((cursor ?? after)?.name, facts.next),
      previousUrl: at((cursor ?? before)?.name, facts.previous),
    };
  if (page) return { nextUrl: at(page.name, facts.nextPage), previousUrl: at(page.name, facts.previousPage) };
  return { nextUrl: at(offset?.name, facts.hasMore ? forth : null), previousUrl: at(offset?.name, back) };
}

/** The ids of the first and the last record of a page. */
function idsOf({ documents }: KeysetPage): Pick<PageValues, 'firstId' | 'lastId'> {
  const records = JSON.parse(`[${Buffer.from(documents).toString()}]`) as readonly { id?: unknown }[];
  const idOf = (record: { id?: unknown } | undefined) =>
    typeof record?.id === 'string' || typeof record?.id === 'number' ? record.id : null;
  return { firstId: idOf(records[0]), lastId: idOf(records.at(-1)) };
}

/** The documents, adapted to the schema of the list if they do not match it. */
function fitting(documents: Uint8Array, item: PreparedSchema, schema: PreparedSchema): Uint8Array {
  if (item.name !== undefined && item.name === schema.name) return documents;
  const text = `[${Buffer.from(documents).toString()}]`;
  const parsed = JSON.parse(text) as unknown[];
  const isChanged = !parsed.every((one) => item.fits.accepts(one));
  if (!isChanged) return documents;
  const exact = parseKeepingNumbers(text) as unknown as unknown[];
  return Buffer.from(exact.map((one) => present(JSON.stringify(one), item, schema)).join(','));
}

function enclose(
  { path }: ListLayout,
  documents: Uint8Array,
  [outer, inner]: readonly [object, object],
): Buffer {
  const [first = '', second] = path;
  if (path.length === 0) return Buffer.concat([Buffer.from('['), documents, Buffer.from(']')]);
  const rest = (members: object) =>
    JSON.stringify(members)
      .slice(1)
      .replace(/^(?!\}$)/, ',');
  const start =
    second === undefined
      ? `{${JSON.stringify(first)}:[`
      : `{${JSON.stringify(first)}:{${JSON.stringify(second)}:[`;
  const end = second === undefined ? rest(outer) : rest(inner) + rest(outer);
  return Buffer.concat([Buffer.from(start), documents, Buffer.from(`]${end}`)]);
}
