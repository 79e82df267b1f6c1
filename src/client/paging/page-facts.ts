import type { PageMembers } from '../../descriptions/imported-operation.ts';
import { splitItems, textAt } from '../../json/edit.ts';
import { jsonOrNone } from '../../json/is-json.ts';
import { isObject, memberAt } from '../../json/is-object.ts';

/** What a page says about the pages after it and about its items. */
export type PageFacts = {
  /** What tells one item from another: the `id` where each has one of its own, else the text. */
  readonly keys: readonly string[];
  /** Whether these are IDs, of which no two items have the same. */
  readonly areIds: boolean;
  /** The ID of the last item. */
  readonly lastId: string | undefined;
  /** The address of the next page, or its number; null where the page says that no page follows. */
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

/** The number that a page gives for the next one; `counts` is what it counts according to the name of its member. */
export type NextNumber = { readonly number: number; readonly counts?: 'pages' | 'items' };

/** Where to look in a page. */
export type PageLayout = {
  readonly items: string;
  readonly members?: PageMembers | undefined;
  /** The member of an item with its ID, unless it is `id`. */
  readonly itemId?: string | undefined;
};

/** Makes what reads the pages of one list; of the page that it read last it knows the facts. */
export function createFactsReader(layout: PageLayout): (page: { readonly text: string }) => PageFacts {
  let latest: { readonly text: string; readonly facts: PageFacts } | undefined;
  return ({ text }) => {
    if (latest?.text !== text) latest = { text, facts: readPageFacts(text, layout) };
    return latest.facts;
  };
}

/** Reads what a page says about itself from its text. Never throws: a value of the wrong type is treated as missing. */
export function readPageFacts(text: string, { items, members = {}, itemId = 'id' }: PageLayout): PageFacts {
  const { texts, rest } = splitItems(text, items);
  const page = Object.fromEntries(rest.map(({ key, valueText }) => [key, jsonOrNone(valueText)]));
  const numberAt = (path: readonly string[] | undefined) => path && wholeNumber(memberAt(page, path));
  const hasMore = members.hasMore && memberAt(page, members.hasMore);
  const isLast = members.isLast && memberAt(page, members.isLast);
  return {
    ...keysOf(texts, itemId),
    lastId: idOf(texts.at(-1) ?? '', itemId),
    next: nextIn(page, [...(members.next ?? []), ...(members.nextNumber ?? [])]),
    more: typeof hasMore === 'boolean' ? hasMore : typeof isLast === 'boolean' ? !isLast : undefined,
    total: numberAt(members.total),
    isTotalSure: members.total?.at(-1) !== 'total',
    totalPages: numberAt(members.totalPages),
    page: numberAt(members.page),
    offset: numberAt(members.offset),
  };
}

function keysOf(texts: readonly string[], itemId: string): Pick<PageFacts, 'keys' | 'areIds'> {
  const ids = texts.flatMap((text) => textAt(text, itemId) ?? []);
  const areIds = ids.length === texts.length && new Set(ids).size === ids.length;
  return { keys: areIds ? ids : texts, areIds };
}

function idOf(text: string, itemId: string): string | undefined {
  const written = textAt(text, itemId) ?? '';
  // A number would be rounded.
  if (/^\d+$/.test(written)) return written;
  const id = jsonOrNone(written);
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}

/** The next page from the first of these members that names one; null if none does and one of them says that the list ends. */
function nextIn(page: unknown, paths: readonly (readonly string[])[]): PageFacts['next'] {
  const found = paths.map((path) => namedLead(leadIn(memberAt(page, path)), path.at(-1) ?? ''));
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
