import { listResource } from './list-resource.ts';

/** GET /webhook-subscriptions: sorted by a creation date that the contract does not show. */
export const webhookSubscriptions = listResource('listWebhookSubscriptions', {
  table: 'webhook_subscriptions',
  seed: async () => (await import('../seed/webhook-subscriptions.ts')).seedWebhookSubscriptions,
  filters: {},
});
