import { operations } from '../../contract/operations.ts';
import type { ListPaymentMethodsQuery, PaymentMethod } from '../../contract/types.ts';
import type { RequestContext } from '../call.ts';
import { createListing, type Listing } from '../listing.ts';

/** The methods of `client.paymentMethods` (specification: GET /payment-methods). */
export type PaymentMethods = Listing<PaymentMethod, ListPaymentMethodsQuery>;

/** Binds the listing of payment methods to a client's connections and settings. */
export function createPaymentMethods(context: RequestContext): PaymentMethods {
  return createListing(context, operations.listPaymentMethods);
}
