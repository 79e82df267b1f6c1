import { operations } from '../contract/generated/operations.ts';
import type {
  CheckoutSession,
  CheckoutSessionUpdate,
  PaymentServiceSession,
  PaymentServiceSessionRequest,
  ShippingDetail,
  ShippingDetailCreate,
} from '../contract/generated/types.ts';
import type { RequestContext } from './call.ts';
import type { NamedLists } from './generated/lists.ts';
import { callDocument, type DocumentOptions } from './send.ts';

/** The methods of `client.buyers` (specification: GET /buyers and what is below it). */
export type Buyers = NamedLists['buyers'] & { readonly shippingDetails: ShippingDetails };

/** The methods of `client.buyers.shippingDetails` (specification: POST /buyers/{buyer_id}/shipping-details). */
export type ShippingDetails = {
  /** Adds a shipping detail to a buyer; is sent again only where it provably was not processed. */
  create(buyerId: string, body: ShippingDetailCreate, options?: DocumentOptions): Promise<ShippingDetail>;
};

/** Binds the shipping details' operations to a client's connections and settings. */
export function createShippingDetails(context: RequestContext): ShippingDetails {
  const operation = operations.createShippingDetail;
  return {
    create: (buyerId, body, options) =>
      callDocument(context, { operation, path: { buyer_id: buyerId }, body, ...options }),
  };
}

/** The methods of `client.checkoutSessions` (specification: /checkout/sessions/{checkout_session_id}). */
export type CheckoutSessions = {
  get(id: string, options?: DocumentOptions): Promise<CheckoutSession>;
  /** Replaces the given fields whole and leaves the others; an explicit null is sent as null. */
  update(id: string, body: CheckoutSessionUpdate, options?: DocumentOptions): Promise<CheckoutSession>;
};

/** Binds the checkout sessions' operations to a client's connections and settings. */
export function createCheckoutSessions(context: RequestContext): CheckoutSessions {
  const { getCheckoutSession, updateCheckoutSession } = operations;
  const at = (id: string) => ({ path: { checkout_session_id: id } });
  return {
    get: (id, options) => callDocument(context, { operation: getCheckoutSession, ...at(id), ...options }),
    update: (id, body, options) =>
      callDocument(context, { operation: updateCheckoutSession, ...at(id), body, ...options }),
  };
}

/** The methods of `client.paymentServiceDefinitions` (specification: /payment-service-definitions/{id}/sessions). */
export type PaymentServiceDefinitions = {
  readonly sessions: {
    /** Passes the body on to the payment service; its own failure comes back as a result, not as an error. */
    create(
      definitionId: string,
      body: PaymentServiceSessionRequest,
      options?: DocumentOptions,
    ): Promise<PaymentServiceSession>;
  };
};

/** Binds the payment service definitions' operations to a client's connections and settings. */
export function createPaymentServiceDefinitions(context: RequestContext): PaymentServiceDefinitions {
  const operation = operations.createPaymentServiceSession;
  return {
    sessions: {
      create: (definitionId, body, options) => {
        const path = { payment_service_definition_id: definitionId };
        return callDocument(context, { operation, path, body, ...options });
      },
    },
  };
}
