// Every resource of the emulator. A new one is one more line.
export { apiLogs } from './api-logs.ts';
export { buyers } from './buyers.ts';
export { checkoutSessions } from './checkout-sessions.ts';
export { giftCards } from './gift-cards.ts';
export { paymentMethods } from './payment-methods.ts';
export { paymentServiceSessions } from './payment-service-sessions.ts';
export { auditLogs, digitalWallets, roles, webhookSubscriptions } from './read-only.ts';
export { shippingDetails } from './shipping-details.ts';
