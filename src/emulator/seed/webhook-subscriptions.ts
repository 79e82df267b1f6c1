import type { WebhookSubscription } from '../../contract/generated/types.ts';
import { createRandom } from '../../text/random.ts';
import { dayMs } from '../clock.ts';
import { maskedText } from '../resources/buyers.ts';
import type { OfAccount, SeedContext, Seeded } from '../resources/resource.ts';
import { omitNulls } from './omit-nulls.ts';
import { seedTeam } from './team.ts';

type Destination = {
  readonly account: 'default' | 'outlet';
  readonly url: string;
  readonly username: string | null;
  readonly isOff?: true;
  readonly isRotating?: true;
};

/** Oldest first. */
const destinations: readonly Destination[] = [
  {
    account: 'default',
    url: 'https://legacy.example.com/notify.php?source=payments',
    username: null,
    isOff: true,
  },
  { account: 'default', url: 'https://hooks.example.com/payments', username: 'payments' },
  { account: 'outlet', url: 'https://outlet.example.net/webhooks/payments', username: 'outlet-hooks' },
  { account: 'default', url: 'https://ledger.example.org/inbox', username: 'ledger', isRotating: true },
  { account: 'default', url: 'https://staging.example.com:8443/hooks/übung', username: null },
  { account: 'default', url: 'https://crm.example.com/events', username: 'crm:sync@example.com' },
];

/**
 * Makes the webhook subscriptions of a seed, oldest first, each created by one of the team. Passwords are masked already:
 * the emulator has no use for real ones.
 */
export function seedWebhookSubscriptions({
  seed,
  endMs,
}: Pick<SeedContext, 'seed' | 'endMs'>): readonly Seeded<OfAccount<WebhookSubscription>>[] {
  const team = seedTeam(seed);
  const random = createRandom(seed, 'webhook-subscriptions');
  let createdMs = endMs - 400 * dayMs;
  return destinations.map(({ account, url, username, isOff, isRotating }) => {
    createdMs += random.below(60 * dayMs);
    const { id, name, email_address } = random.pick(team);
    return {
      createdMs,
      record: omitNulls({
        type: 'webhook-subscription',
        id: random.uuid(),
        active: isOff !== true,
        url,
        rotating: isRotating === true,
        merchant_account_id: account,
        authentication: username === null ? null : { kind: 'basic', username, password: maskedText },
        secret: random.alphanumeric(40),
        creator: { id, name, email_address },
      }),
    };
  });
}
