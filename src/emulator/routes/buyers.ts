import { answerPage } from '../answer-page.ts';
import { buyerListing } from '../buyers-store.ts';
import type { Handler } from '../route-context.ts';

/** GET /buyers: the buyers of a merchant account, newest first, searched and filtered (specification, GET /buyers). */
export const listBuyers: Handler<'listBuyers'> = (context) => {
  const { search, external_identifier: externalIdentifier } = context.query;
  const { merchantAccount, isRevealed } = context;
  return answerPage(context, buyerListing({ merchantAccount, isRevealed, search, externalIdentifier }));
};
