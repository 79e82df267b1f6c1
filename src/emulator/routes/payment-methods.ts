import { answerPage } from '../answer-page.ts';
import { paymentMethodListing } from '../payment-methods-store.ts';
import type { Handler } from '../route-context.ts';

/** GET /payment-methods: stored payment methods, newest first (specification, GET /payment-methods). */
export const listPaymentMethods: Handler<'listPaymentMethods'> = (context) => {
  const { merchantAccount, isRevealed, query } = context;
  const listing = paymentMethodListing({
    merchantAccount,
    isRevealed,
    buyerId: query.buyer_id,
    buyerExternalIdentifier: query.buyer_external_identifier,
    externalIdentifier: query.external_identifier,
    status: query.status,
  });
  return answerPage(context, listing);
};
