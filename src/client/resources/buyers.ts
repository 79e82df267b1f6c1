import { operations } from '../../contract/operations.ts';
import type {
  Buyer,
  GiftCard,
  ListBuyersQuery,
  ListGiftCardsQuery,
  ShippingDetail,
  ShippingDetailCreate,
} from '../../contract/types.ts';
import type { RequestContext } from '../call.ts';
import { callDocument, type DocumentOptions } from '../document.ts';
import { createListing, type Listing } from '../listing.ts';

/** The methods of `client.buyers` (specification: GET /buyers and what is below it). */
export type Buyers = Listing<Buyer, ListBuyersQuery> & {
  readonly shippingDetails: {
    /** Adds a shipping detail to a buyer; is sent again only where it provably was not processed. */
    create(buyerId: string, body: ShippingDetailCreate, options?: DocumentOptions): Promise<ShippingDetail>;
  };
  readonly giftCards: Listing<GiftCard, ListGiftCardsQuery>;
};

/** Binds the buyers' operations to a client's connections and settings. */
export function createBuyers(context: RequestContext): Buyers {
  const { listBuyers, listGiftCards, createShippingDetail } = operations;
  return {
    ...createListing<Buyer, ListBuyersQuery>(context, listBuyers),
    shippingDetails: {
      create: (buyerId, body, options) =>
        callDocument(context, {
          operation: createShippingDetail,
          path: { buyer_id: buyerId },
          body,
          ...options,
        }),
    },
    giftCards: createListing(context, listGiftCards),
  };
}
