import { answerPage } from '../answer-page.ts';
import type { Handler } from '../route-context.ts';
import { webhookSubscriptionListing } from '../webhook-subscriptions-store.ts';

/** GET /webhook-subscriptions: most recently created first (specification, GET /webhook-subscriptions). */
export const listWebhookSubscriptions: Handler<'listWebhookSubscriptions'> = (context) =>
  answerPage(context, webhookSubscriptionListing(context.merchantAccount));
