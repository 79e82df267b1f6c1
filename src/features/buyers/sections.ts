import { AUDIT_LOG_COLUMNS } from '../../cli/show/columns/audit-logs.ts';
import { GIFT_CARD_COLUMNS } from '../../cli/show/columns/gift-cards.ts';
import { PAYMENT_METHOD_COLUMNS } from '../../cli/show/columns/payment-methods.ts';
import type { Display } from '../../cli/show/display.ts';
import { itemsOf, type ListedItem } from '../../cli/show/find-in-list.ts';
import { ApiError } from '../../client/errors.ts';
import type { PagedResource, PageQuery } from '../../client/page.ts';
import { fetchOne } from '../../client/paging/resource.ts';
import { type ListId, type Operation, operations } from '../../contract/generated/operations.ts';
import { type Column, valueAt } from '../../output/columns.ts';
import { shellQuote } from '../../text/shell.ts';
import { momentIn } from '../../text/zoned-times.ts';
import type { BuyerSearch } from './find-buyer.ts';

/** What belongs to a buyer. */
export type Section = {
  /** Its member of the document. */
  readonly member: string;
  readonly title: string;
  readonly columns: readonly Column[];
} & Content;

type Content = {
  readonly items: readonly ListedItem[];
  /** What was looked at, for a person. */
  readonly note?: string;
};

type Source = Omit<Section, keyof Content> & {
  readonly operation: Operation;
  readonly read: (search: BuyerSearch, buyerId: string, display: Display) => Promise<Content>;
};

/** Columns that would say the same in every row: whose it is. */
const without = (columns: readonly Column[], owner: string) =>
  columns.filter(({ path }) => !path.startsWith(owner));

const SOURCES: readonly Source[] = [
  {
    member: 'payment_methods',
    title: 'Payment methods',
    columns: without(PAYMENT_METHOD_COLUMNS, 'buyer.'),
    operation: operations.listPaymentMethods,
    read: readOfBuyer('listPaymentMethods', 'payment-methods list'),
  },
  {
    member: 'gift_cards',
    title: 'Gift cards',
    columns: GIFT_CARD_COLUMNS,
    operation: operations.listGiftCards,
    read: readOfBuyer('listGiftCards', 'buyers gift-cards list'),
  },
  {
    member: 'audit_logs',
    title: 'Audit log',
    columns: without(AUDIT_LOG_COLUMNS, 'resource.'),
    operation: operations.listAuditLogs,
    read: readAuditLog,
  },
];

/** Reads everything that belongs to a buyer and that the credentials allow, at once; warns of what is left out. */
export async function readSections(
  search: BuyerSearch,
  buyerId: string,
  display: Display,
): Promise<readonly Section[]> {
  const sections = await Promise.all(
    SOURCES.map(async ({ operation, read, ...section }) => {
      const leaveOut = (reason: string) =>
        display.warn('section_left_out', `${section.title}: left out, because ${reason}`);
      const scope = `the scope ${operation.scopes.join(' or ')}`;
      if (!search.mayCall(operation)) return leaveOut(`the token lacks ${scope}`);
      try {
        return { ...section, ...(await read(search, buyerId, display)) };
      } catch (error) {
        if (!(error instanceof ApiError) || (error.status !== 403 && error.status !== 404)) throw error;
        const needs = error.status === 403 ? `; it needs ${scope}` : '';
        return leaveOut(`the service answered ${error.status}${needs}`);
      }
    }),
  );
  return sections.filter((section) => section !== undefined);
}

const LARGEST_PAGE = 100;

/** The first page of a list that the service filters by buyer. */
function readOfBuyer(id: ListId, words: string): Source['read'] {
  return async ({ client, revealPii, signal, command }, buyerId, display) => {
    const list: PagedResource<unknown, PageQuery> = client.lists[id];
    const page = await fetchOne(list, { buyer_id: buyerId, limit: LARGEST_PAGE }, { revealPii, signal });
    if (page.next.cursor) {
      const all = command(`${words} --buyer-id ${shellQuote(buyerId)} --all`);
      display.warn('list_cut', `These are the first ${page.count}. All of them: ${all}`);
    }
    return { items: itemsOf(page) };
  };
}

/** How many of the newest entries are looked at, because the service has no filter for what they are about. */
const MOST_ENTRIES = 1000;
/** How many of them are shown. */
const LAST_ENTRIES = 10;

/** The last entries about the buyer among the first ones that the service lists. */
async function readAuditLog(
  { client, signal, command }: BuyerSearch,
  buyerId: string,
  { stderrTerminal }: Display,
): Promise<Content> {
  const found: ListedItem[] = [];
  let looked = 0;
  let last: unknown;
  let hasMore = false;
  for await (const page of client.lists.listAuditLogs.fetch({}, { maxItems: MOST_ENTRIES, signal })) {
    const items = itemsOf(page);
    looked += items.length;
    last = items.at(-1)?.item ?? last;
    hasMore = Boolean(page.next.cursor);
    found.push(...items.filter(({ item }) => valueAt(item, 'resource.id') === buyerId));
    if (found.length >= LAST_ENTRIES) break;
  }
  const items = found.slice(0, LAST_ENTRIES);
  const time = Date.parse(String(valueAt(last, 'timestamp')));
  const back = Number.isNaN(time) ? '' : `, back to ${momentIn(stderrTerminal.times, time)}`;
  const shown = items.length === 1 ? 'is 1 entry' : `are ${items.length} entries`;
  const isCut = hasMore || found.length > items.length;
  const more = isCut ? ` More: ${command(`audit-logs list --resource-id ${shellQuote(buyerId)}`)}` : '';
  return {
    items,
    note: `There ${shown} about this buyer among the ${looked} audit log entries that payctl looked at${back}.${more}`,
  };
}
