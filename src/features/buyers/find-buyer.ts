import { findInList, itemsOf, type ListedItem, type Meaning } from '../../cli/show/find-in-list.ts';
import { meaningOfBeginning, severalBegin } from '../../cli/show/short-id.ts';
import type { Client } from '../../client/client.ts';
import { ApiError } from '../../client/errors.ts';
import type { PageQuery } from '../../client/page.ts';
import { fetchOne } from '../../client/paging/resource.ts';
import { type Operation, operations } from '../../contract/generated/operations.ts';
import { valueAt } from '../../output/columns.ts';
import type { ProgressCounts } from '../../output/progress.ts';
import { isShortId, isUuid } from '../../text/format.ts';

/** What is looked for, and with what. */
export type BuyerSearch = {
  readonly client: Client;
  readonly text: string;
  readonly revealPii: boolean;
  readonly signal: AbortSignal;
  /** Whether the credentials may allow an operation. */
  readonly mayCall: (operation: Operation) => boolean;
  readonly onPage: (counts: ProgressCounts) => void;
  /** A command line of payctl for the same service, from the words after `payctl`. */
  readonly command: (words: string) => string;
};

/** The buyers that a text names. */
export type FoundBuyers =
  /** `others` is how many more have the text in their names or external identifiers, of the first 20. */
  | { readonly kind: 'one'; readonly buyer: ListedItem; readonly others: number }
  | { readonly kind: 'several'; readonly buyers: readonly ListedItem[]; readonly hasMore: boolean }
  /** `lookedAt` is at how many buyers payctl looked itself; undefined where the text is no ID. */
  | { readonly kind: 'none'; readonly lookedAt: number | undefined };

const MOST_MATCHES = 20;

/**
 * Finds a buyer by its ID, its external identifier, or a part of its name or external identifier, all at once. An ID wins over
 * an external identifier, and that over the search of the service. Only a UUID, or the beginning of one that nothing else matches, is
 * treated as an ID.
 * @throws UsageError `several_match` for the beginning of several IDs
 */
export async function findBuyer(search: BuyerSearch): Promise<FoundBuyers> {
  const { text } = search;
  const [byId, byIdentifier, bySearch] = await Promise.all([
    isUuid(text) ? findWithPaymentMethod(search) : undefined,
    listBuyers(search, { external_identifier: text }),
    listBuyers(search, { search: text }),
  ]);
  if (byId) return { kind: 'one', buyer: byId, others: 0 };
  const { buyers, hasMore } = byIdentifier.buyers.length > 0 ? byIdentifier : bySearch;
  const [first, second] = buyers;
  if (second || hasMore) return { kind: 'several', buyers, hasMore };
  if (first) {
    const others = bySearch.buyers.filter(({ item }) => idOf(item) !== idOf(first.item)).length;
    return { kind: 'one', buyer: first, others };
  }
  return isUuid(text) || isShortId(text) ? await walk(search) : { kind: 'none', lookedAt: undefined };
}

async function listBuyers(search: BuyerSearch, query: PageQuery) {
  const { client, revealPii, signal } = search;
  const page = await fetchOne(
    client.lists.listBuyers,
    { ...query, limit: MOST_MATCHES },
    { revealPii, signal },
  );
  return { buyers: itemsOf(page), hasMore: Boolean(page.next.cursor) };
}

/**
 * The buyer with an ID, who has a payment method: that one shows by what else the service finds the buyer, in two requests
 * instead of all pages of the list.
 */
async function findWithPaymentMethod(search: BuyerSearch): Promise<ListedItem | undefined> {
  const { client, text, signal, mayCall } = search;
  if (!mayCall(operations.listPaymentMethods)) return undefined;
  const query = { buyer_id: text, limit: 1 };
  const page = await client.lists.listPaymentMethods.list(query, { signal }).catch((error: unknown) => {
    if (error instanceof ApiError && error.status < 500) return undefined;
    throw error;
  });
  const shown = valueAt(page?.items[0], 'buyer');
  if (idOf(shown) !== text) return undefined;
  const [identifier, name] = [valueAt(shown, 'external_identifier'), valueAt(shown, 'display_name')];
  for (const [parameter, value] of [
    ['external_identifier', identifier],
    ['search', name],
  ] as const) {
    if (typeof value !== 'string' || value === '') continue;
    const { buyers } = await listBuyers(search, { [parameter]: value });
    const found = buyers.find(({ item }) => idOf(item) === text);
    if (found) return found;
  }
  return undefined;
}

async function walk({ client, text, revealPii, signal, onPage }: BuyerSearch): Promise<FoundBuyers> {
  const meaning: Meaning = {
    isMeant: (item) => idOf(item) === text,
    ...(isShortId(text) && meaningOfBeginning(text)),
  };
  const walked = { revealPii, signal, onPage };
  const { found, candidates, lookedAt } = await findInList(client.lists.listBuyers, meaning, walked);
  if (candidates.size > 1) throw severalBegin(text, { noun: 'buyer' }, [...candidates.keys()]);
  const [buyer = found] = candidates.values();
  return buyer ? { kind: 'one', buyer, others: 0 } : { kind: 'none', lookedAt };
}

/** The ID of a buyer, as the service sent it. */
export function idOf(buyer: unknown): unknown {
  return valueAt(buyer, 'id');
}
