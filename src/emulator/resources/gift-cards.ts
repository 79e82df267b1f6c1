import type { GiftCard } from '../../contract/generated/types.ts';
import { HttpError } from '../http/response.ts';
import { type EmulatorDatabase, insertRow } from '../store/database.ts';
import { equals } from '../store/keyset.ts';
import { listResponse } from '../store/pages.ts';
import type { Handler, OfAccount, Resource, RouteContext } from './resource.ts';

/** A gift card as the emulator keeps it, with what the contract does not show of it. */
export type StoredGiftCard = {
  readonly buyerId: string;
  /** Place in lists, in milliseconds since 1970. */
  readonly createdMs: number;
  readonly card: OfAccount<GiftCard>;
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

/** The one buyer that all given filters name. @throws HttpError `not_found` when the merchant account has no such buyer */
function findBuyer({ database, merchantAccount, query }: RouteContext<'listGiftCards'>): string | undefined {
  const { buyer_id: id, buyer_external_identifier: external } = query;
  const given = id ?? external;
  if (given === undefined) return undefined;
  const column = id === undefined ? 'external_identifier' : 'id';
  const sql = `SELECT id, external_identifier FROM buyers WHERE merchant_account_id = ? AND ${column} = ?`;
  const buyer = database.prepare(sql).get(merchantAccount, given);
  const isMeant = external === undefined || buyer?.external_identifier === external;
  if (buyer === undefined || !isMeant) throw new HttpError('not_found');
  return String(buyer.id);
}

/** GET /buyers/gift-cards: the gift cards of a buyer, or of all (specification, GET /buyers/gift-cards). */
const listGiftCards: Handler<'listGiftCards'> = (context) => {
  const { database, merchantAccount } = context;
  const filters = [
    ...equals('merchant_account_id', merchantAccount),
    ...equals('buyer_id', findBuyer(context)),
  ];
  return listResponse(database, { table: 'gift_cards', document: 'document', filters });
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
