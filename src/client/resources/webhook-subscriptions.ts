import { operations } from '../../contract/operations.ts';
import type { ListWebhookSubscriptionsQuery, WebhookSubscription } from '../../contract/types.ts';
import type { RequestContext } from '../call.ts';
import { createListing, type Listing } from '../listing.ts';

/** The methods of `client.webhookSubscriptions` (specification: GET /webhook-subscriptions). */
export type WebhookSubscriptions = Listing<WebhookSubscription, ListWebhookSubscriptionsQuery>;

/** Binds the listing of webhook subscriptions to a client's connections and settings. */
export function createWebhookSubscriptions(context: RequestContext): WebhookSubscriptions {
  return createListing(context, operations.listWebhookSubscriptions);
}
