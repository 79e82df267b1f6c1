import { operations } from '../../contract/operations.ts';
import type { Buyer, ListBuyersQuery } from '../../contract/types.ts';
import type { RequestContext } from '../call.ts';
import { createListing, type Listing } from '../listing.ts';

/** The methods of `client.buyers` (specification: GET /buyers). */
export type Buyers = Listing<Buyer, ListBuyersQuery>;

/** Binds the buyers' operations to a client's connections and settings. */
export function createBuyers(context: RequestContext): Buyers {
  return createListing(context, operations.listBuyers);
}
