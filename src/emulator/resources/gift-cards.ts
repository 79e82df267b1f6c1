import type { GiftCard } from '../../contract/generated/types.ts';
import { HttpError } from '../http/response.ts';
import { type EmulatorDatabase, insertRow } from '../store/database.ts';
import type { ListQuery } from '../store/keyset.ts';
import { listResponse } from '../store/pages.ts';
import type { Handler, OfAccount, Resource } from './resource.ts';

/** A gift card as the emulator keeps it, with what the contract does not show of it. */
export type StoredGiftCard = {
  readonly buyerId: string;
  /** Place in lists, in milliseconds since 1970. */
  readonly createdMs: number;
  readonly card: OfAccount<GiftCard>;
};

/** The filters of GET /buyers/gift-cards. */
type GiftCardFilters = {
  readonly merchantAccount: string;
  readonly buyerId: string | undefined;
  readonly buyerExternalIdentifier: string | undefined;
};

/** Adds a gift card of a buyer, who must be of its merchant account. */
export function insertGiftCard(
  database: EmulatorDatabase,
  { buyerId, createdMs, card }: StoredGiftCard,
): void {
  insertRow(database, 'gift_cards', {
    id: card.id,
    merchant_account_id: card.merchant_account_id,
    buyer_id: buyerId,
    created_ms: createdMs,
    document: JSON.stringify(card),
  });
}

/**
 * What GET /buyers/gift-cards reads: the cards of the one buyer that all given filters name, or those of the whole
 * merchant account.
 * @throws HttpError `not_found` when the account has no such buyer
 */
function giftCardQuery(database: EmulatorDatabase, filters: GiftCardFilters): ListQuery {
  const { merchantAccount, buyerId, buyerExternalIdentifier } = filters;
  const conditions = [{ sql: 'merchant_account_id = ?', values: [merchantAccount] }];
  if (buyerId !== undefined || buyerExternalIdentifier !== undefined) {
    conditions.push({ sql: 'buyer_id = ?', values: [findBuyer(database, filters)] });
  }
  return { table: 'gift_cards', document: 'document', filters: conditions };
}

function findBuyer(database: EmulatorDatabase, filters: GiftCardFilters): string {
  const { merchantAccount, buyerId = null, buyerExternalIdentifier = null } = filters;
  const column = buyerId === null ? 'external_identifier' : 'id';
  const sql = `SELECT id, external_identifier FROM buyers WHERE merchant_account_id = ? AND ${column} = ?`;
  const buyer = database.prepare(sql).get(merchantAccount, buyerId ?? buyerExternalIdentifier);
  const isMeant = buyerExternalIdentifier === null || buyer?.external_identifier === buyerExternalIdentifier;
  if (buyer === undefined || !isMeant) throw new HttpError('not_found');
  return String(buyer.id);
}

/** GET /buyers/gift-cards: the gift cards of a buyer, or of all (specification, GET /buyers/gift-cards). */
const listGiftCards: Handler<'listGiftCards'> = ({ database, merchantAccount, query }) => {
  const list = giftCardQuery(database, {
    merchantAccount,
    buyerId: query.buyer_id,
    buyerExternalIdentifier: query.buyer_external_identifier,
  });
  return listResponse(database, list);
};

/** Gift cards, which one buyer or a whole merchant account is asked for. */
export const giftCards = {
  tables: [
    `CREATE TABLE gift_cards (
      id TEXT PRIMARY KEY,
      merchant_account_id TEXT NOT NULL REFERENCES merchant_accounts (id),
      buyer_id TEXT NOT NULL,
      created_ms INTEGER NOT NULL,
      document TEXT NOT NULL
    ) STRICT`,
  ],
  handlers: { listGiftCards },
} satisfies Resource;
