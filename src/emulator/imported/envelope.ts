import type { ImportedOperation } from '../../descriptions/imported-operation.ts';
import { CURSOR_NAMES, PAGE_HOLDERS, PAGE_NAMES } from '../../descriptions/page-members.ts';
import { isObject, memberAt } from '../../json/is-object.ts';
import { oncePerObject } from '../../schemas/memoize.ts';
import { generate } from '../../schemas/values/generate.ts';
import { snake } from '../../schemas/values/names.ts';
import { type Shape, shapeOf } from '../../schemas/values/shape.ts';
import { withValueAt } from './overlay.ts';
import type { ListLayout } from './prepared.ts';
import type { Records } from './records.ts';

/** The values of the members of an envelope that describe the page, by meaning. */
export type PageValues = {
  readonly [What in Exclude<Role, 'nextLinks'> | 'selfUrl']?: string | number | boolean | null | undefined;
};

/** The meaning of a member of an envelope. */
type Role = keyof typeof ROLES | 'nextLinks';

const { next: _, ...KNOWN } = PAGE_NAMES;

/** Names of members, in lower case with underscores, by meaning; the first that has a name decides. */
const ROLES = {
  ...KNOWN,
  next: CURSOR_NAMES,
  previous: ['previous_cursor', 'prev_cursor', 'previous_page_token', 'prev_page_token'],
  limit: ['limit', 'page_size', 'per_page', 'size', 'items_per_page', 'page_limit'],
  hasPrevious: ['has_previous', 'has_prev', 'has_previous_page', 'has_prev_page'],
  nextPage: ['next_page'],
  previousPage: ['previous_page', 'prev_page'],
  nextOffset: ['next_offset'],
  nextUrl: ['next_url', 'next_link', 'next_page_url'],
  previousUrl: [
    ...['previous_url', 'prev_url', 'previous_link', 'prev_link', 'previous_page_url', 'prev_page_url'],
    ...['previous_uri', 'prev_uri', 'previous_page_uri', 'prev_page_uri'],
  ],
  firstId: ['first_id'],
  lastId: ['last_id'],
  count: ['count', 'result_count', 'number_of_elements'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** A member of a response that describes the page, or an object with such members. */
type Member = {
  readonly path: readonly string[];
  readonly role: Role | undefined;
  readonly schema: unknown;
  readonly shape: Shape;
};

/** The members of the response of a list, each before those in it. */
export type Envelope = { readonly members: readonly Member[]; readonly roles: ReadonlySet<Role> };

type PagedOperation = Pick<ImportedOperation, 'envelope' | 'paging' | 'query'>;

/** The envelope of a list of an operation. */
export const envelopeOf = oncePerObject((layout: ListLayout, operation: PagedOperation): Envelope => {
  const { path: records, whole } = layout;
  const place = { root: whole.root, known: knownRoles(operation), records, path: [] };
  const members = records.length === 0 ? [] : membersOf(shapeOf(whole), place);
  return { members, roles: new Set(members.flatMap(({ role }) => role ?? [])) };
});

/** The members that payctl reads to find the next page, by their dotted paths. */
function knownRoles({ envelope, paging, query }: PagedOperation): ReadonlyMap<string, Role> {
  const { next = [], nextNumber = [] } = paging?.members ?? {};
  const cursor = query[envelope?.cursorParameter ?? '']?.type === 'integer' ? 'nextOffset' : 'next';
  const number = paging?.counted?.counts === 'items' ? 'nextOffset' : 'nextPage';
  return new Map<string, Role>([
    ...next.map((path) => [path.join('.'), 'nextUrl'] as const),
    // What may be either is a cursor.
    ...(envelope?.nextCursor === undefined ? [] : [[envelope.nextCursor, cursor] as const]),
    ...nextNumber.map((path) => [path.join('.'), number] as const),
  ]);
}

/** An object in a response. */
type Place = {
  readonly root: unknown;
  readonly known: ReadonlyMap<string, Role>;
  /** The names that lead to it, and those that lead to the records. */
  readonly path: readonly string[];
  readonly records: readonly string[];
};

/** The members of an object, and those in them if they describe the page or lead to the records. */
function membersOf({ members }: Shape, place: Place): readonly Member[] {
  return [...members].flatMap(([name, schema]) => {
    const { root, known, records } = place;
    const shape = shapeOf({ schema, root });
    const { types, members: inner, format } = shape;
    const path = [...place.path, name];
    const dotted = path.join('.');
    const plain = snake(name);
    const isHolder = types?.has('object') === true || inner.size > 0;
    const isAddress = dotted.startsWith('links.') || format?.startsWith('ur') === true;
    const role = known.get(dotted) ?? roleOf(plain, isAddress, types?.has('boolean'));
    const isLink = role === 'nextUrl' && inner.has('href');
    const isUsualHolder = PAGE_HOLDERS.has(plain);
    const leadsOn = [...known.keys(), records.join('.')].some((other) => other.startsWith(`${dotted}.`));
    const isOpened = isHolder && (isUsualHolder || leadsOn || isLink);
    const ofList = role === 'nextUrl' ? 'nextLinks' : undefined;
    const own = types?.has('array') ? ofList : isHolder ? undefined : role;
    const below = { ...place, path, known: isLink ? new Map([[`${dotted}.href`, role]]) : known };
    return [{ path, schema, shape, role: own }, ...(isOpened ? membersOf(shape, below) : [])];
  });
}

/** The meanings of members that are true or false. */
const FLAGS: readonly string[] = ['hasMore', 'hasPrevious', 'isLast'];

/** The meaning of a name; `next` is an address if its place or format says so. */
function roleOf(name: string, isAddress: boolean, isFlag = true): Role | undefined {
  if (isAddress && name === 'next') return 'nextUrl';
  if (isAddress && /^prev(ious)?$/.test(name)) return 'previousUrl';
  const roles = Object.keys(ROLES) as (keyof typeof ROLES)[];
  const isNamed = (role: keyof typeof ROLES) => (ROLES[role] as readonly string[]).includes(name);
  return roles.find((role) => isNamed(role) && (isFlag || !FLAGS.includes(role)));
}

/** Stands for the records in the text of a response. */
const RECORDS = '\0records';

type Page = {
  readonly layout: ListLayout;
  readonly values: PageValues;
  readonly records: Records;
  readonly documents: Uint8Array;
};

/** A response with the documents of a page, which are never decoded. Next to them it has what its schema requires, and what describes the page. */
export function enclose({ members }: Envelope, { layout, values, records, documents }: Page): Buffer {
  const { root } = layout.whole;
  const made = (schema: unknown, name: string) =>
    generate(schema, { root, random: records.randomAt(name), atMs: 0, noun: name, isFresh: true }, name);
  let whole = withValueAt({}, layout.path, []);
  if (isObject(whole)) whole = { ...whole, ...Object(made(layout.whole.schema, 'page')) };
  for (const member of members) {
    const { path, schema } = member;
    const isMissing = memberAt(whole, path) === undefined;
    const inner = members.filter((one) => one !== member && path.every((name, at) => one.path[at] === name));
    const isHolder = inner.some((one) => pageValue(one, values, isMissing) !== undefined);
    const held = isHolder && isMissing ? made(schema, path.at(-1) ?? '') : undefined;
    const value = held ?? pageValue(member, values, isMissing);
    if (value !== undefined) whole = withValueAt(whole, path, value);
  }
  const text = JSON.stringify(withValueAt(whole, layout.path, RECORDS));
  const [head, tail] = text.split(JSON.stringify(RECORDS));
  return Buffer.concat([Buffer.from(`${head}[`), documents, Buffer.from(`]${tail}`)]);
}

/** What a member says about the page; undefined if it says nothing else than before. */
function pageValue({ role, path, shape }: Member, values: PageValues, isMissing: boolean): unknown {
  if (role === 'nextLinks') return linksIn(values, shape);
  const { types, isNullable } = shape;
  if (role === undefined) return undefined;
  const address = values[role];
  // Services that call it a URI give its path.
  const isPath = typeof address === 'string' && /Url$/.test(role) && /_uri$/.test(snake(path.at(-1) ?? ''));
  const value = isPath ? address.replace(/^https?:\/\/[^/]+/, '') : address;
  const isText = types?.has('string') === true && !types.has('integer') && !types.has('number');
  if (value !== null) return isText && typeof value === 'number' ? String(value) : value;
  return isNullable ? null : isText && !isMissing ? '' : undefined;
}

/** The link to the next page; on the last page none, or one to the page itself where the schema requires any. */
function linksIn({ nextUrl, selfUrl }: PageValues, { limits: { minItems = 0 } }: Shape): readonly object[] {
  if (typeof nextUrl === 'string') return [{ rel: 'next', href: nextUrl }];
  return minItems > 0 ? [{ rel: 'self', href: selfUrl }] : [];
}
