import { operations } from '../../contract/operations.ts';
import type { DigitalWallet, ListDigitalWalletsQuery } from '../../contract/types.ts';
import type { RequestContext } from '../call.ts';
import { createListing, type Listing } from '../listing.ts';

/** The methods of `client.digitalWallets` (specification: GET /digital-wallets). */
export type DigitalWallets = Listing<DigitalWallet, ListDigitalWalletsQuery>;

/** Binds the listing of digital wallets to a client's connections and settings. */
export function createDigitalWallets(context: RequestContext): DigitalWallets {
  return createListing(context, operations.listDigitalWallets);
}
