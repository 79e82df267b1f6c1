import { operations } from '../contract/generated/operations.ts';
import type {
  ApiLog,
  AuditLog,
  Buyer,
  CheckoutSession,
  CheckoutSessionUpdate,
  DigitalWallet,
  GiftCard,
  ListApiLogsQuery,
  ListAuditLogsQuery,
  ListBuyersQuery,
  ListDigitalWalletsQuery,
  ListGiftCardsQuery,
  ListPaymentMethodsQuery,
  ListRolesQuery,
  ListWebhookSubscriptionsQuery,
  PaymentMethod,
  PaymentServiceSession,
  PaymentServiceSessionRequest,
  Role,
  ShippingDetail,
  ShippingDetailCreate,
  WebhookSubscription,
} from '../contract/generated/types.ts';
import type { RequestContext } from './call.ts';
import { createPagedResource, type PagedResource } from './paging.ts';
import { callDocument, type DocumentOptions } from './send.ts';

/** The methods of `client.apiLogs` (specification: GET /api-logs). */
export type ApiLogs = PagedResource<ApiLog, ListApiLogsQuery>;

/** Binds the listing of API error logs to a client's connections and settings. */
export function createApiLogs(context: RequestContext): ApiLogs {
  return createPagedResource(context, operations.listApiLogs);
}

/** The methods of `client.auditLogs` (specification: GET /audit-logs). */
export type AuditLogs = PagedResource<AuditLog, ListAuditLogsQuery>;

/** Binds the listing of audit logs to a client's connections and settings. */
export function createAuditLogs(context: RequestContext): AuditLogs {
  return createPagedResource(context, operations.listAuditLogs);
}

/** The methods of `client.buyers` (specification: GET /buyers and what is below it). */
export type Buyers = PagedResource<Buyer, ListBuyersQuery> & {
  readonly shippingDetails: {
    /** Adds a shipping detail to a buyer; is sent again only where it provably was not processed. */
    create(buyerId: string, body: ShippingDetailCreate, options?: DocumentOptions): Promise<ShippingDetail>;
  };
  readonly giftCards: PagedResource<GiftCard, ListGiftCardsQuery>;
};

/** Binds the buyers' operations to a client's connections and settings. */
export function createBuyers(context: RequestContext): Buyers {
  const { listBuyers, listGiftCards, createShippingDetail } = operations;
  return {
    ...createPagedResource<Buyer, ListBuyersQuery>(context, listBuyers),
    shippingDetails: {
      create: (buyerId, body, options) =>
        callDocument(context, {
          operation: createShippingDetail,
          path: { buyer_id: buyerId },
          body,
          ...options,
        }),
    },
    giftCards: createPagedResource(context, listGiftCards),
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

/** The methods of `client.digitalWallets` (specification: GET /digital-wallets). */
export type DigitalWallets = PagedResource<DigitalWallet, ListDigitalWalletsQuery>;

/** Binds the listing of digital wallets to a client's connections and settings. */
export function createDigitalWallets(context: RequestContext): DigitalWallets {
  return createPagedResource(context, operations.listDigitalWallets);
}

/** The methods of `client.paymentMethods` (specification: GET /payment-methods). */
export type PaymentMethods = PagedResource<PaymentMethod, ListPaymentMethodsQuery>;

/** Binds the listing of payment methods to a client's connections and settings. */
export function createPaymentMethods(context: RequestContext): PaymentMethods {
  return createPagedResource(context, operations.listPaymentMethods);
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

/** The methods of `client.roles` (specification: GET /roles). */
export type Roles = PagedResource<Role, ListRolesQuery>;

/** Binds the listing of roles to a client's connections and settings. */
export function createRoles(context: RequestContext): Roles {
  return createPagedResource(context, operations.listRoles);
}

/** The methods of `client.webhookSubscriptions` (specification: GET /webhook-subscriptions). */
export type WebhookSubscriptions = PagedResource<WebhookSubscription, ListWebhookSubscriptionsQuery>;

/** Binds the listing of webhook subscriptions to a client's connections and settings. */
export function createWebhookSubscriptions(context: RequestContext): WebhookSubscriptions {
  return createPagedResource(context, operations.listWebhookSubscriptions);
}
