import { own } from '../json/is-object.ts';
import type { SchemaView } from '../schemas/schema-view.ts';
import type { PageMembers } from './imported-operation.ts';
import { kebab } from './plain-text.ts';

/** What the schema of a page has next to its items. */
export type FoundMembers = PageMembers & {
  /** Dotted path of the next cursor. */
  readonly nextCursor?: string;
  /** Dotted paths of strings that a parameter may take, by its name in lower case with hyphens. */
  readonly tokens?: Readonly<Record<string, string>>;
};

/** A value that a page may have, by the names of its member in lower case with underscores, the best first. */
export const PAGE_NAMES = {
  next: [
    ...['next_url', 'next_link', 'next_page_url', 'next_page_link', 'next_href', 'next_uri', 'next_page_uri'],
    ...['odata_next_link', 'next', 'next_page', 'next_offset'],
  ],
  hasMore: ['has_more', 'is_more', 'has_next', 'has_next_page', 'has_more_items', 'is_truncated', 'more'],
  total: [
    ...['total_count', 'total_items', 'total_results', 'total_records', 'total_elements', 'total_size'],
    ...['total', 'items_total'],
  ],
  totalPages: ['total_pages', 'pages_total', 'page_count', 'pages_count', 'num_pages', 'pages', 'last_page'],
  page: ['page', 'current_page', 'page_number', 'page_no', 'page_index', 'current', 'number'],
  offset: ['offset', 'skip', 'start', 'start_index', 'start_at'],
  isLast: ['is_last', 'is_last_page', 'last', 'last_page', 'done'],
} as const;

/** Members whose own members describe the page, without an underscore before them. */
export const PAGE_HOLDERS: ReadonlySet<string> = new Set([
  ...['meta', 'metadata', 'pagination', 'paginator', 'paging', 'page', 'pages', 'page_info', 'result_info'],
  ...['response_metadata', 'cursors', 'links', 'next', 'next_page', 'data', 'result', 'response', 'payload'],
  ...['list_metadata', 'list_info'],
]);

/** Members that describe the next page, and the names of addresses in them. */
const LEADERS = new Set(['next', 'next_page']);
const ADDRESSES = ['link', 'href', 'url', 'uri'];

/** Names of a cursor that are the same in a page as in the request of the next one. */
const SAME_TOKENS = new Set(['cursor', 'continue', 'iterator', 'bookmark', 'scroll_id', 'next']);

/** Names of the next cursor, wherever it is, and names that are only in a member of a certain name. */
export const CURSOR_NAMES = [
  ...['next_cursor', 'next_page_token', 'next_token', 'next_page_cursor', 'next_start_cursor'],
  ...['continuation_token', 'next_continuation_token', 'next_marker', 'next_starting_after'],
];
const CURSORS_IN: Readonly<Record<string, readonly string[]>> = {
  cursors: ['next', 'after'],
  page_info: ['end_cursor'],
  next: ['after', 'starting_after', 'cursor', 'page_token'],
};

const DEEPEST = 4;

type Found = {
  readonly name: string;
  readonly path: readonly string[];
  readonly view: SchemaView;
  /** The name of the member that it is in; empty at the top. */
  readonly holder: string;
};

