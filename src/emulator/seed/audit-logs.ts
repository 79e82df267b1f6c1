import type { AuditLog, AuditLogAction } from '../../contract/generated/types.ts';
import { createRandom, type Random } from '../../text/random.ts';
import { dayMs, timestamp } from '../clock.ts';
import type { OfAccount, SeedContext, Seeded } from '../resources/resource.ts';
import { seedDigitalWallets } from './digital-wallets.ts';
import { seedTeam } from './team.ts';
import { seedWebhookSubscriptions } from './webhook-subscriptions.ts';

/** The seeded records that the history is about. */
type AuditedRecords = Omit<SeedContext, 'seed'> & {
  readonly team: ReturnType<typeof seedTeam>;
  readonly webhooks: ReturnType<typeof seedWebhookSubscriptions>;
  readonly wallets: ReturnType<typeof seedDigitalWallets>;
};

type Resource = { readonly type: string; readonly id: string; readonly name: string };

type Activity = {
  readonly action: AuditLogAction;
  readonly resource: Resource;
  readonly account: string;
  /** The moment, or the earliest one, in milliseconds since 1970. */
  readonly fromMs: number;
  readonly isExact?: true;
  readonly userId?: string | null | undefined;
};

const everydayActivities = 320;

/** Makes the history of a seed: who set up what, and then everyday work over the last 180 days. Oldest first. */
export function seedAuditLogs(context: SeedContext): readonly Seeded<OfAccount<AuditLog>>[] {
  const { seed } = context;
  const [team, webhooks, wallets] = [
    seedTeam(seed),
    seedWebhookSubscriptions(context),
    seedDigitalWallets(context),
  ];
  const records = { ...context, team, webhooks, wallets };
  const random = createRandom(seed, 'audit-logs');
  const everyday = Array.from({ length: everydayActivities }, () => everydayActivity(random, records));
  return [...creations(records), ...everyday]
    .map((activity) => entry(random, records, activity))
    .sort((a, b) => a.createdMs - b.createdMs);
}

function creations({ webhooks, wallets }: AuditedRecords): Activity[] {
  const ofWebhooks = webhooks.map(({ createdMs, record }) => ({
    ...about(record, record.url ?? 'Webhook'),
    action: 'created' as const,
    fromMs: createdMs,
    isExact: true as const,
    userId: record.creator?.id,
  }));
  const ofWallets = wallets.map(({ createdMs, record }) => ({
    ...about(record, record.merchant_display_name ?? 'Wallet'),
    action: 'created' as const,
    fromMs: createdMs,
    isExact: true as const,
  }));
  return [...ofWebhooks, ...ofWallets];
}

function about(
  record: { readonly type: string; readonly id: string; readonly merchant_account_id: string },
  name: string,
): { readonly resource: Resource; readonly account: string } {
  return { resource: { type: record.type, id: record.id, name }, account: record.merchant_account_id };
}

function everydayActivity(random: Random, records: AuditedRecords): Activity {
  const place = random.below(100);
  if (place < 35) return transactionActivity(random);
  if (place < 62) return buyerActivity(random, records);
  if (place < 75) return paymentMethodActivity(random, records);
  if (place < 83) return webhookActivity(random, records);
  return settingsActivity(random, records.team);
}

/** No endpoint shows transactions, so that their ids lead nowhere, as those of things that were deleted do. */
function transactionActivity(random: Random): Activity {
  const resource = { type: 'transaction', id: random.uuid(), name: 'Transaction' };
  const action = random.pick(['captured', 'captured', 'captured', 'voided', 'canceled'] as const);
  return { action, resource, account: random.chance(0.8) ? 'default' : 'outlet', fromMs: 0 };
}

function buyerActivity(random: Random, { buyers }: AuditedRecords): Activity {
  const [first, ...others] = buyers;
  if (first === undefined) return transactionActivity(random);
  const buyer = random.pick([first, ...others]);
  const named = about(buyer, buyer.display_name ?? 'Buyer');
  if (random.chance(0.1)) {
    const resource = { type: 'buyer', id: random.uuid(), name: 'Buyer' };
    return { action: 'deleted', resource, account: named.account, fromMs: 0 };
  }
  return { ...named, action: 'updated', fromMs: Date.parse(buyer.created_at) };
}

function paymentMethodActivity(random: Random, { paymentMethods }: AuditedRecords): Activity {
  const [first, ...others] = paymentMethods;
  if (first === undefined) return transactionActivity(random);
  const method = random.pick([first, ...others]);
  return {
    ...about(method, method.label ?? method.method ?? 'Payment method'),
    action: 'updated',
    fromMs: Date.parse(method.created_at),
  };
}

function webhookActivity(random: Random, { webhooks }: AuditedRecords): Activity {
  const [first, ...others] = webhooks;
  if (first === undefined) return transactionActivity(random);
  const { createdMs, record } = random.pick([first, ...others]);
  return { ...about(record, record.url ?? 'Webhook'), action: 'updated', fromMs: createdMs };
}

function settingsActivity(random: Random, team: AuditedRecords['team']): Activity {
  const account = random.chance(0.85) ? 'default' : 'outlet';
  const member = random.pick(team);
  const key = {
    type: 'api-key-pair',
    id: random.uuid(),
    name: random.pick(['Checkout', 'Reports', 'CI <test>']),
  };
  const resource = random.pick([
    key,
    { type: 'user', id: member.id, name: member.name },
    { type: 'merchant-account', id: account, name: account },
  ]);
  const action = resource === key ? random.pick(['created', 'deleted'] as const) : 'updated';
  return { action, resource, account, fromMs: 0 };
}

function entry(
  random: Random,
  { team, endMs }: AuditedRecords,
  activity: Activity,
): Seeded<OfAccount<AuditLog>> {
  const { action, resource, account, fromMs, isExact, userId } = activity;
  const startMs = Math.min(Math.max(fromMs, endMs - 180 * dayMs), endMs);
  const atMs = isExact ? fromMs : startMs + random.below(endMs - startMs + 1);
  const record: OfAccount<AuditLog> = {
    type: 'audit-log',
    id: random.uuid(),
    merchant_account_id: account,
    timestamp: timestamp(new Date(atMs)),
    action,
    resource,
    user: team.find(({ id }) => id === userId) ?? random.pick(team),
  };
  return { record, createdMs: atMs };
}
