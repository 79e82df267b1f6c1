// Every resource of the emulator. A new one is one more line.
export { apiLogs } from './api-logs.ts';
export { auditLogs } from './audit-logs.ts';
export { buyers } from './buyers.ts';
export { checkoutSessions } from './checkout-sessions.ts';
export { digitalWallets } from './digital-wallets.ts';
export { giftCards } from './gift-cards.ts';
export { paymentMethods } from './payment-methods.ts';
export { paymentServiceSessions } from './payment-service-sessions.ts';
export { roles } from './roles.ts';
export { shippingDetails } from './shipping-details.ts';
export { webhookSubscriptions } from './webhook-subscriptions.ts';
