import type { PageMembers } from '../descriptions/imported-operation.ts';
import { splitItems, textAt } from '../json/edit.ts';
import { isObject } from '../json/is-object.ts';

/** What a page says of the pages after it, and its items. */
export type PageFacts = {
  /** What tells one item from another: the `id` where each has one of its own, else the text. */
  readonly keys: readonly string[];
  /** Whether these are IDs, of which no two items have the same. */
  readonly areIds: boolean;
  /** The ID of the last item. */
  readonly lastId: string | undefined;
  /** The address of the next page, or its number; null where the page says that there is none. */
  readonly next: { readonly address: string } | NextNumber | null | undefined;
  /** Whether there are more items. */
  readonly more: boolean | undefined;
  /** The number of all items, and whether the member is certain to mean all of them. */
  readonly total: number | undefined;
  readonly isTotalSure: boolean;
  readonly totalPages: number | undefined;
  /** The number of the page, and of the items before it. */
  readonly page: number | undefined;
  readonly offset: number | undefined;
};

/** What a page says of the next one; `counts` is what its name says that it is a number of. */
export type NextNumber = { readonly number: number; readonly counts?: 'pages' | 'items' };

/** Where to look in a page. */
export type PageLayout = { readonly items: string; readonly members?: PageMembers | undefined };

/** Reads what a page says of itself in its text. Never throws: what is of another type than it should be says nothing. */
export function readPageFacts(text: string, { items, members = {} }: PageLayout): PageFacts {
  const { texts, rest } = splitItems(text, items);
  const page = Object.fromEntries(rest.map(({ key, valueText }) => [key, parse(valueText)]));
  const numberAt = (path: readonly string[] | undefined) => path && wholeNumber(valueAt(page, path));
  const hasMore = members.hasMore && valueAt(page, members.hasMore);
  const isLast = members.isLast && valueAt(page, members.isLast);
  return {
    ...keysOf(texts),
    lastId: idOf(texts.at(-1) ?? ''),
    next: nextIn(page, [...(members.next ?? []), ...(members.nextNumber ?? [])]),
    more: typeof hasMore === 'boolean' ? hasMore : typeof isLast === 'boolean' ? !isLast : undefined,
    total: numberAt(members.total),
    isTotalSure: members.total?.at(-1) !== 'total',
    totalPages: numberAt(members.totalPages),
    page: numberAt(members.page),
    offset: numberAt(members.offset),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value of a member by the names that lead to it; only own members count. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (above, name) => (isObject(above) && Object.hasOwn(above, name) ? above[name] : undefined),
    value,
  );
}

function keysOf(texts: readonly string[]): Pick<PageFacts, 'keys' | 'areIds'> {
  const ids = texts.flatMap((text) => textAt(text, 'id') ?? []);
  const areIds = ids.length === texts.length && new Set(ids).size === ids.length;
  return { keys: areIds ? ids : texts, areIds };
}

function idOf(text: string): string | undefined {
  const written = textAt(text, 'id') ?? '';
  // A number would be rounded.
  if (/^\d+$/.test(written)) return written;
  const id = parse(written);
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}

/** The first of these members that says something: a value leads on, and null or nothing in its place is an end. */
function nextIn(page: unknown, paths: readonly (readonly string[])[]): PageFacts['next'] {
  const found = paths.map((path) => namedLead(leadIn(valueAt(page, path)), path.at(-1) ?? ''));
  return found.find((lead) => lead) ?? (found.includes(null) ? null : undefined);
}

function namedLead(lead: PageFacts['next'], name: string): PageFacts['next'] {
  if (!lead || !('number' in lead)) return lead;
  if (/page$/i.test(name)) return { ...lead, counts: 'pages' };
  return /offset$/i.test(name) ? { ...lead, counts: 'items' } : lead;
}

function leadIn(value: unknown): PageFacts['next'] {
  if (value === null || value === '' || value === false) return null;
  const number = wholeNumber(value);
  if (number !== undefined) return { number };
  if (typeof value === 'string') return { address: value };
  if (Array.isArray(value)) return leadIn(value.find(isNextLink)?.href) ?? undefined;
  return isObject(value) ? leadIn(value.href) : undefined;
}

function isNextLink(link: unknown): link is { readonly href?: unknown } {
  return isObject(link) && typeof link.rel === 'string' && link.rel.toLowerCase() === 'next';
}

/** A number of pages or items, which some services write as a text. */
function wholeNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) && (number as number) >= 0 ? (number as number) : undefined;
}
