import type { DigitalWallet } from '../contract/types.ts';
import type { EmulatorDatabase } from './database.ts';
import { insertRow } from './insert-row.ts';
import type { Listing } from './keyset.ts';

/** A digital wallet as the emulator keeps it. `created_at` is its place in lists. */
export type StoredDigitalWallet = DigitalWallet & {
  readonly merchant_account_id: string;
  readonly created_at: string;
};

/** Adds a digital wallet. */
export function insertDigitalWallet(database: EmulatorDatabase, wallet: StoredDigitalWallet): void {
  insertRow(database, 'digital_wallets', {
    id: wallet.id,
    merchant_account_id: wallet.merchant_account_id,
    created_ms: Date.parse(wallet.created_at),
    document: JSON.stringify(wallet),
  });
}

/** What GET /digital-wallets reads for a merchant account. */
export function digitalWalletListing(merchantAccount: string): Listing {
  return {
    table: 'digital_wallets',
    document: 'document',
    filters: [{ sql: 'merchant_account_id = ?', values: [merchantAccount] }],
  };
}
