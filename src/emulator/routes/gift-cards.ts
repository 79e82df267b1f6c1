import { answerList } from '../answer-list.ts';
import { giftCardListing } from '../gift-cards-store.ts';
import type { Handler } from '../route-context.ts';

/** GET /buyers/gift-cards: the gift cards of a buyer, or of all (specification, GET /buyers/gift-cards). */
export const listGiftCards: Handler<'listGiftCards'> = ({ database, merchantAccount, query }) => {
  const listing = giftCardListing(database, {
    merchantAccount,
    buyerId: query.buyer_id,
    buyerExternalIdentifier: query.buyer_external_identifier,
  });
  return answerList(database, listing);
};
