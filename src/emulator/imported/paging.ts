import { plainName, type QueryParameter, SIZE_NAMES } from '../../contract/operation.ts';
import { PAGE_HOLDERS } from '../../descriptions/page-members.ts';
import { isObject } from '../../json/is-object.ts';
import { oncePerObject } from '../../schemas/memoize.ts';
import { shapeOf } from '../../schemas/values/shape.ts';
import { badRequest } from '../http/response.ts';
import type { Prepared, PreparedSchema } from './prepared.ts';

/** A parameter of paging, in the query or in the body of a search. */
type Parameter = QueryParameter & { readonly name: string };

/**
 * Names that are paging parameters in every list, and names that are only if they are integers and not members of a record, as
 * `plainName` returns them.
 */
const NAMES = {
  size: {
    always: SIZE_NAMES,
    integers: ['size', 'count', 'top', 'take', 'first', 'rows', 'max'],
  },
  cursor: {
    always: ['cursor', 'pagecursor', 'pagetoken', 'nextpagetoken', 'nexttoken', 'continuationtoken'],
    integers: [],
  },
  page: { always: ['page', 'pagenumber', 'pageno', 'pagenum', 'pageindex'], integers: [] },
  offset: {
    always: ['offset', 'pageoffset'],
    integers: ['skip', 'start', 'startindex', 'startat', 'firstresult', 'from'],
  },
  after: { always: ['startingafter', 'startafter', 'afterid'], integers: [] },
  before: { always: ['endingbefore', 'endbefore', 'beforeid'], integers: [] },
} as const;

/** The paging parameters that the description of a list names; its records have this schema. */
export const pagingOf = oncePerObject((prepared: Prepared, schema: PreparedSchema) => {
  const parameters = parametersOf(prepared);
  const find = (what: keyof typeof NAMES): Parameter | undefined => {
    const { always, integers }: { always: readonly string[]; integers: readonly string[] } = NAMES[what];
    return parameters.find(({ name, type, multiple }) => {
      const plain = plainName(name);
      const isNumber = type === 'integer' && integers.includes(plain) && !schema.members.has(name);
      return !multiple && (always.includes(plain) || isNumber);
    });
  };
  // `after` and `before` are cursors where both are plain texts: those of a time have a format, or stand alone.
  const texts = parameters.filter(({ type, format }) => type === 'string' && format === undefined);
  const [after, before] = ['after', 'before'].map((name) => texts.find((one) => one.name === name));
  const unlessMember = (one: Parameter | undefined) =>
    one && after && before && !schema.members.has(one.name) ? one : undefined;
  const { envelope: { nextCursor, cursorParameter } = {}, paging, isLinked } = prepared.operation;
  const taking = paging?.header?.parameter ?? (nextCursor === undefined ? undefined : cursorParameter);
  // A number for the next page is that of its first record.
  const named = parameters.find(({ name, type }) => name === taking && type !== 'integer');
  const linked = isLinked && !before ? after : undefined;
  const cursor = named ?? find('cursor') ?? linked;
  const ofIds = paging?.counted?.counts === 'ids' ? paging.counted : undefined;
  const called = (name: string | undefined) => parameters.find((one) => one.name === name);
  // A text that takes a cursor may have the name of a number.
  const unlessCursor = (one: Parameter | undefined) => (one?.name === cursor?.name ? undefined : one);
  const found = {
    size: find('size'),
    cursor,
    page: unlessCursor(find('page')),
    offset: unlessCursor(find('offset')),
    // The id of the record, or the cursor, that the page begins after or ends before.
    after: unlessCursor(called(ofIds?.parameter) ?? find('after') ?? unlessMember(after)),
    before: called(ofIds?.before) ?? find('before') ?? unlessMember(before),
  };
  const names = Object.values(found).flatMap((parameter) => parameter?.name ?? []);
  // These are not filters.
  return { ...found, names: new Set([...names, 'cursor', 'limit']) };
});

