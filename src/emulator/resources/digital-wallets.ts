import type { DigitalWallet } from '../../contract/generated/types.ts';
import { type EmulatorDatabase, insertRow } from '../store/database.ts';
import type { ListQuery } from '../store/keyset.ts';
import { answerList } from '../store/pages.ts';
import type { Handler } from './handler.ts';

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
export function digitalWalletListing(merchantAccount: string): ListQuery {
  return {
    table: 'digital_wallets',
    document: 'document',
    filters: [{ sql: 'merchant_account_id = ?', values: [merchantAccount] }],
  };
}

/** GET /digital-wallets: all wallets of a merchant account (specification, GET /digital-wallets). */
export const listDigitalWallets: Handler<'listDigitalWallets'> = ({ database, merchantAccount }) =>
  answerList(database, digitalWalletListing(merchantAccount));
