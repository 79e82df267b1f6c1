import type { OperationId } from '../contract/operations.ts';
import type { Handler } from './route-context.ts';
import { listApiLogs } from './routes/api-logs.ts';
import { listAuditLogs } from './routes/audit-logs.ts';
import { listBuyers } from './routes/buyers.ts';
import { getCheckoutSession, updateCheckoutSession } from './routes/checkout-sessions.ts';
import { listDigitalWallets } from './routes/digital-wallets.ts';
import { listGiftCards } from './routes/gift-cards.ts';
import { listPaymentMethods } from './routes/payment-methods.ts';
import { createPaymentServiceSession } from './routes/payment-service-sessions.ts';
import { listRoles } from './routes/roles.ts';
import { createShippingDetail } from './routes/shipping-details.ts';
import { listWebhookSubscriptions } from './routes/webhook-subscriptions.ts';

/** What answers each operation of the contract. */
export const handlers: { readonly [Id in OperationId]: Handler<Id> } = {
  listBuyers,
  createShippingDetail,
  listGiftCards,
  listPaymentMethods,
  getCheckoutSession,
  updateCheckoutSession,
  createPaymentServiceSession,
  listAuditLogs,
  listApiLogs,
  listRoles,
  listDigitalWallets,
  listWebhookSubscriptions,
};
