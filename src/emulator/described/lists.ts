import { parseKeepingNumbers } from '../../json/exact.ts';
import { type EmulatorResponse, queryError } from '../http/response.ts';
import type { EmulatorDatabase } from '../store/database.ts';
import { type KeysetPage, type ListQuery, openCursor, readPage, sealCursor } from '../store/keyset.ts';
import { generate } from './generate.ts';
import type { ListForm, Prepared, PreparedSchema } from './prepared.ts';
import { present } from './present.ts';
import type { Records } from './records.ts';

/** What a list is asked with. */
export type ListRequest = {
  readonly database: EmulatorDatabase;
  readonly cursorSecret: Buffer;
  readonly query: Readonly<Record<string, unknown>>;
};

/** The page size of a list whose description names none, and the most of one without pages. */
const PAGE_SIZE = { usual: 20, most: 1000 } as const;

/** Answers with a list, in pages where the operation takes a cursor. */
export function listAnswer(
  request: ListRequest,
  {
    prepared,
    list,
    schema,
    records,
  }: {
    readonly prepared: Prepared;
    readonly list: ListQuery;
    /** That of the records. */
    readonly schema: PreparedSchema;
    readonly records: Records;
  },
): EmulatorResponse {
  const { operation, list: form } = prepared;
  const { cursor, limit: given } = request.query;
  if (!form) throw new TypeError(`${operation.id} answers with no list`);
  const limit = Math.min(pageSize(prepared, given), form.most, PAGE_SIZE.most);
  const key = `described ${operation.id} ${JSON.stringify([list, cursor, limit])}`;
  return request.database.cached(key, () => {
    const name = JSON.stringify([list.table, list.filters]);
    const text = typeof cursor === 'string' && operation.query.cursor ? cursor : undefined;
    const position = text === undefined ? undefined : openCursor(request.cursorSecret, name, text);
    if (text !== undefined && !position) {
      throw queryError(
        'value_error.cursor',
        '/cursor',
        'is not a valid cursor for this list and these filters',
      );
    }
    const page = readPage(request.database, list, { position, limit });
    const seal = (at: KeysetPage['next']) => (at ? sealCursor(request.cursorSecret, name, at) : null);
    const documents = fitting(page.documents, form.item, schema);
    const beside = envelope(form, { limit, next: seal(page.next), previous: seal(page.previous) }, records);
    return { status: operation.successStatus, body: enclose(form, documents, beside) };
  });
}

function pageSize({ operation, list }: Prepared, given: unknown): number {
  if (typeof given === 'number') return given;
  const { limit } = operation.query;
  if (limit) return limit.default ?? Math.min(limit.maximum ?? PAGE_SIZE.usual, PAGE_SIZE.usual);
  const hasNext = list?.others.has('next_cursor') && operation.query.cursor !== undefined;
  return hasNext ? PAGE_SIZE.usual : PAGE_SIZE.most;
}

/** The documents as the list shows them, where it shows less than there is. */
function fitting(documents: Uint8Array, item: PreparedSchema, schema: PreparedSchema): Uint8Array {
  if (item.name !== undefined && item.name === schema.name) return documents;
  const text = `[${Buffer.from(documents).toString()}]`;
  const parsed = JSON.parse(text) as unknown[];
  const isChanged = parsed.some((one) => item.fits.problems(one).length > 0);
  if (!isChanged) return documents;
  const exact = parseKeepingNumbers(text) as unknown as unknown[];
  return Buffer.from(exact.map((one) => present(JSON.stringify(one), item, schema)).join(','));
}

type Beside = { readonly limit: number; readonly next: string | null; readonly previous: string | null };

/** The members of the answer beside the records. */
function envelope({ others, item }: ListForm, { limit, next, previous }: Beside, records: Records): object {
  const known: Readonly<Record<string, unknown>> = {
    limit,
    next_cursor: next,
    previous_cursor: previous,
    has_more: next !== null,
  };
  const members = [...others].flatMap(([name, { isNullable, isRequired, schema }]): [string, unknown][] => {
    const value = known[name];
    if (Object.hasOwn(known, name) && (value !== null || isNullable)) return [[name, value]];
    if (!isRequired) return [];
    if (Object.hasOwn(known, name)) return [[name, '']];
    const random = records.randomAt(name);
    return [[name, generate(schema, { root: item.root, random, atMs: 0, noun: name, isFresh: true }, name)]];
  });
  return Object.fromEntries(members);
}

function enclose({ member }: ListForm, documents: Uint8Array, beside: object): Buffer {
  if (member === undefined) return Buffer.concat([Buffer.from('['), documents, Buffer.from(']')]);
  const rest = JSON.stringify(beside).slice(1);
  const end = rest === '}' ? ']}' : `],${rest}`;
  return Buffer.concat([Buffer.from(`{${JSON.stringify(member)}:[`), documents, Buffer.from(end)]);
}
