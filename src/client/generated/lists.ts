// Generated from openapi/openapi.yaml by scripts/generate-contract.ts; do not edit.

import { operations } from '../../contract/generated/operations.ts';
import type {
  ApiLog,
  AuditLog,
  Buyer,
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
  Role,
  WebhookSubscription,
} from '../../contract/generated/types.ts';
import type { RequestContext } from '../call.ts';
import type { PagedResource } from '../page.ts';
import { createPagedResource } from '../paging/resource.ts';

/** The methods of `client.apiLogs` (specification: GET /api-logs). */
export type ApiLogs = PagedResource<ApiLog, ListApiLogsQuery>;

/** The methods of `client.auditLogs` (specification: GET /audit-logs). */
export type AuditLogs = PagedResource<AuditLog, ListAuditLogsQuery>;

/** The methods of `client.digitalWallets` (specification: GET /digital-wallets). */
export type DigitalWallets = PagedResource<DigitalWallet, ListDigitalWalletsQuery>;

/** The methods of `client.paymentMethods` (specification: GET /payment-methods). */
export type PaymentMethods = PagedResource<PaymentMethod, ListPaymentMethodsQuery>;

/** The methods of `client.roles` (specification: GET /roles). */
export type Roles = PagedResource<Role, ListRolesQuery>;

/** The methods of `client.webhookSubscriptions` (specification: GET /webhook-subscriptions). */
export type WebhookSubscriptions = PagedResource<WebhookSubscription, ListWebhookSubscriptionsQuery>;

/** Every list of the contract by its operation id. */
export type Lists = {
  /** GET /api-logs */
  readonly listApiLogs: PagedResource<ApiLog, ListApiLogsQuery>;
  /** GET /audit-logs */
  readonly listAuditLogs: PagedResource<AuditLog, ListAuditLogsQuery>;
  /** GET /buyers */
  readonly listBuyers: PagedResource<Buyer, ListBuyersQuery>;
  /** GET /buyers/gift-cards */
  readonly listGiftCards: PagedResource<GiftCard, ListGiftCardsQuery>;
  /** GET /digital-wallets */
  readonly listDigitalWallets: PagedResource<DigitalWallet, ListDigitalWalletsQuery>;
  /** GET /payment-methods */
  readonly listPaymentMethods: PagedResource<PaymentMethod, ListPaymentMethodsQuery>;
  /** GET /roles */
  readonly listRoles: PagedResource<Role, ListRolesQuery>;
  /** GET /webhook-subscriptions */
  readonly listWebhookSubscriptions: PagedResource<WebhookSubscription, ListWebhookSubscriptionsQuery>;
};

/** Binds every list to a client's connections and settings. */
export function createLists(context: RequestContext): Lists {
  return {
    listApiLogs: createPagedResource(context, operations.listApiLogs),
    listAuditLogs: createPagedResource(context, operations.listAuditLogs),
    listBuyers: createPagedResource(context, operations.listBuyers),
    listGiftCards: createPagedResource(context, operations.listGiftCards),
    listDigitalWallets: createPagedResource(context, operations.listDigitalWallets),
    listPaymentMethods: createPagedResource(context, operations.listPaymentMethods),
    listRoles: createPagedResource(context, operations.listRoles),
    listWebhookSubscriptions: createPagedResource(context, operations.listWebhookSubscriptions),
  };
}

/** The lists by the names that the client gives them, which are those of their paths. */
export type NamedLists = {
  readonly apiLogs: Lists['listApiLogs'];
  readonly auditLogs: Lists['listAuditLogs'];
  readonly buyers: Lists['listBuyers'] & {
    readonly giftCards: Lists['listGiftCards'];
  };
  readonly digitalWallets: Lists['listDigitalWallets'];
  readonly paymentMethods: Lists['listPaymentMethods'];
  readonly roles: Lists['listRoles'];
  readonly webhookSubscriptions: Lists['listWebhookSubscriptions'];
};

/** Gives the lists their names. */
export function nameLists(lists: Lists): NamedLists {
  return {
    apiLogs: lists.listApiLogs,
    auditLogs: lists.listAuditLogs,
    buyers: {
      ...lists.listBuyers,
      giftCards: lists.listGiftCards,
    },
    digitalWallets: lists.listDigitalWallets,
    paymentMethods: lists.listPaymentMethods,
    roles: lists.listRoles,
    webhookSubscriptions: lists.listWebhookSubscriptions,
  };
}
