import type { WebhookSubscription } from '../../contract/generated/types.ts';
import { type EmulatorDatabase, insertRow } from '../store/database.ts';
import type { ListQuery } from '../store/keyset.ts';
import { answerPage } from '../store/pages.ts';
import type { Handler } from './handler.ts';

/** A webhook subscription and when it was created, which the contract sorts by and does not show. */
export type StoredWebhookSubscription = {
  /** In milliseconds since 1970. */
  readonly createdMs: number;
  readonly subscription: WebhookSubscription & { readonly merchant_account_id: string };
};

/** Adds a webhook subscription. Its password must be masked already: the emulator has no use for a real one. */
export function insertWebhookSubscription(
  database: EmulatorDatabase,
  { createdMs, subscription }: StoredWebhookSubscription,
): void {
  insertRow(database, 'webhook_subscriptions', {
    id: subscription.id,
    merchant_account_id: subscription.merchant_account_id,
    created_ms: createdMs,
    document: JSON.stringify(subscription),
  });
}

/** What GET /webhook-subscriptions reads for a merchant account. */
export function webhookSubscriptionListing(merchantAccount: string): ListQuery {
  return {
    table: 'webhook_subscriptions',
    document: 'document',
    filters: [{ sql: 'merchant_account_id = ?', values: [merchantAccount] }],
  };
}

/** GET /webhook-subscriptions: most recently created first (specification, GET /webhook-subscriptions). */
export const listWebhookSubscriptions: Handler<'listWebhookSubscriptions'> = (context) =>
  answerPage(context, webhookSubscriptionListing(context.merchantAccount));