/** Finds the members that describe a page in its schema, also below `meta`, `links` and the like. */
export function pageMembersOf(page: SchemaView): FoundMembers {
  const found = [...membersOf(page)];
  const named = (names: readonly string[]) =>
    names.flatMap((name) => found.filter((one) => one.name === name));
  const first = (names: readonly string[], fits: (one: Found) => boolean) => named(names).find(fits)?.path;
  const isNumber = ({ view }: Found) => view.types.has('integer') || view.types.has('number');
  const isBoolean = ({ view }: Found) => view.types.has('boolean');
  const cursor =
    named(CURSOR_NAMES)[0] ?? found.find(({ name, holder }) => own(CURSORS_IN, holder)?.includes(name));
  const isNamed = ({ name, holder }: Found) => ADDRESSES.includes(name) && LEADERS.has(holder);
  const leads = [...named(PAGE_NAMES.next), ...found.filter(isNamed)];
  const links = found.filter((one) => one.name === 'links' && hasLinks(one.view));
  const known = {
    hasMore: first(PAGE_NAMES.hasMore, isBoolean),
    isLast: first(PAGE_NAMES.isLast, isBoolean),
    total: first(PAGE_NAMES.total, isNumber),
    totalPages: first(PAGE_NAMES.totalPages, isNumber),
    page: first(PAGE_NAMES.page, (one) => isNumber(one) && (one.name !== 'number' || one.holder === 'page')),
    offset: first(PAGE_NAMES.offset, isNumber),
  };
  // The members of an object are found on their own.
  const next = [...leads.filter(mayBeLink), ...links].map(({ path }) => path);
  const tokens = tokensIn(found);
  const nextNumber = leads.filter((one) => isNumber(one) && !mayBeLink(one)).map(({ path }) => path);
  return {
    ...(cursor && !cursor.path.some((name) => name.includes('.')) && { nextCursor: cursor.path.join('.') }),
    ...(Object.keys(tokens).length > 0 && { tokens }),
    ...(next.length > 0 && { next }),
    ...(nextNumber.length > 0 && { nextNumber }),
    ...Object.fromEntries(Object.entries(known).filter(([, path]) => path !== undefined)),
  };
}

/**
 * The values of a page that may identify the next one, by the parameter that takes each: `next_page` is for `page`, and
 * `after` below the top or next to `before` is for `after`. Strings, and a number `next` next to the `from` of the page.
 */
function tokensIn(found: readonly Found[]): Record<string, string> {
  const tokens = found.flatMap(({ name, path, view, holder }): [string, string][] => {
    const { types, format } = view;
    const hasBeside = (wanted: string, type: string) =>
      found.some((one) => one.name === wanted && one.holder === holder && one.view.types.has(type));
    if (name === 'next' && types.has('integer') && hasBeside('from', 'integer'))
      return [['from', path.join('.')]];
    const isText = types.has('string') && !types.has('integer') && !types.has('number');
    if (!isText || format?.startsWith('ur') || path.some((one) => one.includes('.'))) return [];
    const [, next] = /^next_(.+)$/.exec(name) ?? [];
    const isAfter = name === 'after' && (holder !== '' || hasBeside('before', 'string'));
    const parameter = next ?? (LEADERS.has(holder) || SAME_TOKENS.has(name) || isAfter ? name : undefined);
    return parameter === undefined ? [] : [[parameter.replaceAll('_', '-'), path.join('.')]];
  });
  // The first of one name counts.
  return Object.fromEntries(tokens.toReversed());
}

function* membersOf(
  { members, viewOf }: SchemaView,
  above: readonly string[] = [],
): Generator<Found, void, undefined> {
  const holder = above.length === 0 ? '' : plainName(above.at(-1) ?? '');
  for (const [key, schema] of members) {
    const found = { name: plainName(key), path: [...above, key], view: viewOf(schema), holder };
    yield found;
    const isHolder = PAGE_HOLDERS.has(found.name) && found.view.members.size > 0;
    if (isHolder && above.length + 1 < DEEPEST) yield* membersOf(found.view, found.path);
  }
}

function plainName(name: string): string {
  return kebab(name).replaceAll('-', '_');
}

/** Whether a member may hold an address, or the object of a link. */
function mayBeLink({ view: { types, members } }: Found): boolean {
  return members.size > 0 ? members.has('href') : types.size === 0 || types.has('string');
}

/** Whether it is a list of links with their relations: `[{"rel": "next", "href": "..."}]`. */
function hasLinks({ types, items, viewOf }: SchemaView): boolean {
  const { members } = viewOf(items);
  return types.has('array') && members.has('rel') && members.has('href');
}
