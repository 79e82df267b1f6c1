import type { Buyer } from '../contract/types.ts';
import type { EmulatorDatabase } from './database.ts';
import type { Listing } from './keyset.ts';
import { maskBillingDetails } from './mask.ts';
import { searchText } from './search-text.ts';

/** A buyer as the emulator keeps it. `created_at` is its place in lists. */
export type StoredBuyer = Buyer & { readonly merchant_account_id: string; readonly created_at: string };

/** The filters of GET /buyers, and whether its personal data is shown. */
export type BuyerFilters = {
  readonly merchantAccount: string;
  readonly search: string | undefined;
  readonly externalIdentifier: string | undefined;
  /** Shows `billing_details` as they are; otherwise their texts are masked. */
  readonly isRevealed: boolean;
};

const insertion = `INSERT INTO buyers (id, merchant_account_id, created_ms, external_identifier, search_name,
  search_external_identifier, document, masked_document) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;

const replacement = `UPDATE buyers SET (id, merchant_account_id, created_ms, external_identifier, search_name,
  search_external_identifier, document, masked_document) = (?, ?, ?, ?, ?, ?, ?, ?) WHERE id = ?`;

/**
 * Adds a buyer and gives its row in the table. Its merchant account must exist and its id must be new; SQLite throws
 * otherwise.
 */
export function insertBuyer(database: EmulatorDatabase, buyer: StoredBuyer): number | bigint {
  return database.prepare(insertion).run(...columnsOf(buyer)).lastInsertRowid;
}

/** Whether the merchant account has a buyer of that id. */
export function hasBuyer(database: EmulatorDatabase, merchantAccount: string, id: string): boolean {
  const sql = 'SELECT 1 FROM buyers WHERE id = ? AND merchant_account_id = ?';
  return database.prepare(sql).get(id, merchantAccount) !== undefined;
}

/** Replaces the buyer of the same id with all its fields; false when there is none. */
export function updateBuyer(database: EmulatorDatabase, buyer: StoredBuyer): boolean {
  return Number(database.prepare(replacement).run(...columnsOf(buyer), buyer.id).changes) > 0;
}

/** What GET /buyers reads from the table of buyers under these filters. */
export function buyerListing(filters: BuyerFilters): Listing {
  const conditions = [{ sql: 'merchant_account_id = ?', values: [filters.merchantAccount] }];
  if (filters.search !== undefined) {
    const text = searchText(filters.search);
    conditions.push({
      sql: '(instr(search_name, ?) OR instr(search_external_identifier, ?))',
      values: [text, text],
    });
  }
  if (filters.externalIdentifier !== undefined) {
    conditions.push({ sql: 'external_identifier = ?', values: [filters.externalIdentifier] });
  }
  return {
    table: 'buyers',
    document: filters.isRevealed ? 'document' : 'masked_document',
    filters: conditions,
  };
}

function columnsOf(buyer: StoredBuyer): (string | number | null)[] {
  const { display_name: name = null, external_identifier: externalIdentifier = null } = buyer;
  const masked = { ...buyer, billing_details: maskBillingDetails(buyer.billing_details) };
  return [
    buyer.id,
    buyer.merchant_account_id,
    Date.parse(buyer.created_at),
    externalIdentifier,
    name === null ? null : searchText(name),
    externalIdentifier === null ? null : searchText(externalIdentifier),
    JSON.stringify(buyer),
    JSON.stringify(masked),
  ];
}
