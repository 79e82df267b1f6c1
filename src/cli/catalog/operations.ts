import { type Operation, operations } from '../../contract/generated/operations.ts';

/** The operation that each command calls; the scopes of its token are those of the operation. */
export const COMMAND_OPERATIONS: Readonly<Record<string, Operation>> = {
  'api-logs list': operations.listApiLogs,
  'audit-logs list': operations.listAuditLogs,
  'buyers gift-cards list': operations.listGiftCards,
  'buyers list': operations.listBuyers,
  'buyers shipping-details create': operations.createShippingDetail,
  'checkout-sessions get': operations.getCheckoutSession,
  'checkout-sessions update': operations.updateCheckoutSession,
  'digital-wallets list': operations.listDigitalWallets,
  'payment-methods list': operations.listPaymentMethods,
  'payment-service-definitions sessions create': operations.createPaymentServiceSession,
  'roles list': operations.listRoles,
  'webhook-subscriptions list': operations.listWebhookSubscriptions,
};
