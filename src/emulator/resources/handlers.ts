import type { OperationId } from '../../contract/generated/operations.ts';
import { listApiLogs } from './api-logs.ts';
import { listAuditLogs } from './audit-logs.ts';
import { listBuyers } from './buyers.ts';
import { getCheckoutSession, updateCheckoutSession } from './checkout-sessions.ts';
import { listDigitalWallets } from './digital-wallets.ts';
import { listGiftCards } from './gift-cards.ts';
import type { Handler } from './handler.ts';
import { listPaymentMethods } from './payment-methods.ts';
import { createPaymentServiceSession } from './payment-service-sessions.ts';
import { listRoles } from './roles.ts';
import { createShippingDetail } from './shipping-details.ts';
import { listWebhookSubscriptions } from './webhook-subscriptions.ts';

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
