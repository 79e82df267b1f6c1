import type { ImportedOperation } from '../../descriptions/imported-operation.ts';
import { CURSOR_NAMES, PAGE_HOLDERS, PAGE_NAMES } from '../../descriptions/page-members.ts';
import { generate } from '../../descriptions/values/generate.ts';
import { oncePerObject } from '../../descriptions/values/memoize.ts';
import { snake } from '../../descriptions/values/names.ts';
import { type Shape, shapeOf } from '../../descriptions/values/shape.ts';
import { isObject } from '../../json/is-object.ts';
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
  ],
  firstId: ['first_id'],
  lastId: ['last_id'],
  count: ['count', 'result_count', 'number_of_elements'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

type Member = {
  readonly name: string;
  readonly role: Role | undefined;
  readonly isText: boolean;
  readonly isNullable: boolean;
  readonly isRequired: boolean;
  /** It is a list that must not be empty. */
  readonly isFilled: boolean;
  /** It is the list of the records, or has that in it. */
  readonly hasRecords: boolean;
  readonly schema: unknown;
  /** The members of a member that is an object. */
  readonly members: readonly Member[];
};

/** The members of the response of a list. */
export type Envelope = { readonly members: readonly Member[]; readonly roles: ReadonlySet<Role> };

type PagedOperation = Pick<ImportedOperation, 'envelope' | 'paging'>;

/** The envelope of a list of an operation. */
export const envelopeOf = oncePerObject((layout: ListLayout, operation: PagedOperation): Envelope => {
  const place = { root: layout.item.root, known: knownRoles(operation), path: [], records: layout.path };
  const members = layout.path.length === 0 ? [] : membersOf(layout.whole, place);
  const roles = (list: readonly Member[]): readonly Role[] =>
    list.flatMap((one) => [...(one.role ? [one.role] : []), ...roles(one.members)]);
  return { members, roles: new Set(roles(members)) };
});

/** The members that payctl reads to find the next page, by their dotted paths. */
function knownRoles({ envelope, paging }: PagedOperation): ReadonlyMap<string, Role> {
  const { next = [], nextNumber = [], ...others } = paging?.members ?? {};
  const number = paging?.counted?.counts === 'items' ? 'nextOffset' : 'nextPage';
  const roles: (readonly [string | undefined, Role])[] = [
    [envelope?.nextCursor, 'next'],
    [envelope?.hasMore, 'hasMore'],
    ...next.map((path) => [path.join('.'), 'nextUrl'] as const),
    ...nextNumber.map((path) => [path.join('.'), number] as const),
    ...(['hasMore', 'isLast', 'total', 'totalPages', 'page', 'offset'] as const).map(
      (role) => [others[role]?.join('.'), role] as const,
    ),
  ];
  return new Map(roles.flatMap(([path, role]) => (path === undefined ? [] : [[path, role] as const])));
}

/** An object in a response, and the names that lead from it to the records; none from an object beside them. */
type Place = {
  readonly root: unknown;
  readonly known: ReadonlyMap<string, Role>;
  readonly path: readonly string[];
  readonly records: readonly string[];
};

/** The members of an object, the one with the records first. */
function membersOf({ members, required }: Shape, place: Place): readonly Member[] {
  const first = place.records.slice(0, 1);
  const all = new Map(
    [...first, ...(first.length > 0 ? required : [])].map((name) => [name, true as unknown]),
  );
  for (const [name, schema] of members) all.set(name, schema);
  return [...all].map(([name, schema]) =>
    memberOf(name, schema, { ...place, isRequired: required.has(name) }),
  );
}

function memberOf(name: string, schema: unknown, place: Place & Pick<Member, 'isRequired'>): Member {
  const { root, known, isRequired } = place;
  const shape = shapeOf({ schema, root });
  const { types, members: inner, format } = shape;
  const names = [...place.path, name];
  const path = names.join('.');
  const plain = snake(name);
  const hasRecords = name === place.records[0];
  const isHolder = types?.has('object') === true || inner.size > 0;
  const isAddress = path.startsWith('links.') || format?.startsWith('ur') === true;
  const role = known.get(path) ?? roleOf(plain, { isAddress, isFlag: types?.has('boolean') });
  const isUsualHolder = PAGE_HOLDERS.has(plain) && names.length === 1;
  const leadsOn = [...known.keys()].some((other) => other.startsWith(`${path}.`));
  const isLink = role === 'nextUrl' && inner.has('href');
  const isOpened = hasRecords || (isHolder && (isUsualHolder || leadsOn || isLink));
  const below = {
    root,
    known: isLink ? new Map([[`${path}.href`, role]]) : known,
    path: names,
    records: hasRecords ? place.records.slice(1) : [],
  };
  return {
    name,
    schema,
    isRequired,
    hasRecords,
    isText: types?.has('string') === true && !types.has('integer') && !types.has('number'),
    isNullable: shape.isNullable,
    isFilled: (shape.limits.minItems ?? 0) > 0,
    role: types?.has('array') ? (role === 'nextUrl' ? 'nextLinks' : undefined) : isHolder ? undefined : role,
    members: isOpened ? membersOf(shape, below) : [],
  };
}

/** The meanings of members that are true or false. */
const FLAGS: readonly string[] = ['hasMore', 'hasPrevious', 'isLast'];

type Facts = { readonly isAddress: boolean; readonly isFlag: boolean | undefined };

/** The meaning of a name; `next` is an address if its place or format says so. */
function roleOf(name: string, { isAddress, isFlag = true }: Facts): Role | undefined {
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

/** A response with the documents of a page, which are never decoded. */
export function enclose({ members }: Envelope, page: Page): Buffer {
  const isArray = page.layout.path.length === 0;
  const text = JSON.stringify(isArray ? RECORDS : Object.fromEntries(entriesOf(members, page)));
  const place = JSON.stringify(RECORDS);
  const at = text.indexOf(place);
  const [head, tail] = [text.slice(0, at), text.slice(at + place.length)];
  return Buffer.concat([Buffer.from(`${head}[`), page.documents, Buffer.from(`]${tail}`)]);
}

type Entry = readonly [name: string, value: unknown];

function entriesOf(members: readonly Member[], page: Page): readonly Entry[] {
  return members.flatMap((member) => entryOf(member, page));
}

function entryOf(member: Member, page: Page): readonly Entry[] {
  const { name, role, isText, members, hasRecords } = member;
  const { values, layout, records } = page;
  if (hasRecords)
    return [[name, members.length === 0 ? RECORDS : Object.fromEntries(entriesOf(members, page))]];
  if (role === 'nextLinks') return [[name, linksIn(values, member)]];
  const value = role && values[role];
  if (value !== undefined && value !== null)
    return [[name, isText && typeof value === 'number' ? String(value) : value]];
  if (value === null && member.isNullable) return [[name, null]];
  const inner = entriesOf(members, page);
  if (!member.isRequired && inner.length === 0) return [];
  if (value === null && isText) return [[name, '']];
  const { root } = layout.item;
  const random = records.randomAt(name);
  const any = generate(member.schema, { root, random, atMs: 0, noun: name, isFresh: true }, name);
  return [[name, isObject(any) ? { ...any, ...Object.fromEntries(inner) } : any]];
}

/** The link to the next page; on the last page none, or one to the page itself where the schema requires any. */
function linksIn({ nextUrl, selfUrl }: PageValues, { isFilled }: Member): readonly object[] {
  if (typeof nextUrl === 'string') return [{ rel: 'next', href: nextUrl }];
  return isFilled ? [{ rel: 'self', href: selfUrl }] : [];
}
