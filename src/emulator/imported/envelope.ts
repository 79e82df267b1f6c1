import type { ImportedOperation } from '../../descriptions/imported-operation.ts';
import { CURSOR_NAMES, PAGE_HOLDERS, PAGE_NAMES } from '../../descriptions/page-members.ts';
import { generate } from '../../descriptions/values/generate.ts';
import { oncePerObject } from '../../descriptions/values/memoize.ts';
import { snake } from '../../descriptions/values/names.ts';
import { shapeOf } from '../../descriptions/values/shape.ts';
import { isObject } from '../../json/is-object.ts';
import type { ListLayout } from './prepared.ts';
import type { Records } from './records.ts';

/** The values of the members of an envelope that describe the page, by meaning. */
export type PageValues = {
  readonly [What in Exclude<Role, 'nextLinks'>]?: string | number | boolean | null | undefined;
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
  readonly schema: unknown;
  /** The members of a member that is an object. */
  readonly members: readonly Member[];
};

/** The members of an envelope apart from its records: those of the response, and of the object around the records. */
export type Envelope = {
  readonly members: readonly Member[];
  readonly inner: readonly Member[];
  readonly roles: ReadonlySet<Role>;
};

type PagedOperation = Pick<ImportedOperation, 'envelope' | 'paging'>;

/** The envelope of a list of an operation. */
export const envelopeOf = oncePerObject((layout: ListLayout, operation: PagedOperation): Envelope => {
  const { root } = layout.item;
  const known = knownRoles(operation);
  // For each object on the path of the records: its members apart from the next one on the path.
  const [members = [], inner = []] = layout.path.map((next, depth, path) => {
    const { members: named, required } = depth === 0 ? layout.outer : layout.inner;
    const all = new Map([...[...required].map((name) => [name, true as unknown] as const), ...named]);
    all.delete(next);
    return [...all].map(([name, schema]) => {
      const isRequired = required.has(name);
      return memberOf(name, {
        schema,
        isRequired,
        root,
        known,
        path: [...path.slice(0, depth), name].join('.'),
      });
    });
  });
  const roles = (list: readonly Member[]): readonly Role[] =>
    list.flatMap((one) => [...(one.role ? [one.role] : []), ...roles(one.members)]);
  return { members, inner, roles: new Set(roles([...members, ...inner])) };
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

type Facts = Pick<Member, 'schema' | 'isRequired'> & {
  readonly root: unknown;
  readonly known: ReadonlyMap<string, Role>;
  readonly path: string;
};

function memberOf(name: string, { root, known, path, ...facts }: Facts): Member {
  const shape = shapeOf({ schema: facts.schema, root });
  const { types, members: inner, required, format } = shape;
  const plain = snake(name);
  const isHolder = types?.has('object') === true || inner.size > 0;
  const isAddress = path.startsWith('links.') || format?.startsWith('ur') === true;
  const role = known.get(path) ?? roleOf(plain, isAddress);
  const isUsualHolder = PAGE_HOLDERS.has(plain) && !path.includes('.');
  const leadsOn = [...known.keys()].some((other) => other.startsWith(`${path}.`));
  const isLink = role === 'nextUrl' && inner.has('href');
  const below = isHolder && (isUsualHolder || leadsOn || isLink) ? [...inner] : [];
  const knownBelow = isLink ? new Map([[`${path}.href`, role]]) : known;
  return {
    ...facts,
    name,
    isText: types?.has('string') === true && !types.has('integer') && !types.has('number'),
    isNullable: shape.isNullable,
    role: types?.has('array') ? (role === 'nextUrl' ? 'nextLinks' : undefined) : isHolder ? undefined : role,
    members: below.map(([one, schema]) =>
      memberOf(one, {
        schema,
        isRequired: required.has(one),
        root,
        known: knownBelow,
        path: `${path}.${one}`,
      }),
    ),
  };
}

/** The meaning of a name; `next` is an address if its place or format says so. */
function roleOf(name: string, isAddress: boolean): Role | undefined {
  if (isAddress && name === 'next') return 'nextUrl';
  if (isAddress && /^prev(ious)?$/.test(name)) return 'previousUrl';
  const roles = Object.keys(ROLES) as (keyof typeof ROLES)[];
  return roles.find((role) => (ROLES[role] as readonly string[]).includes(name));
}

/** The values of members of an envelope. */
export function pageMembers(members: readonly Member[], values: PageValues, made: Made): object {
  return Object.fromEntries(members.flatMap((member) => entryOf(member, values, made)));
}

type Made = { readonly layout: ListLayout; readonly records: Records };

function entryOf(member: Member, values: PageValues, made: Made): readonly [string, unknown][] {
  const { name, role, isText, members } = member;
  if (role === 'nextLinks') {
    const { nextUrl } = values;
    return [[name, typeof nextUrl === 'string' ? [{ rel: 'next', href: nextUrl }] : []]];
  }
  const value = role && values[role];
  if (value !== undefined && value !== null)
    return [[name, isText && typeof value === 'number' ? String(value) : value]];
  if (value === null && member.isNullable) return [[name, null]];
  const inner = members.flatMap((one) => entryOf(one, values, made));
  if (!member.isRequired && inner.length === 0) return [];
  if (value === null && isText) return [[name, '']];
  const { root } = made.layout.item;
  const random = made.records.randomAt(name);
  const any = generate(member.schema, { root, random, atMs: 0, noun: name, isFresh: true }, name);
  return [[name, isObject(any) ? { ...any, ...Object.fromEntries(inner) } : any]];
}