function parametersOf({ operation, request }: Prepared): readonly Parameter[] {
  const ofMembers = (members: Iterable<[string, unknown]>): [string, QueryParameter][] =>
    [...members].flatMap(([name, schema]) => {
      const { types, limits, initial, members: inner } = shapeOf({ schema, root: request?.root });
      if (PAGE_HOLDERS.has(name) && inner.size > 0) return ofMembers(inner);
      const type = types?.has('integer') || types?.has('number') ? 'integer' : 'string';
      return [[name, { ...limits, type, ...(typeof initial === 'number' && { default: initial }) }]];
    });
  const inBody = ofMembers(request?.members ?? []);
  const all = new Map([...inBody, ...Object.entries(operation.query)]);
  return [...all].map(([name, parameter]) => ({ name, ...parameter }));
}

/** The members of the body of a search with those of `pagination` and the like next to them. */
export function flatBody(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const held = Object.entries(body).filter(([name, value]) => PAGE_HOLDERS.has(name) && isObject(value));
  return Object.assign({}, body, ...held.map(([, value]) => value));
}

/** Page sizes: `usual` without a default, `most` without a higher maximum in the description; `whole` limits lists without pages. */
export const PAGE_SIZE = { usual: 20, most: 1000, whole: 10_000 } as const;

type Start = { readonly name: string; readonly value: string; readonly direction?: 'next' | 'previous' };

/**
 * Reads the paging parameters of a request. `most` is the largest number of records in a response; `hasCursors` says whether
 * responses name the next cursor.
 * @throws HttpError `bad_request` for a size below 1, a page before the first one, and a value that is not an integer
 */
export function readPageRequest(
  paging: ReturnType<typeof pagingOf>,
  values: Readonly<Record<string, unknown>>,
  { most, hasCursors }: { readonly most: number; readonly hasCursors: boolean },
) {
  const { size, cursor, page, offset, after } = paging;
  const read = (parameter: Parameter | undefined, least: number) => {
    const value = parameter && values[parameter.name];
    // A default such as -1 stands for the usual size or the first page.
    const isUsual = typeof value === 'number' && value < least && value === parameter?.default;
    return parameter && !isUsual ? integerIn(parameter, value, least) : undefined;
  };
  const isPaged = page !== undefined || offset !== undefined || after !== undefined;
  const hasNext = isPaged || (cursor !== undefined && hasCursors);
  const largest = size || hasNext ? Math.max(PAGE_SIZE.most, size?.maximum ?? 0) : PAGE_SIZE.whole;
  const cap = Math.min(largest, PAGE_SIZE.whole, most);
  const limit = Math.min(read(size, 1) ?? usualSize(size, hasNext), cap);
  const first = page?.minimum === 0 || page?.default === 0 ? 0 : 1;
  const number = read(page, first) ?? (page && !offset ? first : undefined);
  const before = number === undefined ? 0 : (number - first) * limit;
  const firstItem = offset?.minimum === 1 || offset?.default === 1 ? 1 : 0;
  const skipped = read(offset, firstItem);
  const starts = [cursor, after, paging.before].flatMap((one, index): Start[] => {
    const given = one && values[one.name];
    const value = typeof given === 'number' ? String(given) : given;
    if (!one || typeof value !== 'string') return [];
    if (index === 0) return [{ name: one.name, value }];
    return value === '' ? [] : [{ name: one.name, value, direction: index === 1 ? 'next' : 'previous' }];
  });
  return {
    limit,
    /** A cursor, or with a direction the id of a record: the page has what comes after or before it. */
    start: starts[0],
    /** How many records come before the page. */
    offset: Math.min(skipped === undefined ? before : skipped - firstItem, Number.MAX_SAFE_INTEGER),
    /** The number of the first record, 0 or 1 as the description says; the page number is counted likewise. */
    first: firstItem,
    page: number,
    /** Whether the description has a parameter to request the next page. */
    hasNext,
    /** Whether the page has the largest size that a request can ask for. */
    isLargest: limit === cap,
  };
}

function usualSize(size: Parameter | undefined, hasNext: boolean): number {
  if (!size) return hasNext ? PAGE_SIZE.usual : PAGE_SIZE.whole;
  if (size.default !== undefined && size.default >= 1) return size.default;
  return Math.min(size.maximum ?? PAGE_SIZE.usual, PAGE_SIZE.usual);
}

function integerIn({ name }: Parameter, value: unknown, least: number): number | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number))
    throw badRequest('query', 'type_error.integer', 'must be an integer', `/${name}`);
  if (number < least)
    throw badRequest('query', 'value_error.minimum', `must be at least ${least}`, `/${name}`);
  return number;
}
